// Which threads a slice has is an operation up to the lowering, and arithmetic after it. Of groups the last one may have fewer threads.
// RUN: %unwarp -O2 -march=x86-64-v3 --print-after=mark-tiles --print-after=slices -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: after mark-tiles
// CHECK: "unwarp.slice"(%{{.*}}, %{{.*}}, %{{.*}}) {group = 16 : i64}
// CHECK: after slices
// CHECK-NOT: "unwarp.slice"
// CHECK: %[[GROUPS:.*]] = arith.ceildivui %[[N:.*]], %[[GROUP:.*]] : index
// CHECK: %[[UP_TO_OWN:.*]] = arith.muli %[[GROUPS]], %[[OWN:.*]] : index
// CHECK: %[[START:.*]] = arith.divui %[[UP_TO_OWN]], %[[SLICES:.*]] : index
// CHECK: %[[UP_TO_NEXT:.*]] = arith.muli %[[GROUPS]], %{{.*}} : index
// CHECK: %[[END:.*]] = arith.divui %[[UP_TO_NEXT]], %[[SLICES]] : index
// CHECK: %[[OF_GROUPS:.*]] = arith.subi %[[END]], %[[START]] : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[START]], %[[GROUP]] : index
// CHECK: %[[WHOLE:.*]] = arith.muli %[[OF_GROUPS]], %[[GROUP]] : index
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[FIRST]] : index
// CHECK: arith.minui %[[WHOLE]], %[[REST]] : index
__global__ void sums(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[threadIdx.x * n + i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
void run(const float *in, float *out, int n, int threads) { sums<<<2, threads>>>(in, out, n); }
