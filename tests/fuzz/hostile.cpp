// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damaged fat binaries, objects, module images and PTX for what reads them in a program's own process (libraries/jit): no access beyond their
// bytes, no end but a result. Built by hostile.sh with the sanitizers.
//
//   hostile FIRST LAST [FILE…]     the files are seeds beside those that are made here
#include "../libraries/fat.h"
#include <cstdio>
#include <cstdlib>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" {
#include "../../libraries/jit/fat.h"
#include "../../libraries/jit/link.h"
#include "../../libraries/jit/pieces.h"
#include "../../runtime/module_image.h"
}

static uint64_t state;
static uint64_t number() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static size_t below(size_t bound) { return bound ? number() % bound : 0; }

static std::string made_up_ptx() {
  std::string text =
      ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"x.cu\"\n.global .align 4 .u32 counter = 5, other;\n"
      ".visible .const .align 8 .b8 table[4] = {1, 2, 3, 4};\n.extern .shared .align 16 .b8 smem[];\n"
      ".func (.param .b32 r) more(.param .b32 a) { ret; } /* a */ .alias less, more;\n.pragma \"nounroll\";\n";
  for (int i = 0; i < 9; i++)
    text += ".visible .entry k" + std::to_string(i) +
            "(.param .u64 p)\n.maxntid 256, 1, 1\n{\n  .reg .b32 %r<5>; // }\n  mov.u32 %r1, counter;\n"
            "  call (%r2), more, (%r1);\n$L:\n  @%p0 bra $L;\n  ret;\n}\n";
  return text + ".section .debug_str { .b8 0, 1 }\n";
}

static std::string object_with(const std::string &binary) {
  static const char names[] = "\0.shstrtab\0.nv_fatbin";
  Elf64_Ehdr head = {};
  Elf64_Shdr sections[3] = {};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = 3;
  head.e_shstrndx = 1;
  sections[1].sh_name = 1;
  sections[1].sh_offset = sizeof head;
  sections[1].sh_size = sizeof names;
  sections[2].sh_name = 11;
  sections[2].sh_type = SHT_PROGBITS;
  sections[2].sh_offset = sizeof head + sizeof names;
  sections[2].sh_size = binary.size();
  head.e_shoff = sizeof head + sizeof names + binary.size();
  std::string to((const char *)&head, sizeof head);
  to.append(names, sizeof names);
  return (to + binary).append((const char *)sections, sizeof sections);
}

static std::string image() {
  uwrt_image head = {};
  memcpy(head.magic, UWRT_IMAGE_MAGIC, sizeof head.magic);
  std::string rest(200, 'x');
  head.version = UWRT_IMAGE_VERSION;
  head.bytes = sizeof head + rest.size();
  head.checksum = uwrt_image_checksum(rest.data(), rest.size());
  return std::string((const char *)&head, sizeof head) + rest;
}

static void damage(std::string &data, const std::vector<std::string> &seeds) {
  static const unsigned char special[] = {0, 1, 0x7f, 0x80, 0xff, '{', '}', '"', '/', '*', ';', '.', '\n', '(', ','};
  for (size_t times = 1 + below(6); times--;) {
    size_t at = below(data.size()), length = 1 + below(below(4) ? 8 : 200);
    switch (below(8)) {
    case 0: data.resize(at); break;
    case 1: data.erase(at, length); break;
    case 2: data.insert(at, data.substr(below(data.size()), length)); break;
    case 3: data.insert(at, 1, (char)special[below(sizeof special)]); break;
    case 4:
      if (!data.empty())
        data[at] = (char)special[below(sizeof special)];
      break;
    case 5:
      if (!data.empty())
        data[at] = (char)(data[at] ^ 1 << below(8));
      break;
    case 6: { /* another's part */
      const std::string &other = seeds[below(seeds.size())];
      data.insert(at, other, below(other.size()), length);
      break;
    }
    case 7: /* a number that is far too large, or just so */
      for (size_t i = 0, wide = below(2) ? 8 : 4, all = below(2); i < wide && at + i < data.size(); i++)
        data[at + i] = (char)(all ? 0xff : number());
      break;
    }
  }
}

static void read_ptx(const char *text, size_t bytes) {
  uwjit_pieces *pieces = uwjit_pieces_of(text, bytes);
  if (!pieces)
    return;
  size_t size;
  auto same = [](const char *own, const char *name) { return (int)(strcmp(own, name) == 0); };
  for (const char *name : {"k3", "counter", "k3", "nowhere"})
    free(uwjit_pieces_take(pieces, name, same, &size));
  char *rest = uwjit_pieces_rest(pieces, &size);
  if (rest && strlen(rest) != size)
    abort();
  free(rest);
  uwjit_pieces_free(pieces);
}

/* In memory that ends where the data ends. */
static void read_any(const std::string &data) {
  char *bytes = (char *)malloc(data.size() + 1);
  memcpy(bytes, data.data(), data.size());
  bytes = (char *)realloc(bytes, data.size() ? data.size() : 1);
  size_t size = data.size(), inner;
  uwjit_fat_ptx found;
  uwjit_fat_read(bytes, size, &found);
  if (found.state == uwjit_fat_ptx::UWJIT_FAT_FOUND)
    read_ptx(found.text, found.bytes);
  free(found.owned);
  if (const void *fat = uwjit_fat_of_object(bytes, size, &inner)) {
    uwjit_fat_read(fat, inner, &found);
    free(found.owned);
  }
  uwjit_is_ptx(bytes, size);
  uwrt_image_is_good(bytes, size);
  read_ptx(bytes, size);
  uwjit_link link = {};
  const char *why = nullptr;
  uwjit_link_add(&link, bytes, size, "damaged", &why);
  uwjit_link_free(&link);
  free(bytes);
}

int main(int count, char **arguments) {
  std::string ptx = made_up_ptx();
  std::vector<std::string> seeds = {
      ptx, image(), fat::binary(fat::entry(fat::ptx, 75, ptx) + fat::entry(fat::gpu_code, 80, "code")),
      fat::binary(fat::entry(fat::ptx, 80, ptx, fat::lz4)), fat::binary(fat::entry(fat::ptx, 50, ptx, fat::zstd))};
  seeds.push_back(object_with(seeds[2]));
  for (int i = 3; i < count; i++) {
    std::ifstream file(arguments[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  for (const std::string &seed : seeds)
    read_any(seed);
  unsigned long first = strtoul(arguments[1], nullptr, 10), last = strtoul(arguments[2], nullptr, 10);
  for (unsigned long seed = first; seed <= last; seed++) {
    state = seed * 0x9E3779B97F4A7C15u | 1;
    number();
    std::string data = seeds[below(seeds.size())];
    damage(data, seeds);
    fprintf(stderr, "\r%lu", seed); /* the last one is the culprit */
    read_any(data);
  }
  printf("\n%lu damaged inputs: none did harm\n", last - first + 1);
}
