#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The programs of tests/run with their device code sent through PTX text and back: clang's own back end writes it, and our reader
# takes it in. They must give what they give from source.
#
#   tests/ptx/run.sh BUILD_DIR [--sample] [pattern…]
#
# --sample runs those of the file `sample` only. What the file `differs` names is left out, and listed with its reason at the end.
# UW_BLOCKS and UW_THREADS as in tests/run/run.sh (33 and 2).
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: tests/ptx/run.sh BUILD_DIR [--sample] [pattern…]}
shift
sample=
if [ "${1:-}" = --sample ]; then
  sample=1
  shift
fi

differs() { grep -q "^$1  " "$here/differs"; }

names=()
for path in "$here"/../run/*.cu; do
  name=$(basename "$path" .cu)
  differs "$name" && continue
  [ -z "$sample" ] || grep -qx "$name" "$here/sample" || continue
  if [ $# -gt 0 ]; then
    for pattern in "$@"; do
      # shellcheck disable=SC2053  # the right side is a pattern
      [[ $name == $pattern ]] && names+=("$name")
    done
  else
    names+=("$name")
  fi
done
[ ${#names[@]} -gt 0 ] || { echo "tests/ptx/run.sh: no such program" >&2; exit 2; }

UW_FLAGS="${UW_FLAGS:--O2} --through-ptx" UW_BLOCKS=${UW_BLOCKS:-33} UW_THREADS=${UW_THREADS:-2} \
  "$here/../run/run.sh" "$build" "${names[@]}"
status=$?
if [ -z "$sample" ] && [ $# -eq 0 ]; then
  echo "left out:"
  sed -n 's/^\([a-z0-9-]*\)  \(.*\)/  \1: \2/p' "$here/differs"
fi
exit $status
