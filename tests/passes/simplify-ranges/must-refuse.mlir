// RUN: %unwarp_opt --simplify-ranges %s | FileCheck %s

// Comparisons and limits that bounds do not decide stay.

// A loaded value may be NaN.
// CHECK-LABEL: func.func @loaded(
// CHECK: arith.cmpf
// CHECK: return
func.func @loaded(%p: !llvm.ptr) -> i1 {
  %x = llvm.load %p : !llvm.ptr -> f32
  %r = arith.cmpf uno, %x, %x : f32
  return %r : i1
}

// The product may be infinite, and less infinity NaN.
// CHECK-LABEL: func.func @overflowing(
// CHECK: arith.cmpf
// CHECK: return
func.func @overflowing(%p: !llvm.ptr) -> i1 {
  %zero = arith.constant 0.0 : f32
  %far = arith.constant 1.0e30 : f32
  %loaded = llvm.load %p : !llvm.ptr -> f32
  %more = arith.maxnumf %loaded, %zero : f32
  %x = arith.minnumf %more, %far : f32
  %y = arith.mulf %x, %x : f32
  %z = arith.subf %y, %y : f32
  %r = arith.cmpf uno, %z, %z : f32
  return %r : i1
}

// The divisor may be 0.
// CHECK-LABEL: func.func @by_zero(
// CHECK: arith.cmpf
// CHECK: return
func.func @by_zero(%p: !llvm.ptr) -> i1 {
  %one = arith.constant 1.0 : f32
  %far = arith.constant 2.0 : f32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %number = arith.uitofp %byte : i8 to f32
  %x = arith.divf %one, %number : f32
  %r = arith.cmpf olt, %x, %far : f32
  return %r : i1
}

// It is not 0 where it is not asked for.
// CHECK-LABEL: func.func @by_zero_in_the_other_arm(
// CHECK: arith.cmpf
// CHECK: return
func.func @by_zero_in_the_other_arm(%p: !llvm.ptr, %q: !llvm.ptr) -> i1 {
  %one = arith.constant 1.0 : f32
  %far = arith.constant 2.0 : f32
  %b0 = llvm.load %p : !llvm.ptr -> i8
  %b1 = llvm.load %q : !llvm.ptr -> i8
  %low = arith.extui %b0 : i8 to i32
  %high = arith.extui %b1 : i8 to i32
  %wide = arith.cmpi ugt, %high, %low : i32
  %width = arith.subi %high, %low : i32
  %number = arith.sitofp %width : i32 to f32
  %quotient = arith.divf %one, %number : f32
  %x = arith.select %wide, %one, %quotient : f32
  %r = arith.cmpf olt, %x, %far : f32
  return %r : i1
}

// The sum may wrap around, and be negative.
// CHECK-LABEL: func.func @wrapping(
// CHECK: arith.cmpf
// CHECK: return
func.func @wrapping(%p: !llvm.ptr) -> i1 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0.0 : f32
  %loaded = llvm.load %p : !llvm.ptr -> i32
  %least = arith.maxsi %loaded, %zero : i32
  %sum = arith.addi %least, %one : i32
  %x = arith.sitofp %sum : i32 to f32
  %r = arith.cmpf oge, %x, %limit : f32
  return %r : i1
}

// Two bytes are up to 65535.
// CHECK-LABEL: func.func @too_wide(
// CHECK: arith.cmpf
// CHECK: return
func.func @too_wide(%p: !llvm.ptr) -> i1 {
  %end = arith.constant 256.0 : f32
  %loaded = llvm.load %p : !llvm.ptr -> i16
  %x = arith.uitofp %loaded : i16 to f32
  %r = arith.cmpf olt, %x, %end : f32
  return %r : i1
}

// The largest integer is rounded to 2^31, which does not fit.
// CHECK-LABEL: func.func @rounded_up(
// CHECK: arith.cmpf
// CHECK: return
func.func @rounded_up(%p: !llvm.ptr) -> i1 {
  %beyond = arith.constant 2.14748365E+9 : f32
  %loaded = llvm.load %p : !llvm.ptr -> i32
  %x = arith.sitofp %loaded : i32 to f32
  %r = arith.cmpf oge, %x, %beyond : f32
  return %r : i1
}

// Half precision.
// CHECK-LABEL: func.func @half(
// CHECK: arith.cmpf
// CHECK: return
func.func @half(%p: !llvm.ptr) -> i1 {
  %end = arith.constant 256.0 : f16
  %byte = llvm.load %p : !llvm.ptr -> i8
  %x = arith.uitofp %byte : i8 to f16
  %r = arith.cmpf olt, %x, %end : f16
  return %r : i1
}

// Arithmetic that may be done otherwise than written.
// CHECK-LABEL: func.func @reordered(
// CHECK: arith.cmpf
// CHECK: return
func.func @reordered(%p: !llvm.ptr) -> i1 {
  %end = arith.constant 256.0 : f32
  %one = arith.constant 1.0 : f32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %number = arith.uitofp %byte : i8 to f32
  %x = arith.mulf %number, %one fastmath<reassoc> : f32
  %r = arith.cmpf olt, %x, %end : f32
  return %r : i1
}

// What is frozen may come from poison, of which bounds say nothing.
// CHECK-LABEL: func.func @frozen(
// CHECK: arith.cmpf
// CHECK: return
func.func @frozen(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 0.0 : f32
  %least = arith.maxsi %n, %zero : i32
  %sum = arith.addi %least, %one overflow<nsw> : i32
  %frozen = llvm.freeze %sum : i32
  %x = arith.sitofp %frozen : i32 to f32
  %r = arith.cmpf oge, %x, %limit : f32
  return %r : i1
}

// Where a value is not above 0, it may be none.
// CHECK-LABEL: func.func @not_a_number(
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf ole
// CHECK: return
func.func @not_a_number(%p: !llvm.ptr) -> i1 {
  %zero = arith.constant 0.0 : f32
  %x = llvm.load %p : !llvm.ptr -> f32
  %above = arith.cmpf ogt, %x, %zero : f32
  %y = arith.select %above, %zero, %x : f32
  %r = arith.cmpf ole, %y, %zero : f32
  return %r : i1
}

// This maximum of NaN is NaN.
// CHECK-LABEL: func.func @nan_is_kept(
// CHECK: arith.cmpf
// CHECK: return
func.func @nan_is_kept(%p: !llvm.ptr) -> i1 {
  %zero = arith.constant 0.0 : f32
  %x = llvm.load %p : !llvm.ptr -> f32
  %y = arith.maximumf %x, %zero : f32
  %r = arith.cmpf oge, %y, %zero : f32
  return %r : i1
}

// What a loop adds up grows.
// CHECK-LABEL: func.func @growing(
// CHECK: arith.cmpf
// CHECK: return
func.func @growing(%n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %end = arith.constant 256.0 : f32
  %x = scf.for %k = %c0 to %n step %c1 iter_args(%s = %one) -> (f32) {
    %t = arith.addf %s, %one : f32
    scf.yield %t : f32
  }
  %r = arith.cmpf olt, %x, %end : f32
  return %r : i1
}

// What is kept from the iteration before does not know this iteration's condition.
// CHECK-LABEL: func.func @of_the_iteration_before(
// CHECK: arith.cmpf
// CHECK: return
func.func @of_the_iteration_before(%p: !llvm.ptr, %q: !llvm.ptr, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %yes = arith.constant true
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%kept = %one, %all = %yes) -> (f32, i1) {
    %b0 = llvm.load %p : !llvm.ptr -> i8
    %b1 = llvm.load %q : !llvm.ptr -> i8
    %low = arith.extui %b0 : i8 to i32
    %high = arith.extui %b1 : i8 to i32
    %wide = arith.cmpi ugt, %high, %low : i32
    %width = arith.subi %high, %low : i32
    %number = arith.uitofp %width : i32 to f32
    %x = arith.select %wide, %kept, %one : f32
    %large = arith.cmpf oge, %x, %one : f32
    scf.yield %number, %large : f32, i1
  }
  return %r#1 : i1
}

// -1 without sign is poison: the limit stays, and so does the unsigned conversion below.
// CHECK-LABEL: func.func @below_zero(
// CHECK: %[[Y:.*]] = arith.select
// CHECK: arith.fptosi %[[Y]]
// CHECK: return
func.func @below_zero(%p: !llvm.ptr) -> i32 {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %number = arith.uitofp %byte : i8 to f32
  %x = arith.subf %number, %one : f32
  %above = arith.cmpf ogt, %x, %zero : f32
  %y = arith.select %above, %x, %zero : f32
  %r = arith.fptosi %y : f32 to i32
  return %r : i32
}

// Less than another limit than 0.
// CHECK-LABEL: func.func @other_limit(
// CHECK: %[[Y:.*]] = arith.select
// CHECK: arith.fptosi %[[Y]]
// CHECK: return
func.func @other_limit(%p: !llvm.ptr) -> i32 {
  %limit = arith.constant 1.0 : f32
  %byte = llvm.load %p : !llvm.ptr -> i8
  %x = arith.uitofp %byte : i8 to f32
  %above = arith.cmpf ogt, %x, %limit : f32
  %y = arith.select %above, %x, %limit : f32
  %r = arith.fptosi %y : f32 to i32
  return %r : i32
}

// Too large for a signed integer.
// CHECK-LABEL: func.func @large(
// CHECK: arith.fptoui
// CHECK: return
func.func @large(%p: !llvm.ptr) -> i32 {
  %loaded = llvm.load %p : !llvm.ptr -> i32
  %x = arith.uitofp %loaded : i32 to f32
  %r = arith.fptoui %x : f32 to i32
  return %r : i32
}
