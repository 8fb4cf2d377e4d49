# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Spoils inputs at random and looks at how they are refused: an error with a message is fine, a crash, an assertion, "a bug in unwarp" or no end
# is not. Inputs are the repository's own: the passes' tests through unwarp-opt, programs of tests/run, and command lines (PTX and other modules: damaged.py).
#
#   python3 inputs.py BUILD_DIR FIRST LAST [--kind mlir|cu|options] [FOLDER]
#
# A seed always makes the same input. What goes wrong is kept in FOLDER, with the command; the exit status is then 1.
import glob
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 60
CRASH = re.compile(r"bug in unwarp|Assertion|LLVM ERROR|PLEASE submit a bug report|AddressSanitizer|runtime error:")
TOKEN = re.compile(r"\s+|[A-Za-z_][\w.]*|\d[\w.]*|.", re.S)
ODD = ["0", "-1", "1", "2147483648", "-9223372036854775808", "18446744073709551616", "1e400", "0x", "i0", "i1", "i129", "f16", "index", "ptr",
       "<", ">", "(", ")", "{", "}", "[", "]", ",", ";", ":", '"', "'", "\\", "%0", "@", "", "\0", "\u00e9", "9" * 400, "(" * 300]


def mlir_files():
    """Files of one module each, with the options of their first RUN line."""
    for path in sorted(glob.glob(ROOT + "/tests/passes/**/*.mlir", recursive=True)):
        text = open(path).read()
        run = re.search(r"RUN: *(?:not +)?%unwarp_opt +(.*?)(?:%s|\||$)", text, re.M)
        if run and "split-file" not in text and "%" not in run[1] and ">" not in run[1] and "<" not in run[1]:
            yield path, shlex.split(run[1])


def cu_files():
    return [(path, ["-O2", "-march=native", "-c"]) for path in sorted(glob.glob(ROOT + "/tests/run/*.cu"))]


def spoil(text, rng, others):
    """One to four changes of tokens: left out, twice, exchanged, another one, an odd one, one of another file; or of characters."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        if len(tokens) < 2:
            break
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        how = rng.randrange(9)
        if how == 0:
            del tokens[i]
        elif how == 1:
            tokens.insert(i, tokens[i])
        elif how == 2:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif how == 3:
            tokens[i] = tokens[j]
        elif how == 4:
            tokens[i] = rng.choice(ODD)
        elif how == 5:
            first, last = sorted((i, min(len(tokens), i + rng.randrange(1, 40))))
            del tokens[first:last]
        elif how == 6:
            first, last = sorted((i, min(len(tokens), i + rng.randrange(1, 40))))
            tokens[j:j] = tokens[first:last]
        elif how == 7:
            del tokens[i:len(tokens) if rng.random() < 0.1 else i + 2]
        else:
            other = TOKEN.findall(others)
            k = rng.randrange(len(other))
            tokens[i:i] = other[k:k + rng.randrange(1, 30)]
    return "".join(tokens)


def options_of(build):
    """The command line's options, as its help lists them."""
    shown = subprocess.run([build + "/bin/unwarp", "--help"], capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"(?<![\w-])-{1,2}[A-Za-z][\w-]*=?", shown)))


def command_line(rng, options, folder):
    values = ["", "=", "0", "-1", "all", "none", "x.cu", "/nonexistent/x", "sm_80", "compute_999,code=[sm_80", "native", "c++17", "99999999999999999999", ",", "a,b,,c"]
    words = []
    for _ in range(rng.randrange(1, 6)):
        option = rng.choice(options)
        if option.endswith("="):
            option += rng.choice(values)
        words.append(option)
        if rng.random() < 0.3:
            words.append(rng.choice(values + ["-", "--", "-o", "-x", "@nothing"]))
    if rng.random() < 0.8:
        words.insert(rng.randrange(len(words) + 1), folder + "/small.cu")
    return words


def outcome(command, folder):
    """What is wrong with how the command ended; empty: nothing."""
    try:
        ran = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, cwd=folder,
                             env=dict(os.environ, TMPDIR=folder))
    except subprocess.TimeoutExpired:
        return f"does not end in {SECONDS} s"
    said = ran.stderr.decode(errors="replace")
    if ran.returncode < 0 or ran.returncode in (132, 134, 135, 136, 139):
        return f"status {ran.returncode}: {said.strip()[:200]}"
    crashed = CRASH.search(said)
    if crashed:
        return said[crashed.start():][:200].split("\n")[0]
    if ran.returncode and not said.strip() and not ran.stdout.strip():
        return f"status {ran.returncode} without a word"
    return ""


def main():
    arguments = sys.argv[1:]
    kinds = ["mlir", "mlir", "mlir", "cu", "options"]
    if "--kind" in arguments:
        at = arguments.index("--kind")
        kinds = [arguments[at + 1]]
        del arguments[at:at + 2]
    build, first, last = os.path.abspath(arguments[0]), int(arguments[1]), int(arguments[2])
    folder = os.path.abspath(arguments[3]) if len(arguments) > 3 else tempfile.mkdtemp(prefix="unwarp-inputs.")
    os.makedirs(folder, exist_ok=True)
    files = {"mlir": list(mlir_files()), "cu": list(cu_files())}
    options, wrong, tried = options_of(build), 0, 0
    with open(folder + "/small.cu", "w") as small:
        small.write("__global__ void k(int *x) { x[threadIdx.x] = 1; }\nint main() { int *x; cudaMallocManaged(&x, 128); k<<<1, 32>>>(x); return cudaDeviceSynchronize(); }\n")
    for seed in range(first, last + 1):
        rng = random.Random(seed)
        kind = kinds[seed % len(kinds)]
        path = ""
        if kind == "options":
            command = [build + "/bin/unwarp"] + command_line(rng, options, folder)
        else:
            source, flags = rng.choice(files[kind])
            text = open(source, errors="replace").read()
            path = f"{folder}/{seed}.{kind}"
            with open(path, "w", errors="replace") as out:
                out.write(spoil(text, rng, open(rng.choice(files[kind])[0], errors="replace").read()))
            command = [build + "/bin/unwarp-opt", *flags, path] if kind == "mlir" else \
                [build + "/bin/unwarp", *flags, "-I", ROOT + "/tests/run", path, "-o", folder + "/out.o"]
        found = outcome(command, folder)
        tried += 1
        if found:
            wrong += 1
            print(f"seed {seed}: {found}\n  {shlex.join(command)}", flush=True)
        elif path:
            os.remove(path)
    print(f"{tried} inputs, {wrong} were not refused or taken as they should be")
    return wrong != 0


sys.exit(main())
