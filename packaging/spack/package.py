# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For a package repository of one's own: packaging/README.md. A release fills in OWNER, the
# address and the digest; until then Spack stops at the digest.
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Unwarp(MakefilePackage):
    """Compiles CUDA and SYCL programs for the CPU, and runs GPU programs there."""

    homepage = "https://github.com/OWNER/unwarp"
    url = "https://example.com/unwarp-0.1.0.tar.gz"
    git = "https://github.com/OWNER/unwarp.git"

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")
    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    requires("target=x86_64:", "platform=linux")
    depends_on("llvm@22 +clang+lld+mlir+llvm_dylib compiler-rt=runtime openmp=runtime")
    depends_on("gmake", type="build")
    depends_on("python@3:", type="build")

    def make_arguments(self, prefix):
        llvm = self.spec["llvm"].prefix
        # Debian's folders, where the build looks for what CUDA's libraries stand on, are not its.
        return [
            f"CC={llvm.bin.clang}",
            f"CXX={join_path(llvm.bin, 'clang++')}",
            f"LLVM_PREFIX={llvm}",
            "DEB_LIBS=/none",
            "HAVE_SLEEF=",
            f"PREFIX={prefix}",
        ]

    def build(self, spec, prefix):
        make("all", *self.make_arguments(prefix))

    def install(self, spec, prefix):
        make("install", *self.make_arguments(prefix))
        # The clang that unwarp calls: Spack's.
        symlink(spec["llvm"].prefix, join_path(prefix.lib, "unwarp", "llvm"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        unwarp = Executable(self.prefix.bin.unwarp)
        unwarp("--doctor")
        unwarp("-O3", join_path(self.stage.source_path, "examples", "saxpy.cu"), "-o", "saxpy")
        Executable("./saxpy")()
