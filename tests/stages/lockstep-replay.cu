// Lanes run in step in a kernel's replay, too, which runs whole launches (uwrt_launch_plain): where its block lies is the index of a block.
// RUN: %unwarp -O2 -march=x86-64 -c %s -o %t.o --print-after=sync-warps 2>&1 | FileCheck %s
// CHECK: func.func @__unwarp_entry_
// CHECK: "unwarp.barrier"() {level = "warp"}
// CHECK: func.func @__unwarp_replay_
// CHECK: "unwarp.barrier"() {level = "warp"}
__global__ void permute(int *data, const unsigned char *from, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] = data[i / 32 * 32 + from[i]];
}
