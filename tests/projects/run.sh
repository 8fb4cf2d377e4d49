#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds heat/, a project with a static library of device code, a shared library with kernels, a program of each kind and
# tests, by its Makefile and by CMake with both of its generators, unwarp's build tree in the place of the CUDA tool kit.
# Each time: build with two jobs and test; build again: nothing happens; change a header: what includes it is made again,
# and only that; clean.
#
#   tests/projects/run.sh BUILD_DIR
set -u
here=$(cd "$(dirname "$0")" && pwd)
toolkit=$(cd "${1:?a build folder}" && pwd) || exit 2
export CUDA_HOME=$toolkit OMP_WAIT_POLICY=passive
export LD_LIBRARY_PATH=$toolkit/lib64 # for -lcudart, as CUDA's guide has it
scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp-projects.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAIL $project: $*"
  exit 1
}

run() {
  timeout 300 "$@" >"$scratch/log" 2>&1 && return
  cat "$scratch/log"
  fail "$*"
}

# What a build writes, without CMake's own notes.
results() { find "$tree" \( -name '*.o' -o -name '*.a' -o -name '*.so' -o -name heat -o -name devices \) -type f "$@"; }

# Its path, its commands.
check_project() {
  project=$1 source=$scratch/$1
  cp -r "$here/heat" "$source"
  case $project in
  make) tree=$source build=(make -C "$source" -j2) check=(make -C "$source" check) clean=(make -C "$source" clean) ;;
  *)
    tree=$source/build build=(cmake --build "$tree" -j2) check=(ctest --test-dir "$tree" --output-on-failure)
    clean=(cmake --build "$tree" --target clean)
    # shellcheck disable=SC2086 # a list of words
    run cmake -S "$source" -B "$tree" -G "$2" -DCMAKE_CUDA_COMPILER="$toolkit/bin/nvcc" $3
    ;;
  esac
  run "${build[@]}"
  run "${check[@]}"
  [ "$("$tree/heat")" = "20 steps: right" ] || fail "heat says: $("$tree/heat")"

  touch "$scratch/built"
  run "${build[@]}"
  [ -z "$(results -newer "$scratch/built")" ] || fail "a second build makes $(results -newer "$scratch/built")"

  sed -i 's/STEPS = 20/STEPS = 21/' "$source/heat.h"
  run "${build[@]}"
  [ "$("$tree/heat")" = "21 steps: right" ] || fail "after a change of its header heat says: $("$tree/heat")"
  made=$(results -newer "$scratch/built" -name '*.o')
  case $made in *heat*spread* | *spread*heat*) ;; *) fail "a change of heat.h makes only $made" ;; esac
  case $made in *statistics*) fail "a change of heat.h makes $made" ;; esac

  run "${clean[@]}"
  [ -z "$(results | grep -v CompilerId)" ] || fail "clean leaves $(results)"
  echo "PASS $project"
}

passed=0 failed=0
while IFS=: read -r name generator options; do
  case $generator in Ninja) tools="cmake ninja" ;; Unix*) tools=cmake ;; *) tools= ;; esac
  for tool in $tools; do
    command -v "$tool" >/dev/null || { echo "SKIP $name: there is no $tool"; continue 2; }
  done
  if (check_project "$name" "$generator" "$options"); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done <<'END'
make:
cmake-makefiles:Unix Makefiles
cmake-ninja:Ninja:-DCMAKE_CUDA_ARCHITECTURES=native -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared
END
echo "$passed passed, $failed failed"
[ $failed = 0 ]
