#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make check-wheel: the wheel is the same when it is packed twice, under 100 MB, and works where it is installed (inside.sh): by its caller, by
# a user that is not root, with the extra's packages, in the bare systems of UW_WHEEL_ROOTS, folders that debootstrap made.
#
#   tests/wheel/run.sh DIST BUILD
set -u
dist=$(cd "$1" && pwd) build=$2
cd "$(dirname "$0")/../.." || exit 2
failed=0
wheel=$(echo "$dist"/unwarp-*.whl)
ls "$dist"/unwarp-*.whl "$dist"/unwarp_blas-*.whl || exit 1
[ "$(stat -c %s "$wheel")" -lt 100000000 ] || { echo "FAIL: $wheel is larger than 100 MB" && failed=1; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp-wheel.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
${MAKE:-make} --no-print-directory -s BUILD="$build" DIST="$scratch/again" wheel || failed=1
for each in "$dist"/*.whl; do
  cmp "$each" "$scratch/again/${each##*/}" || failed=1
done
mkdir "$scratch/tests"
cp -r examples "$scratch/" && cp -r tests/wheel "$scratch/tests/" && cp "$dist"/*.whl "$scratch/" && chmod -R a+rX "$scratch"

echo "# here, with the extra's packages"
tests/wheel/inside.sh "$scratch" "$scratch" blas || failed=1
if [ "$(id -u)" = 0 ]; then
  echo "# as nobody"
  setpriv --reuid=65534 --regid=65534 --clear-groups env TMPDIR=/tmp "$scratch/tests/wheel/inside.sh" "$scratch" "$scratch" || failed=1
fi
if python3 -c 'import yaml' 2>/dev/null; then
  echo "# the action"
  cp -r tests/action/repository "$scratch/repository" && mkdir "$scratch/temporary"
  env -u NVCC_APPEND_FLAGS -u UNWARP_CHECK tests/action/runner.py . "$scratch/repository" "$scratch/temporary" "wheel=$dist/unwarp-*.whl" check=true "run=make test-right" || failed=1
  env -u NVCC_APPEND_FLAGS -u UNWARP_CHECK tests/action/runner.py . "$scratch/repository" "$scratch/temporary" "wheel=$dist/unwarp-*.whl" check=true "run=make test-race" >"$scratch/red" && failed=1
  grep '^::error file=tests/race.cu,line=7,' "$scratch/red" || failed=1
fi
for root in ${UW_WHEEL_ROOTS:-}; do
  echo "# in $root"
  rm -rf "$root/opt/wheel" && cp -r "$scratch" "$root/opt/wheel"
  unshare -m sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" /opt/wheel/tests/wheel/inside.sh /opt/wheel /opt/wheel' "$root" || failed=1
  rm -rf "$root/opt/wheel"
done
exit $failed
