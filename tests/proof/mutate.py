"""Faults in functions as csource.py has them, to see that the checks find them: of each call that is a statement and of each operator."""
import re

OTHER = {"mul": "add", "sqr": "copy", "add": "sub", "sub": "add", "twice": "copy", "neg": "copy", "copy": "neg", "half": "copy", "dbl_mul": "add",
         "lanes_mul": "lanes_add", "lanes_add": "lanes_mul", "lanes_sub": "lanes_add", "lanes_mul_inline": "lanes_mul_add", "lanes_neg": "lanes_carry",
         "lanes_carry": "lanes_copy",
         "chord_x": "chord_y", "zero_mask": "~ zero_mask", "+": "-", "-": "+", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "<": "<=", "<=": "<",
         "==": "!=", "~": "-",
         "&&": "||", "||": "&&", "%": "/", "+=": "-="}
# Whose last two operands, or second and third, may change places.
COMMUTE = re.compile(r"(?:limbic_\w+?_|lanes_|dbl_|join_)?(?:mul|add)(?:_inline|_adx|_c|_x64|_a64)?|limbic_mod_add|\w+_product(?:_sum)?|lanes_mul_add|dbl_mul_less_sqr|add_distinct|add_complete")


def arguments(toks, at):
    """Where each argument of the call begins and ends; at: its bracket."""
    depth, out, begin = 0, [], at + 1
    for i in range(at, len(toks)):
        t = toks[i]
        if t in (",", ")") and depth == 1:
            out.append((begin, i))
            begin = i + 1
        depth += t in ("(", "[", "{")
        depth -= t in (")", "]", "}")
        if not depth:
            return out, i


def mutants(toks, operators=False):
    """(what, changed tokens)"""
    for i in range(1, len(toks)):
        t, before = toks[i], toks[i - 1]
        if isinstance(t, str) and re.match(r"[a-z_]", t) and before in (";", "{", "}", ")") and i + 1 < len(toks) and toks[i + 1] == "(" and t not in ("for",
            "if", "while", "return", "sizeof"):
            args, end = arguments(toks, i + 1)
            if toks[end + 1] != ";":
                continue
            text = " ".join(map(str, toks[i:end + 1]))
            yield f"without {text}", toks[:i] + toks[end + 1:]
            if t in OTHER:
                yield f"{OTHER[t]} for {text}", toks[:i] + OTHER[t].split() + toks[i + 1:]
            parts = [toks[a:b] for a, b in args]
            for j, k in ((-2, -1), (0, -1), (1, 2)):
                if COMMUTE.fullmatch(t) and (j, k) == ((1, 2) if len(parts) > 3 else (-2, -1)):
                    continue
                if len(parts) >= 3 and (parts[j][:1] == ["&"]) == (parts[k][:1] == ["&"]) and parts[j] != parts[k]:
                    swapped = list(parts)
                    swapped[j], swapped[k] = parts[k], parts[j]
                    new = [x for part in swapped for x in (*part, ",")][:-1]
                    if k != 2 or len(parts) > 3:
                        yield f"arguments {j}, {k} of {text}", toks[:i + 2] + new + toks[end:]
            if len(parts) >= 3 and parts[1] != parts[2]:
                yield f"argument 1 for 2 of {text}", toks[:i + 2] + [x for part in (*parts[:2], parts[1], *parts[3:]) for x in (*part, ",")][:-1] + toks[end:]
        if operators and t in OTHER and not (t in ("&", "-", "+",
                                                   "*") and (before in ("(", ",", "=", "return") or isinstance(before, str) and re.fullmatch(r"[-+*&|^<>=]+",
                                                       before))):
            yield f"{OTHER[t]} for {t} after {' '.join(map(str, toks[max(0, i - 4):i]))}", toks[:i] + OTHER[t].split() + toks[i + 1:]
        if operators and isinstance(t, int) and before not in ("[",):
            for v in {t + 1, t - 1} if 0 < t < 1 << 20 else {t + 1}:
                yield f"{v} for {t} after {' '.join(map(str, toks[max(0, i - 4):i]))}", toks[:i] + [v] + toks[i + 1:]


def survivors(unit, names, found, operators=False, every=1, fine=()):
    """Faults, one at a time, in these functions of a unit, or every so many of them: those that found() does not see, and how many there are. fine:
    patterns of what is no fault."""
    out, count, number = [], 0, 0
    for name in names:
        params, body = unit.functions[name]
        for what, changed in mutants(body, operators):
            what, number = f"{name}: {what}", number + 1
            if number % every or any(re.search(pattern, what) for pattern in fine):
                continue
            unit.functions[name] = params, changed
            unit.parsed.pop(name, None)
            count += 1
            if not found():
                out.append(what)
        unit.functions[name] = params, body
        unit.parsed.pop(name, None)
    return out, count
