# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit's view of the tests that are text and FileCheck: passes/ (IR in, IR out) and driver/ (command lines).
# The build under test is BUILD (default build), given by the Makefile as --param build=DIR. --param cpu=x86-64-v3 (or x86-64, -v2, -v4
# where the machine has it) tests as on such a CPU, as UNWARP_MARCH does. A test that runs code for more than the first x86-64 says
# REQUIRES: avx2 or avx512, which the CPU under test has or has not.
import atexit
import os
import platform
import shutil
import subprocess
import sys
import tempfile

import lit.formats

config.name = "unwarp"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["run", "runtime", "headers", "libdevice", "unit", "projects"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(config.test_source_root)
build = os.path.abspath(lit_config.params.get("build", os.path.join(root, "build")))
if " " in root + build:
    sys.path.insert(0, config.test_source_root)
    import lit_by_links

    links = tempfile.mkdtemp(prefix="unwarp-tests.")
    atexit.register(shutil.rmtree, links)
    for name, path in (("root", root), ("build", build)):
        os.symlink(path, os.path.join(links, name))
    root, build = os.path.join(links, "root"), os.path.join(links, "build")
    config.test_format = lit_by_links.ByLinks(os.path.join(root, "tests"), os.path.join(build, "tests"))
config.test_exec_root = os.path.join(build, "tests")

llvm_bin = subprocess.check_output(["llvm-config-22", "--bindir"], text=True).strip()
config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), llvm_bin, os.environ["PATH"]])
if "cpu" in lit_config.params:
    os.environ["UNWARP_MARCH"] = lit_config.params["cpu"]
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TMPDIR", "HOME", "UNWARP_MARCH"):
    if os.environ.get(name):
        config.environment[name] = os.environ[name]
# Freed memory is filled, at once, so that a stale MLIR handle does not go unnoticed. (Under a sanitizer ASAN_OPTIONS say the same.)
config.environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"
config.environment["UNWARP_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache") # not the user's
config.available_features.add(platform.machine())
if "long" in lit_config.params: # tests that take minutes: make check-text-long
    config.available_features.add("long")
cpu_levels = os.path.join(root, "scripts", "cpu-levels.sh")
if subprocess.run([cpu_levels, "--check"]).returncode != 0:
    lit_config.fatal("no such CPU here")
levels = subprocess.check_output([cpu_levels], text=True).split()
for level, feature in (("x86-64-v3", "avx2"), ("x86-64-v4", "avx512")):
    if level in levels:
        config.available_features.add(feature)
for tool, feature in (("gdb", "gdb"), ("dpkg-deb", "dpkg"), ("g++", "g++"), ("cmake", "cmake"), ("apt-ftparchive", "apt-ftparchive"), ("gpg-agent", "gpg")):
    if shutil.which(tool):
        config.available_features.add(feature)
for module in ("jsonschema", "yaml", "IPython"):
    if subprocess.run(["python3", "-c", "import " + module], stderr=subprocess.DEVNULL).returncode == 0:
        config.available_features.add(module)
with open(os.path.join(build, "lib", "libcudart.so.12"), "rb") as runtime: # runtime/numa.c
    if b"hwloc_topology_init" in runtime.read():
        config.available_features.add("hwloc")
with open(os.path.join(build, "lib", "libcudart.so")) as script: # toolkit.mk
    if "sleef" in script.read():
        config.available_features.add("sleef")
for name in ("unwarp-opt", "unwarp"):
    config.substitutions.append(("%" + name.replace("-", "_") + r"\b", os.path.join(build, "bin", name)))
config.substitutions.append(("%build", build))
config.substitutions.append(("%root", root))
