#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of each pass on kernels of one and of two times the size: no pass may take more than in proportion.

    tests/scale/scale.py BUILD_DIR [--quick | --sizes N] [shape…]

Each shape is a program of n like statements, compiled as far as the passes go under valgrind's callgrind, which counts the same on a busy machine.
A pass's row is its instructions at both sizes and their ratio. It fails above LIMIT, or above what KNOWN says of
passes that are quadratic still, or where the smaller size takes more than MOST says. Passes under LEAST instructions do not count.
A row of memory is the most that a process of the compile had at both sizes: the larger may have GROWTH more.
--sizes: n for all shapes in place of each one's own; MOST is asked of no such size.
--quick: without valgrind, the operations that there are after each step in place of its instructions (a minute)."""
import os, pathlib, re, shutil, subprocess, sys, tempfile

LIMIT, LEAST, GROWTH = 2.6, 3_000_000, 32 << 20
FEWEST = 1000  # operations: what has fewer does not count
# Shape -> how what UW_STRESS=growth says of it still begins: LLVM's optimiser makes 4.6 times the operations of a loop of many accesses.
GROWS = {"accesses": "bug in unwarp: 'optimise' "}
# All of these take milliseconds at six times the sizes. The budget counts the kernel for each loop that unswitch asks for.
KNOWN = {("barriers", "unswitch"): 3.7, ("barriers", "lower_barriers"): 3.0, ("accesses", "lower_barriers"): 3.2, ("accesses", "forward_stores"): 4.3,
         ("branches", "simplify_ranges"): 3.8,
         # Loops in loops: what is below each is collected once for each.
         ("loops", "while_licm"): 4.3, ("loops", "forward_stores"): 4.4, ("loops", "coalesce_strided"): 4.5,
         ("choices", "split_borders"): 3.7, ("insertion", "scalar_replace"): 3.5, ("width", "nontemporal_stores"): 3.2}
# What a pass may take at the smaller size, in instructions, where it is the work in an iteration that was too much.
MOST = {("table", "sync_warps"): 20_000_000, ("chains", "sync_warps"): 20_000_000}


def lines(n, form):
    return "\n".join(form.format(i=i, bit=1 << i % 5, at=i * 8 % 3000, other=i * 5 % 3000) for i in range(n))


def kernel(parameters, start, n, form, end):
    return f"__global__ void k({parameters}) {{\n{start}\n{lines(n, form)}\n{end}\n}}\n"


SHAPES = {
    "arithmetic": (100, lambda n: kernel("float *x, float a, float b", "int i = blockIdx.x * blockDim.x + threadIdx.x; float v = x[i];", n,
                                         "v = v * a + b;", "x[i] = v;")),
    "barriers": (8, lambda n: kernel("float *x", "__shared__ float s[256]; int i = threadIdx.x; float v = x[i];", n,
                                     "s[i] = v; __syncthreads(); v += s[(i + {i} + 1) & 255]; __syncthreads();", "x[i] = v;")),
    "shuffles": (8, lambda n: kernel("int *x", "int i = threadIdx.x, v = x[i];", n,
                                     "{{ int o = __shfl_xor_sync(~0u, v, {bit}); v = ((i & {bit}) == 0) == (v < o) ? v : o; }}", "x[i] = v;")),
    "accesses": (20, lambda n: kernel("float *x, const float *y, int n", "__shared__ float s[4096]; int i = threadIdx.x; float v = 0;", n,
                                      "s[i + {at}] = y[i + n * {i}] + v; v += s[i + {other}];", "x[i] = v;")),
    "branches": (16, lambda n: kernel("float *x, const float *y, int n", "int i = blockIdx.x * blockDim.x + threadIdx.x; float v = 0;", n,
                                      "if (i < n - {i}) {{ v += y[i + {i}]; if (v > {i}.f) x[i + {i}] = v; }}", "")),
    "table": (16, lambda n: kernel("unsigned *x, int n", "__shared__ unsigned s[256]; unsigned i = threadIdx.x, v = 0; s[i] = x[i]; __syncthreads();\n"
                                   "for (int k = 0; k < n; k++) { unsigned w = x[k * n + i];", n, "v += s[(w + {i}) & 255];", "} x[i] = v;")),
    "matrices": (200, lambda n: kernel("float *x, const float *y, int n", "int i = blockIdx.x * blockDim.x + threadIdx.x; float a[64] = {};\n"
                                       "for (int k = 0; k < n; k++) { float v = y[k * n + i];", n, "a[{i} & 63] = a[({i} * 7 + 1) & 63] * v;", "} x[i] = a[n & 63];")),
    "chains": (400, lambda n: kernel("float *x, float a, float b", "int i = blockIdx.x * blockDim.x + threadIdx.x; float v = x[i];", n,
                                     "v = v * v + a;", "if (v == b) x[i] = v;")),
    "scan": (4, lambda n: f"enum {{ N = {n} }};\n" + """
template <class T> __global__ void k(const T *x, T *y) {
  __shared__ T all[128 * N], warps[4];
  int i = threadIdx.x, lane = i % 32;
  T v[N];
  for (int j = 0; j < N; j++) all[j * 128 + i] = x[j * 128 + i];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < N; j++) v[j] = all[i * N + j] + (j ? v[j - 1] : T(0));
  T sum = v[N - 1];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) { T o = __shfl_up_sync(~0u, sum, d); if (lane >= d) sum += o; }
  if (lane == 31) warps[i / 32] = sum;
  __syncthreads();
  T before = sum - v[N - 1];
#pragma unroll
  for (int w = 0; w < 4; w++) if (w < i / 32) before += warps[w];
#pragma unroll
  for (int j = 0; j < N; j++) all[i * N + j] = before + v[j];
  __syncthreads();
  for (int j = 0; j < N; j++) y[j * 128 + i] = all[j * 128 + i];
}
template __global__ void k<float>(const float *, float *);
template __global__ void k<double>(const double *, double *);"""),
    # Each step chooses one of two indices that the step before it moved on, as a merge in registers does.
    "choices": (12, lambda n: kernel("const int *x, int *y, int m", "__shared__ int s[1024]; int i = threadIdx.x; for (int k = i; k < 1024; k += 256) s[k] = x[k];\n"
                                     "__syncthreads(); int a = i, b = 512 + i, v = s[a], w = s[b];", n,
                                     "{{ bool left = b >= m || v <= w; y[i * 64 + {i}] = left ? v : w; int next = s[left ? ++a : ++b]; if (left) v = next; else w = next; }}", "")),
    # What is sorted into a private array, one place after the other: branches in branches.
    "insertion": (4, lambda n: "__global__ void k(const float *x, float *y, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; float d[%d];\n"
                               "for (int k = 0; k < %d; k++) d[k] = 1e30f;\n"
                               "for (int j = 0; j < m; j++) { float v = x[j] - i; if (v < d[%d]) { int k = %d; while (k > 0 && d[k - 1] > v) { d[k] = d[k - 1]; k--; } d[k] = v; } }\n"
                               "for (int k = 0; k < %d; k++) y[k * m + i] = d[k]; }\n" % (n, n, n - 1, n - 1, n)),
    "loops": (8, lambda n: "__global__ void k(int *a, int n) { int x = 0;\n" + lines(n, "for (int i{i} = 0; i{i} < n; i{i}++) {{")
                           + "x += a[threadIdx.x]; a[threadIdx.x + 1] = x;\n" + "}" * n + " }\n"),
    "launches": (40, lambda n: "__global__ void k(float *x, float a) { x[blockIdx.x * blockDim.x + threadIdx.x] *= a; }\nvoid run(float *x) {\n"
                               + lines(n, "k<<<{i} + 1, 256>>>(x + {i}, {i}.f);") + "\n}\n"),
    "parameters": (40, lambda n: "__global__ void k(float *x, " + ", ".join(f"float p{i}" for i in range(n)) + ") { x[threadIdx.x] *= "
                                 + " + ".join(f"p{i}" for i in range(n)) + "; }\nvoid run(float *x, float v) { k<<<8, 64>>>(x, "
                                 + ", ".join(f"v + {i}" for i in range(n)) + "); }\n"),
    "width": (60, lambda n: kernel("float *x, const float *y", "int i = threadIdx.x;", n, "x[i + {i} * 256] = y[i + {i} * 512] * {i}.f;", "")),
    "kernels": (4, lambda n: "template <int N> __global__ void k(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i + N < n) x[i] += x[i + N]; }\n"
                             + lines(n, "template __global__ void k<{i}>(float *, int);")),
}


def stripped(build, scratch):
    """The compiler without debugging information, of which valgrind cannot read all, in its tree."""
    tree = scratch / "tree"
    (tree / "bin").mkdir(parents=True)
    for entry in build.iterdir():
        if entry.name != "bin":
            (tree / entry.name).symlink_to(entry)
    subprocess.run(["strip", "-g", "-o", tree / "bin/unwarp", build / "bin/unwarp"], check=True)
    return tree / "bin/unwarp"


def memory(unwarp, scratch, text):
    """Bytes: the most that one of the compile's processes had."""
    source = scratch / "scale.cu"
    source.write_text(text)
    command = [unwarp, "-O2", "-march=x86-64-v3", "--emit=mlir", source, "-o", "/dev/null"]
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    return 1024 * int(subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True).stdout.split()[-1])


def count(unwarp, scratch, text):
    source, out = scratch / "scale.cu", scratch / "counts"
    source.write_text(text)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}/%p", unwarp, "-O2", "-march=x86-64-v3", "--emit=mlir", source, "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"scale: {' '.join(map(str, command))} fails:\n{done.stderr[-2000:]}")
    passes = {}
    for file in out.iterdir():
        if not file.stat().st_size:
            continue
        shown = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", file], capture_output=True, text=True).stdout
        for line in shown.splitlines():
            found = re.match(r"\s*([\d,]+) .*:uw_pass_(\w+)", line)
            if found:
                passes[found[2]] = passes.get(found[2], 0) + int(found[1].replace(",", ""))
    if len(passes) < 40:
        sys.exit(f"scale: only {len(passes)} passes are seen in callgrind's output")
    return passes


def operations(unwarp, scratch, text):
    """After each step, the last one of its name; and what UW_STRESS=growth says."""
    source = scratch / "scale.cu"
    source.write_text(text)
    command = [unwarp, "-O2", "-march=x86-64-v3", "--time-passes", "-c", source, "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "UW_STRESS": "growth"})
    rows = re.findall(r" ms  (\S+), (\d+) operations", done.stderr)
    if len(rows) < 100:
        sys.exit(f"scale: only {len(rows)} steps are seen in what --time-passes says")
    return {name: int(count) for name, count in rows}, re.findall(r"bug in unwarp: .*", done.stderr)


def quick(unwarp, scratch, names):
    """How many lines passed, and how many failed."""
    failed = passed = 0
    for shape in names or SHAPES:
        n, make = SHAPES[shape]
        (small, told), (large, told_later) = (operations(unwarp, scratch, make(size)) for size in (n, 2 * n))
        worst = max(((after / small[name], name) for name, after in large.items() if name in small and after >= FEWEST), default=(0, "none"))
        for line in told + told_later:
            if not line.startswith(GROWS.get(shape, "never")):
                failed += 1
                print(f"FAIL {shape}: {line}")
        good = worst[0] <= LIMIT
        passed, failed = passed + good, failed + (not good)
        print(f"{'' if good else 'FAIL '}{shape} {n}, {2 * n}: {large[worst[1]] if worst[0] else 0} operations after {worst[1]}: "
              f"{worst[0]:.2f} times as many (at most {LIMIT})", flush=True)
    return passed, failed


def main(arguments):
    build, sizes, names = pathlib.Path(arguments[0]).resolve(), None, arguments[1:]
    if names[:1] == ["--quick"]:
        with tempfile.TemporaryDirectory() as folder:
            passed, failed = quick(build / "bin/unwarp", pathlib.Path(folder), names[1:])
        print(f"{passed} passed, {failed} failed")
        return failed > 0
    if names[:1] == ["--sizes"]:
        sizes, names = int(names[1]), names[2:]
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        unwarp = stripped(build, scratch)
        for shape in names or SHAPES:
            n, make = SHAPES[shape]
            n = sizes or n
            before, after = (memory(unwarp, scratch, make(size)) for size in (n, 2 * n))
            good = after <= before + GROWTH
            passed, failed = passed + good, failed + (not good)
            print(f"{'' if good else 'FAIL '}{shape} {n}, {2 * n}: memory {before / 1e6:.1f}, {after / 1e6:.1f} MB (at most {GROWTH / 1e6:.0f} more)", flush=True)
            small, large = count(unwarp, scratch, make(n)), count(unwarp, scratch, make(2 * n))
            for name, after in sorted(large.items(), key=lambda row: -row[1]):
                before = small.get(name, 0)
                if after < LEAST or not before:
                    continue
                limit = KNOWN.get((shape, name), LIMIT)
                most = before if sizes else MOST.get((shape, name), before)
                good = after <= before * limit and before <= most
                passed, failed = passed + good, failed + (not good)
                print(f"{'' if good else 'FAIL '}{shape} {n}, {2 * n}: {name} {before / 1e6:.1f}, {after / 1e6:.1f} million: {after / before:.2f} (at most {limit}{f', of at most {most / 1e6:.0f} million' if most != before else ''})", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    if not shutil.which("valgrind") and "--quick" not in sys.argv:
        print("scale: skipped, there is no valgrind")
        sys.exit(0)
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
