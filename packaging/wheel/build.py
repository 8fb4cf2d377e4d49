#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel of a finished build: build.py BUILD VERSION LLVM_PREFIX OUT_FOLDER

The wheel is what make install puts into a PREFIX, with the clang, lld, libomp, MLIR and LLVM that unwarp is built from:

  unwarp/toolkit/            the tool kit: lib/unwarp of an installation, with bin/unwarp in it
  unwarp/toolkit/lib64       its lib, under the name that NVIDIA's has; libomp and SLEEF, as programs look for them there
  unwarp/toolkit/llvm        clang, lld, what they and unwarp load, clang's headers
  *.data/scripts, *.data/data/share    for bin and share

What is loaded is asked of the loader (needed, below). A wheel has no links. So links to programs become launchers
(launcher.c), links that linkers follow become linker scripts, and another name of a library is a library without code that
needs the first. Where LLVM needs libraries that it calls for nothing that is done here, libraries that say so stand in
(STAND_INS): Z3 and libxml2 with ICU would be a fifth of the wheel.
"""
import os
import re
import shutil
import struct
import subprocess
import sys

import pack

HERE = os.path.dirname(os.path.abspath(__file__))
GLIBC = "2_36"  # Debian 12's: the oldest that what is built there runs on
# What each machine with a compiler's headers has; the format's own list of such libraries has them, too.
OF_THE_MACHINE = re.compile(r"(ld-linux-.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|mvec)\.so\.[0-9]+)$")
# What CUDA's libraries stand on, which the extra `blas` or the machine brings.
STANDS_ON = re.compile(r"lib(openblas|fftw3f?(_omp)?|dnnl|gloo|mpi|mpich)\.so\.[0-9]+$")
# Where the extra's package lies, and the lib of a virtual environment or of conda, seen from lib64.
EXTRA_PLACE, ENVIRONMENT_PLACE = "$ORIGIN/../../../unwarp_blas/lib", "$ORIGIN/../../../../.."
# Of PyPI: OpenBLAS with each name behind a prefix, and the last oneDNN that has the interface of 2.6.
OPENBLAS_PACKAGE, ONEDNN_PACKAGE = "scipy-openblas32", "onednn-cpu-gomp ==2022.2.1"
STAND_INS = {
    "libz3.so.4": "clang's static analyser asks it",
    "libxml2.so.2": "Windows manifests are read by it",
    "libedit.so.2": "debuggers' command lines are read by it",
}
PROGRAMS = ["clang", "lld"]
ON_LLVM = ["unwarp", "unwarp-opt"]  # ours that load it and MLIR
# What clang links for -fsanitize=address, undefined and leak, and --coverage.
LINKED = ["asan", "asan_cxx", "asan-preinit", "asan_static", "ubsan_standalone", "ubsan_standalone_cxx", "lsan", "profile"]


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", path))


def loader_finds(path):
    """Where the loader finds what a program or library needs, also indirectly: by name."""
    return dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", path), re.M))


def closure(path):
    """The libraries that a program loads, by name, without the machine's, and without what only stand-ins' originals load."""
    found, todo, places = {}, [path], loader_finds(path)
    while todo:
        for name in needed(todo.pop()):
            if name in found or OF_THE_MACHINE.match(name):
                continue
            if name not in places:
                raise SystemExit(f"build: '{name}', which {path} loads, is not on this machine")
            found[name] = places[name]
            if name not in STAND_INS:
                todo.append(places[name])
    return found


def cc(*arguments):
    run(os.environ.get("CC", "clang-22"), "-s", "-Wl,--build-id=none", *arguments)


def launcher(out, name, *targets, defines=()):
    """A program that becomes another one."""
    listed = ",".join(f'"{target}"' for target in targets)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    cc("-Os", "-std=gnu17", "-Wall", "-Werror", f'-DNAME="{name}"', f"-DTARGETS={listed}", *defines,
       os.path.join(HERE, "launcher.c"), "-o", out)


def versions_of(library):
    """The versions that a library's symbols have, in order; the first is its own name."""
    text = run("readelf", "-VW", library)
    at = text.find(".gnu.version_d")
    return re.findall(r"Index: \d+\s+Cnt: \d+\s+Name: (\S+)", text[at:].split("Version needs")[0])[1:] if at >= 0 else []


def library_without_code(out, work, versions, sources=(), links=(), run_path="$ORIGIN"):
    script = os.path.join(work, "versions.map")
    with open(script, "w") as file:
        for version in versions:
            file.write(f"{version} {{ {versions[version]} }};\n")
    cc("-shared", "-nostdlib" if not sources else "-Os", f"-Wl,-soname,{os.path.basename(out)}", "-Wl,--disable-new-dtags",
       f"-Wl,-rpath,{run_path}", *([f"-Wl,--version-script={script}"] if versions else []), "-Wl,--undefined-version",
       "-Wl,--no-as-needed", *links, "-x", "c", *(sources or ["/dev/null"]), "-o", out)


def other_name(out, library, work):
    """A library that is another's second name: it has its versions, and needs it."""
    library_without_code(out, work, dict.fromkeys(versions_of(library), ""), links=[library])


def stand_in(out, users, work):
    """A library with what others call of it; each call ends the program and says what for."""
    name = os.path.basename(out)
    symbols = {}
    for user in users:
        for symbol, version in re.findall(r"^\s+[Uw] (\w+)(?:@(\S+))?$", run("nm", "-D", "--undefined-only", user), re.M):
            if re.match({"libz3.so.4": "Z3_", "libxml2.so.2": "(xml|html)[A-Z]", "libedit.so.2": "el_|history"}[name], symbol):
                symbols[symbol] = version
    source = os.path.join(work, name + ".c")
    with open(source, "w") as file:
        file.write("#include <stdio.h>\n#include <stdlib.h>\n")
        for symbol in sorted(symbols):
            file.write(f'void {symbol}(void) {{ fputs("unwarp: {symbol}: this LLVM is without {name}: {STAND_INS[name]}\\n", '
                       "stderr); abort(); }\n")
    versions = {}
    for symbol in sorted(symbols):
        versions.setdefault(symbols[symbol], []).append(symbol)
    versions.pop("", None)
    library_without_code(out, work, {version: " ".join(f"{s};" for s in versions[version]) for version in sorted(versions)},
                         sources=[source], run_path="$ORIGIN")


def set_run_path(path, *folders):
    """Folders from the root of the tool kit on, as the file sees them, or absolute ones."""
    os.chmod(path, 0o755)
    run("patchelf", "--force-rpath", "--set-rpath", ":".join(folders), path)


def drop_unwinding(path):
    """Zeroes what only exceptions and stack traces read, which is a fifteenth of LLVM as packed: it is built without exceptions."""
    PT_NULL, PT_GNU_EH_FRAME = 0, 0x6474E550
    sections = re.findall(r"\] (\.eh_frame(?:_hdr)?)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", run("readelf", "-SW", path))
    with open(path, "r+b") as file:
        header = file.read(64)
        table, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        for i in range(count):
            file.seek(table + i * size)
            if struct.unpack("<I", file.read(4))[0] == PT_GNU_EH_FRAME:
                file.seek(table + i * size)
                file.write(struct.pack("<I", PT_NULL))
        for _, offset, length in sections:
            file.seek(int(offset, 16))
            file.write(bytes(int(length, 16)))


def put(source, out, strip=False):
    os.makedirs(os.path.dirname(out), exist_ok=True)
    shutil.copyfile(source, out)
    os.chmod(out, 0o755)
    if strip:
        run("strip", out)


def linker_script(out, target):
    """Linkers look beside a script for what it names."""
    os.remove(out)
    with open(out, "w") as file:
        file.write(f"/* unwarp: linker script */ INPUT({os.path.relpath(target, os.path.dirname(out))})\n")


def replace_links(kit, work):
    """In the libraries' folders: each link by what does for it in a wheel."""
    links = []
    for folder, folders, names in os.walk(kit):
        links += [os.path.join(folder, name) for name in folders + names if os.path.islink(os.path.join(folder, name))]
    for link in sorted(links):
        target = os.path.realpath(link)
        if not target.startswith(kit + "/"):
            raise SystemExit(f"build: '{link}' leads out of the tool kit, to '{target}'")
        if os.path.isdir(target):
            raise SystemExit(f"build: '{link}' leads to a folder")
        soname = re.search(r"\.so\.[0-9.]+$", link)
        if is_elf(target) and soname and os.path.basename(link) != os.path.basename(target):
            os.remove(link)
            other_name(link, target, work)
        elif (is_elf(target) and not soname) or re.search(r"\.(a|so)$", link):
            linker_script(link, target)
        else:
            os.remove(link)
            shutil.copyfile(target, link)


def licences(files, out, package_files):
    """Of Debian's packages that the files came from."""
    packages = set()
    for path in files:
        real = os.path.realpath(path)
        for spelling in (real, real.removeprefix("/usr")):  # /lib may be a link to /usr/lib
            said = subprocess.run(["dpkg-query", "-S", spelling], text=True, capture_output=True).stdout
            if said:
                packages.add(said.split(":")[0])
                break
        else:
            raise SystemExit(f"build: no package holds '{path}', whose licence is wanted")
    for package in sorted(packages):
        put(f"/usr/share/doc/{package}/copyright", os.path.join(out, package, "copyright"))
        os.chmod(os.path.join(out, package, "copyright"), 0o644)
    return packages


def lay_out(build, version, llvm, work, tree):
    name = f"unwarp-{version}"
    prefix, package = os.path.join(work, "prefix"), os.path.join(tree, "unwarp")
    kit = os.path.join(package, "toolkit")
    run(os.environ.get("MAKE", "make"), "--no-print-directory", "-s", f"BUILD={build}", f"PREFIX={prefix}", "DESTDIR=", "install")
    os.makedirs(package)
    for module in ("__init__.py", "__main__.py", "notebook.py"):
        with open(os.path.join(HERE, "unwarp", module)) as file:
            text = file.read().replace("@VERSION@", version)
        with open(os.path.join(package, module), "w") as file:
            file.write(text)

    # The tool kit, as it is installed.
    shutil.copytree(os.path.join(prefix, "lib", "unwarp"), kit, symlinks=True)
    libraries = os.path.join(kit, "lib64")
    os.remove(libraries)
    os.rename(os.path.join(kit, "lib"), libraries)
    os.makedirs(os.path.join(kit, "lib"))
    os.rename(os.path.join(libraries, "cmake"), os.path.join(kit, "lib", "cmake"))
    shutil.rmtree(os.path.join(kit, "targets"))
    nvvm = os.path.join(kit, "nvvm", "libdevice", "libdevice.bc")
    os.remove(nvvm)
    shutil.copyfile(os.path.join(libraries, "libdevice.bc"), nvvm)
    os.remove(os.path.join(kit, "nvvm", "include", "nvvm.h"))
    shutil.copyfile(os.path.join(kit, "include", "nvvm.h"), os.path.join(kit, "nvvm", "include", "nvvm.h"))
    for entry in os.listdir(os.path.join(kit, "nvvm", "lib64")):
        os.remove(os.path.join(kit, "nvvm", "lib64", entry))
    shutil.copyfile(os.path.join(libraries, "libnvvm.so.4"), os.path.join(kit, "nvvm", "lib64", "libnvvm.so.4"))
    os.symlink("libnvvm.so.4", os.path.join(kit, "nvvm", "lib64", "libnvvm.so"))
    for program in sorted(os.listdir(os.path.join(kit, "bin"))):  # its other names: nvcc, ptxas, icpx, …
        link = os.path.join(kit, "bin", program)
        if os.path.islink(link) and os.path.basename(os.readlink(link)) == "unwarp":
            os.remove(link)
            launcher(link, program, "unwarp")
    put(os.path.join(prefix, "bin", "unwarp"), os.path.join(kit, "bin", "unwarp"))

    # What programs load: libomp, under both its names, and SLEEF.
    bundled = [os.path.join(llvm, "lib", "libomp.so.5")]
    put(bundled[0], os.path.join(libraries, "libomp.so.5"))
    os.remove(os.path.join(libraries, "libomp.so"))
    os.symlink("libomp.so.5", os.path.join(libraries, "libomp.so"))
    other_name(os.path.join(libraries, "libgomp.so.1"), os.path.join(libraries, "libomp.so.5"), work)
    with open(os.path.join(libraries, "libcudart_static.a")) as file:
        if "libsleef" in file.read():
            bundled.append(os.path.join(run("clang-22", "-print-file-name=libsleef.so.3").strip()))
            put(bundled[-1], os.path.join(libraries, "libsleef.so.3"))

    # LLVM's, as far as it is loaded.
    loaded = closure(os.path.join(build, "bin", "unwarp"))
    for program in PROGRAMS:
        path = os.path.join(llvm, "bin", program)
        loaded.update(closure(path))
        bundled.append(path)
        put(path, os.path.join(kit, "llvm", "bin", program))
        set_run_path(os.path.join(kit, "llvm", "bin", program), "$ORIGIN/../lib")
    launcher(os.path.join(kit, "llvm", "bin", "clang++"), "clang++", "clang")
    launcher(os.path.join(kit, "llvm", "bin", "ld.lld"), "ld.lld", "lld")
    # CMake links by clang itself, without the run path of our own link, and libomp is nowhere else than in the wheel.
    for driver in ("clang", "clang++"):
        with open(os.path.join(kit, "llvm", "bin", f"{driver}.cfg"), "w") as file:
            file.write("$-Wl,-rpath,<CFGDIR>/../../lib64\n")
    for library, path in sorted(loaded.items()):
        out = os.path.join(kit, "llvm", "lib", library)
        if library in STAND_INS:
            os.makedirs(os.path.dirname(out), exist_ok=True)
            stand_in(out, [other for other in loaded.values() if library in needed(other)], work)
        else:
            bundled.append(path)
            put(path, out)
            set_run_path(out, "$ORIGIN")
            if re.match("lib(LLVM|MLIR|clang)", library):
                drop_unwinding(out)
    for program in ON_LLVM:
        set_run_path(os.path.join(kit, "bin", program), "$ORIGIN/../llvm/lib")
    resources = run(os.path.join(llvm, "bin", "clang"), "-print-resource-dir").strip()
    clang_folder = os.path.join(kit, "llvm", "lib", "clang", os.path.basename(resources))
    shutil.copytree(os.path.join(resources, "include"), os.path.join(clang_folder, "include"), symlinks=False,
                    ignore=shutil.ignore_patterns("fuzzer", "orc", "xray", "ppc_wrappers"))
    bundled.append(os.path.join(resources, "include", "stddef.h"))
    archives = os.path.join("lib", "linux")
    for entry in sorted(os.listdir(os.path.join(resources, archives))):
        if re.match(f"libclang_rt\\.({'|'.join(LINKED)})-{os.uname().machine}\\.a", entry):
            bundled.append(os.path.join(resources, archives, entry))
            put(bundled[-1], os.path.join(clang_folder, archives, entry))
            os.chmod(os.path.join(clang_folder, archives, entry), 0o644)

    # Thrust and CUB, for systems without; clang reads ours in the place of some of their files.
    cccl = os.path.join(kit, "cccl")
    for part, version_file in (("thrust", "version.h"), ("cub", "version.cuh")):
        shutil.copytree(os.path.join("/usr/include", part), os.path.join(cccl, part))
        bundled.append(os.path.join("/usr/include", part, version_file))
    with open(os.path.join(kit, "include", "unwarp", "cccl", "overlay.yaml")) as file:
        text = file.read().replace("overlay-relative: true", "root-relative: overlay-dir\noverlay-relative: true")
    text = text.replace("name: /usr/include/", "name: ").replace("external-contents: ", "external-contents: ../include/unwarp/cccl/")
    with open(os.path.join(cccl, "overlay.yaml"), "w") as file:
        file.write(text)

    # Our libraries look beside themselves, and where the system has what they stand on.
    for folder in (libraries, os.path.join(kit, "nvvm", "lib64"), os.path.join(kit, "bin")):
        for entry in sorted(os.listdir(folder)):
            path = os.path.join(folder, entry)
            if os.path.islink(path) or not os.path.isfile(path) or not is_elf(path) or entry in ON_LLVM:
                continue
            absolute = [part for part in run("patchelf", "--print-rpath", path).strip().split(":")
                        if part.startswith("/") and not part.startswith(llvm)]
            wanted = [need for need in needed(path) if not OF_THE_MACHINE.match(need)]
            for need in wanted:
                if not STANDS_ON.match(need) and not os.path.exists(os.path.join(libraries, need)):
                    raise SystemExit(f"build: '{entry}' needs '{need}', which the wheel is without")
            if wanted:
                own = "$ORIGIN" if folder == libraries else "$ORIGIN/../lib64"
                stands = any(STANDS_ON.match(need) for need in wanted)
                set_run_path(path, own, *([EXTRA_PLACE, *absolute, "/usr/lib64/openblas-openmp", ENVIRONMENT_PLACE] if stands else []))
    replace_links(kit, work)

    # pip's bin and share.
    with open(os.path.join(libraries, "unwarp.id")) as file:
        identity = file.read().split()[0]
    places = ["../lib*/*/*-packages/unwarp/toolkit/bin", "../lib*/python/unwarp/toolkit/bin", "../unwarp/toolkit/bin"]
    for script, program in (("unwarp", "unwarp"), ("unwarp-nvcc", "nvcc")):
        launcher(os.path.join(tree, f"{name}.data", "scripts", script), program, *(f"{place}/{program}" for place in places),
                 defines=[f'-DIDENTITY="{identity}"', '-DIDENTITY_FILE="lib64/unwarp.id"'])
    shutil.copytree(os.path.join(prefix, "share"), os.path.join(tree, f"{name}.data", "data", "share"))

    info = os.path.join(tree, f"{name}.dist-info")
    packages = licences(bundled, os.path.join(info, "licenses"), bundled)
    put("LICENSE", os.path.join(info, "licenses", "LICENSE"))
    os.chmod(os.path.join(info, "licenses", "LICENSE"), 0o644)
    with open(os.path.join(HERE, "METADATA")) as file:
        text = file.read().replace("@VERSION@", version).replace("@PACKAGES@", ", ".join(sorted(packages)))
    with open(os.path.join(info, "METADATA"), "w") as file:
        file.write(text)


def lay_out_extra(build, version, work, tree):
    """What the extra `blas` brings: OpenBLAS by its own names, which are jumps to those of PyPI's, and its oneDNN."""
    openblas, asked = None, set()
    for library in sorted(os.listdir(os.path.join(build, "lib"))):
        path = os.path.join(build, "lib", library)
        if os.path.islink(path) or not os.path.isfile(path) or not is_elf(path) or "libopenblas.so.0" not in needed(path):
            continue
        openblas = openblas or loader_finds(path)["libopenblas.so.0"]
        asked |= set(re.findall(r"^\s+U (\w+)$", run("nm", "-D", "--undefined-only", path), re.M))
    if not openblas:
        raise SystemExit("build: this build is without cuBLAS: install libopenblas-openmp-dev and make again")
    has = set(re.findall(r" T (\w+)$", run("nm", "-D", "--defined-only", openblas), re.M))
    source = os.path.join(work, "openblas.s")
    with open(source, "w") as file:
        file.write("  .text\n")
        for name in sorted(asked & has):
            file.write(f"  .globl {name}\n  .type {name}, %function\n{name}:\n  jmp *scipy_{name}@GOTPCREL(%rip)\n"
                       f"  .size {name}, . - {name}\n")
        file.write('  .section .note.GNU-stack, "", %progbits\n')
    for_linker, out = os.path.join(work, "libscipy_openblas.so"), os.path.join(tree, "unwarp_blas", "lib", "libopenblas.so.0")
    library_without_code(for_linker, work, {})
    os.makedirs(os.path.dirname(out))
    cc("-shared", "-nostdlib", "-Wl,-soname,libopenblas.so.0", "-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/../../scipy_openblas32/lib",
       "-Wl,--no-as-needed", source, for_linker, "-o", out)
    with open(os.path.join(tree, "unwarp_blas", "__init__.py"), "w") as file:
        file.write('# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"""What unwarp[blas] brings: libopenblas.so.0, for unwarp\'s libraries."""\n')
    info = os.path.join(tree, f"unwarp_blas-{version}.dist-info")
    put("LICENSE", os.path.join(info, "licenses", "LICENSE"))
    os.chmod(os.path.join(info, "licenses", "LICENSE"), 0o644)
    with open(os.path.join(info, "METADATA"), "w") as file:
        file.write(f"Metadata-Version: 2.1\nName: unwarp-blas\nVersion: {version}\nSummary: OpenBLAS and oneDNN for unwarp's cuBLAS, cuSOLVER and cuDNN\n"
                   "License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.8\n"
                   f"Requires-Dist: {OPENBLAS_PACKAGE}\nRequires-Dist: {ONEDNN_PACKAGE}\n\n"
                   "unwarp-blas comes with unwarp[blas]: libopenblas.so.0 for unwarp's libraries, on the OpenBLAS of scipy-openblas32.\n")


def main(build, version, llvm, out_folder):
    work = os.path.abspath(os.path.join(build, "wheel"))
    shutil.rmtree(work, ignore_errors=True)
    tree, extra = os.path.join(work, "tree"), os.path.join(work, "extra")
    os.makedirs(tree)
    build = os.path.abspath(build)
    lay_out_extra(build, version, work, extra)
    lay_out(build, version, llvm, work, tree)
    for name, folder in (("unwarp_blas", extra), ("unwarp", tree)):
        out = pack.pack(folder, name, version, f"py3-none-manylinux_{GLIBC}_{os.uname().machine}", out_folder)
        print(f"{out}: {os.path.getsize(out) / 1e6:.1f} MB")
    shutil.rmtree(work)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
