; Functions of vectors of any length become calls of libmvec or SLEEF for the registers that the function may use; not those of what no library has.
; RUN: %unwarp_opt --vector-math %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wide(
; CHECK-COUNT-2: call <8 x float> @_ZGVdN8v_expf(
; CHECK-NOT: @llvm.exp
; CHECK: ret
define <16 x float> @wide(<16 x float> %x) #0 {
  %y = call <16 x float> @llvm.exp.v16f32(<16 x float> %x)
  ret <16 x float> %y
}

; CHECK-LABEL: @narrow(
; CHECK: call <4 x float> @_ZGVbN4v_expf(
define <4 x float> @narrow(<4 x float> %x) #1 {
  %y = call <4 x float> @llvm.exp.v4f32(<4 x float> %x)
  ret <4 x float> %y
}

; CHECK-LABEL: @root(
; CHECK: call <8 x float> @llvm.sqrt.v8f32(
define <8 x float> @root(<8 x float> %x) #0 {
  %y = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %x)
  ret <8 x float> %y
}
attributes #0 = { "target-cpu"="x86-64-v3" "target-features"="+avx,+avx2" }
attributes #1 = { "target-cpu"="x86-64" "target-features"="+sse2" }
