#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make check-apt: unwarp's package in a repository, signed by a key that is made here, twice the same bytes; served from loopback to an apt of
# its own (client.sh), which fetches it and, where what it depends on is installed, says that it would install it.
#
#   tests/apt/run.sh BUILD
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
for tool in apt-ftparchive gpg gpg-agent dpkg-deb; do
  command -v $tool >/dev/null || { echo "SKIP check-apt: there is no $tool" && exit 0; }
done
scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp-apt.XXXXXX")
server=
finish() {
  [ -z "$server" ] || kill "$server"
  GNUPGHOME=$scratch/home gpgconf --kill all
  rm -rf "$scratch"
}
trap finish EXIT
export GNUPGHOME=$scratch/home SOURCE_DATE_EPOCH=1700000000 APT_KEY=releases@example.com APT_SUITE=bookworm
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --faked-system-time 20200101T000000 --passphrase "" --quick-generate-key $APT_KEY ed25519 sign never
for part in one two; do
  ${MAKE:-make} --no-print-directory -s BUILD="$build" DIST="$scratch/$part" apt-repository
done
diff -r "$scratch/one" "$scratch/two"
python3 -u -m http.server --bind 127.0.0.1 --directory "$scratch/one/apt" 0 >"$scratch/served" 2>&1 &
server=$!
for _ in $(seq 100); do
  port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$scratch/served")
  [ -z "$port" ] || break
  sleep 0.1
done
version=$(dpkg-deb -f "$build"/unwarp_*.deb Version)
tests/apt/client.sh "http://127.0.0.1:$port" "$scratch/one/apt/unwarp.asc" bookworm "$scratch/client" \
  "apt-get update" "apt-cache policy unwarp" "apt-get download unwarp" | tee "$scratch/said"
grep -q "Candidate: $version\$" "$scratch/said"
cmp "$build"/unwarp_*.deb "$scratch"/client/unwarp_*.deb
status=/var/lib/dpkg/status
if tests/apt/client.sh "http://127.0.0.1:$port" "$scratch/one/apt/unwarp.asc" bookworm "$scratch/client" \
  "apt-get -s -o Dir::State::status=$status install --reinstall --no-install-recommends unwarp" >"$scratch/said" 2>&1; then
  grep "^Inst unwarp .*$version unwarp:bookworm" "$scratch/said"
else
  # Only what is not installed may be in the way: this apt knows no other repository.
  grep -q "unwarp : Depends:" "$scratch/said" || { cat "$scratch/said" && exit 1; }
  echo "SKIP to install it: $(grep -c "Depends:" "$scratch/said") of the packages that it depends on are not installed"
fi
echo "PASS check-apt"
