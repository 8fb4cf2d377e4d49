#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Puts Debian packages into a repository of apt's, static files that any web server or file:// can serve, and signs it.
#
#   repository.sh FOLDER PACKAGE.deb...
#
#   FOLDER/pool/SUITE/          the packages: these, and those of earlier calls
#   FOLDER/dists/SUITE/         Release, and signed InRelease and Release.gpg; main/binary-ARCH/Packages, .gz and .xz
#   FOLDER/unwarp.asc           the public key, which users copy to /etc/apt/keyrings
#
#   APT_KEY      the key: an id of gpg's keyring, or a file that has a secret key without a passphrase; unsigned without it
#   APT_SUITE    what a user's line names; else the code name of this system, as packages fit the system that they were built on
#
# With SOURCE_DATE_EPOCH the same packages and the same key make the same bytes.
set -eu
say() { echo "apt-repository: $*" >&2; }
[ $# -ge 2 ] || { say "usage: repository.sh FOLDER PACKAGE.deb..."; exit 2; }
command -v apt-ftparchive >/dev/null || { say "apt-ftparchive is missing: apt-get install apt-utils"; exit 1; }
# By its whole fingerprint: a signature names the key as it was asked for.
secret_key() { gpg --batch --list-secret-keys --with-colons "$@" 2>/dev/null | sed -n 's/^fpr:*\([0-9A-F]*\):*$/\1/p' | head -n 1; }
suite=${APT_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")}
key=${APT_KEY:-}
export LC_ALL=C.UTF-8

mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
pool=pool/$suite dists=dists/$suite
mkdir -p "$folder/$pool"
install -m 644 "$@" "$folder/$pool/"

[ -z "$key" ] || { command -v gpg && command -v gpg-agent; } >/dev/null || { say "gpg is missing: apt-get install gpg gpg-agent"; exit 1; }
home= # of gpg, for a key that is a file
finish() { [ -z "$home" ] || { gpgconf --kill all && rm -rf "$home"; } }
trap finish EXIT
if [ -f "$key" ]; then
  home=$(mktemp -d)
  export GNUPGHOME="$home"
  gpg --batch --quiet --import "$key" || { say "'$key' has no key that gpg takes"; exit 1; }
  key=$(secret_key)
  [ -n "$key" ] || { say "'$APT_KEY' has no secret key"; exit 1; }
elif [ -n "$key" ]; then
  key=$(secret_key "$key")
  [ -n "$key" ] || { say "there is no file '$APT_KEY', and gpg has no secret key of that id"; exit 1; }
fi

cd "$folder"
rm -rf "$dists" unwarp.asc
architectures=
for package in "$pool"/*.deb; do
  architecture=$(dpkg-deb -f "$package" Architecture)
  index=$dists/main/binary-$architecture
  [ -d "$index" ] || { mkdir -p "$index" && architectures="$architectures $architecture"; }
  apt-ftparchive packages "$package" >>"$index/Packages"
done
for index in "$dists"/main/*/Packages; do
  gzip -9nk "$index"
  xz -9k "$index"
done
date=
[ -z "${SOURCE_DATE_EPOCH:-}" ] || date=$(date -Ru -d "@$SOURCE_DATE_EPOCH")
# Beside its place first: what is in it is not listed in itself.
apt-ftparchive ${date:+-o "APT::FTPArchive::Release::Date=$date"} \
  -o APT::FTPArchive::Release::Origin=unwarp -o APT::FTPArchive::Release::Label=unwarp -o "APT::FTPArchive::Release::Suite=$suite" \
  -o "APT::FTPArchive::Release::Codename=$suite" -o APT::FTPArchive::Release::Components=main \
  -o "APT::FTPArchive::Release::Architectures=${architectures# }" release "$dists" >Release
mv Release "$dists/"

if [ -z "$key" ]; then
  say "$folder is not signed, so apt refuses it but for [trusted=yes]: APT_KEY=ID or APT_KEY=FILE signs it"
  exit 0
fi
sign() { gpg --batch --yes --quiet ${SOURCE_DATE_EPOCH:+--faked-system-time "$SOURCE_DATE_EPOCH!"} --digest-algo SHA512 --local-user "$key" "$@"; }
sign --clearsign --output "$dists/InRelease" "$dists/Release"
sign --armor --detach-sign --output "$dists/Release.gpg" "$dists/Release"
gpg --batch --quiet --armor --export --output unwarp.asc "$key"
say "$folder is signed by $key"
