# SPDX-License-Identifier: Apache-2.0
"""A checker of the subset of DML that onnx-to-dml writes. It needs no Java (onnxfold_systemds runs scripts).

    check(text)     # raises Mistake: grammar, names before use, arguments of calls, sizes of matrices (onnxfold_dml_shapes)
"""

import math
import re

import onnxfold_dml_shapes as shapes
from onnxfold_dml_shapes import Mistake, Node

RESERVED = set(
    "as boolean Boolean double Double else externalFunction for function FALSE if ifdef implemented in int integer Int Integer"
    " parfor return setwd source string String TRUE while unknown Unknown Inf NaN pi".split()
)
TOKEN = re.compile(
    r'(?P<blank>[ \t\n]+|#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\[bfnrt"\'\\])*")|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?)'
    r"|(?P<name>(?:as|index|lower|upper)\.[a-z]+|\$?[A-Za-z][A-Za-z0-9_]*)|(?P<sign>%\*%|%/%|%%|<=|>=|==|!=|[-+*/^<>=!&|(){}\[\],:])"
)
LEVELS = [{"|"}, {"&"}, {"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/"}, {"%/%", "%%"}, {"%*%"}]
# Functions of DML that scripts call, and how many arguments without a key they may have.
BUILTINS = {name: (1, 1) for name in (
    "abs acos as.double as.integer as.logical as.matrix as.scalar asin atan avg_pool ceil colMaxs colMeans colMins colProds"
    " colSums cos cosh cummax cummin cumprod cumsum det diag exp floor inv isInf isNaN length log matrix max_pool mean ncol nrow read"
    " rev rowIndexMax rowIndexMin rowMaxs rowMeans rowMins rowProds rowSums sigmoid sign sin sinh sqrt stop sum t tan tanh trace"
).split()}
BUILTINS |= {name: (2, 2) for name in (
    "bias_add bias_multiply bitwAnd bitwOr bitwShiftL bitwShiftR bitwXor conv2d conv2d_backward_data ifdef roll solve"
    " write xor"
).split()}
BUILTINS |= {name: (3, 3) for name in "ifelse outer seq".split()}
BUILTINS |= {name: (0, 1) for name in "lower.tri order removeEmpty replace transformapply transformdecode upper.tri".split()}  # by key
BUILTINS |= {"cbind": (2, 999), "max": (1, 2), "min": (1, 2), "rbind": (2, 999), "stop": (1, 1), "table": (2, 5)}


class Checker:
    """A reader of the grammar by recursive descent, which knows the variables that are defined at each place."""

    def __init__(self, text):
        self.tokens, self.at, self.functions, self.trees = [], 0, {}, {}
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

    def node(self, kind, text="", *parts):
        return Node(kind, self.tokens[self.at][2], text, list(parts))

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
        """The statements of the driver part."""
        # Functions may be called before they are defined.
        for i, (_, text, _) in enumerate(self.tokens):
            if text == "function":
                self.functions[self.tokens[i - 2][1]] = None
        known, main = set(), []
        while self.tokens[self.at][0] != "end":
            if self.peek(1) == "=" and self.peek(2) == "function":
                self.function()
            else:
                main.append(self.statement(known))
        return main

    def parameters(self):
        found = []
        self.take("(")
        while self.peek() != ")":
            kind = self.take("matrix", "int", "double", "string")
            if kind == "matrix":
                self.take("["), self.take("double"), self.take("]")
            found.append((kind, self.newName()))
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        if len({name for _, name in found}) != len(found):
            self.fail("parameters of different names")
        return found

    def function(self):
        name = self.newName()
        if self.functions[name]:
            self.fail(f"one function {name}")
        self.take("="), self.take("function")
        inputs = self.parameters()
        self.take("return")
        outputs = self.parameters()
        self.functions[name] = (len(inputs), len(outputs))
        known = {one for _, one in inputs}
        body = self.block(known)
        if missing := {one for _, one in outputs} - known:
            self.fail(f"{name} to define {sorted(missing)}")
        self.trees[name] = (inputs, outputs, body)

    def block(self, known):
        body = []
        self.take("{")
        while self.peek() != "}":
            body.append(self.statement(known))
        self.take("}")
        return body

    def statement(self, known):
        word, node = self.peek(), self.node("assign")
        if word == "for":
            self.take(), self.take("(")
            node.kind, node.text = "for", self.newName()
            known.add(node.text)
            self.take("in")
            node.parts.append(self.expression(known))
            self.take(")")
            node.parts.append(self.block(known))
        elif word == "while":
            node.kind = self.take()
            self.take("(")
            node.parts.append(self.expression(known))
            self.take(")")
            node.parts.append(self.block(set(known)))
        elif word == "if":
            self.choice(known, node)
        elif word in ("stop", "write"):
            return self.expression(known)
        else:
            self.assignment(known, node)
        return node

    def choice(self, known, node):
        node.kind = self.take()
        self.take("(")
        condition = self.expression(known)
        self.take(")")
        branch, other = set(known), set(known)
        body, otherwise = self.block(branch), []
        if self.peek() == "else":
            self.take()
            otherwise = [self.statement(other)] if self.peek() == "if" else self.block(other)
            known |= branch & other
        node.parts = [condition, body, otherwise]

    def assignment(self, known, node):
        if self.peek() == "[":
            self.take()
            target = [self.newName()]
            while self.take(",", "]") == ",":
                target.append(self.newName())
            defined = target
        else:
            target = self.newName()
            defined = [target]
            if self.peek() == "[":
                if target not in known:
                    self.fail(f"a definition of {target}")
                target = self.indices(known, target)
        self.take("=")
        node.text, node.parts = ",".join(defined), [target, self.expression(known)]
        known.update(defined)

    def expression(self, known, level=0):
        if level == len(LEVELS):
            return self.power(known)
        left = self.expression(known, level + 1)
        while self.peek() in LEVELS[level]:
            node = self.node("binary", self.take(), left)
            node.parts.append(self.expression(known, level + 1))
            left = node
        return left

    def power(self, known):
        if self.peek() in ("-", "!"):
            node = self.node("unary", self.take())
            node.parts.append(self.power(known))
            return node
        left = self.atom(known)
        if self.peek() == "^":
            left = self.node("binary", self.take(), left)
            left.parts.append(self.power(known))
        return left

    def atom(self, known):
        kind, text, _ = self.tokens[self.at]
        node = self.node(kind, text)
        if text == "(":
            self.take()
            node = self.expression(known)
            self.take(")")
        elif text == "[":
            node = self.list(known)
        elif kind in ("number", "text"):
            self.take()
        elif kind == "name" and self.peek(1) == "(":
            node = self.call(known)
        elif kind == "name":
            if text not in known and text not in ("TRUE", "FALSE", "Inf", "NaN") and not text.startswith("$"):
                self.fail(f"a definition of {text} before its use")
            self.take()
            if self.peek() == "[":
                node = self.indices(known, text)
        else:
            self.fail("an expression")
        return node

    def list(self, known):
        node = self.node("list", self.take("["), self.expression(known))
        while self.take(",", "]") == ",":
            node.parts.append(self.expression(known))
        return node

    def indices(self, known, name):
        """Parts: the bounds of rows and those of columns, none for all of them."""
        node = self.node("index", name, [], [])
        self.take("[")
        for bounds, end in zip(node.parts, (",", "]")):
            if self.peek() != end:
                bounds.append(self.expression(known))
                if self.peek() == ":":
                    self.take()
                    bounds.append(self.expression(known))
            self.take(end)
        return node

    def call(self, known):
        at, node = self.at + 1, self.node("call", self.take())
        name, positional = node.text, 0
        self.take("(")
        while self.peek() != ")":
            key = ""
            if self.tokens[self.at][0] == "name" and self.peek(1) == "=":
                key = self.take()
                self.take("=")
            positional += not key
            node.parts.append((key, self.expression(known)))
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        least, most = BUILTINS.get(name, (0, -1))
        if name in self.functions:
            least = most = self.functions[name][0] if self.functions[name] else positional
        if not least <= positional <= most:
            self.at = at
            self.fail(f"{least} to {most} arguments of {name}, not {positional}")
        return node


PORT = re.compile(r"\(([^)]*)\)(, rows are '.*')?(, the numbers of .*)?$")


def sizesOf(port):
    """Rows and columns of "x: float32 (batch, 20)"."""
    found = PORT.search(port)
    dims = [int(one) if one.strip().isdigit() else shapes.BATCH for one in found[1].split(",") if one.strip()]
    if found[2]:  # the batch is another dimension of the model
        dims.insert(0, dims.pop(dims.index(shapes.BATCH)))
    return dims[0] if dims else 1, math.prod(dims[1:])


def written(statements):
    """The variables that a script writes; of frames of words the numbers."""
    for one in statements:
        if one.kind == "if":
            yield from written(one.parts[2])
        elif one.kind == "call" and one.text == "write":
            yield one.parts[0][1].text


def check(text):
    checker = Checker(text)
    main = checker.script()
    reads = re.findall(r"^ *(\w+) = read\(\w+(?:, data_type=\"matrix\")?\)    # (.*)$", text, re.MULTILINE)
    sizes = shapes.Shapes(checker.trees, main, {name: sizesOf(port) for name, port in reads}).run()
    outputs = re.findall(r"^# output (.*)$", text, re.MULTILINE)
    for name, port in zip(written(main), outputs):
        if isinstance(sizes[name], shapes.Matrix) and sizes[name].isKnown() and sizes[name] != shapes.Matrix(*sizesOf(port)):
            raise Mistake(f"{name} is {sizes[name]}, expected the matrix of {port}")
