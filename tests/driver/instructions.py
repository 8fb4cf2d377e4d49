# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Does an object, or a program, hold to a level of x86-64?
#
#   instructions.py LEVEL FILE    LEVEL: 1 to 4
#
# Prints each function with an instruction, or a call of a function of vectors, above the level, with the first such one, and exits 1 if
# there is any. A function whose name ends in a level (.v3, .v4 and so on: what dispatch goes to) may use that level. Needs llvm-objdump.
#
# An instruction's level is seen from its encoding (Intel SDM, volume 2, sections 2.3 and 2.7): EVEX is AVX-512, VEX is AVX and what came
# with it but for operations on masks; of others, and of what no level has, by name.
import collections
import re
import subprocess
import sys

BEYOND = 5  # what no level has
LEGACY_PREFIXES = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3}
BY_NAME = (
    # AVX-512 beyond v4, and AVX's forms of it; AES, SHA, carry-less products, Galois fields; tiles; transactions.
    (BEYOND, r"vpdp(bu|wu|ws|bs)\w*|vpmadd52\w+|vperm[it]?2?b|vpmultishiftqb|vpopcnt[bwdq]|vpshuf?bitqmb|vp(compress|expand)[bw]|"
             r"vpsh[lr]dv?[wdq]|vp2intersect\w+|v\w+bf16|v\w+(ph|sh)|v?(aes|sha1|sha256|pclmul|gf2p8)\w*|t(ile|dp|mm)\w+|xbegin\w*|"
             r"ad[co]x[lq]?|rdrand\w*|rdseed\w*|cldemote|clwb|movdir\w+|serialize|wbnoinvd|prefetchw?t1"),
    (4, r"k(mov|and|andn|or|xor|xnor|not|test|add|shift[lr]|unpck|ortest)[a-z]+"),
    (3, r"lzcnt[wlq]?|movbe[wlq]?"),
    (2, r"popcnt[wlq]?|addsubp[sd]|h(add|sub)p[sd]|lddqu|movddup|movs[hl]dup|crc32[bwlq]?|lahf|sahf"),
)
F16C = r"vcvt(ph2ps|ps2ph)"  # whose names look like half precision's own
NAMES = {"e": 4, "d": 3, "c": 3}  # of the vector functions of the C library


def level_of(code, name):
    if not re.fullmatch(F16C, name):
        for level, pattern in BY_NAME:
            if re.fullmatch(pattern, name):
                return level
    at = 0
    while code[at] in LEGACY_PREFIXES:
        at += 1
    if code[at] == 0x62:
        return 4
    if code[at] in (0xC4, 0xC5):
        return 3
    if 0x40 <= code[at] <= 0x4F:
        at += 1
    # SSSE3 and SSE4 are the three-byte opcodes. (cmpxchg16b and bsf with a prefix, which later CPUs read as tzcnt, are of the first level here.)
    return 2 if code[at] == 0x0F and code[at + 1] in (0x38, 0x3A) else 1


def level_of_call(name):
    found = re.match(r"_ZGV([cde])N|Sleef_(?:finz_|cinz_)?\w*?([fd])(\d+)", name)
    if not found:
        return 1
    if found[1]:
        return NAMES[found[1]]
    bits = int(found[3]) * (32 if found[2] == "f" else 64)
    return 4 if bits == 512 else 3 if bits == 256 else 1


def level_of_function(name, level):
    """What dispatch goes to: levels of the compiler's, of the runtime's."""
    found = re.search(r"[._]v([34])(\.|$|_)", name)
    return max(level, int(found[1])) if found else level


def main():
    level, path = int(sys.argv[1]), sys.argv[2]
    text = subprocess.run(["llvm-objdump", "-d", "-r", path], check=True, capture_output=True, text=True).stdout
    above, count, function = collections.OrderedDict(), 0, ""
    for line in text.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = head[1]
        elif relocation := re.match(r"\s+[0-9a-f]+:\s+R_X86_64_\w+\s+([\w.]+)", line):
            if level_of_call(relocation[1]) > level_of_function(function, level):
                above.setdefault(function, f"calls {relocation[1]}")
        elif found := re.match(r"\s+[0-9a-f]+:((?: [0-9a-f]{2})+)\s+(.*)", line):
            code = [int(byte, 16) for byte in found[1].split()]
            words = [word for word in found[2].split() if word not in ("lock", "rep", "repne", "notrack", "data16", "{vex}", "{evex}")]
            if not words or words[0].startswith(("<unknown>", "j", "nop", "int3", "ret")) or len(code) < 2:
                continue
            count += 1
            if level_of(code, words[0]) > level_of_function(function, level):
                above.setdefault(function, found[2])
            if call := re.search(r"<([^>+]+)>", found[2]):
                if level_of_call(call[1].split("@")[0]) > level_of_function(function, level):
                    above.setdefault(function, found[2])
    for name, what in above.items():
        print(f"{name}: {' '.join(what.split())}")
    if count == 0:
        print("no instructions")
    sys.exit(bool(above) or count == 0)


main()
