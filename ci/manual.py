#!/usr/bin/env python3
"""The public headers' comments, which are the reference: manual.py --check [--self-test] sees that they are complete;
manual.py HEADER PAGE makes the page of section 3 from a header, in mdoc."""
import datetime
import glob
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAMILY = "LIMBIC_DECLARE_FIELD"  # the macro that declares the functions which field.h's own comment describes
LABELS = ("Lengths:", "Errors:", "Timing:", "Overlap:")  # what a header's first comment says once for all its functions
FUNCTION = re.compile(r"LIMBIC_(?:API|CHECK) ([\w *]+?)(\w+)\(([^;{]*)\);")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def parts(text):
    """What stands in the first column, in order: ("comment", its text, is it one for what follows) and ("code", the lines, None)."""
    for guard in r"(?s)#if(?:def __cplusplus| defined\(__GNUC__\))\n.*?#endif\n", r"(?m)^#(?:include|ifndef|endif|define LIMBIC_\w+_H\b).*\n":
        text = re.sub(guard, "", text)
    found = []
    for m in re.finditer(r"(?ms)^/\*(\*?)(.*?)\*/\n?|^(?!/\*)[^\n]+\n(?:(?!\n|/\*)[^\n]*\n|\n(?=[ }]))*", text):
        if m[2] is None:
            found.append(("code", m[0].rstrip("\n"), None))
        else:
            lines = [re.sub(r"^ \*? ?", "", line).rstrip() for line in f" {m[2].strip()}".split("\n")]
            found.append(("comment", "\n".join(lines).strip("\n"), bool(m[1]) and text[m.end():m.end() + 1] not in ("\n", "")))
    return found


def functions(code):
    return [(m[1].strip(), m[2], m[3]) for m in FUNCTION.finditer(code)] if FAMILY not in code else []


def check(headers):
    """The faults of the headers, a dictionary of name and text."""
    faults = []
    statuses = set(re.findall(r"LIMBIC_(?:OK|ERR_\w+)(?= =)", headers["limbic.h"]))
    known = {name for text in headers.values() for name in re.findall(r"\blimbic_\w+", re.sub(r"(?s)/\*.*?\*/", "", text))}
    for header, text in headers.items():
        found = parts(text)
        first = found[0][1] if found and found[0][0] == "comment" else ""
        if not first.startswith("@file"):
            faults.append(f"{header}: the first comment is not one of the file (/** @file)")
        for label in LABELS:
            if not re.search(rf"(?m)^{label} ", first):
                faults.append(f"{header}: the first comment has no paragraph '{label}'")
        for i, (kind, body, _) in enumerate(found):
            if kind == "comment":
                for name in re.findall(r"LIMBIC_ERR_\w+", body):
                    if name not in statuses:
                        faults.append(f"{header}: no such status: {name}")
                for name in re.findall(r"\blimbic_\w+", body):
                    if name not in known and not re.match(r"limbic_F_", name):
                        faults.append(f"{header}: no such function or type: {name}")
                continue
            comment = found[i - 1][1] if i and found[i - 1][0] == "comment" and found[i - 1][2] else None
            for name in re.findall(r"(?m)^typedef (?:enum|struct) (\w+)", body):
                if comment is None:
                    faults.append(f"{header}: {name} has no comment of its own (/** ... */ on the lines before it)")
            for j, (result, name, parameters) in enumerate(functions(body)):
                if comment is None or j > 0:
                    faults.append(f"{header}: {name} has no comment of its own (/** ... */ on the lines before it)")
                    continue
                for parameter in re.findall(r"(\w+)(?:\[\w*\])?(?:,|$)", parameters if parameters != "void" else ""):
                    # 'private_key' may be 'the private key'; a length goes with what it is the length of
                    base = re.sub(r"_len$", "", parameter)
                    if not re.search(rf"\b{base.replace('_', '[_ ]')}", f"{comment}\n{first}"):
                        faults.append(f"{header}: {name}'s comment does not speak of {parameter}")
        family = set(re.findall(r"limbic_##F##_(\w+)\(", text)) ^ set(re.findall(r"limbic_F_(\w+)\(", first))
        faults += [f"{header}: limbic_F_{name} is not both declared and described" for name in family]
    names = [n for text in headers.values() for _, body, _ in parts(text) for _, n, _ in functions(body)]
    if len(names) < 90:
        faults.append(f"only {len(names)} functions found")
    return faults


def self_test(headers):
    """Each rule, broken once."""
    breaks = {
        "a comment is missing": ("ec.h", r"(?s)/\*\*(?:(?!\*/).)*\*/\n(?=LIMBIC_CHECK limbic_status limbic_ec_add)", ""),
        "a plain comment": ("ec.h", r"/\*\*(?=(?:(?!\*/)[\s\S])*\*/\nLIMBIC_CHECK limbic_status limbic_ec_add)", "/*"),
        "a comment for two": ("ec.h", r"(?s)(?<=;\n)\n/\*\*(?:(?!\*/).)*\*/\n(?=LIMBIC_CHECK limbic_status limbic_ec_add)", ""),
        "a type's comment is missing": ("ec.h", r"/\*\* The curves. \*/\n", ""),
        "no timing": ("hash.h", r"(?m)^ \* Timing:", " *"), "no file comment": ("mpn.h", "@file", ""),
        "a function of every field": ("field.h", r"(?m)^ \*     int  limbic_F_eq\(.*\n", ""),
        "no such status": ("key.h", "LIMBIC_ERR_ENCRYPTED", "LIMBIC_ERR_NOSUCH"),
        "no such function": ("rsa.h", r"by limbic_rsa_wipe\b", "by limbic_rsa_clear"),
        "a parameter": ("sm2.h", r"of an exchange x:", "of an exchange:"),
    }
    missed = 0
    for what, (header, old, new) in breaks.items():
        text, n = re.subn(old, new, headers[header], count=1)
        if n != 1 or not check({**headers, header: text}):
            print(f"FAILED: not caught: {what}")
            missed += 1
    return len(breaks), missed


def guarded(line):
    return rf"\&{line}" if line[:1] in (".", "'") else line


def prose(text):
    """A comment in mdoc: paragraphs, lists with '- ', lines that are indented stay as they are."""
    blocks = []  # kind and lines
    for line in text.split("\n"):
        kind = "literal" if line.startswith("    ") else "item" if line.startswith(("- ", "  ")) else "text" if line else ""
        if blocks and blocks[-1][0] == kind and not line.startswith("- "):
            blocks[-1][1].append(line)
        else:
            blocks.append((kind, [line]))
    out, before = [], ""
    for kind, lines in (b for b in blocks if b[0]):
        if before == "item" != kind:
            out.append(".El")
        if kind == "literal":
            out += literal(textwrap.dedent("\n".join(lines)), " -offset indent")
        else:
            out += ([".Bl -bullet"] if before != "item" else []) + [".It"] if kind == "item" else [".Pp"]
            words = " ".join(" ".join(lines).removeprefix("- ").split()).replace("\\", r"\e")
            words = re.sub(r"\w+_\w+", r"\\%\g<0>", words)  # no hyphens in names
            for sentence in re.split(r"(?<=[.!?])\s+|(?<=[.!?]\))\s+", words):
                out += map(guarded, textwrap.wrap(sentence, 78, break_long_words=False, break_on_hyphens=False))
        before = kind
    return out + [".El"] * (before == "item")


def literal(code, how=""):
    return [".Bd -literal" + how, *map(guarded, re.sub("LIMBIC_(?:API|CHECK) ", "", code).replace("/**<", "/*").replace("\\", r"\e").split("\n")), ".Ed"]


def page(header, others):
    text = read(header)
    title = os.path.basename(header)[:-2]
    name = "limbic" if title == "limbic" else f"limbic_{title}"
    _, date = re.search(r"(?m)^## (\S+) \((.*)\)$", read(f"{ROOT}/CHANGELOG.md")).groups()
    date = datetime.date.fromisoformat(date).strftime("%B %-d, %Y")
    (_, first, _), *found = parts(text)
    first = re.sub(r"^@file\s*", "", first)
    summary, _, rest = first.partition("\n\n")
    about = " ".join(summary.split()).split(". ")[0].rstrip(".").removeprefix("Limbic: ")
    names = [f for _, body, _ in found for f in functions(body)]
    titles = list(dict.fromkeys([name, *(n for _, n, _ in names)]))
    out = [f".\\\" From include/limbic/{title}.h by ci/manual.py", f".Dd {date}", f".Dt {name.upper()} 3", ".Os", ".Sh NAME",
           *(f".Nm {n} ," for n in titles[:-1]), f".Nm {titles[-1]}"]
    out += [f".Nd {about if len(about) < 90 else about.split(':')[0]}", ".Sh LIBRARY",
            "Limbic (liblimbic, -llimbic)", ".Sh SYNOPSIS", f".In limbic/{title}.h"]
    for result, n, parameters in names:
        out += [f".Ft {result}", f".Fo {n}", *(f".Fa \"{' '.join(p.split())}\"" for p in parameters.split(",")), ".Fc"]
    out += [".Sh DESCRIPTION", *prose(first)]
    comment = None
    for kind, body, belongs in found:
        if kind == "comment":
            heading = re.fullmatch(r"-+ (.*?) -+", body)
            if heading:
                out.append(f".Ss {heading[1][0].upper()}{heading[1][1:]}")
            elif belongs:
                comment = body
            else:
                out += prose(body)
            continue
        if functions(body):
            out += [".Bl -tag -width Ds", f".It Fn {functions(body)[0][1]}", *prose(comment or ""), ".El"]
            body = FUNCTION.sub("", body).strip()
        elif comment:
            out += prose(comment)
        if body:
            out += literal(body)
        comment = None
    out += [".Sh SEE ALSO", ".Xr limbic 1" + " ,", *(f".Xr {o} 3 ," for o in others[:-1] if o != name)]
    out += [f".Xr {others[-1]} 3"] if others[-1] != name else []
    out[-1] = out[-1].removesuffix(" ,")
    # no .Pp where a section or an item begins
    lines = [line for last, line in zip(["", *out], out) if not (line == ".Pp" and re.match(r"\.(S[sh]|It|Pp)", last))]
    return "\n".join(lines) + "\n"


def main():
    paths = sorted(glob.glob(f"{ROOT}/include/limbic/*.h"))
    if len(sys.argv) == 3 and not sys.argv[1].startswith("-"):
        others = sorted("limbic" if p.endswith("/limbic.h") else f"limbic_{os.path.basename(p)[:-2]}" for p in paths)
        with open(sys.argv[2], "w", encoding="utf-8") as f:
            f.write(page(sys.argv[1], others))
        return
    if sys.argv[1:] not in (["--check"], ["--check", "--self-test"]):
        sys.exit(__doc__)
    headers = {os.path.basename(p): read(p) for p in paths}
    faults = check(headers)
    for fault in faults:
        print(f"FAILED: {fault}")
    tested, missed = self_test(headers) if "--self-test" in sys.argv else (0, 0)
    print(f"{tested - missed + (not faults)} passed, {missed + len(faults)} failed")
    sys.exit(bool(faults or missed))


main()
