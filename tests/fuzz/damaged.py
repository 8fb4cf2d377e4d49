#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged PTX and NVVM IR for the compiler: an error with a message, or a result; never a signal, an assertion or a hang.

    damaged.py BUILD_DIR FIRST LAST FOLDER [FILE...]

The files are seeds beside those of tests/ptx. What goes wrong is kept in FOLDER, by the seed's number."""
import glob
import os
import random
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
TYPES = ["u8", "u16", "u32", "u64", "s32", "s64", "b8", "b16", "b32", "b64", "b128", "f16", "f16x2", "f32", "f64", "pred", "bf16", "v2", "v4"]
SPACES = ["global", "shared", "local", "const", "param", "generic", "reg"]
NUMBERS = ["0", "1", "-1", "31", "32", "64", "2147483647", "4294967295", "4294967296", "9223372036854775807", "18446744073709551615",
           "99999999999999999999999", "0f7F800000", "0d7FF8000000000000", "0x", "1e400", "i32", "ptr", "undef", "poison"]
WORDS = re.compile(r"[%$]?[A-Za-z_][\w$]*|\d\w*|\s+|.", re.S)


def words_of(text):
    return WORDS.findall(text)


def damage(chance, seeds, text):
    words = words_of(text)
    other = words_of(chance.choice(seeds)[1])
    for _ in range(chance.choice([1, 1, 1, 2, 2, 3, 5, 9])):
        if not words:
            break
        at = chance.randrange(len(words))
        length = chance.choice([1, 1, 1, 2, 5, 20, 60])
        kind = chance.randrange(12)
        if kind == 0:
            del words[at:at + length]
        elif kind == 1:
            words[at:at] = words[(to := chance.randrange(len(words))):to + length]
        elif kind == 2:
            words[at:at] = other[(to := chance.randrange(len(other))):to + length]
        elif kind == 3:
            same = [i for i, word in enumerate(words) if word[0] == words[at][0] and word != words[at]]
            if same:
                words[at] = words[chance.choice(same)]
        elif kind == 4:
            places = [i for i, word in enumerate(words) if word in TYPES]
            if places:
                words[chance.choice(places)] = chance.choice(TYPES)
        elif kind == 5:
            places = [i for i, word in enumerate(words) if word in SPACES]
            if places:
                words[chance.choice(places)] = chance.choice(SPACES)
        elif kind == 6:
            places = [i for i, word in enumerate(words) if word[0].isdigit()]
            if places:
                words[chance.choice(places)] = chance.choice(NUMBERS)
        elif kind == 7:
            places = [i for i, word in enumerate(words) if word[0] == "%"]
            if len(places) > 1:
                words[chance.choice(places)] = words[chance.choice(places)]
        elif kind == 8:
            lines = "".join(words).split("\n")
            first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            words = words_of("\n".join(lines))
        elif kind == 9:
            lines = "".join(words).split("\n")
            del lines[chance.randrange(len(lines))]
            words = words_of("\n".join(lines))
        elif kind == 10 and chance.random() < 0.2:
            del words[at:]
        elif kind == 11:
            words[at] = chance.choice(["{", "}", "(", ")", ";", ",", "\0", "\xff", "\"", "@", "!", "<", ">", ".", "[", "]", "-", "//", "/*"])
    return "".join(words)


def main():
    build, first, last, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    os.makedirs(folder, exist_ok=True)
    paths = sorted(glob.glob(here + "/../ptx/*.ptx") + glob.glob(here + "/../ptx/*.ll")) + sys.argv[5:]
    seeds = [(path, open(path, encoding="latin-1").read()) for path in paths]
    bad = taken = 0
    for seed in range(first, last + 1):
        chance = random.Random(seed)
        path, text = chance.choice(seeds)
        same_kind = [s for s in seeds if s[0][-3:] == path[-3:]]
        name = f"{folder}/{seed}{os.path.splitext(path)[1]}"
        with open(name, "w", encoding="latin-1") as file:
            file.write(damage(chance, same_kind, text))
        result = subprocess.Popen([build + "/bin/unwarp", "-cubin", "-march=native", name, "-o", name + ".out"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        try:
            said = result.communicate(timeout=60)[1].decode("latin-1")
            why = (f"status {result.returncode}" if result.returncode not in (0, 1) else
                   "a bug" if re.search(r"bug in unwarp|stack dump|Assertion|PLEASE submit", said, re.I) else
                   "no message" if result.returncode and not said.strip() else None)
        except subprocess.TimeoutExpired:
            os.killpg(result.pid, 9)
            said, why = "", "no end after 60 s"
        taken += why is None and result.returncode == 0
        if os.path.exists(name + ".out"):
            os.unlink(name + ".out")
        if why:
            bad += 1
            print(f"seed {seed} ({os.path.basename(path)}): {why}: {name}\n  " + "\n  ".join(said.strip().splitlines()[-3:]), flush=True)
        else:
            os.unlink(name)
    print(f"{last - first + 1} damaged modules, {taken} of which compile: {bad} went wrong")
    return bad != 0


sys.exit(main())
