# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Read by scripts that need several machines: network namespaces on one bridge, which `namespaces_end` takes away. As root, with iproute2.
#
#   namespaces 3     makes 3; `in_namespace I COMMAND…` runs in the I-th, from 0 on, whose address is `address I`, on an interface named eth0

namespaces_of=uw$$

address() { echo "10.77.0.$(($1 + 1))"; }
in_namespace() {
  local at=$1
  shift
  ip netns exec "$namespaces_of-$at" "$@"
}
namespaces() {
  [ "$(id -u)" = 0 ] || { echo "network namespaces need root" >&2; return 1; }
  local i
  ip netns add "$namespaces_of-net" && ip -n "$namespaces_of-net" link add bridge type bridge && ip -n "$namespaces_of-net" link set bridge up || return 1
  for ((i = 0; i < $1; i++)); do
    ip netns add "$namespaces_of-$i" &&
      ip link add eth0 netns "$namespaces_of-$i" type veth peer name "port$i" netns "$namespaces_of-net" &&
      ip -n "$namespaces_of-$i" address add "$(address "$i")/24" dev eth0 &&
      ip -n "$namespaces_of-$i" link set eth0 up &&
      ip -n "$namespaces_of-$i" link set lo up &&
      ip -n "$namespaces_of-net" link set "port$i" master bridge up || return 1
  done
}
# link_of I up|down: at the switch, so that nobody is told
link_of() { ip -n "$namespaces_of-net" link set "port$1" "$2"; }
namespaces_end() {
  local name
  for name in $(ip netns list 2>/dev/null | sed -n "s/^\($namespaces_of-[a-z0-9]*\).*/\1/p"); do
    ip netns del "$name"
  done
}
