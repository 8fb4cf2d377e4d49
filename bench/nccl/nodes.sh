#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# nodes.sh BUILD_DIR [BYTES …]: an all-reduce of floats between two network namespaces with a veth pair, by our NCCL and by Gloo called plainly, in turns. As root, with
# libgloo-dev.
set -eu
build=$(cd "${1:?usage: nodes.sh BUILD_DIR [BYTES ...]}" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
first=uw$$a second=uw$$b
trap 'ip netns del $first; ip netns del $second; rm -rf "$work"' EXIT
ip netns add $first
ip netns add $second
ip link add $first type veth peer name $second
for end in "$first 1" "$second 2"; do
  name=${end% *}
  ip link set "$name" netns "$name"
  ip -n "$name" address add "10.77.0.${end#* }/24" dev "$name"
  ip -n "$name" link set "$name" up
  ip -n "$name" link set lo up
done
"$build/bin/unwarp" -O2 "$here/nodes.cu" -lnccl -o "$work/nodes"
"${CXX:-c++}" -std=c++17 -O2 "$here/gloo.cpp" -lgloo -lpthread -o "$work/gloo"

export NCCL_COMM_ID=10.77.0.1:29512
ours() { # ours BYTES RUNS
  ip netns exec $second "$work/nodes" 1 "$1" "$2" &
  ip netns exec $first "$work/nodes" 0 "$1" "$2"
  wait
}
gloo() {
  rm -rf "$work/store" && mkdir "$work/store"
  ip netns exec $second "$work/gloo" "$work/store" 10.77.0.2 1 "$1" "$2" &
  ip netns exec $first "$work/gloo" "$work/store" 10.77.0.1 0 "$1" "$2"
  wait
}
for bytes in ${*:-4 65536 1048576 67108864}; do
  runs=$([ "$bytes" -gt 1048576 ] && echo 30 || echo 1000)
  for turn in 1 2 3; do
    ours "$bytes" "$runs"
    gloo "$bytes" "$runs"
  done
done
