#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eight processes compile the same modules into one cache and are killed (-9) at random moments, with what they started or alone; afterwards all
modules load and are right, nothing half-written lies in the cache, and what was kept is found.

    killed.py BUILD_DIR KILLS [SEED]"""
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = r"""
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <string>
int main(int count, char **arguments) {
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr p;
  if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuMemAlloc(&p, 4))
    return 2;
  for (int i = 1; i < count; i++) {
    int number = atoi(arguments[i]), found = -1;
    std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 x) {\n  .reg .b64 %p;\n"
                       "  ld.param.u64 %p, [x];\n  st.u32 [%p], " + std::to_string(number) + ";\n  ret;\n}\n";
    void *params[] = {&p};
    if (cuModuleLoadData(&module, text.c_str()) || cuModuleGetFunction(&function, module, "k") ||
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, params, nullptr) || cuMemcpyDtoH(&found, p, 4) || found != number || cuModuleUnload(module)) {
      printf("module %d: %d\n", number, found);
      return 1;
    }
  }
  puts("all right");
}
"""


def remove(folder):
    """The compiler of a program that was killed may still write there."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            return shutil.rmtree(folder)
        time.sleep(0.1)
    shutil.rmtree(folder)


def main():
    build, kills = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    work = tempfile.mkdtemp(prefix="unwarp-killed-")
    cache, tmp = work + "/cache", work + "/tmp"
    os.mkdir(tmp)
    environment = dict(os.environ, UNWARP_CACHE_DIR=cache, UNWARP=build + "/bin/unwarp", TMPDIR=tmp)
    with open(work + "/program.cpp", "w") as file:
        file.write(PROGRAM)
    subprocess.run([build + "/bin/unwarp", "-O1", work + "/program.cpp", "-o", work + "/program", "-lcuda"], check=True)
    modules = list(range(1000, 1024))

    def start():
        order = [str(number) for number in modules]
        chance.shuffle(order)
        return subprocess.Popen([work + "/program"] + order, env=environment, start_new_session=True, stdout=subprocess.PIPE, text=True)

    running, wrong, ended = [start() for _ in range(8)], 0, 0
    for _ in range(kills):
        time.sleep(chance.uniform(0.0, 0.15))
        which = chance.randrange(len(running))
        process = running[which]
        if process.poll() is None:
            (os.killpg if chance.random() < 0.7 else os.kill)(process.pid, 9)
        else:
            ended += 1
            wrong += process.returncode != 0
        process.communicate()
        running[which] = start()
        if os.path.isdir(cache) and chance.random() < 0.2:
            for name in os.listdir(cache):
                if chance.random() < 0.5:
                    with contextlib.suppress(FileNotFoundError):  # a part that became an entry, or that its writer took away
                        os.unlink(cache + "/" + name)
    for process in running:
        said = process.communicate()[0]
        if process.returncode:
            print(said)
            wrong += 1
    traced = subprocess.run([work + "/program"] + [str(number) for number in modules], env=dict(environment, UNWARP_TRACE="1"), capture_output=True,
                            text=True)
    found = traced.stderr.count("read from the cache")
    wrong += traced.returncode != 0 or found != len(modules)
    names = os.listdir(cache)
    entries = [name for name in names if re.fullmatch(r"[0-9a-f]{32}\.uw", name)]
    others = [name for name in names if not re.fullmatch(r"[0-9a-f]{16}\.uw\..*|[0-9a-f]{32}\.uw|\.lock", name)]
    wrong += len(entries) != len(modules) or len(others) != 0
    print(f"{kills} kills, {ended} processes ended before theirs: {len(entries)} entries for {len(modules)} modules, {found} found again, {wrong} wrong")
    remove(work)
    return wrong != 0


sys.exit(main())
