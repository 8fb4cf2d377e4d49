// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each arm gets a thread loop of its own; a result that block level can compute stays a value.
// RUN: %unwarp_opt --interchange %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %choice = arith.cmpi ne, %n, %c1 : index
  scf.forall (%i) in (%n) {
    %r:2 = scf.if %choice -> (i32, i32) {
      %v = func.call @a() : () -> i32
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %two, %v : i32, i32
    } else {
      %v = func.call @b() : () -> i32
      scf.yield %three, %v : i32, i32
    }
    func.call @use(%r#0, %r#1) : (i32, i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @a() -> i32
func.func private @b() -> i32
func.func private @use(i32, i32)

// CHECK:      %[[KEPT:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:        scf.forall
// CHECK:          call @a
// CHECK:          unwarp.barrier
// CHECK:          llvm.store
// CHECK:        scf.yield
// CHECK:      } else {
// CHECK:        scf.forall
// CHECK:          call @b
// CHECK:          llvm.store
// CHECK:        scf.yield
// CHECK:      }
// CHECK:      scf.forall
// CHECK:        %[[OWN:.*]] = llvm.load
// CHECK:        call @use(%[[KEPT]], %[[OWN]])
