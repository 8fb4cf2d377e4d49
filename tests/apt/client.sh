#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What apt makes of a repository: the lines of docs/install.md with ADDRESS in the place of the page's, by an apt whose lists, keys, settings
# and installed packages lie in SCRATCH; nothing of the machine's is read or changed.
#
#   client.sh ADDRESS KEY SUITE SCRATCH COMMAND...      the commands are apt's: "apt-get update", "apt-cache policy unwarp"
set -euo pipefail
address=$1 key=$2 suite=$3 scratch=$4
shift 4
page=$(dirname "$0")/../../docs/install.md
mkdir -p "$scratch"/etc/apt/{keyrings,preferences.d,sources.list.d,trusted.gpg.d} "$scratch"/var/{lib/apt/lists/partial,cache/apt/archives/partial,lib/dpkg}
scratch=$(cd "$scratch" && pwd)
: >"$scratch/var/lib/dpkg/status"
cp "$key" "$scratch/etc/apt/keyrings/unwarp.asc"
line=$(sed -n 's/^ *echo "\(deb \[signed-by=.*\)" |.*/\1/p' "$page" | head -n 1)
[[ $line == *https://example.com/apt\ bookworm\ main ]] || { echo "docs/install.md has another line for sources.list.d: '$line'" && exit 1; }
line=${line//\/etc\//$scratch/etc/}
line=${line/https:\/\/example.com\/apt bookworm/$address $suite}
echo "$line" >"$scratch/etc/apt/sources.list.d/unwarp.list"
cat >"$scratch/apt.conf" <<END
Dir "$scratch";
Dir::State::status "$scratch/var/lib/dpkg/status";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
APT::Sandbox::User "root";
APT::Architecture "$(dpkg --print-architecture)";
APT::Update::Error-Mode "any";
Acquire::http::Proxy "false";
Acquire::Retries "0";
Acquire::Languages "none";
END
export APT_CONFIG=$scratch/apt.conf LC_ALL=C.UTF-8
cd "$scratch"
for command; do
  # shellcheck disable=SC2086 # a command with its words
  $command
done
