; Stores of some lanes to an array on the stack become blends, also where the array is gathered from, or compared with
; what it must not overlap. One that stores its address keeps them.
; RUN: %unwarp_opt --blend-stores %s | FileCheck %s
; RUN: %unwarp_opt --blend-stores %s > %t.ll && %unwarp_opt --blend-stores %t.ll | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @gathered
; CHECK: alloca [1280 x i8], align 128
; CHECK: icmp ult ptr
; CHECK: load volatile <8 x float>
; CHECK-NOT: call void @llvm.masked.store
; CHECK: call <8 x float> @llvm.masked.gather
define <8 x float> @gathered(<8 x i32> %which, <8 x i1> %mask, <8 x float> %v, ptr %other) #0 {
  %array = alloca [256 x float], align 64
  %overlap = icmp ult ptr %other, %array
  %lanes = select i1 %overlap, <8 x i1> %mask, <8 x i1> zeroinitializer
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr align 32 %array, <8 x i1> %lanes)
  %one = insertelement <8 x ptr> poison, ptr %array, i64 0
  %all = shufflevector <8 x ptr> %one, <8 x ptr> poison, <8 x i32> zeroinitializer
  %at = getelementptr float, <8 x ptr> %all, <8 x i32> %which
  %values = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x float> %v)
  ret <8 x float> %values
}

; CHECK-LABEL: @scattered
; CHECK-NOT: load volatile
; CHECK: call void @llvm.masked.store
define void @scattered(<4 x ptr> %to, <4 x i1> %some, <8 x i1> %mask, <8 x float> %v) #0 {
  %array = alloca [256 x float], align 64
  %one = insertelement <4 x ptr> poison, ptr %array, i64 0
  %all = shufflevector <4 x ptr> %one, <4 x ptr> poison, <4 x i32> zeroinitializer
  call void @llvm.masked.scatter.v4p0.v4p0(<4 x ptr> %all, <4 x ptr> align 8 %to, <4 x i1> %some)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr align 32 %array, <8 x i1> %mask)
  ret void
}

; A blend stays one: LLVM's back end would make a masked store of it.
; CHECK-LABEL: @blended
; CHECK: load volatile <8 x i32>, ptr %at, align 4
; CHECK: load <8 x i32>, ptr %other
define void @blended(ptr %at, ptr %other, <8 x i32> %v, <8 x i1> %mask) #0 {
  %old = load <8 x i32>, ptr %at, align 4
  %there = load <8 x i32>, ptr %other, align 4
  %new = select <8 x i1> %mask, <8 x i32> %old, <8 x i32> %v
  %sum = select <8 x i1> %mask, <8 x i32> %v, <8 x i32> %there
  store <8 x i32> %new, ptr %at, align 4
  store <8 x i32> %sum, ptr %at, align 4
  ret void
}

attributes #0 = { "target-features"="+avx,+avx2" }
