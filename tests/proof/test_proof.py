#!/usr/bin/env python3
"""Proves the rows of kernels.def from the objects of a build: test_proof.py [--cache FOLDER] OBJECT... Results are kept by what they depend on."""
import argparse
import glob
import hashlib
import os
import sys
import time
import contract
import elf
import prove
import x86
from core import Unproved

HERE = os.path.dirname(os.path.abspath(__file__))


def functions(paths):
    """{function: the object that defines it}"""
    out = {}
    for path in paths:
        with open(path, "rb") as f:
            out |= dict.fromkeys(elf.Object(f.read()).functions(), path)
    return out


def key(path, row):
    """What a result depends on: the object, the contract, this folder."""
    digest = hashlib.sha256(f"{row} {contract.units()[row.unit]} {sys.version}".encode())
    for name in (path, *sorted(glob.glob(f"{HERE}/*.py"))):
        with open(name, "rb") as f:
            digest.update(hashlib.sha256(f.read()).digest())
    return digest.hexdigest()


def attempt(row, path, cache):
    """None if the row is proved, else why not."""
    goal = contract.goal(row)
    if goal is None:
        return "no goal is written down for this operation"
    kept = f"{cache}/{key(path, row)}" if cache else None
    if kept and os.path.exists(kept):
        print(f"proved {row.symbol}, as before")
        return None
    began = time.process_time()
    try:
        figures = prove.prove(x86.read(path, row.symbol), goal)
    except Unproved as e:
        return str(e)
    print(f"proved {row.symbol}: {', '.join(f'{v} {k}' for k, v in figures.items())}, {time.process_time() - began:.2f} s")
    if kept:
        os.makedirs(cache, exist_ok=True)
        with open(kept, "w"):
            pass
    return None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cache")
    arguments.add_argument("objects", nargs="+")
    given = arguments.parse_args()
    objects = functions(given.objects)
    passed = failed = 0
    for row in contract.rows():
        if row.isa not in ("x64", "adx") or row.op not in ("add", "sub", "mul", "sqr") or row.cls != "field":
            continue
        why = attempt(row, objects[row.symbol], given.cache) if row.symbol in objects else "no object defines it"
        if why:
            print(f"FAILED: {row.symbol}: {why}")
        passed, failed = passed + (not why), failed + bool(why)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or not passed)


if __name__ == "__main__":
    main()
