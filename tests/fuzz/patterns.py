# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a random program of the shapes that the optional passes look for: tiles with rims, marches through planes, strided loops,
# trees, scans, tables, queues, gathers, matrices, sums in order, sums under conditions, loops that part, iterations a grid apart, elements in pieces, rims in pieces,
# structs in shared memory, several launches in turn. It prints a value for each buffer after each
# kernel. patterns.sh compares these values with and without passes.
#
#   python3 patterns.py SEED > program.cu
#
# The kernels are right on a GPU. What depends on the order of threads (positions in a queue) goes into the values without its order.
# Sums of floats have an order that the source says.
import random
import sys

source = random.Random(int(sys.argv[1]))
pick, number, chance = source.choice, source.randrange, source.random
kernels, calls = [], []


def real(names, depth=0):
    """An expression of floats that stays finite."""
    kind = number(10)
    if depth > 2 or kind < 3:
        return pick(names)
    left, right = real(names, depth + 1), real(names, depth + 1)
    if kind < 6:
        return f"({left} {pick('+-')} {right})"
    if kind == 6:
        return f"({left} * {pick(['0.5f', '0.25f', '-0.75f', '0.3f'])})"
    if kind == 7:
        return f"({left} {pick('<>')} {right} ? {left} : {right} * 0.5f)"
    if kind == 8:
        return f"{pick(['fminf', 'fmaxf'])}({left}, {right})"
    return f"({left} / (1.0f + {right} * {right}))"


def whole(names, depth=0):
    kind = number(8)
    if depth > 2 or kind < 3:
        return pick(names)
    left, right = whole(names, depth + 1), whole(names, depth + 1)
    if kind < 6:
        return f"({left} {pick('+-*^&|')} {right})"
    return f"({left} >> {number(1, 9)})" if kind == 6 else f"({left} {pick('<>')} {right} ? {left} : {right})"


def kernel(parameters, body, launch):
    name = f"k{len(kernels)}"
    kernels.append(f"__global__ void {name}({parameters}) {{\n{body}}}\n")
    calls.append(launch.replace("KERNEL", name))


def guarded(condition, text):
    if chance() < 0.5:
        return f"  if ({condition}) {{ {text} }}\n"
    return f"  if (!({condition})) return;\n  {text}\n"


AT = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
BUFFERS = ["A", "B", "C"]


def two():
    return source.sample(BUFFERS, 2)


def each_element():
    x, y = two()
    width = pick([32, 64, 100, 128, 256])
    near = pick(["x[i]", "x[i > 0 ? i - 1 : 0]", "x[min(i + 1, n - 1)]", "x[(i + 7) % n]", "x[i / 2]", "x[n - 1 - i]"])
    text = f"y[i] = {real(['x[i]', near, '(float)(i & 7)', 'f', 'y[i]'])};"
    kernel("const float *x, float *y, int n, float f", f"  {AT}\n" + guarded("i < n", text),
           f"KERNEL<<<(N + {width - 1}) / {width}, {width}>>>({x}, {y}, N, 0.5f);")


def strided():
    x, y = two()
    counter = pick(["int", "unsigned", "size_t"])
    first = pick([AT, "unsigned i = threadIdx.x + blockIdx.x * blockDim.x;"])
    text = f"""  {first}
  {counter} step = blockDim.x * gridDim.x;
  for ({counter} j = i; j < ({counter})n; j += step) y[j] = {real(['x[j]', 'y[j]', '0.5f', '(float)(int)(j % 5)'])};
"""
    kernel("const float *x, float *y, int n", text, f"KERNEL<<<{number(1, 9)}, {pick([32, 64, 128, 200])}>>>({x}, {y}, N);")


def stencil():
    x, y = two()
    wide, high, rim = pick([8, 16, 32]), pick([4, 8, 16]), pick([1, 1, 2])
    far = wide + 2 * rim
    names = [f"s[ty + {rim + dy}][tx + {rim + dx}]" for dy, dx in [(0, 0), (-rim, 0), (rim, 0), (0, -rim), (0, rim), (1, 1)]]
    border = pick(["min(max(V, 0), L - 1)", "(V + L) % L"])
    place = lambda value, length: border.replace("V", value).replace("L", length)
    fill = f"""  for (int r = ty; r < {high + 2 * rim}; r += {high})
    for (int c = tx; c < {far}; c += {wide})
      s[r][c] = x[{place(f'((int)blockIdx.y * {high} + r - {rim})', 'h')} * w + {place(f'((int)blockIdx.x * {wide} + c - {rim})', 'w')}];
"""
    if chance() < 0.4:
        fill = f"""  int gx = blockIdx.x * {wide} + tx, gy = blockIdx.y * {high} + ty;
  s[ty + {rim}][tx + {rim}] = gx < w && gy < h ? x[gy * w + gx] : 0.0f;
  if (tx < {rim}) s[ty + {rim}][tx] = gx >= {rim} && gy < h ? x[gy * w + gx - {rim}] : 0.0f;
  if (tx >= {wide - rim}) s[ty + {rim}][tx + {2 * rim}] = gx + {rim} < w && gy < h ? x[gy * w + gx + {rim}] : 0.0f;
  if (ty < {rim}) s[ty][tx + {rim}] = gy >= {rim} && gx < w ? x[(gy - {rim}) * w + gx] : 0.0f;
  if (ty >= {high - rim}) s[ty + {2 * rim}][tx + {rim}] = gy + {rim} < h && gx < w ? x[(gy + {rim}) * w + gx] : 0.0f;
  if (tx == 0 && ty == 0) s[{high + rim}][{wide + rim}] = 0.5f;
"""
        names.pop()
    text = f"""  __shared__ float s[{high + 2 * rim}][{far}];
  int tx = threadIdx.x, ty = threadIdx.y;
{fill}  __syncthreads();
  int cx = blockIdx.x * {wide} + tx, cy = blockIdx.y * {high} + ty;
""" + guarded("cx < w && cy < h", f"y[cy * w + cx] = {real(names)} * 0.5f;")
    kernel("const float *x, float *y, int w, int h", text,
           f"KERNEL<<<dim3((W + {wide - 1}) / {wide}, (H + {high - 1}) / {high}), dim3({wide}, {high})>>>({x}, {y}, W, H);")


def shrinking():
    """Several steps on a tile whose valid part shrinks."""
    x, y = two()
    side, steps = pick([8, 16]), pick([1, 2, 3])
    inner = side - 2 * steps
    count = pick(["steps", f"{steps}"])  # unrolled where the count is known
    apart = pick(["", "__restrict__ "])
    own, late = pick([("", []), ("float own = in ? x[gy * w + gx] : 0.25f;", ["own"])])
    names = ["now[ty][tx]", "now[nn][tx]", "now[ss][tx]", "now[ty][ww]", "now[ty][ee]"] + late
    old = pick(["", "", " + now[ty][tx - 1] * 0.25f", " + now[ty + 1][tx] * 0.25f"])  # of the last fill, or of the copy at the rim
    text = f"""  __shared__ float now[{side}][{side}], next[{side}][{side}];
  int tx = threadIdx.x, ty = threadIdx.y;
  int gx = (int)blockIdx.x * {inner} - {steps} + tx, gy = (int)blockIdx.y * {inner} - {steps} + ty;
  bool in = gx >= 0 && gx < w && gy >= 0 && gy < h;
  {own}
  now[ty][tx] = in ? x[gy * w + gx] : 0.0f;
  __syncthreads();
  bool done = false;
  for (int k = 0; k < {count}; k++) {{
    done = false;
    if (in && tx > k && tx < {side - 1} - k && ty > k && ty < {side - 1} - k) {{
      done = true;
      int nn = gy > 0 ? ty - 1 : ty, ss = gy < h - 1 ? ty + 1 : ty, ww = gx > 0 ? tx - 1 : tx, ee = gx < w - 1 ? tx + 1 : tx;
      next[ty][tx] = {real(names)} * 0.5f;
    }}
    __syncthreads();
    if (k == {count} - 1) break;
    if (done) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }}
  if (done) y[gy * w + gx] = next[ty][tx]{old};
"""
    kernel(f"const float *{apart}x, float *{apart}y, int w, int h, int steps", text,
           f"KERNEL<<<dim3((W + {inner - 1}) / {inner}, (H + {inner - 1}) / {inner}), dim3({side}, {side})>>>({x}, {y}, W, H, {steps});")


def march():
    """Planes of a volume, one after the other; what lies in front and after is kept in registers."""
    x, y = two()
    wide, high, depth = pick([8, 16, 32]), pick([4, 8]), pick([3, 5, 6])
    text = f"""  __shared__ float s[{high + 2}][{wide + 2}];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, gx = blockIdx.x * {wide} + threadIdx.x, gy = blockIdx.y * {high} + threadIdx.y;
  bool in = gx < w && gy < h;
  int at = gy * w + gx;
  float after = 0, here = in ? x[at] : 0, front = in ? x[at + w * h] : 0;
  for (int z = 1; z < depth - 1; z++) {{
    after = here; here = front; front = in ? x[at + (z + 1) * w * h] : 0;
    __syncthreads();
    s[ty][tx] = here;
    if (ty == 1) s[0][tx] = gy > 0 && gx < w ? x[at + z * w * h - w] : here;
    if (ty == {high}) s[{high + 1}][tx] = gy < h - 1 && gx < w ? x[at + z * w * h + w] : here;
    if (tx == 1) s[ty][0] = gx > 0 && gy < h ? x[at + z * w * h - 1] : here;
    if (tx == {wide}) s[ty][{wide + 1}] = gx < w - 1 && gy < h ? x[at + z * w * h + 1] : here;
    __syncthreads();
    if (in) y[at + z * w * h] = {real(['after', 'front', 's[ty][tx]', 's[ty - 1][tx]', 's[ty + 1][tx]', 's[ty][tx - 1]', 's[ty][tx + 1]'])} * 0.5f;
  }}
"""
    height = f"(H / {depth})"
    kernel("const float *x, float *y, int w, int h, int depth", text,
           f"if ({height} > 0) KERNEL<<<dim3((W + {wide - 1}) / {wide}, ({height} + {high - 1}) / {high}), dim3({wide}, {high})>>>({x}, {y}, W, {height}, {depth});")


def tree():
    x, y = two()
    threads = pick([32, 64, 128, 256])
    kind = number(4)
    loop = [f"for (int d = {threads // 2}; d > 0; d >>= 1) {{ if (t < d) s[t] += s[t + d]; __syncthreads(); }}",
            f"for (int d = 1; d < {threads}; d *= 2) {{ if (t % (2 * d) == 0) s[t] += s[t + d]; __syncthreads(); }}",
            f"for (int d = 1; d < {threads}; d *= 2) {{ int k = 2 * d * t; if (k < {threads}) s[k] += s[k + d]; __syncthreads(); }}",
            f"for (int d = {threads // 2}; d > {min(16, threads // 2)}; d >>= 1) {{ if (t < d) s[t] = fmaxf(s[t], s[t + d]); __syncthreads(); }}\n"
            f"  if (t < {min(32, threads)}) {{ float v = s[t]; for (int d = 16; d > 0; d /= 2) v += __shfl_{pick(['down', 'xor'])}_sync(0xffffffffu, v, d); s[t] = v; }}\n  __syncthreads();"]
    first = pick(["i < n ? x[i] : 0.0f", "0.0f"])
    more = "" if first != "0.0f" else "  for (int j = i; j < n; j += gridDim.x * blockDim.x) sum += x[j];\n"
    text = f"""  __shared__ float s[{threads}];
  {AT}
  int t = threadIdx.x;
  float sum = {first};
{more}  s[t] = sum;
  __syncthreads();
  {loop[kind]}
  if (t == 0) y[blockIdx.x] = s[0] * 0.125f;
"""
    blocks = f"(N + {threads - 1}) / {threads}" if not more else number(1, 7)
    kernel("const float *x, float *y, int n", text, f"KERNEL<<<{blocks}, {threads}>>>({x}, {y}, N);")


def scan():
    threads = pick([16, 64, 128])
    if chance() < 0.5:
        inside = f"""  for (int d = 1; d < {threads}; d *= 2) {{
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }}
  out[i] = s[t];
"""
        return scan_with(threads, f"s[t] = in[i];\n  __syncthreads();\n{inside}", threads)
    pad = pick(["(K)", "((K) + (K) / 32)", "((K) + ((K) >> 4))"])
    at = lambda k: pad.replace("K", k)
    inside = f"""s[{at('2 * t')}] = in[2 * i]; s[{at('2 * t + 1')}] = in[2 * i + 1];
  int d = 1;
  for (int m = {threads}; m > 0; m >>= 1) {{
    __syncthreads();
    if (t < m) {{ int a = d * (2 * t + 1) - 1, b = d * (2 * t + 2) - 1; s[{at('b')}] += s[{at('a')}]; }}
    d *= 2;
  }}
  if (t == 0) s[{at(str(2 * threads - 1))}] = 0;
  for (int m = 1; m <= {threads}; m *= 2) {{
    d >>= 1;
    __syncthreads();
    if (t < m) {{ int a = d * (2 * t + 1) - 1, b = d * (2 * t + 2) - 1; int v = s[{at('a')}]; s[{at('a')}] = s[{at('b')}]; s[{at('b')}] += v; }}
  }}
  __syncthreads();
  out[2 * i] = s[{at('2 * t')}]; out[2 * i + 1] = s[{at('2 * t + 1')}];
"""
    scan_with(threads, inside, 2 * threads)


def scan_with(threads, inside, elements):
    a, b = source.sample(["I", "J"], 2)
    text = f"  __shared__ int s[{elements * 2}];\n  {AT}\n  int t = threadIdx.x;\n  {inside}"
    kernel("const int *in, int *out", text, f"KERNEL<<<N / {elements}, {threads}>>>({a}, {b});")


def table():
    a, b = source.sample(["I", "J"], 2)
    bins = pick([16, 64, 200])
    value = whole(["in[j]", "3", "j"])
    text = f"""  __shared__ int s[{bins}];
  for (int k = threadIdx.x; k < {bins}; k += blockDim.x) s[k] = 0;
  __syncthreads();
  {AT}
  for (int j = i; j < n; j += blockDim.x * gridDim.x) atomicAdd(&s[(unsigned)({value}) % {bins}u], {pick(['1', 'in[j] & 3'])});
  __syncthreads();
  for (int k = threadIdx.x; k < {bins}; k += blockDim.x) atomicAdd(&out[k], s[k]);
"""
    kernel("const int *in, int *out, int n", text, f"KERNEL<<<{number(1, 6)}, {pick([32, 64, 256])}>>>({a}, {b}, N);")


def queue():
    """Threads that append: what they leave out, a bound (of equal elements it does not matter which are kept), loops, two sites."""
    a = pick(["I", "J"])
    some = f"({whole(['in[i]', 'i', '5'])} & {pick([0, 1, 3, 3, 1023])}) {pick(['==', '!='])} 0"
    most = pick(["n", f"n / {number(1, 9)}", f"{number(0, 2000)}"])
    value, limit = pick([("in[i] * 3 + i", "n"), ("7", most)])
    text = pick([
        f"if ({some}) {{ int at = atomicAdd(count, 1); out[at] = in[i] * 3 + i; }}",
        f"if ({some}) {{ int at = atomicAdd(count, 1); if (at < {limit}) out[at] = {value}; }}",
        f"if (!({some})) return; unsigned at = atomicAdd((unsigned *)count, 1u); if (at >= {limit}) return; out[at] = {value};",
        f"for (int k = 0; k < 4 && i < n / 4; k++) if ((in[4 * i + k] >> k) & {pick([1, 2, 5])}) out[atomicAdd(count, 1)] = in[4 * i + k] ^ k;",
        f"if ({some}) out[atomicAdd(count, 1)] = i; else if (in[i] & 4) {{ int at = atomicAdd(count, 1); out[at] = in[i]; }}",
        f"if ({some}) out[atomicInc((unsigned *)count, 0xffffffffu)] = in[i] - i; if (in[i] & 8) atomicMax(extra, in[i]);"])
    restrict, threads = pick(["", " __restrict__ "]), pick([32, 128, 256])
    kernel(f"const int *{restrict}in, int *{restrict}out, int *{restrict}count, int *{restrict}extra, int n", f"  {AT}\n" + guarded("i < n", text),
           "cudaMemset(Q, 0, N * sizeof(int)); cudaMemset(COUNT, 0, sizeof(int)); "
           f"KERNEL<<<(N + {threads - 1}) / {threads}, {threads}>>>({a}, Q, COUNT, COUNT + 1, N);")


def gather():
    x, y = two()
    a = pick(["I", "J"])
    most = pick([3, 20, 70])
    ends = pick(["", f"if (sum > {number(3, 30)}.0f) break;", "if ((j & 15) == 7) continue;"])
    text = f"""  {AT}
  if (i < n) {{
    float sum = 0;
    int first = i * 3 % (n / 2 + 1), last = min(n, first + (int)((unsigned)in[i] % {most}u));
    for (int j = first; j < last; j++) {{ {ends} sum += x[(unsigned)in[j] % (unsigned)n] * 0.5f; }}
    y[i] = sum;
  }}
"""
    kernel("const float *x, float *y, const int *in, int n", text, f"KERNEL<<<(N + 63) / 64, 64>>>({x}, {y}, {a}, N);")


def matrix():
    x, y = two()
    side = pick([8, 16])
    text = f"""  __shared__ float a[{side}][{side}{pick(['', ' + 1'])}], b[{side}][{side}];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * {side} + ty, column = blockIdx.x * {side} + tx;
  float sum = 0;
  for (int k = 0; k < size / {side}; k++) {{
    a[ty][tx] = x[row * size + k * {side} + tx];
    b[ty][tx] = x[(k * {side} + ty) * size + column];
    __syncthreads();
    for (int m = 0; m < {side}; m++) sum += a[ty][m] * b[m][tx];
    __syncthreads();
  }}
  y[row * size + column] = sum * 0.01f;
"""
    kernel("const float *x, float *y, int size", text, f"if (SIDE >= {side}) KERNEL<<<dim3(SIDE / {side}, SIDE / {side}), dim3({side}, {side})>>>({x}, {y}, SIDE / {side} * {side});")


def turned():
    x, y = two()
    text = f"""  __shared__ float s[16][16{pick(['', ' + 1'])}];
  int cx = blockIdx.x * 16 + threadIdx.x, cy = blockIdx.y * 16 + threadIdx.y;
  for (int r = 0; r < 16; r += 4) if (cx < w && cy + r < h) s[threadIdx.y + r][threadIdx.x] = x[(cy + r) * w + cx];
  __syncthreads();
  cx = blockIdx.y * 16 + threadIdx.x; cy = blockIdx.x * 16 + threadIdx.y;
  for (int r = 0; r < 16; r += 4) if (cx < h && cy + r < w) y[(cy + r) * h + cx] = s[threadIdx.x][threadIdx.y + r];
"""
    kernel("const float *x, float *y, int w, int h", text, f"KERNEL<<<dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 4)>>>({x}, {y}, W, H);")


def parting():
    a, b = source.sample(["I", "J"], 2)
    ends = pick(["if (v % 7 == 3) break;", "if (steps % 5 == 4) continue;", ""])
    text = f"""  {AT}
  if (i >= n) return;
  unsigned v = (unsigned)in[i] % {number(9, 999)}u + 1;
  int steps = 0;
  while (v != 1 && steps < {number(5, 90)}) {{ steps++; {ends} v = v & 1 ? {pick(['3 * v + 1', 'v + 5', 'v * 5 - 1'])} : v / 2; }}
  out[i] = steps + (int)(v & 7);
"""
    kernel("const int *in, int *out, int n", text, f"KERNEL<<<(N + 95) / 96, 96>>>({a}, {b}, N);")


def down_columns():
    """Each thread goes down a column, by an index made anew in each iteration or carried from one to the next."""
    x, y = two()
    whole_type, each = pick(["int", "unsigned", "long"]), pick([1, 1, 2, 3])
    made = pick(["i + j * w", "i + w * j", "(n / w - 1 - j) * w + i"])
    iteration_ = f"s = {real(['s * 0.5f', 'x[c]', 'z', 'f'])};"
    if chance() < 0.5:
        loop = f"for ({whole_type} j = {number(3)}; j < n / w; j += {each}) {{ int c = {made}; float z = x[{made}]; {iteration_} }}"
    else:
        down = chance() < 0.4
        loop = (f"int c = i{' + (n / w - 1) * w' if down else ''}; for ({whole_type} j = 0; j < n / w; j += {each}) "
                f"{{ float z = x[i + j * w]; {iteration_} c {'-' if down else '+'}= {f'{each} * w' if each > 1 else 'w'}; }}")
    text = f"  {AT}\n  float s = f;\n  if (i >= w || i >= n) return;\n  {loop}\n  y[i] = s;\n"
    kernel("const float *x, float *y, int n, int w, float f", text, f"KERNEL<<<(W + 63) / 64, 64>>>({x}, {y}, N, W, 0.25f);")


def sums_in_order():
    x, y = two()
    text = f"""  {AT}
  float total = {pick(['0', '1.5f', 'f', 'x[0]'])};
  for (int j = {pick(['0', '1', 'n / 3'])}; j < n; j++) total {pick(['+=', '+=', '-='])} {pick(['x[j]', 'x[j]', 'x[j] * 0.5f', 'x[j] * x[j]', 'fabsf(x[j])', '(float)(j & 3) * 0.5f'])};
""" + guarded("i < n", f"y[i] = {real(['x[i]', 'f'])} / (1.0f + fabsf(total));")
    kernel("const float *x, float *y, int n, float f", text, f"KERNEL<<<(min(N, 5000) + 127) / 128, 128>>>({x}, {y}, min(N, 5000), 0.25f);")


def rows_of_work():
    """Dynamic programming: rows one after the other, a rim that grows from both sides."""
    a, b = source.sample(["I", "J"], 2)
    threads, steps = pick([32, 64, 128]), pick([2, 4])
    text = f"""  __shared__ int s[{threads}], r[{threads}];
  int t = threadIdx.x, x = (int)blockIdx.x * {threads - 2 * steps} - {steps} + t;
  bool in = x >= 0 && x < n;
  s[t] = in ? in_row[x] : 0;
  __syncthreads();
  bool done = false;
  for (int k = 0; k < {steps}; k++) {{
    done = false;
    if (t > k && t < {threads - 1} - k && in) {{
      done = true;
      int l = x > 0 ? s[t - 1] : s[t], m = s[t], q = x < n - 1 ? s[t + 1] : s[t];
      r[t] = min(l, min(m, q)) + (cost[x] & {pick([7, 15, 255])});
    }}
    __syncthreads();
    if (done) s[t] = r[t];
    __syncthreads();
  }}
  if (done) out[x] = r[t];
"""
    kernel("const int *in_row, const int *cost, int *out, int n", text,
           f"KERNEL<<<(N + {threads - 2 * steps - 1}) / {threads - 2 * steps}, {threads}>>>({a}, {a}, {b}, N);")


def again_and_again():
    """A host loop around the kernels of one shape, with changing places."""
    before = len(calls)
    pick([each_element, stencil, shrinking])()
    x, y = two()
    body = calls.pop()
    assert len(calls) == before
    body = body.replace("(A,", "(x,").replace("(B,", "(x,").replace("(C,", "(x,")
    for name in BUFFERS:
        body = body.replace(f" {name},", " y,")
    calls.append(f"{{ float *x = {x}, *y = {y}; for (int k = 0; k < {number(2, 6)}; k++) {{ {body} float *z = x; x = y; y = z; }} }}")


def own_row():
    """Sums of a thread over iterations a grid apart."""
    x, y = two()
    other = (set(BUFFERS) - {x, y}).pop()
    threads, blocks, counter = pick([64, 128, 256]), pick([128, 131, 200]), pick(["int", "unsigned", "size_t"])
    pairs = chance() < 0.3
    width = 2 * threads if pairs else threads
    last = pick(["n", "n", "(n > 3 ? n - 3 : n)", "(blockIdx.x % 7 == 3 ? n / 2 : n)", "(n > 250 ? n - (int)blockIdx.x : n)"])
    more = pick(["", "", f"most = fmaxf(most, {real(['x[j]', 'z[j]', '1.0f'])});", "most += z[j] * 0.5f;"])
    second = f"if (j + {threads} < limit) sum += x[j + {threads}];" if pairs else ""
    text = f"""  __shared__ float s[{threads}];
  int t = threadIdx.x;
  float sum = {pick(['0', '0.5f', 'z[t % n]'])}, most = 0;
  {counter} limit = {last};
  for ({counter} j = blockIdx.x * {width} + t; j < limit; j += {width} * gridDim.x) {{ sum += {pick(['x[j]', 'x[j]', 'x[j] * x[j]', 'fabsf(x[j])'])}; {second} {more} }}
  s[t] = sum {pick('+-')} most;
  __syncthreads();
  for (int d = {threads // 2}; d > 0; d >>= 1) {{ if (t < d) s[t] += s[t + d]; __syncthreads(); }}
  if (t == 0) {{ y[blockIdx.x] = s[0] / (1.0f + fabsf(s[0]) * 0.001f); {pick(['', 'atomicAdd(count, 1);'])} }}
"""
    kernel("const float *x, const float *z, float *y, int *count, int n", text, f"KERNEL<<<{blocks}, {threads}>>>({x}, {other}, {y}, COUNT, N);")


def in_pieces():
    """Elements of a thread that are a block's width apart."""
    x, y = two()
    if chance() < 0.4:
        x = y
    threads, each = pick([128, 256]), pick([2, 3, 4])
    guard = chance() < 0.6
    steps = []
    for k in range(each):
        at = f"i + {k * threads}"
        text = f"y[{at}] = {real([f'x[{at}]', 'f', f'x[{at}]', '0.5f']) } * 0.5f;"
        steps.append(f"  if ({at} < n) {text}\n" if guard else f"  {text}\n")
    body = f"  int i = blockIdx.x * {threads * each} + threadIdx.x;\n" + "".join(steps)
    blocks = f"(N + {threads * each - 1}) / {threads * each}" if guard else f"N / {threads * each}"
    restrict = " __restrict__ " if x != y and chance() < 0.5 else ""
    kernel(f"const float *{restrict}x, float *{restrict}y, int n, float f", body, f"if (({blocks}) > 0) KERNEL<<<{blocks}, {threads}>>>({x}, {y}, N, 0.5f);")


def rim_of_row():
    """A row with a rim, copied in pieces under conditions, in any order, signed and unsigned."""
    x, y = two()
    kind, wide, rim = pick(["int", "unsigned"]), pick([16, 32, 64]), pick([1, 2, 3])
    if chance() < 0.5:
        parts = [f"if (g < n) s[t + {rim}] = x[g];", f"if (t < {rim} && g >= {rim} && g - {rim} < n) s[t] = x[g - {rim}];",
                 f"if (t >= {wide - rim} && g + {rim} < n) s[t + {2 * rim}] = x[g + {rim}];"]
    else:
        parts = [f"if (g >= {rim} && g - {rim} < n) s[t] = x[g - {rim}];",
                 f"if (t < {2 * rim} && g + {wide - rim} < n) s[t + {wide}] = x[g + {wide - rim}];"]
    source.shuffle(parts)
    near = [f"s[t + {k}]" for k in range(2 * rim + 1)]
    inside = f"if (g >= {rim} && g + {rim} < n) y[g] = {real(near)} * 0.5f;"
    own = pick(["", f"else if (g < n) y[g] = s[t + {rim}] * 0.25f;", f"else if (g + 1 < n) y[g] = s[t + {rim}] + s[t + {rim + 1}];"])
    text = f"""  __shared__ float s[{wide + 2 * rim}];
  {kind} t = threadIdx.x, g = blockIdx.x * {wide} + t;
  {' '.join(parts)}
  __syncthreads();
  {inside} {own}
"""
    kernel(f"const float *__restrict__ x, float *__restrict__ y, {kind} n", text, f"KERNEL<<<(N + {wide - 1}) / {wide}, {wide}>>>({x}, {y}, N);")


def bodies():
    """Structs in shared memory, of which a branch looks at the rest."""
    x, y = two()
    threads = pick([32, 64, 128])
    near = pick(["d < 3.0f", "d > 0.5f && d < 9.0f", "q.x != p.x", "d < 3.0f || q.y > p.y"])
    effect = pick(["sum += q.w / (1.0f + d);", "sum += q.w * q.z;", "{ sum += q.w; count++; }", "sum = fmaxf(sum, q.z - q.w); else sum += 0.25f;"])
    text = f"""  __shared__ float4 s[{threads}];
  {AT}
  int t = threadIdx.x, count = 0;
  float4 p = make_float4(x[i % n], x[(i + 1) % n], x[(i * 3) % n], x[(i + 7) % n]);
  float sum = 0;
  for (int first = 0; first < {pick([1, 2, 3])} * {threads}; first += {threads}) {{
    int j = first + t;
    s[t] = make_float4(x[j % n], x[(j + 5) % n], x[(j + 2) % n], x[(j * 7) % n]);
    __syncthreads();
    for (int k = 0; k < {pick([threads, threads - 3, 7])}; k++) {{
      {pick(['float4 q = s[k];', 'const float4 &q = s[k];'])}
      float d = fabsf(q.x - p.x) + fabsf(q.y - p.y);
      if ({near}) {effect}
    }}
    __syncthreads();
  }}
  if (i < n) y[i] = sum * 0.125f + count;
"""
    kernel("const float *x, float *y, int n", text, f"KERNEL<<<(min(N, 2000) + {threads - 1}) / {threads}, {threads}>>>({x}, {y}, min(N, 2000));")


def real_tree():
    """A scan's trees over floats, two elements a thread, with a rim."""
    x, y = two()
    threads = pick([32, 64, 128, 256])
    op = pick(["s[B] += s[A];", "s[B] = fmaxf(s[A], s[B]);", "s[B] = s[B] * 0.5f + s[A];"])
    at = lambda text, a, b: text.replace("A", a).replace("B", b)
    a, b = "d * (2 * t + 1) - 1", "d * (2 * t + 2) - 1"
    near = chance() < 0.6
    e0, e1 = ("2 * t", "2 * t + 1") if near else ("t", f"t + {threads}")
    g1 = "i + 1" if near else f"i + {threads}"
    text = f"""  __shared__ float s[{2 * threads}];
  int t = threadIdx.x, i = blockIdx.x * {2 * threads} + {e0};
  s[{e0}] = i < n ? x[i] : 0.0f;
  s[{e1}] = {g1} < n ? x[{g1}] : 0.0f;
  int d = 1;
  for (int m = {threads}; m > 0; m >>= 1) {{
    __syncthreads();
    if (t < m) {{ {at(op, a, b)} }}
    d *= 2;
  }}
"""
    if chance() < 0.6:
        text += f"""  if (t == 0) s[{2 * threads - 1}] = 0;
  for (int m = 1; m <= {threads}; m *= 2) {{
    d >>= 1;
    __syncthreads();
    if (t < m) {{ float v = s[{a}]; s[{a}] = s[{b}]; s[{b}] {pick(['+= v', '= fmaxf(s[' + b + '], v)'])}; }}
  }}
"""
    text += f"""  __syncthreads();
  if (i < n) y[i] = s[{e0}] / (1.0f + fabsf(s[{e0}]) * 0.001f);
  if ({g1} < n) y[{g1}] = s[{e1}] / (1.0f + fabsf(s[{e1}]) * 0.001f);
"""
    kernel("const float *x, float *y, int n", text, f"KERNEL<<<(N + {2 * threads - 1}) / {2 * threads}, {threads}>>>({x}, {y}, N);")


def same_under_condition():
    """Loops that are the same for all threads, made only by those that pass conditions; perhaps by none, and then what they read is not there."""
    x, y = two()
    threads, length = pick([32, 64, 100, 256]), number(1, 400)
    condition = pick(["i < n", "i < n", "i < n", "i > 0 && i < n - 1", "i < n && i % 3 == 1", "i < n && threadIdx.x < 5", "i / 7 < n / 7",
                      "i < n && blockIdx.x % 2", f"i == n / {number(1, 4)}", "(unsigned)(i - 3) < (unsigned)n"])
    loops = pick(["for (int k = 0; k < m; k++) v += x[k];", "for (int k = 0; k < m; k++) v = fmaxf(v, x[k]);",
                  "for (int k = m; k-- > 0;) v = v * 0.5f + x[k];",
                  "float w = x[0]; for (int k = 1; k < m; k++) w = fminf(w, x[k]); for (int k = 0; k < m; k++) v += (x[k] - w) * 0.25f;",
                  "for (int k = 0; k < m && v < 1e4f; k += 3) v += fabsf(x[k]);"])
    own = pick(["", "z[i] = (float)i * 0.125f; ", "float u = x[m - 1]; if (u > 0.5f) v = u; "])
    inner = pick(["", "", "if (f > 0.25f) ", "if (i & 1) ", f"if (i >= {number(0, 300)}) "])
    text = f"float v = f; {own}{inner}{{ {loops} }} y[i] = v / (1.0f + fabsf(v) * 0.01f);"
    z = next(b for b in BUFFERS if b not in (x, y))
    launch = f"KERNEL<<<(N + {threads - 1}) / {threads}, {threads}>>>({{}}, {y}, {z}, {{}}, {length}, 0.5f);"
    kernel("const float *x, float *y, float *z, int n, int m, float f", f"  {AT}\n" + guarded(f"i < {pick([512, 2000, 1 << 30])} && ({condition})", text),
           f"if (N >= {length}) " + launch.format(x, "N"))
    if condition == "i < n":
        calls[-1] += " " + launch.format("NULL", pick(["0", "-5"])).replace("KERNEL", f"k{len(kernels) - 1}")


def several_in_turn():
    """A host loop around several kernels, copies and fills."""
    before = len(calls)
    for _ in range(number(2, 4)):
        pick([each_element, strided, stencil, tree, table, own_row, in_pieces, rim_of_row, real_tree])()
    steps = calls[before:]
    del calls[before:]
    x, y = two()
    extra = pick(["", f"cudaMemcpy({x}, {y}, N / 2 * sizeof(float), cudaMemcpyDeviceToDevice);", f"cudaMemset({y}, 0, N / 3 * sizeof(float));"])
    calls.append("{ for (int k = 0; k < %d; k++) { %s %s } }" % (number(2, 7), " ".join(steps), extra))


SHAPES = [each_element, strided, stencil, stencil, shrinking, shrinking, march, tree, tree, scan, table, queue, gather, gather, matrix,
          turned, parting, down_columns, down_columns, sums_in_order, rows_of_work, again_and_again, same_under_condition, own_row, own_row, in_pieces, rim_of_row, rim_of_row, bodies,
          real_tree, real_tree, several_in_turn]
for _ in range(number(2, 5)):
    pick(SHAPES)()

N, W = pick([1, 7, 64, 300, 1000, 4099, 20000, 150001]), pick([1, 5, 16, 33, 64, 100, 130])
MAIN = """
static float *A, *B, *C;
static int *I, *J, *Q, *COUNT;
static const int N = %d, W = %d, H = N / W, SIDE = %d;

static void report(const char *what) {
  if (cudaDeviceSynchronize() != cudaSuccess) { printf("%%s: %%s\\n", what, cudaGetErrorString(cudaGetLastError())); exit(1); }
  unsigned long long number[3] = {};
  const float *reals[] = {A, B, C};
  for (const float *p : reals)
    for (int i = 0; i < N; i++) { unsigned bits; memcpy(&bits, &p[i], 4); number[0] = (number[0] ^ bits) * 1099511628211ull + 7; }
  const int *wholes[] = {I, J};
  for (const int *p : wholes)
    for (int i = 0; i < N; i++) number[1] = (number[1] ^ (unsigned)p[i]) * 1099511628211ull + 7;
  for (int i = 0; i < N; i++) number[2] += (unsigned)Q[i] * 2654435761ull ^ (unsigned)Q[i] >> 3;
  printf("%%s %%llx %%llx %%llx %%d %%d\\n", what, number[0], number[1], number[2], COUNT[0], COUNT[1]);
}

template <typename T> static T *buffer() { T *p; if (cudaMallocManaged(&p, (N + 512) * sizeof(T)) != cudaSuccess) exit(2); memset(p, 0, (N + 512) * sizeof(T)); return p; }

int main() {
  A = buffer<float>(); B = buffer<float>(); C = buffer<float>(); I = buffer<int>(); J = buffer<int>(); Q = buffer<int>(); COUNT = buffer<int>();
  unsigned state = 9;
  for (int i = 0; i < N; i++) {
    state = state * 1664525u + 1013904223u;
    A[i] = %s; B[i] = (float)(state >> 20) * 0.25f; C[i] = (float)(int)(state >> 8) * 0x1p-20f - 8.0f;
    I[i] = (int)(state >> 5); J[i] = i;
  }
""" % (N, W, int(N ** 0.5) // 8 * 8, pick(["(float)(state >> 8) / (1 << 24)", "(float)(i % 10) * 0.5f", "((int)(state >> 9) % 100) * 0.01f", "(state & 256 ? 1 : -1) * (float)(state >> 12)"]))
if chance() < 0.5:  # sizes that only the run knows
    MAIN = MAIN.replace("static const int N", "static volatile int size = 1;\nstatic const int N").replace(f"N = {N},", f"N = {N} * size,")
print("#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n")
print("\n".join(kernels))
print(MAIN)
for place, call in enumerate(calls):
    print(f"  {call}\n  report(\"{place}\");")
print("  return 0;\n}")
