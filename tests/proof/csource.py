"""Runs functions of the library's C sources on values of any kind: numbers, polynomials, sizes, points. What is run is what the compiler gets, after its
preprocessor. A subset of C: integers, arrays, structs and pointers into them; anything else is an error. Functions that a caller gives meanings of its
own are not looked into."""
import os
import re
import subprocess

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
TOKEN = re.compile(r"""\s*(?:(0[xX][0-9a-fA-F]+|\d+)[uUlL]*|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|[-+*/%&|^~!<>=?:;,.(){}\[\]]))""")
INT, UNSIGNED, U64, VOID, V8 = ("int", 32, True), ("int", 32, False), ("int", 64, False), ("void",), ("v8",)
NAMED = {"uint64_t": U64, "size_t": U64, "uintptr_t": U64, "int64_t": ("int", 64, True), "uint32_t": UNSIGNED, "int16_t": ("int", 16, True),
         "uint8_t": ("int", 8, False), "char": ("int", 8, True), "int": INT, "void": VOID, "v8": V8, "__m512i": V8}
DROPPED = {"const", "static", "inline", "extern", "volatile", "register", "__inline__", "__inline", "__extension__", "_Noreturn", "restrict"}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class CError(Exception):
    """The source is not what this file can run, or does what C does not define."""


def preprocess(compiler, path, defines):
    """The lines of a source that come from the project's files but for tables, after the preprocessor."""
    folders = [f"{ROOT}/src", ROOT, f"{ROOT}/include"]
    out = subprocess.run([compiler, "-E", *(f"-D{d}" for d in defines), *(f"-I{f}" for f in folders), f"{ROOT}/src/{path}"], check=True, capture_output=True, text=True).stdout
    keep, lines = False, []
    for line in out.splitlines():
        if line.startswith("#"):
            mark = re.match(r'# \d+ "([^"]*)"', line)
            keep = any(mark[1].startswith(folder + "/") for folder in folders) and not mark[1].endswith("_table.inc") if mark else keep
        elif keep:
            lines.append(line)
    return "\n".join(lines)


def tokens(text):
    out, at = [], 0
    text = text.rstrip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise CError(f"no token: {text[at:at + 40]!r}")
        at = m.end()
        out.append(int(m[1], 0 if m[1][:2] in ("0x", "0X") else 10) if m[1] else m[2] or m[3] or m[4])
    return out


def size_of(t):
    if t[0] == "int":
        return t[1] // 8
    if t[0] == "arr":
        return t[2] * size_of(t[1])
    if t[0] == "struct":
        return t[2]
    return {"v8": 64, "ptr": 8}[t[0]]


def struct(fields):
    """fields: (name, type); those of 64 bytes stand at multiples of that, others here are whole words."""
    at, out = 0, []
    for name, t in fields:
        unit = 64 if "v8" in str(t) else min(8, size_of(t) or 1)
        at = -(-at // unit) * unit
        out.append((name, t, at))
        at += size_of(t)
    return ("struct", tuple(out), -(-at // 8) * 8)


class Block:
    """Memory: values at the byte offsets where they begin. size: None where it is not known."""

    def __init__(self, name="", size=None):
        self.name, self.cells, self.size = name, {}, size


class Pointer:
    def __init__(self, block, at, of):
        self.block, self.at, self.of = block, at, of

    def load(self):
        try:
            return self.block.cells[self.at]
        except KeyError:
            raise CError(f"{self.block.name} is read at {self.at}, where nothing was written") from None

    def store(self, value):
        self.inside(1)
        self.block.cells[self.at] = value

    def inside(self, count):
        if self.block.size is not None and not 0 <= self.at <= self.block.size - count:
            raise CError(f"{self.block.name} is written at {self.at}, where it has not {count} bytes")

    def moved(self, bytes_, of=None):
        return Pointer(self.block, self.at + bytes_, of or self.of)

    def field(self, name):
        t, at = next((t, at) for n, t, at in self.of[1] if n == name)
        return self.moved(at, t)

    def copy_from(self, source, size):
        self.inside(size)
        new = {at - source.at + self.at: v for at, v in source.block.cells.items() if source.at <= at < source.at + size}
        for at in [at for at in self.block.cells if self.at <= at < self.at + size]:
            del self.block.cells[at]
        self.block.cells.update(new)


class Parser:
    """Tokens of one function or declaration."""

    def __init__(self, unit, toks):
        self.unit, self.toks, self.at = unit, toks, 0

    def peek(self, ahead=0):
        return self.toks[self.at + ahead] if self.at + ahead < len(self.toks) else None

    def next(self, want=None):
        t = self.peek()
        if t is None or want is not None and t != want:
            raise CError(f"{want!r} expected, not {t!r}: {' '.join(map(str, self.toks[max(0, self.at - 8):self.at + 4]))}")
        self.at += 1
        return t

    def accept(self, t):
        if self.peek() == t and not isinstance(self.peek(), int):
            self.at += 1
            return True
        return False

    # Types

    def skip_attributes(self):
        while True:
            if self.peek() in DROPPED:
                self.at += 1
            elif self.peek() in ("__attribute__", "_Alignas", "_Pragma", "__asm__"):
                self.at += 1
                self.skip_group()
            else:
                return

    def skip_group(self):
        depth = 0
        while True:
            t = self.next()
            depth += t in ("(", "{", "[")
            depth -= t in (")", "}", "]")
            if not depth:
                return

    def is_type(self):
        t = self.peek()
        return isinstance(t, str) and (t in self.unit.types or t in DROPPED or t in ("unsigned", "struct", "enum", "long", "_Alignas", "signed"))

    def base(self):
        self.skip_attributes()
        t = self.next()
        if t in ("unsigned", "signed", "long"):
            words = [t]
            while self.peek() in ("unsigned", "signed", "long", "int", "char", "short", "__int128"):
                words.append(self.next())
            bits = 128 if "__int128" in words else 64 if "long" in words else 8 if "char" in words else 16 if "short" in words else 32
            out = ("int", bits, "unsigned" not in words)
        elif t == "enum":
            if self.peek() != "{":
                name = self.next()
                self.unit.types.setdefault(name, INT)
            if self.peek() == "{":
                self.enum()
            out = INT
        elif t == "struct":
            name = self.next() if self.peek() != "{" else None
            if self.accept("{"):
                fields = []
                while not self.accept("}"):
                    base = self.base()
                    while True:
                        fields.append(self.declarator(base))
                        if self.accept(";"):
                            break
                        self.next(",")
                out = struct(fields)
                if name:
                    self.unit.types["struct " + name] = out
            else:
                out = self.unit.types.get("struct " + name, VOID)
        else:
            out = self.unit.types[t]
        self.skip_attributes()
        return out

    def enum(self):
        self.next("{")
        value = 0
        while not self.accept("}"):
            name = self.next()
            if self.accept("="):
                value = self.unit.constant(self.conditional())
            self.unit.constants[name] = value
            value += 1
            self.accept(",")

    def declarator(self, base):
        """(name or None, type)"""
        t = base
        while self.accept("*"):
            t = ("ptr", t)
            self.skip_attributes()
        self.skip_attributes()
        name = self.next() if isinstance(self.peek(), str) and re.match(r"[A-Za-z_]", self.peek()) else None
        sizes = []
        while self.accept("["):
            sizes.append(None if self.peek() == "]" else self.unit.constant(self.conditional()))
            self.next("]")
        self.skip_attributes()
        for n in reversed(sizes):
            t = ("arr", t, n)
        return name, t

    def type_name(self):
        return self.declarator(self.base())[1]

    # Expressions

    def expression(self):
        e = self.assignment()
        while self.accept(","):
            e = ("comma", e, self.assignment())
        return e

    def assignment(self):
        left = self.conditional()
        if self.peek() in ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="):
            op = self.next()
            return ("assign", op[:-1], left, self.assignment())
        return left

    def conditional(self):
        c = self.binary(0)
        if not self.accept("?"):
            return c
        a = self.expression()
        self.next(":")
        return ("cond", c, a, self.conditional())

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            left = ("binary", self.next(), left, self.binary(level + 1))
        return left

    def unary(self):
        t = self.peek()
        if t in ("-", "+", "~", "!", "*", "&", "++", "--"):
            self.next()
            return ("unary", t, self.unary())
        if t == "sizeof":
            self.next()
            if self.peek() == "(":
                self.next()
                if self.is_type():
                    out = ("sizeof type", self.type_name())
                else:
                    out = ("sizeof", self.expression())
                self.next(")")
                return out
            return ("sizeof", self.unary())
        if t == "(":
            self.at += 1
            if self.is_type():
                to = self.type_name()
                self.next(")")
                if self.peek() == "{":
                    return ("compound", to, self.initializer())
                return ("cast", to, self.unary())
            e = self.expression()
            self.next(")")
            return self.postfix(e)
        t = self.next()
        if isinstance(t, int):
            return self.postfix(("number", t))
        if t[0] == '"':
            return ("text",)
        if not re.match(r"[A-Za-z_]", t):
            raise CError(f"an expression expected, not {t!r}")
        return self.postfix(("number", self.unit.constants[t]) if t in self.unit.constants else ("name", t))

    def postfix(self, e):
        while True:
            if self.accept("["):
                e = ("index", e, self.expression())
                self.next("]")
            elif self.accept("("):
                args = []
                while not self.accept(")"):
                    args.append(self.assignment())
                    self.accept(",")
                e = ("call", e, args)
            elif self.accept("."):
                e = ("field", e, self.next())
            elif self.accept("->"):
                e = ("field", ("unary", "*", e), self.next())
            elif self.peek() in ("++", "--"):
                e = ("post", self.next(), e)
            else:
                return e

    def initializer(self):
        if not self.accept("{"):
            return self.assignment()
        items = []
        while not self.accept("}"):
            items.append(self.initializer())
            self.accept(",")
        return ("list", items)

    # Statements

    def statement(self):
        while self.peek() in ("_Pragma",):
            self.skip_attributes()
        t = self.peek()
        if self.accept("{"):
            out = []
            while not self.accept("}"):
                out.append(self.statement())
            return ("block", out)
        if self.accept(";"):
            return ("block", [])
        if t == "_Static_assert":
            while self.next() != ";":
                pass
            return ("block", [])
        if t == "return":
            self.next()
            e = None if self.peek() == ";" else self.expression()
            self.next(";")
            return ("return", e)
        if t in ("continue", "break"):
            self.next()
            self.next(";")
            return (t,)
        if t == "if":
            self.next()
            self.next("(")
            c = self.expression()
            self.next(")")
            a = self.statement()
            return ("if", c, a, self.statement() if self.accept("else") else None)
        if t == "while":
            self.next()
            self.next("(")
            c = self.expression()
            self.next(")")
            return ("for", None, c, None, self.statement())
        if t == "for":
            self.next()
            self.next("(")
            start = self.statement()
            c = None if self.peek() == ";" else self.expression()
            self.next(";")
            step = None if self.peek() == ")" else self.expression()
            self.next(")")
            return ("for", start, c, step, self.statement())
        if self.is_type() and not (self.peek() not in ("enum", "struct", "unsigned", "_Alignas") and self.peek(1) in ("(", "[", "=", ".", "->")):
            base, out = self.base(), []
            if self.accept(";"):
                return ("block", [])
            while True:
                name, t = self.declarator(base)
                out.append((name, t, self.initializer() if self.accept("=") else None))
                if self.accept(";"):
                    return ("declare", out)
                self.next(",")
        e = self.expression()
        self.next(";")
        return ("expression", e)


class Unit:
    """A source file: its types, constants, and functions, which are parsed when they are called."""

    def __init__(self, text):
        self.types, self.constants, self.functions, self.variables, self.parsed = dict(NAMED), {"NULL": 0}, {}, {}, {}
        self.declare_all(tokens(text))

    def constant(self, e):
        return Machine(self, {}).number(e)

    def declare_all(self, toks):
        at = 0
        while at < len(toks):
            end, depth, function = at, 0, False
            while True:
                t = toks[end]
                if t in ("(", "{", "["):
                    function |= t == "{" and depth == 0 and toks[end - 1] == ")"
                    depth += 1
                elif t in (")", "}", "]"):
                    depth -= 1
                end += 1
                if depth == 0 and (t == ";" or t == "}" and function):
                    break
            self.declare(toks[at:end], function)
            at = end

    def declare(self, toks, function):
        if toks[0] in ("_Static_assert", ";"):
            return
        p = Parser(self, toks)
        if function:
            i = len(toks) - 1  # from the end: the body, then the parameters, then the name
            brace = toks.index("{")
            depth, i = 0, brace - 1
            while True:
                depth += (toks[i] == ")") - (toks[i] == "(")
                if depth == 0:
                    break
                i -= 1
            self.functions[toks[i - 1]] = (toks[i + 1:brace - 1], toks[brace:])
            return
        typedef = p.accept("typedef")
        try:
            base = p.base()
            if p.accept(";"):
                return
            name, t = p.declarator(base)
        except (KeyError, CError):
            return  # a type that no function here has
        if typedef:
            vector = re.search(r"vector_size", " ".join(map(str, toks)))
            if p.peek() != "(":
                self.types[name] = ("vector",) if vector else t
            else:
                self.types[name] = VOID
        elif p.peek() in ("=", ";"):
            self.variables[name] = (t, toks[p.at:-1] if p.accept("=") else None)

    def function(self, name):
        """(parameters, body)"""
        if name not in self.parsed:
            params, body = self.functions[name]
            p, out = Parser(self, params), []
            while p.peek() is not None and params != ["void"]:
                out.append(p.declarator(p.base()))
                p.accept(",")
            self.parsed[name] = out, Parser(self, body).statement()
        return self.parsed[name]


def is_int(v):
    return isinstance(v, int)


class Machine:
    """Runs functions. meanings: {function: what it does, given the machine and its arguments}; globals: {name: Block}."""

    def __init__(self, unit, meanings):
        self.unit, self.meanings, self.scopes, self.globals = unit, meanings, [], {}

    def call(self, name, *args):
        if name in self.meanings:
            return self.meanings[name](*args)
        if name not in self.unit.functions:
            raise CError(f"{name} is neither defined nor given a meaning")
        params, body = self.unit.function(name)
        if len(params) != len(args):
            raise CError(f"{name} takes {len(params)} arguments")
        outer, self.scopes = self.scopes, [{}]
        for (param, t), v in zip(params, args):
            if t[0] == "arr":
                t = ("ptr", t[1])
            place = self.new(param, t)
            if t[0] == "struct":
                place.copy_from(v, t[2])
            else:
                place.store(self.converted(v, t))
        done = self.run(body)
        self.scopes = outer
        return done[1] if done and done[0] == "return" else None

    def new(self, name, t):
        place = Pointer(Block(name, size_of(t) if t[0] != "vector" else None), 0, t)
        self.scopes[-1][name] = place
        return place

    def place_of(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        if name not in self.globals:
            if name not in self.unit.variables:
                raise CError(f"unknown name {name}")
            t, init = self.unit.variables[name]
            place = self.globals[name] = Pointer(Block(name), 0, t)
            if init is not None and init != ["{", "}"]:  # a table
                outer, self.scopes = self.scopes, [{}]
                self.initialize(place, Parser(self.unit, init).initializer())
                self.scopes = outer
        return self.globals[name]

    # Statements

    def run(self, s):
        kind = s[0]
        if kind == "expression":
            self.value(s[1])
        elif kind == "declare":
            for name, t, init in s[1]:
                place = self.new(name, t)
                if init is not None:
                    self.initialize(place, init)
        elif kind == "block":
            self.scopes.append({})
            for x in s[1]:
                if done := self.run(x):
                    return done
            self.scopes.pop()
        elif kind == "if":
            branch = s[2] if self.true(s[1]) else s[3]
            return branch and self.run(branch)
        elif kind == "for":
            depth = len(self.scopes)
            self.scopes.append({})
            if s[1]:
                if s[1][0] == "block":
                    raise CError("a block begins a loop") if s[1][1] else None
                self.run(s[1])
            rounds = 0
            while s[2] is None or self.true(s[2]):
                rounds += 1
                if rounds > 1 << 14:
                    raise CError("a loop that does not end")
                done = self.run(s[4])
                if done:
                    if done[0] == "return":
                        return done
                    del self.scopes[depth + 1:]
                    if done[0] == "break":
                        break
                if s[3]:
                    self.value(s[3])
            del self.scopes[depth:]
        elif kind == "return":
            return ("return", None if s[1] is None else self.value(s[1])[0])
        else:
            return (kind,)
        return None

    def true(self, e):
        v = self.value(e)[0]
        if hasattr(v, "known"):
            v = v.known()
        if not is_int(v) and not isinstance(v, Pointer):
            raise CError(f"a branch on {v!r}")
        return v != 0

    def initialize(self, place, init):
        if init[0] != "list":
            v, t = self.value(init)
            if place.of[0] == "struct":
                place.copy_from(v, size_of(place.of))
            else:
                place.store(self.converted(v, place.of))
        elif place.of[0] == "arr":
            step = size_of(place.of[1])
            for i in range(place.of[2]):
                self.initialize(place.moved(step * i, place.of[1]), init[1][i] if i < len(init[1]) else ("list", []))
        elif place.of[0] == "struct":
            for i, (name, t, at) in enumerate(place.of[1]):
                self.initialize(place.moved(at, t), init[1][i] if i < len(init[1]) else ("list", []))
        else:
            self.initialize(place, init[1][0] if init[1] else ("number", 0))

    # Expressions: (value, type)

    def number(self, e):
        v = self.value(e)[0]
        if not is_int(v):
            raise CError("no constant")
        return v

    def converted(self, v, t):
        if t[0] == "int" and is_int(v):
            v &= (1 << t[1]) - 1
            return v - (1 << t[1]) if t[2] and v >> t[1] - 1 else v
        if t[0] == "ptr" and isinstance(v, Pointer):
            return v if t[1] == VOID else Pointer(v.block, v.at, t[1])
        return v

    def place(self, e):
        kind = e[0]
        if kind == "name":
            return self.place_of(e[1])
        if kind == "field":
            return self.place(e[1]).field(e[2])
        if kind == "index":
            p, (i, _) = self.value(e[1])[0], self.value(e[2])
            if hasattr(i, "of_table"):
                return i.of_table(p)
            if not isinstance(p, Pointer) or not is_int(i):
                raise CError(f"an index {i!r} of {p!r}")
            return p.moved(i * size_of(p.of))
        if kind == "unary" and e[1] == "*":
            return self.value(e[2])[0]
        if kind == "compound":
            place = Pointer(Block("compound"), 0, e[1])
            self.initialize(place, e[2])
            return place
        v, t = self.value(e)
        if t[0] == "struct":
            return v
        raise CError(f"no place: {e[0]}")

    def read(self, place):
        t = place.of
        if t[0] == "arr":
            return place.moved(0, t[1]), ("ptr", t[1])
        if t[0] == "struct":
            return place, t
        return place.load(), t

    def value(self, e):
        kind = e[0]
        if kind == "number":
            return e[1], INT if e[1] < 1 << 31 else U64
        if kind == "name" and not self.is_function(e[1]):
            return self.read(self.place_of(e[1]))
        if kind in ("field", "index", "compound"):
            return self.read(self.place(e))
        if kind == "call":
            name = e[1][1] if e[1][0] == "name" else None
            if name is None or any(name in scope for scope in self.scopes):
                name = self.value(e[1])[0]
            v = self.call(name, *(self.value(a)[0] for a in e[2]))
            if isinstance(v, Pointer):
                return v, (("ptr", v.of))
            return v, U64  # integers that functions give are words here
        if kind == "name":
            return e[1], VOID
        if kind == "assign":
            place = self.place(e[2])
            v, t = self.value(e[3]) if not e[1] else self.operate(e[1], self.read(place), self.value(e[3]))
            if place.of[0] == "struct":
                place.copy_from(v, size_of(place.of))
                return place, place.of
            place.store(self.converted(v, place.of))
            return place.load(), place.of
        if kind == "binary":
            if e[1] in ("&&", "||"):
                a = self.true(e[2])
                return int(self.true(e[3]) if a == (e[1] == "&&") else a), INT
            return self.operate(e[1], self.value(e[2]), self.value(e[3]))
        if kind == "unary":
            return self.unary(e[1], e[2])
        if kind == "post":
            place = self.place(e[2])
            old = self.read(place)
            place.store(self.converted(self.operate(e[1][0], old, (1, INT))[0], place.of))
            return old
        if kind == "cond":
            return self.value(e[2] if self.true(e[1]) else e[3])
        if kind == "cast":
            v, _ = self.value(e[2])
            return self.converted(v, e[1]), e[1]
        if kind == "comma":
            self.value(e[1])
            return self.value(e[2])
        if kind == "sizeof type":
            return size_of(e[1]), U64
        if kind == "sizeof":
            return size_of(self.place(e[1]).of), U64
        if kind == "text":
            return None, VOID
        raise CError(f"an expression of kind {kind}")

    def is_function(self, name):
        return not any(name in scope for scope in self.scopes) and (name in self.unit.functions or self.unit.variables.get(name, (None,))[0] == VOID)

    def unary(self, op, e):
        if op == "&":
            place = self.place(e)
            return place, ("ptr", place.of)
        if op == "*":
            return self.read(self.value(e)[0])
        if op in ("++", "--"):
            place = self.place(e)
            place.store(self.converted(self.operate(op[0], self.read(place), (1, INT))[0], place.of))
            return self.read(place)
        v, t = self.value(e)
        if op == "!":
            return int(not (isinstance(v, Pointer) or v)), INT
        if t[0] == "int" and t[1] < 32:
            t = INT
        if op == "+":
            return v, t
        return self.converted(-v if op == "-" else ~v, t), t

    def operate(self, op, a, b):
        (x, s), (y, t) = a, b
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            if op == "+" and is_int(y):
                return x.moved(y * size_of(x.of)), ("ptr", x.of)
            if op == "-" and is_int(y):
                return x.moved(-y * size_of(x.of)), ("ptr", x.of)
            if op in ("==", "!="):
                same = isinstance(x, Pointer) and isinstance(y, Pointer) and x.block is y.block and x.at == y.at
                return int(same == (op == "==")), INT
            raise CError(f"{op} of a pointer")
        s, t = (INT if u[0] != "int" or u[1] < 32 else u for u in (s, t))
        to = s if op in ("<<", ">>") or s[1] > t[1] or s[1] == t[1] and not s[2] else t
        if op in ("<<", ">>") and is_int(y) and not 0 <= y < to[1]:
            raise CError(f"a shift by {y}")
        if is_int(x) and is_int(y):
            if op not in ("<<", ">>"):
                x, y = self.converted(x, to), self.converted(y, to)
            if op in ("==", "!=", "<", ">", "<=", ">="):
                return int({"==": x == y, "!=": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[op]), INT
            if op in "/%":
                q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
                return self.converted(q if op == "/" else x - q * y, to), to
        v = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "<<": lambda: x << y, ">>": lambda: x >> y, "&": lambda: x & y,
             "|": lambda: x | y, "^": lambda: x ^ y}[op]()
        return (self.converted(v, to) if is_int(v) else v), to
