; Amounts of shifts that are out of range become 0; those in range, and those of integers, stay.
; RUN: %unwarp_opt --tame-shifts %s | FileCheck %s
; RUN: %unwarp_opt --tame-shifts %s > %t.ll && %unwarp_opt --tame-shifts %t.ll | FileCheck %s
; RUN: not %unwarp_opt --simplify %s 2>&1 | FileCheck --check-prefix=STAGE %s
; STAGE: 'simplify' is no step on LLVM's IR that runs alone
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @lanes
; CHECK: ashr exact <4 x i32> %v, <i32 16, i32 16, i32 0, i32 0>
; CHECK: shl <2 x i64> %w, <i64 63, i64 0>
; CHECK: lshr i32 %s, 40
define <4 x i32> @lanes(<4 x i32> %v, <2 x i64> %w, i32 %s, ptr %p) {
  %a = ashr exact <4 x i32> %v, <i32 16, i32 16, i32 65535, i32 65535>
  %b = shl <2 x i64> %w, <i64 63, i64 64>
  %c = lshr i32 %s, 40
  store <2 x i64> %b, ptr %p
  store i32 %c, ptr %p
  ret <4 x i32> %a
}
