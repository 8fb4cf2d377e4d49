// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host function that launches a kernel may use what the C++ library instantiates elsewhere: its templates are bodies
// to inline only, and those of them that are always inlined exist nowhere else.
#include <string>

#include "check.h"

__global__ void count_letters(const char *text, int length, int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && text[i] >= 'a' && text[i] <= 'z')
    atomicAdd(&counts[text[i] - 'a'], 1);
}

static std::string words(const char *word, int times) {
  std::string text(word, word + strlen(word));
  for (int i = 1; i < times; i++)
    text += ", " + std::string(word);
  return text;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  std::string name("barrier"), text = words(name.c_str(), 100);
  std::string again(text.begin(), text.end());
  buffer<char> letters(again.size());
  buffer<int> counts(26);
  memcpy(letters.host, again.data(), again.size());
  letters.upload();
  counts.upload();
  count_letters<<<blocks_for((int)again.size(), block), block>>>(letters.device, (int)again.size(), counts.device);
  counts.download();
  for (int letter = 0; letter < 26; letter++) {
    int expected = 0;
    for (char c : name)
      expected += c == 'a' + letter;
    expect(letter, counts[letter], 100 * expected);
  }
  return passed();
}
