/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Large copies and fills, which workers share: whole, in rows with gaps and in slices, of odd lengths at odd addresses, overlapping, in an
 * open crew, in a parallel region of the host's and from several threads at once. What lies beside them stays.
 */
#include "check.h"

#include <omp.h>
#include <pthread.h>

enum { ROOM = 9 << 20 };

static unsigned char number_at(size_t i) { return (unsigned char)(i * 31 + (i >> 8) * 7 + (i >> 16)); }

static unsigned char *make_numbers(size_t bytes) {
  unsigned char *memory = malloc(bytes);
  for (size_t i = 0; i < bytes; i++)
    memory[i] = number_at(i);
  return memory;
}

static unsigned char *make_device(int value) {
  void *memory;
  CHECK_OK(cudaMalloc(&memory, ROOM));
  memset(memory, value, ROOM);
  return memory;
}

static int is_all(const unsigned char *memory, size_t bytes, unsigned char value) {
  return !bytes || (memory[0] == value && memcmp(memory, memory + 1, bytes - 1) == 0);
}

static void check_lines(void) {
  static const size_t sizes[] = {(2 << 20) - 1, 2 << 20, (2 << 20) + 1, (4 << 20) + 4095, (8 << 20) + 77};
  unsigned char *host = make_numbers(ROOM), *device = make_device(0xEE);
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    for (size_t offset = 0; offset < 200; offset += 67) {
      size_t n = sizes[i];
      memset(device, 0xEE, ROOM);
      CHECK_OK(cudaMemcpy(device + offset, host + 3, n, cudaMemcpyHostToDevice));
      CHECK(memcmp(device + offset, host + 3, n) == 0);
      CHECK(is_all(device, offset, 0xEE) && is_all(device + offset + n, ROOM - offset - n, 0xEE));
      CHECK_OK(cudaMemset(device + offset, 0x55, n));
      CHECK(is_all(device + offset, n, 0x55));
      CHECK(is_all(device, offset, 0xEE) && is_all(device + offset + n, ROOM - offset - n, 0xEE));
    }
  free(host);
  CHECK_OK(cudaFree(device));
}

static void check_overlap(void) {
  unsigned char *device = make_device(0), *wanted = make_numbers(ROOM);
  for (size_t distance = 1; distance < 4 << 20; distance = distance * 9 + 1) {
    const size_t n = 4 << 20;
    memcpy(device, wanted, ROOM);
    CHECK_OK(cudaMemcpy(device + distance, device, n, cudaMemcpyDeviceToDevice));
    CHECK(memcmp(device + distance, wanted, n) == 0);
    memcpy(device, wanted, ROOM);
    CHECK_OK(cudaMemcpy(device, device + distance, n, cudaMemcpyDeviceToDevice));
    CHECK(memcmp(device, wanted + distance, n) == 0);
  }
  free(wanted);
  CHECK_OK(cudaFree(device));
}

static void check_rows(void) {
  enum { WIDTH = 3001, PITCH = 3011, ROWS = 2000, SLICES = 4 };
  unsigned char *host = make_numbers((size_t)WIDTH * ROWS), *device = make_device(0xEE);
  CHECK_OK(cudaMemcpy2D(device, PITCH, host, WIDTH, WIDTH, ROWS, cudaMemcpyHostToDevice));
  int right = 1;
  for (size_t j = 0; j < ROWS; j++)
    right &= memcmp(device + j * PITCH, host + j * WIDTH, WIDTH) == 0 &&
             is_all(device + j * PITCH + WIDTH, PITCH - WIDTH, 0xEE);
  CHECK(right);
  struct cudaMemcpy3DParms box = {.srcPtr = {host, WIDTH, WIDTH, ROWS / SLICES},
                                  .dstPtr = {device, PITCH, WIDTH, ROWS / SLICES + 3},
                                  .extent = {WIDTH, ROWS / SLICES, SLICES},
                                  .kind = cudaMemcpyHostToDevice};
  memset(device, 0xEE, ROOM);
  CHECK_OK(cudaMemcpy3D(&box));
  for (size_t j = 0; j < ROWS; j++) {
    size_t row = j + j / (ROWS / SLICES) * 3;
    right &= memcmp(device + row * PITCH, host + j * WIDTH, WIDTH) == 0 &&
             is_all(device + row * PITCH + WIDTH, PITCH - WIDTH, 0xEE);
  }
  CHECK(right);
  CHECK_OK(cudaMemset2D(device, PITCH, 0x77, WIDTH, ROWS));
  for (size_t j = 0; j < ROWS; j++)
    right &= is_all(device + j * PITCH, WIDTH, 0x77);
  CHECK(right && is_all(device + (size_t)ROWS * PITCH + 3 * PITCH * SLICES, 100, 0xEE));
  free(host);
  CHECK_OK(cudaFree(device));
}

static void check_elements(unsigned int element) {
  unsigned char *device = make_device(0xEE);
  const struct cudaMemsetParams fill = {device + element, 0, 0x12345678, element, (4 << 20) / element, 1};
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, NULL));
  int right = is_all(device, element, 0xEE) && is_all(device + element + (4 << 20), 100, 0xEE);
  for (size_t i = element; i < element + (4 << 20); i += element)
    right &= memcmp(device + i, &fill.value, element) == 0;
  CHECK(right);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaFree(device));
}

static void *on_a_thread(void *unused) {
  (void)unused;
  omp_set_num_threads(3);
  check_lines();
  check_rows();
  return NULL;
}

static void check_surroundings(void) {
  uwrt_crew_open();
  check_lines();
  check_overlap();
  uwrt_crew_close();
#pragma omp parallel num_threads(2)
  check_rows();
}

int main(void) {
  pthread_t threads[2];
  for (int workers = 5; workers >= 1; workers -= 2) { /* libomp leaks memory when a team grows */
    omp_set_num_threads(workers);
    check_lines();
    check_overlap();
    check_rows();
    for (unsigned int element = 1; element <= 4; element *= 2)
      check_elements(element);
    check_surroundings();
  }
  for (int i = 0; i < 2; i++)
    CHECK(pthread_create(&threads[i], NULL, on_a_thread, NULL) == 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return finish();
}
