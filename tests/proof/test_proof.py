#!/usr/bin/env python3
"""Proves the rows of kernels.def from the objects of a build: test_proof.py [--cache FOLDER] OBJECT... Each row of the classes that contract.py
names is proved, or stands in UNPROVED and is not proved. Proofs are kept by what they depend on."""
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
    if path is None:
        return "no object defines it"
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
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cache")
    arguments.add_argument("objects", nargs="+")
    given = arguments.parse_args()
    objects, rows = functions(given.objects), contract.rows()
    unproved, faults = listed()
    faults += [f"UNPROVED lists {name}, which is no row of kernels.def that must be proved" for name in set(unproved) - {r.symbol for r in rows}]
    proved = 0
    for row in rows:
        why = attempt(row, objects.get(row.symbol), given.cache)
        if row.symbol in unproved:
            if why:
                if contract.goal(row):
                    print(f"not proved {row.symbol}, as listed: {why}")
            else:
                faults.append(f"{row.symbol} is proved: strike it off UNPROVED")
        elif why:
            faults.append(f"{row.symbol}: {why}")
        else:
            proved += 1
    print(f"{len(unproved)} rows are listed in UNPROVED")
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{proved} passed, {len(faults)} failed")
    sys.exit(bool(faults or not proved))


if __name__ == "__main__":
    main()
