/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fat binaries, as nvcc writes them: entries of PTX, as they are or packed by LZ4 or zstd, and of GPU code. */
#pragma once
#include <cstdint>
#include <cstring>
#include <string>

namespace fat {

enum packing { plain, lz4, zstd };
enum { ptx = 1, gpu_code = 2 };

inline void put(std::string &to, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++)
    to.push_back((char)(number >> (8 * i)));
}

/* A block with one sequence: literals alone. */
inline std::string pack_lz4(const std::string &text) {
  std::string to(1, (char)0xf0);
  size_t left = text.size() - 15;
  for (; left >= 255; left -= 255)
    to.push_back((char)0xff);
  to.push_back((char)left);
  return to + text;
}

/* A frame with one raw block. */
inline std::string pack_zstd(const std::string &text) {
  std::string to = "\x28\xb5\x2f\xfd";
  to.push_back((char)0xa0); /* one segment, its size in four bytes */
  put(to, text.size(), 4);
  put(to, 1 | text.size() << 3, 3);
  return to + text;
}

inline std::string entry(int kind, unsigned int architecture, std::string text, packing how = plain) {
  std::string payload = how == lz4 ? pack_lz4(text) : how == zstd ? pack_zstd(text) : text, to;
  size_t packed = payload.size();
  while (payload.size() % 8)
    payload.push_back(0);
  put(to, (uint64_t)kind, 2);
  put(to, 0x101, 2);
  put(to, 72, 4);
  put(to, payload.size(), 8);
  put(to, how == plain ? 0 : packed, 4);
  put(to, 0, 4);
  put(to, 0x00080003, 4);
  put(to, architecture, 4);
  put(to, 0, 8);
  put(to, how == lz4 ? 0x2011 : how == zstd ? 0x8011 : 0x11, 8);
  put(to, 0, 8);
  put(to, how == plain ? 0 : text.size(), 8);
  put(to, 0, 8);
  return to + payload;
}

inline std::string binary(const std::string &entries) {
  std::string to;
  put(to, 0xBA55ED50, 4);
  put(to, 1, 2);
  put(to, 16, 2);
  put(to, entries.size(), 8);
  return to + entries;
}

struct wrapper {
  unsigned int magic = 0x466243b1, version = 1;
  const void *data;
  void *more = nullptr;
  explicit wrapper(const std::string &binary) : data(binary.data()) {}
};

} // namespace fat
