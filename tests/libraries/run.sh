#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh BUILD_DIR [LIBRARY | LIBRARY/PROGRAM …]: compiles and runs the programs in the folders beside this script, each linked with the library that its
# folder is named by (Thrust and CUB are headers), with one thread and with three. They check themselves. A library that this build does not have (its package is
# missing) is skipped by name.
build=$(cd "${1:?usage: run.sh BUILD_DIR [LIBRARY | LIBRARY/PROGRAM ...]}" && pwd) || exit 2
export UNWARP="$build/bin/unwarp"
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/libraries
mkdir -p "$work" || exit 2
status=0
[ $# -gt 0 ] || set -- $(cd "$here" && ls -d */ | tr -d /)

one() { # one LIBRARY SOURCE
  name=$1/$(basename "$2" .cu)
  out=$work/$1-$(basename "$2" .cu)
  case $1 in
  cub | thrust) library= ;; # headers alone
  *) library=-l$1 ;;
  esac
  exactly=$(sed -n 's/^\/\/ library: //p' "$2") # a file of the build, in place of what -l finds
  [ -z "$exactly" ] || library="$build/lib/$exactly -Wl,-rpath,$build/lib"
  more=$(sed -n 's/^\/\/ link: //p' "$2")
  if "$build/bin/unwarp" -O1 -std=c++17 "$2" -o "$out" $library $more >"$out.log" 2>&1 &&
     OMP_NUM_THREADS=1 timeout "${UW_LIBRARY_SECONDS:-120}" "$out" >>"$out.log" 2>&1 && OMP_NUM_THREADS=3 timeout "${UW_LIBRARY_SECONDS:-120}" "$out" >>"$out.log" 2>&1; then
    echo "PASS libraries/$name"
  else
    sed 's/^/  /' "$out.log" | tail -20
    echo "FAIL libraries/$name"
  fi
}

has_library() { # has_library LIBRARY
  case $1 in
  cub | thrust) [ -e "/usr/include/$1" ] ;;
  *) [ -e "$build/lib/lib$1.so" ] || [ -e "$build/lib/lib$1.so.1" ] ;;
  esac
}

for asked; do
  has_library "${asked%%/*}" || { echo "SKIP libraries/$asked: this build is without it (make left-out)"; continue; }
  case $asked in
  */*) programs=$here/$asked.cu ;;
  *) programs=$here/$asked/*.cu ;;
  esac
  for source in $programs; do
    one "${asked%%/*}" "$source" &
    # Two at a time: compiling takes longer than running.
    running=$((${running:-0} + 1))
    [ $((running % 2)) = 1 ] || wait
  done
done >"$work/results"
wait
cat "$work/results"
! grep -q ^FAIL "$work/results" || status=1
exit $status
