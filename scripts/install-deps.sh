#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what unwarp is built from, on Debian 12 and its like: LLVM, clang and MLIR 22, libomp, lld, make; and
# Thrust and CUB, which CUDA programs expect with their compiler. On other systems, by /etc/os-release (or the file that
# $UW_OS_RELEASE names), it says what to do there.
#
#   scripts/install-deps.sh           installs what is missing (as root, or through sudo); quick when nothing is
#   scripts/install-deps.sh --tests   also what only the tests use: g++, CMake, Ninja and gdb, and what CUDA's libraries stand on
#   scripts/install-deps.sh --wheel   also what make wheel uses, and what the libraries in the wheel stand on
#   scripts/install-deps.sh --check   only says what is missing; exit status 1 if something is
set -eu

needed="clang-22 libclang-rt-22-dev llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools libomp-22-dev lld-22 libsleef-dev libthrust-dev libcub-dev make python3"
libraries="libopenblas-openmp-dev libfftw3-dev libdnnl-dev libgloo-dev libhwloc-dev"
packages=$needed
case ${1:-} in
  --tests) packages="$packages g++ cmake ninja-build libmpfr-dev gdb $libraries apt-utils gpg gpg-agent" ;;
  --wheel) needed="$needed patchelf $libraries" packages=$needed ;;
esac

say() { echo "install-deps: $*" >&2; }

# What the system calls itself: debian 12, ubuntu 24.04, fedora 44, opensuse-tumbleweed, arch; and what it is like.
os_release=${UW_OS_RELEASE:-/etc/os-release}
of_system() { (eval "$(grep "^$1=" "$os_release" 2>/dev/null)" && eval "echo \"\${$1:-}\""); }
system=$(of_system ID)
version=$(of_system VERSION_ID)
name=$(of_system PRETTY_NAME)

# Where this system has LLVM 22.
say_where() {
  case " $system $(of_system ID_LIKE) " in
    *" ubuntu "* | *" debian "*)
      if [ "$system $version" = "debian 12" ]; then
        say "Debian 12 has it among the security updates: enable the suite bookworm-security (component main) in"
        say "/etc/apt/sources.list"
      else
        say "on ${name:-this system} LLVM 22 comes from apt.llvm.org, unless the system's own suites have it:"
        say "    wget https://apt.llvm.org/llvm.sh && sudo bash llvm.sh 22 all && sudo apt-get install libmlir-22-dev mlir-22-tools"
        say "then call this again"
      fi
      ;;
    *" fedora "* | *" rhel "*)
      say "on ${name:-Fedora}, where its LLVM is 22 (dnf info llvm):"
      say "    sudo dnf install clang llvm-devel mlir-devel mlir-static lld libomp-devel compiler-rt gcc-c++ make python3"
      ;;
    *" opensuse "* | *" suse "* | *opensuse*)
      say "on ${name:-openSUSE}, where its LLVM is 22 (zypper info llvm22):"
      say "    sudo zypper install clang22 clang22-devel llvm22-devel lld22 libomp22-devel gcc-c++ make python3, and MLIR 22"
      ;;
    *" arch "*)
      say "on ${name:-Arch Linux}, where its LLVM is 22 (pacman -Si llvm):"
      say "    sudo pacman -S clang llvm mlir lld openmp compiler-rt gcc make python"
      ;;
    *) say "install by ${name:-this system}'s own means what these packages of Debian's hold: $packages" ;;
  esac
  case " $system $(of_system ID_LIKE) " in
    *" debian "* | *" ubuntu "*) ;;
    *) say "unwarp calls clang-22, clang++-22 and llvm-config-22; then: make all (make example asks for Debian's packages)" ;;
  esac
  [ "$system $version" = "debian 12" ] ||
    say "or build in a container: docker run -it -v \"\$PWD\":/unwarp -w /unwarp debian:bookworm"
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=
if command -v dpkg-query >/dev/null; then
  for package in $packages; do
    is_installed "$package" || missing="$missing $package"
  done
else
  say "this system has no apt-get, by which packages are installed here"
  say_where
  exit 1
fi
[ -n "$missing" ] || exit 0
if [ "${1:-}" = --check ]; then
  say "missing:$missing"
  exit 1
fi

as_root=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "not root, and there is no sudo. As root: apt-get install$missing"
    for package in $missing; do
      case " $needed " in *" $package "*) exit 1 ;; esac
    done
    say "going on: tests that need one of these are skipped, each by its name"
    exit 0
  fi
  as_root=sudo
fi

say "installing with apt-get:$missing"
candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p'; }
is_known() { case $(candidate "$1") in '' | '(none)') return 1 ;; esac }
all_known=yes
for package in $missing; do
  is_known "$package" || all_known=no
done
# A fresh container has no package lists at all.
[ $all_known = yes ] || $as_root apt-get update -q
for package in $missing; do
  if ! is_known "$package"; then
    say "apt-get does not know '$package'"
    say_where
    exit 1
  fi
done
# shellcheck disable=SC2086 # a list of words
install() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; }
# Lists that are some days old name packages that are gone: once more with new ones.
install || { $as_root apt-get update -q && install; }
