#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Do two compilers make the same code? Compares the module after the passes, and the LLVM IR that is lowered from it.
#
#   scripts/same_ir.sh BASE NEW [option…] [file.cu…]
#
# BASE and NEW: two programs `unwarp`. Without a file: the pairs of bench/, its foreign shapes, and every EVERY-th
# program of tests/run (20). Without an option: -O3 -march=x86-64-v3. JOBS: compiles side by side (1). KEEP: a folder in
# which both texts of what differs are left. Prints what differs, a file and a form a line, and exits 1 if anything
# does.

set -u
[ $# -ge 2 ] || { sed -n '4,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
base=$1 new=$2
shift 2
cd "$(dirname "$0")/.." || exit 2
sources=() options=()
for argument in "$@"; do
  case $argument in
  *.cu) sources+=("$argument") ;;
  *) options+=("$argument") ;;
  esac
done
[ ${#options[@]} -gt 0 ] || options=(-O3 -march=x86-64-v3)
if [ ${#sources[@]} -eq 0 ]; then
  sources=(bench/*/*.cu bench/foreign-shapes/*/*.cu)
  programs=(tests/run/*.cu)
  for ((i = 0; i < ${#programs[@]}; i += ${EVERY:-20})); do sources+=("${programs[i]}"); done
fi
folder=${KEEP:-$(mktemp -d)}
mkdir -p "$folder"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$folder"' EXIT

# A refusal is text too: the message and the status. What stays out: the module's name, a temporary file, and where each
# compiler has its headers, also in the length of texts that name them.
show() { # compiler, form, source, file
  local place
  place=$(realpath -s "$(dirname "$1")/..")
  {
    "$1" "${options[@]}" --emit="$2" "$3" -o "$4.text" 2>&1
    echo "exit $?"
    [ ! -e "$4.text" ] || cat "$4.text"
  } | sed -e '/^; ModuleID = /d' -e "s|$place/include/|include/|g" -e "s|${place#"$PWD"/}/include/|include/|g" \
    -e '/DIFile(/s/, directory: "[^"]*"//' -e '/#llvm.di_file</s/ in "[^"]*">/>/' -e '/^@"__unwarp_text_/s/\[[0-9]* x i8\]/[x i8]/' >"$4"
  rm -f "$4.text"
}

# A compiler may order globals differently from run to run (nested launches): the same once in TRIES is the same.
compare() { # source
  local name form try
  name=$(printf %s "$1" | tr / _)
  for form in mlir llvm; do
    for ((try = 0; try < ${TRIES:-4}; try++)); do
      show "$base" $form "$1" "$folder/$name.base.$form"
      show "$new" $form "$1" "$folder/$name.new.$form"
      cmp -s "$folder/$name.base.$form" "$folder/$name.new.$form" && break
    done
    if [ "$try" -lt "${TRIES:-4}" ]; then
      rm -f "$folder/$name".{base,new}.$form
    else
      echo "$1 $form"
    fi
  done
}

differing=$(
  running=0
  for source in "${sources[@]}"; do
    compare "$source" &
    running=$((running + 1))
    if [ $running -ge "${JOBS:-1}" ]; then
      wait -n
      running=$((running - 1))
    fi
  done
  wait
)
[ -z "$differing" ] || printf '%s\n' "$differing"
count=$(printf '%s' "$differing" | grep -c .)
echo "${#sources[@]} programs, $count texts differ"
[ "$count" -eq 0 ]
