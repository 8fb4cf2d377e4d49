// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf on the device: formats, strings, widths, 64-bit values, its result; the output is read back from a file.
#include "check.h"

#include <unistd.h>

__global__ void speak(const char *word, double x) {
  int count = printf("%d|%5d|%-5d|%05d|%+d|%x|%X|%o|%u\n", -7, 42, 42, 42, 42, 255, 255, 8, 3000000000u);
  printf("%f|%.3f|%10.2e|%g|%s|%c|%%\n", x, x, x, x, word, 'z');
  printf("%lld|%llu|%hd|%ld|%*d|args %d\n", -5000000000ll, 18000000000000000000ull, (short)-3, 1l << 40, 6, 17, count);
  printf("no arguments\n");
}

__global__ void count_off(void) { printf("thread %d of block %d\n", (int)threadIdx.x, (int)blockIdx.x); }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv) > 40 ? 40 : block_size(argc, argv), blocks = 3;
  static char text[1 << 16];
  char *word, expected[1024];
  CHECK(cudaMallocManaged(&word, 16));
  strcpy(word, "shared word");
  FILE *file = tmpfile();
  fflush(stdout);
  int saved = dup(1);
  dup2(fileno(file), 1);
  speak<<<1, 1>>>(word, 3.14159);
  cudaError_t first = cudaDeviceSynchronize();
  count_off<<<blocks, block>>>();
  cudaError_t second = cudaDeviceSynchronize();
  fflush(stdout);
  dup2(saved, 1);
  CHECK(first);
  CHECK(second);
  rewind(file);
  text[fread(text, 1, sizeof(text) - 1, file)] = 0;

  snprintf(expected, sizeof(expected),
           "-7|   42|42   |00042|+42|ff|FF|10|3000000000\n%f|%.3f|%10.2e|%g|shared word|z|%%\n"
           "-5000000000|18000000000000000000|-3|1099511627776|    17|args 9\nno arguments\n",
           3.14159, 3.14159, 3.14159, 3.14159);
  size_t length = strlen(expected);
  if (strncmp(text, expected, length) != 0) {
    printf("got:\n%s\nexpected:\n%s", text, expected);
    return 1;
  }
  int seen[3][40] = {{0}}, thread, from, used;
  for (char *line = text + length; sscanf(line, "thread %d of block %d\n%n", &thread, &from, &used) == 2; line += used)
    if (thread >= 0 && thread < block && from >= 0 && from < blocks)
      seen[from][thread]++;
  for (int i = 0; i < blocks * block; i++)
    expect(i, seen[i / block][i % block], 1);
  CHECK(cudaFree(word));
  return passed();
}
