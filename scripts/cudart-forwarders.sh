#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cudart-forwarders.sh LIBRARY MACHINE [NEW=OLD…]: the assembly of a library that has all functions of LIBRARY, libcudart.so.12, under another
# version and jumps to them, so that a process has one runtime whatever versions its parts ask for. NEW=OLD: a function that has the form of
# another one in this version; NEW= alone: one that the version does itself. MACHINE: x86_64 or aarch64.
library=$1 machine=$2
shift 2
own=" $* "
echo '  .text'
{
  nm -D --defined-only --format=posix "$library" | sed -n 's/^\(_*cuda[A-Za-z0-9_]*\)@.* T .*/\1/p'
  for pair; do echo "${pair%%=*}"; done
} | sort -u | while read -r name; do
  old=$name
  case $own in
  *" $name= "*) continue ;;
  *" $name="*) old=${own#*" $name="} old=${old%% *} ;;
  esac
  echo "  .symver to_$name, $old@libcudart.so.12"
  echo "  .globl $name"
  echo "  .type $name, %function"
  echo "$name:"
  if [ "$machine" = aarch64 ]; then
    printf '  adrp x16, :got:to_%s\n  ldr x16, [x16, :got_lo12:to_%s]\n  br x16\n' "$name" "$name"
  else
    echo "  jmp *to_$name@GOTPCREL(%rip)"
  fi
  echo "  .size $name, . - $name"
done
echo '  .section .note.GNU-stack, "", %progbits'
