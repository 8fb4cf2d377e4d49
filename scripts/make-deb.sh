#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the Debian package of a finished build: scripts/make-deb.sh BUILD_DIR VERSION
#
# What it depends on: the packages of the shared libraries that the compiler is linked with, in the versions that are here or
# newer (dpkg-shlibdeps would do, but LLVM's packages lack what it reads), and those whose programs, headers and libraries it
# uses when it compiles.
set -eu
build=$1
version=$2
work=$build/deb
root=$work/root
rm -rf "$work" "$build"/unwarp_*.deb
mkdir -p "$root/DEBIAN"
${MAKE:-make} --no-print-directory -s BUILD="$build" PREFIX=/usr DESTDIR="$root" install
gzip -9n "$root/usr/share/man/man1/unwarp.1"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_unwarp" "$root/usr/share/zsh/vendor-completions/_unwarp"
rmdir "$root/usr/share/zsh/site-functions"
doc=$root/usr/share/doc/unwarp
maintainer="${DEBFULLNAME:-unwarp} <${DEBEMAIL:-unwarp@localhost}>"
{ echo "unwarp ($version) unstable; urgency=medium"; echo; echo "  * Made from the sources by make deb."; echo
  echo " -- $maintainer  $(date -R -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y LICENSE)}")"; } |
  gzip -9n > "$doc/changelog.gz"
# Debian has the licence's text; the exceptions come with it.
{ echo "Copyright $(date -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y LICENSE)}" +%Y) the authors of unwarp"; echo "License: Apache-2.0 with LLVM exceptions; see"
  echo "/usr/share/common-licenses/Apache-2.0 and the exceptions:"; echo; sed -n '/LLVM Exceptions/,$p' LICENSE; } > "$doc/copyright"
rm "$doc/LICENSE"
mkdir -p "$root/usr/share/lintian/overrides"
cat > "$root/usr/share/lintian/overrides/unwarp" <<'EOF'
# libMLIR is in a folder of its own.
unwarp: custom-library-search-path
# The tool kit's libraries that are linker scripts, or empty.
unwarp: unpack-message-for-deb-data
unwarp: no-code-sections
# libomp's path is fixed by its package.
unwarp: absolute-symlink-in-top-level-folder
EOF

architecture=$(dpkg --print-architecture)
libraries=
for library in $(readelf -d "$root/usr/bin/unwarp" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
  case $library in ld-linux*) continue ;; esac # libc6 has it
  path=$(ldd "$root/usr/bin/unwarp" | awk -v name="$library" '$1 == name { print $3 }')
  real=$(readlink -f "$path")
  package=$(dpkg-query -S "$real" "${real#/usr}" 2>/dev/null | sed -n '1s/:.*//p') # /lib may be a link to /usr/lib
  [ -n "$package" ] || { echo "make-deb: no package holds $path" >&2; exit 1; }
  at_least=$(dpkg-query -W -f '${Version}' "$package:$architecture" | sed 's/[-~+].*//')
  case $libraries in *"$package (>="*) ;; *) libraries="${libraries:+$libraries, }$package (>= $at_least)" ;; esac
done
if find "$root/usr" -name libcudart.so -exec grep -l sleef {} + | grep -q .; then libraries="$libraries, libsleef3"; fi # toolkit.mk
cat > "$root/DEBIAN/control" <<EOF
Package: unwarp
Version: $version
Architecture: $architecture
Section: devel
Priority: optional
Maintainer: $maintainer
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: clang-22, libomp-22-dev, $libraries
Recommends: g++, lld-22, libthrust-dev, libcub-dev, libclang-rt-22-dev, llvm-22 | binutils, python3
Suggests: cmake (>= 3.18), libopenblas0-openmp, libfftw3-single3, libfftw3-double3, libgloo0
Description: compiler for CUDA programs on the CPU
 unwarp compiles CUDA C++ into native programs for this machine's processor. It
 needs no GPU and no CUDA SDK, and takes nvcc's place in Makefiles and CMake.
 .
 A folder laid out as a CUDA tool kit is in /usr/lib/unwarp.
EOF
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$root" "$build/unwarp_${version}_$architecture.deb"
rm -rf "$work"
