#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs unwarp's wheel into a fresh virtual environment, whose path has a blank, and compiles and runs programs by it; then
# takes it away again and looks for what is left. It runs as who calls it, with a home that is not there.
#
#   inside.sh WHEEL_FOLDER SOURCES_FOLDER (examples, tests/wheel) [EXTRA]
#
# EXTRA: "blas" for unwarp[blas], by the network; else cuBLAS's program runs where the machine has OpenBLAS.
set -u
wheels=$(cd "$1" && pwd) sources=$(cd "$2" && pwd) extra=${3:-}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp wheel.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
export HOME=/proc/none PATH=/usr/local/bin:/usr/bin:/bin
unset CUDA_HOME CUDA_PATH LD_LIBRARY_PATH UNWARP UNWARP_CLANG UNWARP_CACHE_DIR XDG_CACHE_HOME PYTHONPATH
failed=0

check() { # NAME COMMAND...: it ends well
  name=$1
  shift
  if "$@" >log 2>&1; then
    echo "ok   $name"
  else
    echo "FAIL $name: $*"
    cat log
    failed=1
  fi
}
seconds() { date +%s.%N; }

python3 -m venv one && python3 -m venv two || exit 2
start=$(seconds)
if [ -n "$extra" ]; then
  check "pip install unwarp[$extra]" one/bin/python -m pip install --no-cache-dir --find-links "$wheels" "unwarp[$extra]"
else
  check "pip install unwarp" one/bin/python -m pip install --no-index --find-links "$wheels" unwarp
fi
echo "     in $(echo "$start $(seconds)" | awk '{printf "%.0f s", $2 - $1}'), $(du -sm one/lib/python*/site-packages/unwarp | cut -f1) MB"
[ $failed = 0 ] || exit 1
package=$(echo "$PWD"/one/lib/python*/site-packages/unwarp)
files() { find one -path '*/__pycache__' -prune -o -type f -printf '%p %s %T@\n' | sort; }
files >before
unwarp=$PWD/one/bin/unwarp kit=$package/toolkit

is() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'" && false; }; }
check "unwarp --path" is "$("$unwarp" --path)" "$kit/bin"
check "unwarp.cuda_home()" is "$(one/bin/python -c 'import unwarp; print(unwarp.cuda_home())')" "$kit"
check "python -m unwarp" is "$(one/bin/python -m unwarp --path)" "$kit/bin"
ln -s "$unwarp" elsewhere
check "by a link" is "$(./elsewhere --path)" "$kit/bin"
check "unwarp --doctor" "$unwarp" --doctor

check "saxpy" "$unwarp" -O3 "$sources/examples/saxpy.cu" -o saxpy
check "saxpy runs" ./saxpy
check "unwarp-nvcc" one/bin/unwarp-nvcc -O3 -run "$sources/examples/saxpy.cu"
check "nvcc" "$kit/bin/nvcc" -g -G "$sources/examples/saxpy.cu" -o saxpy
check "SYCL" "$unwarp" -fsycl -O3 "$sources/examples/saxpy.cpp" -o sycl
check "SYCL runs" ./sycl
check "Thrust" "$unwarp" -O2 "$sources/tests/wheel/thrust.cu" -o thrust
check "Thrust runs" ./thrust
check "NVRTC" "$unwarp" "$sources/tests/wheel/nvrtc.cpp" -lnvrtc -lcuda -o nvrtc
check "NVRTC runs" ./nvrtc
check "-fcheck" "$unwarp" -fcheck -g "$sources/examples/reduce.cu" -o reduce
check "-fcheck runs" ./reduce
for sanitizer in address undefined leak; do
  check "-fsanitize=$sanitizer" sh -c '"$1" -Xcompiler -fsanitize=$2 -c "$3/tests/wheel/project/kernels.cu" -o s.o && "$1" -Xcompiler -fsanitize=$2 s.o "$3/tests/wheel/project/main.cpp" -o s' - "$unwarp" $sanitizer "$sources"
done
cp "$sources/examples/saxpy.cu" clangd.cu && printf '[{"directory": "%s", "file": "clangd.cu", "command": "nvcc -Xcompiler -Wall -c clangd.cu"}]' "$PWD" >commands.json
check "unwarp-clangd" "$kit/bin/unwarp-clangd" commands.json
check "clang's commands are the wheel's" grep -qF "$kit/llvm/bin/clang++" commands.json
check "--exec" "$unwarp" --exec ./nvrtc
check "cuBLAS" "$unwarp" -O2 "$sources/tests/wheel/cublas.cu" -lcublas -o cublas
cp log cublas.log
if [ -n "$extra" ] || [ -n "$(find /usr/lib /usr/lib64 -name libopenblas.so.0 2>/dev/null)" ]; then
  check "cuBLAS runs" ./cublas
  # One pool of threads: there is one OpenMP library.
  check "one libomp" test "$(LD_TRACE_LOADED_OBJECTS=1 ./cublas | grep -c libomp.so.5)" = 1
else
  check "what is missing is named, with both ways" grep -q "pip install 'unwarp\[blas\]', or on .*openblas" cublas.log
fi
if command -v g++ >/dev/null; then
  check "g++ links" sh -c '"$1" -c -O2 "$2" -o saxpy.o && g++ saxpy.o "-L$3/lib64" -lcudart "-Wl,-rpath,$3/lib64" -o by-gcc && ./by-gcc' - "$unwarp" "$sources/examples/saxpy.cu" "$kit"
fi
if command -v cmake >/dev/null; then
  cp -r "$sources/tests/wheel/project" project
  check "CMake" cmake -S project -B project/build "-DCMAKE_CUDA_COMPILER=$kit/bin/nvcc" "-DCUDAToolkit_ROOT=$kit"
  check "CMake builds" cmake --build project/build
  check "CMake's program runs" project/build/program
  check "CMake's other program runs" project/build/host
fi

# Another one beside it, and away with the first.
check "a second environment" two/bin/python -m pip install --no-index --find-links "$wheels" unwarp
check "each its own" is "$(two/bin/unwarp --path)" "$(echo "$PWD"/two/lib/python*/site-packages/unwarp)/toolkit/bin"
files >after
check "nothing was written beside the package" cmp before after
check "again over it" one/bin/python -m pip install --no-index --no-deps --force-reinstall --find-links "$wheels" unwarp
interrupted() { # what pip had written by then: it goes through the wheel in its order
  rm -rf part && one/bin/python - "$1" "$wheels"/unwarp-[0-9]*.whl <<'EOF' || return
import os, sys, zipfile
archive = zipfile.ZipFile(sys.argv[2])
entries = [entry for entry in archive.infolist() if entry.filename.startswith("unwarp/")]
for entry in entries[: -1 if sys.argv[1] == "all but one" else len(entries) * int(sys.argv[1]) // 100]:
    os.chmod(archive.extract(entry, "part"), entry.external_attr >> 16)
EOF
  ! PYTHONPATH=part two/bin/python -m unwarp --version 2>err
  grep "toolkit' is not whole, as after an interrupted installation: pip install --force-reinstall" err
}
for share in 10 70 "all but one"; do
  check "an interrupted installation ($share)" interrupted "$share"
done
rm -rf part "$kit/llvm/bin/clang"
check "an installation that is not whole" sh -c '! "$1" -c "$2" -o x.o 2>err; grep -q "pip install --force-reinstall unwarp" err' - "$unwarp" "$sources/examples/saxpy.cu"
check "uninstall" one/bin/python -m pip uninstall -y unwarp
check "nothing is left" is "$(find one -iname '*unwarp*' -not -iname '*unwarp_blas*')" ""
check "the other one stays" two/bin/unwarp -O1 "$sources/examples/saxpy.cu" -o saxpy
exit $failed
