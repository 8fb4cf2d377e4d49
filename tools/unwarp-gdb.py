# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For gdb: which block and thread of a kernel the stopped worker is at, and breakpoints for one of them.
#
#   gdb -x unwarp-gdb.py ./program          (compiled with -G, else the thread is not known)
#
#   unwarp where                            kernel, block and thread
#   unwarp break PLACE block X[,Y[,Z]] [thread X[,Y[,Z]]]
#                                           stop at a line or function only there; either may be left out
#   $blockIdx(0), $threadIdx(0)             in expressions and conditions: x, y and z are 0, 1 and 2; -1: none
#
# A worker has the threads of its blocks one after the other; the position of each is what the runtime keeps for the message when a
# kernel faults (uwrt_place in runtime/uwrt.h).
import re
import struct

import gdb

UNKNOWN, NONE = 0xFFFFFFFE, 0xFFFFFFFF  # UWRT_THREAD_UNKNOWN, UWRT_NO_THREAD
FLAGS = 3 << 62  # UWRT_BLOCK_OR_AFTER, UWRT_BLOCK_OR_BELOW: not the exact one


def read(address, form):
    return struct.unpack(form, gdb.selected_inferior().read_memory(address, struct.calcsize(form)).tobytes())


def index_in_frame():
    """A thread that has waited for others is known by its variable alone."""
    try:
        index = gdb.parse_and_eval("threadIdx")
        return [int(index[d]) for d in "xyz"]
    except gdb.error:
        return None


def place():
    """The stopped worker's (kernel, grid, block, block size, thread); None outside of kernels. block and thread are None if unknown.

    Of two variables in runtime/fault.c, by the layouts of uwrt_place, uwrt_dims, uwrt_running and uwrt_kernel: an installed runtime has no debug information."""
    at = int(gdb.parse_and_eval("*(unsigned long *)&of_fiber")) or int(gdb.parse_and_eval("(unsigned long)&of_thread"))
    launch, number, *thread = read(at, "=QQ3I")
    if not launch:
        return None
    *extents, running = read(launch, "@6IQQ4IQ")[:6] + read(launch, "@6IQQ4IQ")[-1:]
    grid, size = list(extents[:3]), list(extents[3:])
    _, mangled, _, _, _, _, _, _, name = read(read(running, "@6IQQ4IQQ")[-1], "@QQQQIIIQQ")
    name = gdb.parse_and_eval("(char *)%d" % (name or mangled)).string()
    block = None if number & FLAGS else [number % grid[0], number // grid[0] % grid[1], number // grid[0] // grid[1]]
    if size == [1, 1, 1]:
        thread = [0, 0, 0]
    elif thread[0] in (UNKNOWN, NONE):
        thread = index_in_frame()
    elif thread[1] == NONE:  # the index of a lane in the block
        n = thread[0]
        thread = [n % size[0], n // size[0] % size[1], n // size[0] // size[1]]
    return name, grid, block, size, thread


def shown(index, size):
    if index is None:
        return "one of (%d,%d,%d)" % tuple(size)
    return "(%d,%d,%d) of (%d,%d,%d)" % (*index, *size)


class Unwarp(gdb.Command):
    """Blocks and threads of CUDA kernels that unwarp compiled: unwarp where, unwarp break."""

    def __init__(self):
        super().__init__("unwarp", gdb.COMMAND_RUNNING, prefix=True)


class Where(gdb.Command):
    """unwarp where: the kernel, the block and the thread that this worker is at."""

    def __init__(self):
        super().__init__("unwarp where", gdb.COMMAND_STACK)

    def invoke(self, arguments, from_tty):
        at = place()
        if at is None:
            print("not in a kernel")
            return
        name, grid, block, size, thread = at
        print("kernel %s, block %s, thread %s" % (name, shown(block, grid), shown(thread, size)))


class Break(gdb.Command):
    """unwarp break PLACE [block X[,Y[,Z]]] [thread X[,Y[,Z]]]: stop at the place in that block and thread alone."""

    def __init__(self):
        super().__init__("unwarp break", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, arguments, from_tty):
        found = re.fullmatch(r"(\S+)((?:\s+(?:block|thread)\s+\d+(?:,\d+){0,2})+)", arguments.strip())
        if not found:
            raise gdb.GdbError("usage: unwarp break PLACE [block X[,Y[,Z]]] [thread X[,Y[,Z]]]")
        tests = []
        for what, numbers in re.findall(r"(block|thread)\s+([\d,]+)", found.group(2)):
            wanted = (numbers.split(",") + ["0", "0"])[:3]
            tests += ["$%sIdx(%d) == %s" % (what, d, wanted[d]) for d in range(3)]
        gdb.execute("break %s if %s" % (found.group(1), " && ".join(tests)))


class Index(gdb.Function):
    def __init__(self, name, part):
        super().__init__(name)
        self.part = part

    def invoke(self, dimension):
        at = place()
        return -1 if at is None or at[self.part] is None else at[self.part][int(dimension)]


Unwarp()
Where()
Break()
Index("blockIdx", 2)
Index("threadIdx", 4)
