# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For a tap: packaging/README.md. A release fills in OWNER, the address and the digest; until then brew stops at the digest.
class Unwarp < Formula
  desc "Compiler for CUDA and SYCL programs on the CPU"
  homepage "https://github.com/OWNER/unwarp"
  url "https://example.com/unwarp-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0" => { with: "LLVM-exception" }

  depends_on "python@3.14" => :build
  depends_on arch: :x86_64
  depends_on :linux
  depends_on "lld@22"
  depends_on "llvm@22"

  def install
    llvm = formula_opt_prefix("llvm@22")
    # Debian's folders, where the build looks for what CUDA's libraries stand on, are not brew's.
    system "make", "install", "CC=#{llvm}/bin/clang", "CXX=#{llvm}/bin/clang++", "LLVM_PREFIX=#{llvm}",
           "DEB_LIBS=/none", "HAVE_SLEEF=", "PREFIX=#{prefix}"
    # The clang that unwarp calls: brew's.
    (lib/"unwarp").install_symlink llvm => "llvm"
    pkgshare.install "examples"
  end

  test do
    system bin/"unwarp", "--doctor"
    system bin/"unwarp", "-O3", pkgshare/"examples/saxpy.cu", "-o", testpath/"saxpy"
    system testpath/"saxpy"
  end
end
