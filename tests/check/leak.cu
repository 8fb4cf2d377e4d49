// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was never freed; and the form of the report: the exit status, the environment.
// flags: -fcheck=leak,memory
#include "cases.h"

__device__ int *kept;
__global__ void keep() { kept = (int *)malloc(40); }
__global__ void give_back() { free(kept); }
__global__ void write_at(int *to, int at) { to[at] = 1; }
__global__ void also_write_at(int *to, int at) { to[at] = 1; }
// case plain: ^unwarp: leak: 400 bytes of device memory were never freed$
// case plain: ^  allocated at .*leak.cu:[0-9]+ .main.$
// case managed: 64 bytes of managed memory were never freed
// case pinned: 64 bytes of page-locked host memory were never freed
// case pool: 64 bytes of device memory were never freed
// case pitch: bytes of device memory were never freed
// case array: bytes of device memory were never freed
// case heap: ^unwarp: leak: 40 bytes of memory of a kernel's malloc were never freed$
// case heap: ^  at leak.cu:8|^  allocated at leak.cu:8
// case one_of_two: ^unwarp: leak: 8 bytes
// case in_a_loop: leak at .*leak.cu:[0-9]+ .main.: 5 times in all
// case reset: 400 bytes of device memory were never freed
// case half_freed: 24 bytes of device memory
// clean freed
// clean managed_freed
// clean pinned_freed
// clean pool_freed
// clean pitch_freed
// clean array_freed
// clean heap_freed
// clean registered
// clean nothing
// clean in_a_loop_freed

// case context_lost: an assertion failed
// status context_lost: 0
#include <cassert>
__global__ void fails(int *to) { assert(!to); }

// case status: found 1 mistake
// env status: UNWARP_CHECK=exitcode=3
// status status: 3
// case status_zero: found 1 mistake
// env status_zero: UNWARP_CHECK=exitcode=0
// status status_zero: 0
// case own_status: found 1 mistake
// status own_status: 5
// case as_json: ^\{"class": "memory", "rule": "out-of-bounds", "message": "write of 4 bytes 0 bytes after the end of 8 bytes of device memory", "access": \{"what": "write", "kernel": "write_at\(int\*, int\)", "launch": 1, "block": \[0,0,0\], "thread": \[0,0,0\], "places": \["leak.cu:10"\]\}, "allocated": ".*leak.cu:.*"\}$
// env as_json: UNWARP_CHECK=json,memory
// case only_a_kernel: of also_write_at
// env only_a_kernel: UNWARP_CHECK=kernel=also_,memory
// case only_a_class: ^unwarp: memory: write
// env only_a_class: UNWARP_CHECK=memory
// case no_more_than: not all are shown: UNWARP_CHECK=limit=N
// env no_more_than: UNWARP_CHECK=limit=1
// status no_more_than: 66
// clean other_kernel
// env other_kernel: UNWARP_CHECK=kernel=nothing_like_it,memory

CASES
  int *p = nullptr;
  size_t pitch;
  CASE(plain) cudaMalloc(&p, 400);
  CASE(managed) cudaMallocManaged(&p, 64);
  CASE(pinned) cudaMallocHost(&p, 64);
  CASE(pool) cudaMallocAsync(&p, 64, 0);
  CASE(pitch) cudaMallocPitch(&p, &pitch, 40, 10);
  CASE(array) { cudaArray_t a; cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(); cudaMallocArray(&a, &d, 16, 16); }
  CASE(heap) keep<<<1, 1>>>();
  CASE(one_of_two) { int *q; cudaMalloc(&p, 4); cudaMalloc(&q, 8); cudaFree(p); }
  CASE(in_a_loop) for (int i = 0; i < 5; i++) cudaMalloc(&p, 40);
  CASE(in_a_loop_freed) for (int i = 0; i < 5; i++) { cudaMalloc(&p, 40); cudaFree(p); }
  CASE(reset) { cudaMalloc(&p, 400); cudaDeviceReset(); }
  CASE(half_freed) { int *q[4]; for (int i = 0; i < 4; i++) cudaMalloc(&q[i], 24); for (int i = 0; i < 3; i++) cudaFree(q[i]); }
  CASE(freed) { cudaMalloc(&p, 400); cudaFree(p); }
  CASE(managed_freed) { cudaMallocManaged(&p, 64); cudaFree(p); }
  CASE(pinned_freed) { cudaMallocHost(&p, 64); cudaFreeHost(p); }
  CASE(pool_freed) { cudaMallocAsync(&p, 64, 0); cudaFreeAsync(p, 0); }
  CASE(pitch_freed) { cudaMallocPitch(&p, &pitch, 40, 10); cudaFree(p); }
  CASE(array_freed) { cudaArray_t a; cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(); cudaMallocArray(&a, &d, 16, 16); cudaFreeArray(a); }
  CASE(heap_freed) { keep<<<1, 1>>>(); give_back<<<1, 1>>>(); }
  CASE(registered) { static int mine[1024]; cudaHostRegister(mine, sizeof mine, 0); }
  CASE(nothing) (void)0;
  CASE(status) cudaMalloc(&p, 400);
  CASE(status_zero) cudaMalloc(&p, 400);
  CASE(own_status) { cudaMalloc(&p, 400); return 5; }
  CASE(as_json) { cudaMalloc(&p, 8); write_at<<<1, 1>>>(p, 2); }
  CASE(only_a_kernel) { cudaMalloc(&p, 8); write_at<<<1, 1>>>(p, 2); also_write_at<<<1, 1>>>(p, 2); }
  CASE(only_a_class) { cudaMalloc(&p, 8); write_at<<<1, 1>>>(p, 2); }
  CASE(other_kernel) { cudaMalloc(&p, 8); write_at<<<1, 1>>>(p, 2); }
  CASE(no_more_than) { cudaMalloc(&p, 8); write_at<<<1, 1>>>(p, 2); also_write_at<<<1, 1>>>(p, 2); }
  CASE(context_lost) {
    int *lost = device<int>(10);
    fails<<<1, 1>>>(lost);
    cudaDeviceSynchronize();
    cudaFree(lost); // gives the error of the kernel
  }
END
