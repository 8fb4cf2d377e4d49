// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s

// Lanes that leave for another reason, too, a condition that counts down to the end, steps of two, a load that not all lanes of the loop do, and a
// loop that writes stay gathers; so do bytes where there are no masks for them.
// CHECK-NOT: unwarp.slot
module {
module attributes {unwarp.register_bytes = 64 : i64} {

func.func @found(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1> : vector<16xi32>
  %twos = arith.constant dense<2> : vector<16xi32>
  %all = arith.constant dense<true> : vector<16xi1>
  %nobody = arith.constant dense<false> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %r:4 = scf.while (%k = %start, %s = %zero, %in = %all, %t = %none) : (vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>) -> (vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>) {
    %below = arith.cmpi slt, %k, %end : vector<16xi32>
    %seen = arith.cmpf olt, %s, %zero : vector<16xf32>
    %both = arith.andi %below, %seen : vector<16xi1>
    %live = arith.select %in, %both, %nobody : vector<16xi1>, vector<16xi1>
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

func.func @until(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1> : vector<16xi32>
  %twos = arith.constant dense<2> : vector<16xi32>
  %all = arith.constant dense<true> : vector<16xi1>
  %nobody = arith.constant dense<false> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %r:4 = scf.while (%k = %start, %s = %zero, %in = %all, %t = %none) : (vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>) -> (vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>) {
    %below = arith.cmpi ne, %k, %end : vector<16xi32>
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

func.func @by_two(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr) {
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
    %next = arith.addi %k2, %twos : vector<16xi32>
    scf.yield %next, %sum, %live2, %t2 : vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>
  }
  llvm.store %r#3, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @some_lanes(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr, %some_lanes: vector<16xi1>) {
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
    %v = llvm.intr.masked.gather %address, %some_lanes, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %sum = arith.addf %s2, %v : vector<16xf32>
    %next = arith.addi %k2, %ones : vector<16xi32>
    scf.yield %next, %sum, %live2, %t2 : vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>
  }
  llvm.store %r#3, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @writes(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr) {
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
    llvm.store %v, %out : vector<16xf32>, !llvm.ptr
    %sum = arith.addf %s2, %v : vector<16xf32>
    %next = arith.addi %k2, %ones : vector<16xi32>
    scf.yield %next, %sum, %live2, %t2 : vector<16xi32>, vector<16xf32>, vector<16xi1>, vector<16xf32>
  }
  llvm.store %r#3, %out : vector<16xf32>, !llvm.ptr
  return
}

}
module attributes {unwarp.register_bytes = 16 : i64} {

func.func @no_masks(%a: !llvm.ptr, %start: vector<16xi32>, %end: vector<16xi32>, %out: !llvm.ptr) {
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
}
