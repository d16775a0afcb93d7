"""A checker of the subset of DML that onnx-to-dml writes. It needs no Java (onnxfold_systemds runs scripts).

    check(text)                                  # raises Mistake: grammar, names before use, arguments of calls
"""

import re

RESERVED = set(
    "as boolean Boolean double Double else externalFunction for function FALSE if ifdef implemented in int integer Int Integer"
    " parfor return setwd source string String TRUE while unknown Unknown Inf NaN pi".split()
)
TOKEN = re.compile(
    r'(?P<blank>[ \t\n]+|#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\[bfnrt"\'\\])*")|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?)'
    r"|(?P<name>as\.scalar|\$?[A-Za-z][A-Za-z0-9_]*)|(?P<sign>%\*%|%/%|%%|<=|>=|==|!=|[-+*/^<>=!&|(){}\[\],:])"
)
LEVELS = [{"|"}, {"&"}, {"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/"}, {"%/%", "%%"}, {"%*%"}]
# Functions of DML that scripts call, and how many arguments without a key they may have.
BUILTINS = {name: (1, 1) for name in (
    "abs acos asin atan ceil cos cosh cumsum exp floor isInf isNaN log ncol nrow rev rowIndexMax rowIndexMin rowMaxs rowMeans"
    " rowMins rowProds rowSums sign sin sinh sqrt t tan tanh read matrix avg_pool max_pool"
).split()}
BUILTINS |= {"as.scalar": (1, 1), "bias_add": (2, 2), "bias_multiply": (2, 2), "conv2d": (2, 2), "ifelse": (3, 3)}
BUILTINS |= {"max": (2, 2), "min": (2, 2), "cbind": (2, 999), "seq": (3, 3), "ifdef": (2, 2), "write": (2, 2)}


class Mistake(Exception):
    """What is wrong with a script, and in which line."""


class Checker:
    """A reader of the grammar by recursive descent, which knows the variables that are defined at each place."""

    def __init__(self, text):
        self.tokens, self.at, self.functions = [], 0, {}
        place = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise Mistake(f"line {text.count(chr(10), 0, place) + 1}: no token at {text[place : place + 20]!r}")
            if match.lastgroup != "blank":
                self.tokens.append((match.lastgroup, match.group(), text.count("\n", 0, place) + 1))
            place = match.end()
        self.tokens.append(("end", "", text.count("\n") + 1))

    def fail(self, expected):
        _, text, line = self.tokens[self.at]
        raise Mistake(f"line {line}: {text!r}, expected {expected}")

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self, *expected):
        if expected and self.peek() not in expected:
            self.fail(" or ".join(expected))
        self.at += 1
        return self.tokens[self.at - 1][1]

    def newName(self):
        kind, text, _ = self.tokens[self.at]
        if kind != "name" or text in RESERVED or "." in text or text.startswith("$"):
            self.fail("the name of a variable")
        return self.take()

    def script(self):
        # Functions may be called before they are defined.
        for i, (_, text, _) in enumerate(self.tokens):
            if text == "function":
                self.functions[self.tokens[i - 2][1]] = None
        known = set()
        while self.tokens[self.at][0] != "end":
            if self.peek(1) == "=" and self.peek(2) == "function":
                self.function()
            else:
                self.statement(known)

    def parameters(self):
        names = []
        self.take("(")
        while self.peek() != ")":
            if self.take("matrix", "int") == "matrix":
                self.take("["), self.take("double"), self.take("]")
            names.append(self.newName())
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        if len(set(names)) != len(names):
            self.fail("parameters of different names")
        return names

    def function(self):
        name = self.newName()
        if self.functions[name]:
            self.fail(f"one function {name}")
        self.take("="), self.take("function")
        inputs = self.parameters()
        self.take("return")
        outputs = self.parameters()
        self.functions[name] = (len(inputs), len(outputs))
        known = set(inputs)
        self.block(known)
        if missing := set(outputs) - known:
            self.fail(f"{name} to define {sorted(missing)}")

    def block(self, known):
        self.take("{")
        while self.peek() != "}":
            self.statement(known)
        self.take("}")

    def statement(self, known):
        word = self.peek()
        if word == "for":
            self.take(), self.take("(")
            known.add(self.newName())
            self.take("in"), self.expression(known), self.take(")")
            self.block(known)
        elif word == "if":
            self.take(), self.take("("), self.expression(known), self.take(")")
            branch = set(known)
            self.block(branch)
            if self.peek() == "else":
                self.take()
                other = set(known)
                self.block(other)
                known |= branch & other
        elif word == "write":
            self.expression(known)
        elif word == "[":
            self.take()
            targets = [self.newName()]
            while self.take(",", "]") == ",":
                targets.append(self.newName())
            self.take("="), self.expression(known)
            known.update(targets)
        else:
            name = self.newName()
            if self.peek() == "[":
                if name not in known:
                    self.fail(f"a definition of {name}")
                self.indices(known)
            self.take("="), self.expression(known)
            known.add(name)

    def expression(self, known, level=0):
        if level == len(LEVELS):
            return self.power(known)
        self.expression(known, level + 1)
        while self.peek() in LEVELS[level]:
            self.take()
            self.expression(known, level + 1)

    def power(self, known):
        if self.peek() in ("-", "!"):
            self.take()
            return self.power(known)
        self.atom(known)
        if self.peek() == "^":
            self.take()
            self.power(known)

    def atom(self, known):
        kind, text, _ = self.tokens[self.at]
        if text == "(":
            self.take(), self.expression(known), self.take(")")
        elif text == "[":
            self.list(known)
        elif kind in ("number", "text"):
            self.take()
        elif kind == "name" and self.peek(1) == "(":
            self.call(known)
        elif kind == "name":
            if text not in known and text not in ("TRUE", "FALSE", "Inf", "NaN") and not text.startswith("$"):
                self.fail(f"a definition of {text} before its use")
            self.take()
            if self.peek() == "[":
                self.indices(known)
        else:
            self.fail("an expression")

    def list(self, known):
        self.take("["), self.expression(known)
        while self.take(",", "]") == ",":
            self.expression(known)

    def indices(self, known):
        self.take("[")
        for end in (",", "]"):
            if self.peek() != end:
                self.expression(known)
                if self.peek() == ":":
                    self.take(), self.expression(known)
            self.take(end)

    def call(self, known):
        name, positional, at = self.take(), 0, self.at
        self.take("(")
        while self.peek() != ")":
            if self.tokens[self.at][0] == "name" and self.peek(1) == "=":
                self.take(), self.take("=")
            else:
                positional += 1
            self.expression(known)
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        least, most = BUILTINS.get(name, (0, -1))
        if name in self.functions:
            least = most = self.functions[name][0] if self.functions[name] else positional
        if not least <= positional <= most:
            self.at = at
            self.fail(f"{least} to {most} arguments of {name}, not {positional}")


def check(text):
    Checker(text).script()
