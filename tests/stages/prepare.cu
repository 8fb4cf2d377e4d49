// What is done to device code before it is raised, each step by what it leaves.
// RUN: %unwarp -O2 -march=x86-64-v3 -fno-vectorize -c %s -o %t.o --print-after='retarget{}' 2>&1 | FileCheck --check-prefix=CPU %s
// CPU: attributes #{{.*}} "target-cpu"="x86-64-v3"

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=nested-launches 2>&1 | FileCheck --check-prefix=NESTED %s
// NESTED-LABEL: define {{.*}}@_Z6parentPi(
// NESTED: call {{.*}}@uwrt_

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=runtime-names 2>&1 | FileCheck --check-prefix=NAMES %s
// NAMES-NOT: @vprintf
// NAMES: call {{.*}}@uwrt_vprintf(

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=internalize 2>&1 | FileCheck --check-prefix=INTERNAL %s
// INTERNAL-NOT: define {{.*}}unused
// INTERNAL: define internal {{.*}}@_Z6helperi(
// INTERNAL-NOT: define {{.*}}unused

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=align-variables 2>&1 | FileCheck --check-prefix=ALIGNED %s
// ALIGNED: @__unwarp_device_table = {{.*}}[4 x i32] {{.*}}align 16

// RUN: %unwarp -G -c %s -o %t.o --print-after=describe-variables 2>&1 | FileCheck --check-prefix=DESCRIBED %s
// DESCRIBED: call void @__unwarp_declare_variable

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=expand-ptx 2>&1 | FileCheck --check-prefix=EXPANDED %s
// EXPANDED-LABEL: define {{.*}}@_Z6helperi(
// EXPANDED-NOT: call {{.*}} asm 
// EXPANDED: call i32 @asm(
// EXPANDED: ret i32

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=inline-collectives 2>&1 | FileCheck --check-prefix=COLLECTIVE %s
// COLLECTIVE: define internal {{.*}}@_Z5meetsv() #[[meets:[0-9]+]]
// COLLECTIVE: attributes #[[meets]] = { alwaysinline

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=constant-stores 2>&1 | FileCheck --check-prefix=WARNED %s
// WARNED-NOT: warning: device code stores to
// WARNED: after constant-stores

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=assume-constants 2>&1 | FileCheck --check-prefix=CONSTANT %s
// CONSTANT: @__unwarp_device_table = {{.*}}constant [4 x i32]
// RUN: %unwarp -O2 -c %s -o %t.o --print-after=restore-constants 2>&1 | FileCheck --check-prefix=VARIABLE %s
// VARIABLE: @__unwarp_device_table = {{.*}}global [4 x i32]

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=inline 2>&1 | FileCheck --check-prefix=INLINED %s
// INLINED-LABEL: define {{.*}}ptx_kernel void @_Z6kernelPiPf(
// INLINED-NOT: call {{.*}}helper
// INLINED: ret void

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=private-arrays 2>&1 | FileCheck --check-prefix=REGISTERS %s
// REGISTERS-LABEL: define {{.*}}ptx_kernel void @_Z6turnedPi(
// REGISTERS-NOT: alloca
// REGISTERS: ret void
// RUN: %unwarp -O2 -c %s -o %t.o --skip=private-arrays --print-after=restore-constants 2>&1 | FileCheck --check-prefix=ARRAY %s
// ARRAY-LABEL: define {{.*}}ptx_kernel void @_Z6turnedPi(
// ARRAY: alloca

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=private-arrays --print-after=align-private 2>&1 | FileCheck --check-prefix=PRIVATE %s
// PRIVATE: after private-arrays
// PRIVATE: alloca %struct.record, align 8
// PRIVATE: after align-private
// PRIVATE: alloca %struct.record, align 16
// PRIVATE: define {{.*}}ptx_kernel void @_Z6offsetP4int4i(
// PRIVATE: alloca %struct.late, align 16
// PRIVATE: call void @llvm.memcpy{{.*}} align 8 {{.*}}, ptr {{.*}} align 16 {{.*}}, i64 16
// PRIVATE: call void @llvm.memcpy{{.*}} align 16 {{.*}}, ptr {{.*}} align 8 {{.*}}, i64 16

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=inline --print-after=localize-carry{of=inline-ptx} 2>&1 | FileCheck --check-prefix=CARRY %s
// CARRY: after inline
// CARRY: @__ptx_carry
// CARRY: after localize-carry{of=inline-ptx}
// CARRY-NOT: @__ptx_carry

// RUN: %unwarp -O2 -ftz=true -c %s -o %t.o --print-after=memory-kinds 2>&1 | FileCheck --check-prefix=KINDS %s
// KINDS-NOT: call {{.*}}@llvm.nvvm.isspacep

// RUN: %unwarp -O2 -ftz=true -c %s -o %t.o --print-after=named-barriers --print-after=double-flushes 2>&1 | FileCheck --check-prefix=FLUSHES %s
// FLUSHES: after named-barriers
// FLUSHES-LABEL: define {{.*}}@_Z4sumsPfi(
// FLUSHES-COUNT-3: select i1
// FLUSHES: after double-flushes
// FLUSHES-LABEL: define {{.*}}@_Z4sumsPfi(
// FLUSHES-COUNT-2: select i1
// FLUSHES-NOT: select i1
// FLUSHES: {{^}}}

// RUN: %unwarp -O2 -c %s -o %t.o --print-after=inline-collectives --print-after=drop-notes 2>&1 | FileCheck --check-prefix=NOTES %s
// NOTES: after inline-collectives
// NOTES: call {{.*}}@uwrt_note_mbarrier(
// NOTES: after drop-notes
// NOTES-NOT: call {{.*}}@uwrt_note_mbarrier(

// A load that the program throws away is there for the checker alone.
// RUN: %unwarp -O2 -fcheck -c %s -o %t.o --print-after=inline 2>&1 | FileCheck --check-prefix=THROWN %s
// RUN: %unwarp -O2 -c %s -o %t.o --print-after=unused-loads --print-after=inline 2>&1 | FileCheck --check-prefix=DROPPED %s
// THROWN: define {{.*}}@_Z6throwsPi(
// THROWN: load volatile i32, {{.*}}!nontemporal
// DROPPED: after unused-loads
// DROPPED: after inline
// DROPPED: define {{.*}}@_Z6throwsPi(
// DROPPED-NOT: load
// DROPPED: ret void

// What parameters notes is what launches hand over.
// RUN: %unwarp -O2 --emit=llvm %s -o - --print-after=parameters 2>&1 | FileCheck --check-prefix=PARAMETERS %s
// PARAMETERS-DAG: after parameters
// PARAMETERS-DAG: {{.*}}[2 x i32] [i32 8, i32 4]
#include <cstdio>
#include <cuda_awbarrier_primitives.h>
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int unused(int x) { return x * 3; }
__device__ __noinline__ void meets() { __syncthreads(); }
__device__ int helper(int x) {
  int sum;
  asm("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, t, 0; }" : "=r"(sum) : "r"(x), "r"(-1));
  return sum + table[x & 3];
}
__global__ void kernel(int *p, float *q) {
  __shared__ float quads[64];
  reinterpret_cast<float4 *>(quads)[threadIdx.x] = reinterpret_cast<float4 *>(q)[threadIdx.x];
  meets();
  p[threadIdx.x] = helper(p[threadIdx.x]) + static_cast<int>(quads[63 - threadIdx.x]) + __isShared(p);
  printf("%d\n", p[0]);
}
__global__ void turned(int *p) {
  int own[4];
  for (int i = 0; i < 4; i++) own[i] = p[i] + static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; i++) p[i] = own[3 - i];
}
struct record {
  int values[8];
  double rest;
};
__device__ __noinline__ int4 quad(const int *values, int n) { return reinterpret_cast<const int4 *>(values)[n]; }
__global__ void rows(int4 *p, int n) {
  record own = {};
  own.values[n] = n;
  p[threadIdx.x] = quad(own.values, n & 1);
}
struct late {
  double first, second, third;
  int values[8];
  double rest;
};
__global__ void offset(int4 *p, int n) {
  late own;
  int4 *quads = reinterpret_cast<int4 *>(own.values);
  quads[n & 1] = p[n];
  p[threadIdx.x] = quads[n >> 1 & 1];
}
__global__ void sums(float *p, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += p[i];
  p[threadIdx.x] = sum;
}
__global__ void arrive() {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
}
__global__ void child(int *p) { p[threadIdx.x]++; }
__global__ void parent(int *p) { child<<<1, 2>>>(p); }
__global__ void throws(int *p) {
  int seen = p[threadIdx.x];
  (void)seen;
}
