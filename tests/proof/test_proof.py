#!/usr/bin/env python3
"""Proves the rows of kernels.def from the objects of a build: test_proof.py [OPTION...] OBJECT... Each row of the classes that contract.py
names is proved, or stands in UNPROVED and is not proved. What comes out is kept by what it depends on."""
import argparse
import glob
import hashlib
import os
import re
import sys
import time
import contract
import elf
import prove
from core import Unproved

HERE = os.path.dirname(os.path.abspath(__file__))


# Rows that are C are proved as this compiler makes them; another one may use instructions that the fronts do not know.
COMPILER = r"GNU 12\.\S+ Release x86_64"


def arguments(**more):
    """The command line: options, of which more are a test's own, with their defaults, and objects."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", help="a folder that keeps what was proved")
    parser.add_argument("--compiled", default="", help="the compiler and the kind of build of objects that are C")
    for name, default in more.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("objects", nargs="+")
    return parser.parse_args()


def functions(paths):
    """{function: the object that defines it}"""
    out = {}
    for path in paths:
        with open(path, "rb") as f:
            out |= dict.fromkeys(elf.Object(f.read()).functions(), path)
    return out


def ours(path, given):
    """Is the object assembly, or made by the compiler whose code is proved?"""
    return path.endswith((".asm.o", ".S.o")) or bool(re.fullmatch(COMPILER, given.compiled))


def targets(given):
    """[(row, its object or None)] of the rows that are not listed; without those of another architecture or compiler."""
    objects, (unproved, _) = functions(given.objects), listed()
    rows = [(row, objects.get(row.symbol)) for row in contract.rows() if row.symbol not in unproved]
    with open(given.objects[0], "rb") as f:
        machine = elf.Object(f.read()).machine
    foreign = [row for row, _ in rows if row.isa != "c" and prove.front(row.isa).MACHINE != machine]
    others = [row for row, path in rows if path and not ours(path, given)]
    for left_out, why in ((foreign, "proved in a build for their architecture"),
                          (others, f"proved where {COMPILER} compiles them, not {given.compiled or 'an unknown compiler'}")):
        if left_out:
            print(f"skip {', '.join(row.symbol for row in left_out)}: {why}")
    return [(row, path) for row, path in rows if row not in foreign + others], len(foreign + others)


def key(path, row):
    """What a result depends on: the object, the contract, this folder."""
    digest = hashlib.sha256(f"{row} {contract.units()[row.unit]} {[part for part in contract.goal(row) if not callable(part)]} {sys.version}".encode())
    for name in (path, *sorted(glob.glob(f"{HERE}/*.py"))):
        with open(name, "rb") as f:
            digest.update(hashlib.sha256(f.read()).digest())
    return digest.hexdigest()


def attempt(row, path, cache):
    """None if the row is proved, else why not."""
    goal = contract.goal(row)
    if goal is None:
        return "no goal is written down for this operation"
    if path is None:
        return "no object defines it"
    kept = f"{cache}/{key(path, row)}" if cache else None
    if kept and os.path.exists(kept):
        with open(kept, encoding="utf-8") as f:
            before = f.read()
        if before == "proved":
            print(f"proved {row.symbol}, as before")
            return None
        if before:  # nothing stands there if the run ended before it was written
            return before
    began, why = time.process_time(), None
    try:
        figures = prove.prove(prove.front(row.isa).read(path, row.symbol), goal)
        print(f"proved {row.symbol}: {', '.join(f'{v} {k}' for k, v in figures.items())}, {time.process_time() - began:.2f} s")
    except Unproved as e:
        why = str(e)
    if kept:
        os.makedirs(cache, exist_ok=True)
        with open(kept, "w", encoding="utf-8") as f:
            f.write(why or "proved")
    return why


def listed():
    """What UNPROVED lists: {symbol: reason}, and faults of the list."""
    with open(f"{HERE}/UNPROVED", encoding="utf-8") as f:
        most, *paragraphs = re.split(r"\n\n+", re.sub(r"(?m)^#.*\n", "", f.read()).strip())
    out, faults = {}, []
    for paragraph in paragraphs:
        reason, _, names = paragraph.partition(":\n")
        for name in names.split():
            if name in out:
                faults.append(f"UNPROVED lists {name} twice")
            out[name] = " ".join(reason.split())
    if int(most.split()[0]) != len(out):
        faults.append(f"UNPROVED has {len(out)} rows and says {most.split()[0]}, a number that may only fall")
    return out, faults


def main():
    given = arguments()
    objects, (unproved, faults), (rows, skipped) = functions(given.objects), listed(), targets(given)
    all_rows = {row.symbol: row for row in contract.rows()}
    faults += [f"UNPROVED lists {name}, which is no row of kernels.def that must be proved" for name in set(unproved) - set(all_rows)]
    proved = 0
    for row, path in rows:
        why = attempt(row, path, given.cache)
        proved += not why
        faults += [f"{row.symbol}: {why}"] if why else []
    for name in sorted(set(unproved) & set(all_rows)):
        if contract.goal(all_rows[name]) and name in objects and ours(objects[name], given):
            why = attempt(all_rows[name], objects[name], given.cache)
            faults += [] if why else [f"{name} is proved: strike it off UNPROVED"]
            print(f"{name} is listed in UNPROVED: {why}")
    print(f"{len(unproved)} rows are listed in UNPROVED")
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{proved} passed, {len(faults)} failed, {skipped} skipped")
    sys.exit(bool(faults or not proved))


if __name__ == "__main__":
    main()
