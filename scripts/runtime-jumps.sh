#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# runtime-jumps.sh OBJECT MACHINE NAMES: OBJECT is the runtime. NAMES becomes the list by which objcopy gives each of its visible functions
# another name, NAME.own. Prints the assembly of functions of the first names, which jump to where a table says: to those of the object, or
# of the copy that leads (runtime/copies.c). MACHINE: x86_64 or aarch64.
object=$1 machine=$2 names=$3
readelf -sW "$object" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" && $8 ~ /^(cuda|__cuda|uwrt_)/ { print $8 }' |
  LC_ALL=C sort -u | sed 's/.*/& &.own/' > "$names"
echo '  .text'
echo 'code:'
place=0
while read -r name own; do
  printf '  .globl %s\n  .type %s, %%function\n%s:\n' "$name" "$name" "$name"
  if [ "$machine" = aarch64 ]; then
    printf '  adrp x16, targets + %d\n  ldr x16, [x16, :lo12:targets + %d]\n  br x16\n' $place $place
  else
    printf '  jmp *targets + %d(%%rip)\n' $place
  fi
  echo "  .size $name, . - $name"
  place=$((place + 8))
done < "$names"
echo 'code_end:'
echo '  .data'
echo '  .balign 8'
echo 'targets:'
sed 's/.* \(.*\)/  .hidden \1\n  .quad \1/' "$names"
echo '  .section .rodata.uwrt_copy, "a", %progbits'
echo 'names:'
sed 's/\(.*\) .*/  .asciz "\1"/' "$names"
# As runtime/copies.c has it.
echo '  .data'
echo '  .balign 8'
echo '  .globl uwrt_own_copy'
echo '  .hidden uwrt_own_copy'
echo 'uwrt_own_copy:'
echo "  .long 1, $((place / 8)), 0, 0"
echo '  .quad targets, names, code, code_end'
echo '  .section .note.unwarp, "a", %note'
echo '  .balign 4'
printf '  .long 7, 4, 1\n  .asciz "unwarp"\n  .balign 4\n  .long uwrt_own_copy - .\n'
# In front of the constructors of objects, which register kernels (priority 101).
echo '  .section .init_array.100, "aw", %init_array'
echo '  .balign 8'
echo '  .hidden uwrt_find_leader'
echo '  .quad uwrt_find_leader'
echo '  .section .note.GNU-stack, "", %progbits'
