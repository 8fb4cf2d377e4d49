// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-interleaved %s > %t && %unwarp_opt --vectorize-interleaved %t | FileCheck %s --check-prefix=TWICE

// Sixteen lanes with a row of its own length each: each loads what is left of its row, at most sixteen elements, and they go sixteen iterations,
// while some lane is in the loop.
module attributes {unwarp.register_bytes = 64 : i64} {

// CHECK-LABEL: @walk
// CHECK-SAME: %[[end:[^:]*]]: vector<16xi32>, %[[out:[^:]*]]: !llvm.ptr)
// CHECK: %[[room:.*]] = "unwarp.slot"(%c1024_i64)
// CHECK: %[[counts:.*]] = "unwarp.slot"(%c64_i64)
// CHECK: %[[starts:.*]] = "unwarp.slot"(%c128_i64)
// CHECK: %[[r:.*]]:8 = scf.while
// CHECK: %[[some:.*]] = "llvm.intr.vector.reduce.or"
// CHECK: scf.condition(%[[some]])
// CHECK: %[[left:.*]] = arith.subi %[[end]], %[[k:.*]] : vector<16xi32>
// CHECK: %[[few:.*]] = arith.minui %[[left]], %{{.*}} : vector<16xi32>
// CHECK: %[[mine:.*]] = arith.select %{{.*}}, %[[few]], %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: llvm.store %[[mine]], %[[counts]]
// CHECK: llvm.store %{{.*}}, %[[starts]]
// CHECK-COUNT-16: llvm.intr.masked.load %{{.*}} {alignment = 4 : i32} : {{.*}} -> vector<16xf32>
// CHECK-COUNT-64: llvm.shufflevector %{{.*}} : vector<16xf32>
// CHECK: scf.while
// CHECK: %[[any:.*]] = "llvm.intr.vector.reduce.or"
// CHECK: %[[early:.*]] = arith.cmpi ult, %{{.*}}, %c16_i64
// CHECK: %[[on:.*]] = arith.andi %[[any]], %[[early]]
// CHECK: scf.condition(%[[on]])
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.addf
// CHECK: llvm.store %[[r]]#3, %[[out]]
// TWICE-LABEL: @walk
// TWICE-COUNT-3: "unwarp.slot"
// TWICE-NOT: "unwarp.slot"
func.func @walk(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1> : vector<16xi32>
  %twos = arith.constant dense<2> : vector<16xi32>
  %all = arith.constant dense<true> : vector<16xi1>
  %nobody = arith.constant dense<false> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %r:4 = scf.while (%k = %start, %s = %zero, %in = %all, %t = %none) : (vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>) -> (vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>) {
    %below = arith.cmpi slt, %k, %end : vector<16xi32>
    %live = arith.select %in, %below, %nobody : vector<16xi1>, vector<16xi1>
    %some = "llvm.intr.vector.reduce.or"(%live) : (vector<16xi1>) -> i1
    %kept = arith.select %in, %s, %t : vector<16xi1>, vector<16xf32>
    scf.condition(%some) %k, %s, %live, %kept : vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>
  } do {
  ^bb0(%k2: vector<16xi32>, %s2: vector<16xf32>, %live2: vector<16xi1>, %t2: vector<16xf32>):
    %k64 = arith.extsi %k2 : vector<16xi32> to vector<16xi64>
    %address = llvm.getelementptr inbounds %a[%k64] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %live2, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %sum = arith.addf %s2, %v : vector<16xf32>
    %next = arith.addi %k2, %ones : vector<16xi32>
    scf.yield %next, %sum, %live2, %t2 : vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>
  }
  llvm.store %r#3, %out : vector<16xf32>, !llvm.ptr
  return
}

}
