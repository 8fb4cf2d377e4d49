// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s

// Steps of two, elements that lie two apart, lanes that take no part, a loop that writes, a value that may wrap around before it is extended,
// one that is extended as if it had no sign but starts below zero, and rows that are themselves loaded in each iteration stay gathers.
// CHECK-NOT: unwarp.slot
module attributes {unwarp.register_bytes = 64 : i64} {

func.func @by_two(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c2 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %number = arith.addi %k, %c0 overflow<nsw> : i32
    %k64 = arith.extsi %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @two_apart(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %number = arith.addi %k, %c0 overflow<nsw> : i32
    %k64 = arith.extsi %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %far : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @some_lanes(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %number = arith.addi %k, %c0 overflow<nsw> : i32
    %k64 = arith.extsi %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %some, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @writes(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %number = arith.addi %k, %c0 overflow<nsw> : i32
    %k64 = arith.extsi %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    llvm.store %t, %out : vector<16xf32>, !llvm.ptr
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @may_wrap(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %number = arith.addi %k, %n : i32
    %k64 = arith.extsi %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @below_zero(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %low to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %number = arith.addi %k, %c0 overflow<nuw> : i32
    %k64 = arith.extui %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

func.func @loaded(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr, %some: vector<16xi1>) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %twos = arith.constant dense<2> : vector<16xi64>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %seen = llvm.load %out : !llvm.ptr -> i32
    %number = arith.addi %k, %seen overflow<nsw> : i32
    %k64 = arith.extsi %number : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %far = arith.muli %ks, %twos : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

}
