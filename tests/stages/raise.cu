// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code from what the importer makes to loops over blocks and threads, each step by what it leaves.
// RUN: %unwarp -O2 -g -march=x86-64-v3 -c %s -o %t.o --print-after=drop-variables 2>&1 | FileCheck --check-prefix=OPTIMISED %s
// RUN: %unwarp -G -march=x86-64-v3 -c %s -o %t.o --print-after=drop-variables 2>&1 | FileCheck --check-prefix=DEBUGGED %s
// OPTIMISED: after drop-variables
// OPTIMISED-NOT: llvm.intr.dbg
// OPTIMISED: llvm.return
// DEBUGGED: after drop-variables
// DEBUGGED-NOT: llvm.intr.dbg
// DEBUGGED: llvm.return

// The code is the same with -g as without, but for the words that debuggers read.
// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.plain.o && %unwarp -O2 -g -march=x86-64-v3 -c %s -o %t.lines.o
// RUN: objdump -d --no-show-raw-insn %t.plain.o | grep -v "file format" > %t.plain
// RUN: objdump -d --no-show-raw-insn %t.lines.o | grep -v "file format" | diff %t.plain -

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=conversions 2>&1 | FileCheck --check-prefix=CONVERTED %s
// CONVERTED: after conversions
// CONVERTED: arith.cmpf uno
// CONVERTED: llvm.br

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=conversions --print-after=spaces 2>&1 | FileCheck --check-prefix=SPACES %s
// SPACES: after conversions
// SPACES: ptr<3>
// SPACES: after spaces
// SPACES-NOT: ptr<3>
// SPACES: "unwarp.shared"

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=spaces --print-after=intrinsics 2>&1 | FileCheck --check-prefix=INTRINSICS %s
// INTRINSICS: after spaces
// INTRINSICS: llvm.nvvm.barrier
// INTRINSICS: after intrinsics
// INTRINSICS-NOT: llvm.nvvm.barrier
// INTRINSICS: "unwarp.barrier"

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=intrinsics --print-after=structure 2>&1 | FileCheck --check-prefix=STRUCTURE %s
// STRUCTURE: after intrinsics
// STRUCTURE: llvm.cond_br
// STRUCTURE: after structure
// STRUCTURE-NOT: llvm.cond_br
// STRUCTURE: scf.while

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=structure --print-after=arithmetic 2>&1 | FileCheck --check-prefix=ARITHMETIC %s
// ARITHMETIC: after structure
// ARITHMETIC: llvm.xor
// ARITHMETIC: after arithmetic
// ARITHMETIC-NOT: llvm.xor
// ARITHMETIC: arith.xori

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=arithmetic --print-after=waits 2>&1 | FileCheck --check-prefix=WAITS %s
// WAITS: after arithmetic
// WAITS-NOT: @uwrt_yield
// WAITS: after waits
// WAITS: llvm.func @uwrt_yield
// WAITS: func.func @_Z6follow
// WAITS: @uwrt_yield

// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --print-after=launches 2>&1 | FileCheck --check-prefix=LAUNCHES %s
// LAUNCHES: after launches
// LAUNCHES: func.func @__unwarp_entry__Z8backwardPiPKfi
// LAUNCHES: scf.forall
// LAUNCHES: scf.forall
// LAUNCHES: unwarp.kernel = "_Z8backwardPiPKfi"
__global__ void backward(int *out, const float *in, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += (int)tile[63 - threadIdx.x] ^ i;
  out[threadIdx.x] = sum;
}

__global__ void follow(volatile int *turn, int *out) {
  while (*turn != blockIdx.x) {}
  out[blockIdx.x] = *turn;
  *turn = blockIdx.x + 1;
}
