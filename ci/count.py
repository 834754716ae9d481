#!/usr/bin/env python3
"""Counts what the tests of a log did: count.py LOG EXIT_CODE prints 'passed failed skipped', then the reasons for the skips.

A log is the output of test programs, of `ctest -V`, or of both. A program's own line 'N passed, N failed[, N skipped]'
counts; a test without one counts as one. A test that ctest saw fail, or an exit code that is not 0, is a failure even
where no line tells it."""
import re
import sys

log, code = sys.argv[1], int(sys.argv[2])
passed = failed = skipped = 0
last = {}  # test number -> its counts, within one ctest run
reasons = {}  # why -> what


# 'skip what: why', 'skipped: what: why' or 'what skipped: why'
SKIP = re.compile(r"(?i)\s*(?:skip(?:ped)?:? +([^:]+)|([^:]+?) skipped): *(.+)")


def skip(what, why):
    names = reasons.setdefault(why.strip(), [])
    if what not in names:
        names.append(what)


with open(log, errors="replace") as f:
    for line in f:
        number, text = re.match(r"(?:(\d+): ?)?(.*)", line.rstrip("\n")).groups()
        count = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", text)
        if count:
            counts = [int(c or 0) for c in count.groups()]
            if number:
                last[number] = counts
            else:
                passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
        elif reason := SKIP.fullmatch(text):
            skip((reason[1] or reason[2]).strip(), reason[3])
        result = re.match(r" *\d+/\d+ Test +#(\d+): (\S+) \.* *(Passed|\w*\*\*\*[\w ]+)", line)
        if result:
            number, name, how = result.groups()
            p, f_, s = last.pop(number, (0, 0, 0))
            if how.startswith("***Skipped"):
                s = s or 1
                skip(name, "ctest says so")
            elif how != "Passed":
                f_ = f_ or 1
            elif p + f_ + s == 0:
                p = 1
            passed, failed, skipped = passed + p, failed + f_, skipped + s

if code and not failed:
    failed = 1
print(passed, failed, skipped)
for why, names in reasons.items():
    print(f"skipped, {why}: {', '.join(names)}")
