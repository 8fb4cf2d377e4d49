// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of messages whose words have their highest byte first: a thread for each message puts its words together byte
// by byte and mixes them. Arguments: messages, iterations.
#include "messages.h"

__device__ uint32_t word_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

__global__ void check(const unsigned char *bytes, uint32_t *checks, int count, uint32_t start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const unsigned char *own = bytes + (size_t)i * MESSAGE;
  uint32_t a = start, b = ~start, c = 0x9e3779b9;
  for (int k = 0; k < WORDS; k++) {
    const uint32_t word = word_at(own + 4 * k), mixed = (a << 5 | a >> 27) + ((b & c) | (~b & a)) + word;
    c = b << 30 | b >> 2;
    b = a;
    a = mixed;
  }
  checks[i] = a ^ b ^ c;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "messages");
  const int iterations = (int)bench_argument(argc, argv, 2, 150, 1, "iterations");
  unsigned char *bytes = bench_to_device(make_messages(count), (size_t)count * MESSAGE);
  uint32_t *checks = (uint32_t *)bench_allocate(count * sizeof(uint32_t)),
           *checks_device = bench_to_device(checks, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    check<<<(count + 127) / 128, 128>>>(bytes, checks_device, count, iteration);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(checks, checks_device, count);
  bench_report_words(time_ms, checks, count);
  return 0;
}
