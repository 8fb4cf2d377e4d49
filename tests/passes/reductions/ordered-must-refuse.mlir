// RUN: %unwarp_opt --reductions %s | FileCheck %s

// Left alone: short loops, sums that may be reordered, addends that are computed, every other element, rows in reverse, volatile loads,
// indices that come in twice, sums used within the loop, several of them, stores beside, products, half precision.

module attributes {unwarp.register_bytes = 32 : i64} {
  // CHECK-NOT: uwrt_ordered

  llvm.func @other(f32)
  func.func @short(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %few step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @reordered(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x fastmath<reassoc> : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @computed(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = arith.subf %x, %start : f32
      %next = arith.addf %s, %y : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @product(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = arith.mulf %x, %x fastmath<contract> : f32
      %next = arith.addf %s, %y fastmath<contract> : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @every_other(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c2 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @strided(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %twice = arith.muli %k, %c2 : i32
      %at = arith.extsi %twice : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @reverse(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %back = arith.subi %n, %k : i32
      %at = arith.extsi %back : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @comes_in_twice(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %half = arith.addi %k, %k : i32
      %both = arith.subi %half, %k : i32
      %at = arith.extsi %both : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @comes_back(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %least = arith.andi %k, %few : i32
      %at = arith.extsi %least : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @volatile(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load volatile %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @used_inside(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = arith.mulf %s, %start : f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @twice_the_sum(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %s : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @not_a_sum(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.subf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @stored(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      llvm.store %x, %in : f32, !llvm.ptr
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @called(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      llvm.call @other(%x) : (f32) -> ()
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }
  func.func @half_precision(%n: i32, %in: !llvm.ptr, %start: f16) -> f16 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %few = arith.constant 1000 : i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f16) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f16
      %x = llvm.load %p : !llvm.ptr -> f16
      %next = arith.addf %s, %x : f16
      scf.yield %next : f16
    }
    return %sum : f16
  }
  func.func @two_sums(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sums:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start, %t = %start) -> (f32, f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      %other = arith.addf %t, %x : f32
      scf.yield %next, %other : f32, f32
    }
    %sum = arith.addf %sums#0, %sums#1 : f32
    return %sum : f32
  }
}

// Without optimisation modules say that registers have no bytes.
// RUN: sed 's/register_bytes = 32/register_bytes = 0/' %S/long-sum.mlir | %unwarp_opt --reductions | FileCheck %s
