#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints about one in N of the names that are given, chosen by a hash of the name and of the commit: the same ones for
# everybody on a commit, others on the next one, and all of them after some commits. At least one is printed.
#
#   scripts/sample.sh N NAME…
#   scripts/sample.sh one NAME…     exactly one of them
set -u
[ $# -ge 2 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
share=$1
shift
commit=$(git rev-parse HEAD 2>/dev/null || echo none)
for name; do
  echo "$(printf '%s %s' "$name" "$commit" | cksum | cut -d' ' -f1) $name"
done | sort -n | awk -v share="$share" '
  share == "one" { if (NR == 1) print $2; next }
  NR == 1 || $1 % share == 0 { print $2 }'
