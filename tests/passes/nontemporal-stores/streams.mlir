// RUN: %unwarp_opt --nontemporal-stores %s | FileCheck %s
// RUN: %unwarp_opt --nontemporal-stores --nontemporal-stores %s | FileCheck %s
// RUN: sed 's/mapping = .#gpu.thread/unwarp.fallback, &/' %s > %t.mlir && %unwarp_opt --nontemporal-stores %t.mlir | FileCheck --check-prefix=FALLBACK %s
// FALLBACK: unwarp.fallback
// FALLBACK-NOT: alias_scopes

// A launch that stores a whole row for each block has two versions of the loop over the threads: one that streams its whole
// lines, in a launch that stores much, and the one that there was, for whole rows and for the two ends of a streamed one.

module attributes {llvm.target_triple = "x86_64-pc-linux-gnu"} {
  // CHECK: llvm.mlir.global external @uwrt_stream_bytes() {{.*}}: i64
  // CHECK-LABEL: func.func @add
  // CHECK-SAME: (%[[BLOCKS:.*]]: index, %[[ROW:.*]]: index, %{{.*}}: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr)
  // CHECK: %[[START:.*]] = llvm.getelementptr %[[OUT]]
  // CHECK: %[[NUMBER:.*]] = llvm.ptrtoint %[[START]]
  // CHECK: arith.andi %[[NUMBER]], %c3
  // CHECK: %[[UP:.*]] = arith.subi %c0{{.*}}, %[[NUMBER]] : i64
  // CHECK: %[[MISSING:.*]] = arith.andi %[[UP]], %c63
  // CHECK: %[[HEAD:.*]] = arith.divui %[[MISSING]], %c4
  // CHECK: %[[HERE:.*]] = llvm.getelementptr %[[START]][%[[MISSING]]]
  // CHECK: %[[AMOUNT:.*]] = arith.index_cast %[[HEAD]] : i64 to index
  // CHECK: %[[FIRST:.*]] = arith.addi %c0{{.*}}, %[[AMOUNT]] : index
  // CHECK: %[[FITS:.*]] = arith.cmpi eq
  // CHECK: %[[LENGTH:.*]] = arith.subi %[[ROW]], %[[FIRST]] : index
  // CHECK: %[[LIMIT:.*]] = llvm.load %{{.*}} invariant
  // CHECK: %[[LARGE:.*]] = arith.cmpi uge
  // CHECK: %[[LONG:.*]] = arith.cmpi sge, %[[LENGTH]], %c128
  // CHECK: %[[STREAMED:.*]] = arith.andi %{{.*}}, %[[FITS]] : i1
  // CHECK: %[[WHOLE:.*]] = arith.andi %[[LENGTH]], %c-16
  // CHECK: scf.if %[[STREAMED]]
  // CHECK: %[[OPAQUE:.*]] = llvm.intr.launder.invariant.group %[[HERE]]
  // CHECK: %[[LINE:.*]] = llvm.intr.ptrmask %[[OPAQUE]], %c-64
  // CHECK: scf.forall (%{{.*}}, %{{.*}}, %[[X:.*]]) {{(= .* to|in)}} (%{{.*}}, %{{.*}}, %[[WHOLE]])
  // CHECK: arith.addi %[[X]], %[[FIRST]] : index
  // CHECK: %[[ALONG:.*]] = arith.index_cast %[[X]] : index to i64
  // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[LINE]][%[[ALONG]]]
  // CHECK: llvm.store %{{.*}}, %[[SLOT]] {alias_scopes = [#
  // CHECK: } else {
  // CHECK-NEXT: }
  // CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %[[WHOLE]] : index
  // CHECK: %[[TIMES:.*]] = arith.select %[[STREAMED]], %c2{{.*}}, %c1
  // CHECK: scf.for %[[END:.*]] = %[[ZERO:.*]] to %[[TIMES]]
  // CHECK: %[[STARTS:.*]] = arith.cmpi eq, %[[END]], %[[ZERO]]
  // CHECK: %[[HEAD:.*]] = arith.andi %[[STREAMED]], %[[STARTS]]
  // CHECK: %[[FROM:.*]] = arith.select %[[STARTS]], %c0{{.*}}, %[[LAST]]
  // CHECK: %[[TO:.*]] = arith.select %[[HEAD]], %[[FIRST]], %[[ROW]]
  // CHECK: scf.forall {{.*}} = ({{.*}}, {{.*}}, %[[FROM]]) to (%{{.*}}, %{{.*}}, %[[TO]])
  // CHECK-NOT: alias_scopes
  // CHECK: llvm.store
  // CHECK-NOT: scf.if
  // CHECK: return
  // CHECK-LABEL: func.func @rows
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) {{=|in}}
  // CHECK: scf.if
  // CHECK: llvm.store {{.*}} {alias_scopes = [#
  // CHECK: } else {
  // CHECK-NOT: alias_scopes
  // CHECK: return
  // CHECK-LABEL: func.func @index_of_one_row
  // CHECK: llvm.store {{.*}} {alias_scopes = [#
  // CHECK: } else {
  func.func @add(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %p = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }

  // Several rows, which begin in the midst of a line.
  func.func @rows(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) = (0, 0, %c1) to (%c1, %c16, %row) step (1, 1, 1) {
        %start = arith.muli %y, %row : index
        %line = arith.addi %start, %first : index
        %at = arith.addi %line, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %p = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }

  // One row, the second, whose index is part of the address.
  func.func @index_of_one_row(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) = (0, %c1, 0) to (%c1, %c2, %row) step (1, 1, 1) {
        %start = arith.muli %y, %row : index
        %line = arith.addi %start, %first : index
        %at = arith.addi %line, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %p = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
}
