#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Data-parallel training by today's PyTorch and torchrun, back end nccl: on one machine, and over 2 and 4 network namespaces, with the losses of one process; and a node that dies,
# after which the others' torchrun ends with an error.
#
#   tests/python/torch_today/nodes.sh BUILD_DIR
#
# As root, for the namespaces. PYTHON and TORCH as run.sh has them.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: tests/python/torch_today/nodes.sh BUILD_DIR}" && pwd) || exit 2
. "$here/install.sh"
. "$here/../../libraries/nccl/namespaces.sh"
install || { echo "FAIL torch-nodes: cannot be installed into $environment"; exit 1; }
export PATH=$environment/bin:$PATH OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'namespaces_end; rm -rf "$work"' EXIT
namespaces 4 || { echo "FAIL torch-nodes: no network namespaces"; exit 1; }
status=0

expect() { # expect WHAT COMMAND…
  local what=$1
  shift
  if "$@"; then echo "ok $what"; else
    echo "FAIL $what"
    tail -n 30 "$work"/log*
    status=1
  fi
  rm -f "$work"/log*
}
script() { "$build/bin/unwarp" --exec timeout 300 "$@"; }
one() { script python "$here/ddp.py" "$work/one.json" >"$work/log" 2>&1; }
machine() { script torchrun --nproc-per-node "$1" "$here/ddp.py" "$work/ranks.json" "$work/one.json" >"$work/log" 2>&1 && grep away "$work/log"; }
node() { # node I OF ARGUMENTS…: torchrun on one
  local at=$1 of=$2
  shift 2
  in_namespace "$at" "$build/bin/unwarp" --exec timeout 300 torchrun --nnodes "$of" --node-rank "$at" --nproc-per-node 1 --master-addr "$(address 0)" --master-port 29500 \
    "$here/ddp.py" "$@" >"$work/log$at" 2>&1
}
nodes() {
  local i workers=() all=0
  for ((i = 0; i < $1; i++)); do
    NCCL_DEBUG=INFO node "$i" "$1" "$work/ranks.json" "$work/one.json" &
    workers+=($!)
  done
  for i in "${workers[@]}"; do wait "$i" || all=1; done
  [ $all = 0 ] && grep -q "NET/Gloo" "$work/log1" && grep away "$work/log0"
}
# The second node ends in step 5, with all that runs on it; the first one is told by NCCL.
dies() {
  local first told
  node 0 2 "$work/ranks.json" --dies 5 &
  first=$!
  node 1 2 "$work/ranks.json" --dies 5
  wait $first
  told=$?
  [ $told != 0 ] && [ $told != 124 ] && grep -Eq "ncclRemoteError|remote process exited" "$work/log0"
}

expect "one process" one
expect "2 ranks on one machine" machine 2
expect "2 machines" nodes 2
expect "4 machines" nodes 4
expect "a machine that dies" dies
exit $status
