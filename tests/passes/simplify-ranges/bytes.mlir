// RUN: %unwarp_opt --simplify-ranges %s | FileCheck %s
// RUN: %unwarp_opt --simplify-ranges %s > %t.once && %unwarp_opt --simplify-ranges --simplify-ranges %s | diff %t.once -

// Conversions of what is computed from bytes, or limited before, need no test: the saturation that raising writes is gone.

// CHECK-LABEL: func.func @weighted
// CHECK-NOT: cmpf
// CHECK: %[[X:.*]] = arith.mulf
// CHECK: %[[I:.*]] = arith.fptosi %[[X]] : f32 to i32
// CHECK-NEXT: return %[[I]]
func.func @weighted(%p: !llvm.ptr) -> i32 {
  %weight = arith.constant 0.299 : f32
  %least = arith.constant -2.14748365E+9 : f32
  %beyond = arith.constant 2.14748365E+9 : f32
  %most = arith.constant 2147483647 : i32
  %zero = arith.constant 0 : i32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %number = arith.uitofp %byte : i8 to f32
  %x = arith.mulf %number, %weight fastmath<contract> : f32
  %above = arith.cmpf ogt, %x, %least : f32
  %y = arith.select %above, %x, %least : f32
  %i = arith.fptosi %y : f32 to i32
  %large = arith.cmpf oge, %y, %beyond : f32
  %j = arith.select %large, %most, %i : i32
  %nan = arith.cmpf uno, %x, %x : f32
  %r = arith.select %nan, %zero, %j : i32
  return %r : i32
}

// Without sign: 0 is what is limited to, and more than -1 is cut to it. With sign is what every processor converts to.
// CHECK-LABEL: func.func @rounded
// CHECK-NOT: cmpf
// CHECK: %[[X:.*]] = arith.subf
// CHECK: %[[I:.*]] = arith.fptosi %[[X]] : f32 to i32
// CHECK-NEXT: arith.trunci %[[I]]
func.func @rounded(%p: !llvm.ptr) -> i8 {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %beyond = arith.constant 4.2949673E+9 : f32
  %most = arith.constant -1 : i32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %number = arith.uitofp %byte : i8 to f32
  %x = arith.subf %number, %half : f32
  %above = arith.cmpf ogt, %x, %zero : f32
  %y = arith.select %above, %x, %zero : f32
  %i = arith.fptoui %y : f32 to i32
  %large = arith.cmpf oge, %y, %beyond : f32
  %j = arith.select %large, %most, %i : i32
  %r = arith.trunci %j : i32 to i8
  return %r : i8
}

// A loaded value, which may be NaN or infinite, between limits; and a NaN that a limit takes away is none.
// CHECK-LABEL: func.func @limited
// CHECK: %[[X:.*]] = arith.minnumf
// CHECK-NEXT: %[[I:.*]] = arith.fptosi %[[X]] : f32 to i32
// CHECK-NEXT: return %[[I]]
func.func @limited(%p: !llvm.ptr) -> i32 {
  %zero = arith.constant 0.0 : f32
  %end = arith.constant 255.0 : f32
  %beyond = arith.constant 4.2949673E+9 : f32
  %most = arith.constant -1 : i32
  %loaded = llvm.load %p : !llvm.ptr -> f32
  %not_less = arith.maxnumf %loaded, %zero : f32
  %x = arith.minnumf %not_less, %end : f32
  %above = arith.cmpf ogt, %x, %zero : f32
  %y = arith.select %above, %x, %zero : f32
  %i = arith.fptoui %y : f32 to i32
  %large = arith.cmpf oge, %y, %beyond : f32
  %j = arith.select %large, %most, %i : i32
  return %j : i32
}

// The least and the most byte of an image, and what stretches it: the divisor is not 0 where it is asked for. That a byte is not
// less than the least one does not follow from bounds: the limit from below stays.
// CHECK-LABEL: func.func @stretched
// CHECK: %[[X:.*]] = arith.addf
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpf ogt, %[[X]]
// CHECK-NEXT: %[[Y:.*]] = arith.select %[[ABOVE]], %[[X]]
// CHECK-NEXT: %[[I:.*]] = arith.fptosi %[[Y]]
// CHECK-NEXT: return %[[I]]
func.func @stretched(%p: !llvm.ptr, %n: i64) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %all = arith.constant 255 : i32
  %full = arith.constant 255.0 : f32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %beyond = arith.constant 4.2949673E+9 : f32
  %most = arith.constant -1 : i32
  %range:2 = scf.for %k = %c0 to %n step %c1 iter_args(%low = %all, %high = %none) -> (i32, i32) : i64 {
    %at = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %b = llvm.load %at : !llvm.ptr -> i8
    %v = arith.extui %b : i8 to i32
    %next_low = arith.minui %low, %v : i32
    %next_high = arith.maxui %high, %v : i32
    scf.yield %next_low, %next_high : i32, i32
  }
  %wide = arith.cmpi ugt, %range#1, %range#0 : i32
  %width = arith.subi %range#1, %range#0 : i32
  %divisor = arith.uitofp %width : i32 to f32
  %quotient = arith.divf %full, %divisor : f32
  %scale = arith.select %wide, %quotient, %full : f32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %value = arith.extui %byte : i8 to i32
  %above_low = arith.subi %value, %range#0 : i32
  %number = arith.sitofp %above_low : i32 to f32
  %product = arith.mulf %number, %scale fastmath<contract> : f32
  %x = arith.addf %product, %half fastmath<contract> : f32
  %above = arith.cmpf ogt, %x, %zero : f32
  %y = arith.select %above, %x, %zero : f32
  %i = arith.fptoui %y : f32 to i32
  %large = arith.cmpf oge, %y, %beyond : f32
  %j = arith.select %large, %most, %i : i32
  return %j : i32
}

// What a while hands on is known by its condition.
// CHECK-LABEL: func.func @counted
// CHECK-NOT: cmpf
// CHECK: return
func.func @counted(%p: !llvm.ptr) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %thousand = arith.constant 1000 : i32
  %far = arith.constant 1000.0 : f32
  scf.while (%k = %none) : (i32) -> i32 {
    %more = arith.cmpi slt, %k, %thousand : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %number = arith.sitofp %k : i32 to f32
    %small = arith.cmpf olt, %number, %far : f32
    %picked = arith.select %small, %number, %far : f32
    llvm.store %picked, %p : f32, !llvm.ptr
    %next = arith.addi %k, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}
