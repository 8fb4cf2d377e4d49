#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NCCL between three machines, which are network namespaces, with a relay between them (relay.c) that delays by 5 ms:
#
#   tests/libraries/nccl/faults/faults.sh BUILD_DIR [ROUNDS [SEED]]
#
# Right, only slower; a link that stalls for 2 s, and a rank that is stopped for 20 s, after which all go on. Then ROUNDS (30) kills, stalls and cut links at random moments: all
# other ranks say so within UNWARP_NCCL_TIMEOUT (4 s) and what their processes take to end, with a status other than 0; so after 3 kills more, of which no TCP reset tells. As root, with iproute2. Three minutes.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: faults.sh BUILD_DIR [ROUNDS [SEED]]}" && pwd) || exit 2
rounds=${2:-30}
RANDOM=${3:-$$}
. "$here/../namespaces.sh"
work=$(mktemp -d)
relay=
trap 'stop_relay; namespaces_end; rm -rf "$work"' EXIT
export UNWARP_NCCL_TIMEOUT=4 NCCL_COMM_ID=$(address 0):29513 OMP_NUM_THREADS=1
slack=3000 # ms more than the time-out: what processes take to end on a busy machine
status=0 ranks=3

start_relay() { # start_relay MILLISECONDS
  mkfifo "$work/told"
  ip netns exec "$namespaces_of-net" "$work/relay" "$1" port0 port1 port2 <"$work/told" &
  relay=$!
  exec 9>"$work/told"
}
stop_relay() {
  [ -n "$relay" ] || return 0
  exec 9>&-
  wait "$relay"
  relay=
  rm -f "$work/told"
}
begin() { # begin OPERATIONS
  local i
  pids=()
  for ((i = 0; i < ranks; i++)); do
    : >"$work/out$i"
    in_namespace "$i" timeout -s KILL 60 "$work/rank" "$i" $ranks "$1" "$RANDOM_OF_ROUND" >"$work/out$i" 2>&1 &
    pids+=($!)
  done
}
fail() {
  echo "FAIL $1"
  tail -n 3 "$work"/out*
  status=1
}
now() { date +%s%3N; }
# The process itself, which says its number first of all.
process() {
  until grep -q "process" "$work/out$1"; do sleep 0.01; done
  sed -n 's/.*process //p' "$work/out$1"
}
all_right() { # all_right WHAT: all end with 0
  local i bad=
  for i in 0 1 2; do wait "${pids[$i]}" || bad=$i; done
  if [ -z "$bad" ]; then echo "ok $1: $(sed -n 's/.*right in/slowest/p' "$work"/out* | sort -k2n | tail -1)"; else fail "$1"; fi
}
in_operations() { # waits until all have begun
  local i
  for i in 0 1 2; do until grep -q begins "$work/out$i"; do sleep 0.02; done; done
}

"${CC:-cc}" -std=c17 -O2 "$here/relay.c" -o "$work/relay" && "$build/bin/unwarp" -O2 "$here/rank.cu" -lnccl -o "$work/rank" || exit 1
namespaces 3 || { echo "FAIL no network namespaces"; exit 1; }
for i in 0 1 2; do ip -n "$namespaces_of-net" link set "port$i" nomaster; done

RANDOM_OF_ROUND=$RANDOM
start_relay 0
begin 60
all_right "a relay that does not delay"
stop_relay
start_relay 5
begin 60
all_right "5 ms of delay"
begin 150
in_operations
echo "stall 1" >&9
sleep 2
echo "go 1" >&9
all_right "a link that stalls for 2 s"
begin 150
in_operations
stopped=$(process 2)
kill -STOP "$stopped"
sleep 20
kill -CONT "$stopped"
all_right "a rank that is stopped for 20 s"

slowest=0
for ((round = 1; round <= rounds + 3; round++)); do
  [ $round -le "$rounds" ] || echo "lose resets" >&9
  kind=$((round > rounds ? 0 : RANDOM % 3)) victim=$((RANDOM % ranks)) wait_ms=$((RANDOM % 1500)) RANDOM_OF_ROUND=$RANDOM
  begin 1000000
  sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
  since=$(now)
  case $kind in
  0) name=kill && kill -KILL "$(process $victim)" ;;
  1) name=stall && echo "stall $victim" >&9 ;;
  2) name=cut && link_of $victim down ;;
  esac
  bad= codes=
  for ((i = 0; i < ranks; i++)); do
    wait "${pids[$i]}"
    code=$?
    codes+=" $code"
    [ $code = 3 ] || { [ $kind = 0 ] && [ $i = $victim ] && [ $code = 137 ]; } || bad=1
  done
  took=$(($(now) - since))
  [ $took -le $((UNWARP_NCCL_TIMEOUT * 1000 + slack)) ] || bad=1
  [ $took -gt $slowest ] && slowest=$took
  [ -z "$bad" ] || fail "round $round: $name of rank $victim after $wait_ms ms: statuses$codes after $took ms"
  [ -n "${VERBOSE:-}" ] && echo "   $name of rank $victim after $wait_ms ms: statuses$codes after $took ms; $(grep -h -c begins "$work"/out* | paste -sd+ | bc) had begun"
  case $kind in
  1) echo "go $victim" >&9 ;;
  2) link_of $victim up ;;
  esac
done
[ $status = 0 ] && echo "ok $rounds kills, stalls and cut links, 3 kills without resets: the last rank said so after $slowest ms at most"
exit $status
