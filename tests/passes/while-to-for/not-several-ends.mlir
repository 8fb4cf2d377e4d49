// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must leave alone: ends whose order is not that of the counter, or that overflow could move, or that have no meaning.
// RUN: %unwarp_opt --while-to-for %s > %t
// RUN: %unwarp_opt %s | diff - %t

func.func private @use(i32)

// The counter may be negative.
func.func @no_sign_from_anywhere(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi ult, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// The counter may pass the largest signed integer.
func.func @sign_without_known_end(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi ult, %i, %n : i32
    %c2 = arith.cmpi slt, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// The sum may wrap around.
func.func @sum_wraps(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %s = arith.addi %a, %i : i32
    %c2 = arith.cmpi slt, %s, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Its flag is of the other order.
func.func @wrong_flag(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %s = arith.addi %a, %i overflow<nuw> : i32
    %c2 = arith.cmpi slt, %s, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Holds from a value on, not up to it.
func.func @from_below(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi sgt, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Holds but for one value.
func.func @but_for_one(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi ne, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Counts with a sign by steps that may wrap around.
func.func @steps_wrap(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi slt, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %four  : i32
    scf.yield %next : i32
  }
  return
}

// The end is a sum that may be poison, and is asked for in some iterations only.
func.func @hidden_end(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi slt, %i, %sum : i32
    %more = arith.select %c1, %c2, %false : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// One or the other is enough.
func.func @either(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi slt, %i, %m : i32
    %more = arith.ori %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Up to the largest value, where the other end stops it.
func.func @up_to_last(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi sle, %i, %n : i32
    %c2 = arith.cmpi ne, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Threads must not part around a barrier.
func.func @barrier(%start: i32, %n: i32, %p: i1) {
  %one = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %more = arith.andi %c1, %p : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    "unwarp.barrier"() {level = "block"} : () -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}
