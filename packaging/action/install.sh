#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The action's first step (action.yml): installs unwarp and tells the steps after it where it is.
#
#   UNWARP_ACTION_WHEEL    a wheel's path or address, or a folder of an installation; else
#   UNWARP_ACTION_VERSION  a version of PyPI's, or the newest
#   UNWARP_ACTION_CHECK    true: -fcheck
set -euo pipefail

fail() { echo "::error title=unwarp::$*" && exit 1; }
[ -n "${GITHUB_ENV:-}" ] || { echo "install.sh: this is a step of GitHub's runner" >&2 && exit 2; }

wheel=${UNWARP_ACTION_WHEEL:-} version=${UNWARP_ACTION_VERSION:-} temporary=${RUNNER_TEMP:-/tmp}
if [ -n "$wheel" ] && [ -x "$wheel/bin/nvcc" ]; then
  kit=$(cd "$wheel" && pwd)
else
  wanted=unwarp${version:+==$version}
  # pip calls a path one by its slash, and takes one file.
  [ -z "$wheel" ] || wanted=$wheel
  if [ -n "$wheel" ] && [[ $wheel != *://* ]]; then
    found=$(compgen -G "$wheel" | head -n 1) || fail "there is no '$wheel'"
    wanted=$(realpath "$found")
  fi
  python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is missing: apt-get install python3-pip, or the action setup-python, in a step before"
  folder=$temporary/unwarp
  python3 -m pip install --quiet --disable-pip-version-check --no-warn-script-location --upgrade --target "$folder" "$wanted" || fail "pip cannot install '$wanted'"
  kit=$folder/unwarp/toolkit
fi
"$kit/bin/unwarp" --doctor || fail "unwarp lacks something of this machine: see the lines above"

cache=$temporary/unwarp-cache
mkdir -p "$cache"
echo "$kit/bin" >>"$GITHUB_PATH"
{
  echo "CUDA_HOME=$kit"
  echo "CUDA_PATH=$kit"
  echo "CUDACXX=$kit/bin/nvcc"
  echo "UNWARP_CACHE_DIR=$cache"
  if [ "${UNWARP_ACTION_CHECK:-}" = true ]; then
    found=$temporary/unwarp-check.jsonl
    rm -f "$found"
    case " ${NVCC_APPEND_FLAGS:-} " in
      *" -fcheck "*) ;;
      *) echo "NVCC_APPEND_FLAGS=${NVCC_APPEND_FLAGS:+$NVCC_APPEND_FLAGS }-fcheck -g" ;;
    esac
    echo "UNWARP_CHECK=${UNWARP_CHECK:+$UNWARP_CHECK,}json=$found"
    echo "UNWARP_ACTION_FOUND=$found"
  fi
} >>"$GITHUB_ENV"
{
  echo "cuda-home=$kit"
  echo "cache-folder=$cache"
  echo "id=$(cut -d' ' -f1 "$kit/lib64/unwarp.id")"
} >>"$GITHUB_OUTPUT"
