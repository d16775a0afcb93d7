# SPDX-License-Identifier: Apache-2.0
"""Models that say a thing twice, or in two places, on the wire: no library writes most of them.

Each has what ONNX's checker and ONNX Runtime make of it, which test_said_twice.py establishes by running them, and what
becomes of it here: "same" as in ONNX Runtime, "kept" with a warning (the nodes concerned stay), or "refused", which is only
for what both refuse. `table()` is the table in onnx/io/RATIONALE.md.
"""

import struct
from dataclasses import dataclass

from onnxfold_wire import fixed32, message, number

FLOAT, INT64, BOOL = 1, 7, 9
OF_INT, OF_FLOAT, OF_TENSOR, OF_GRAPH, OF_FLOATS, OF_INTS = 2, 1, 4, 5, 6, 7  # AttributeProto.AttributeType
ONE_TWO, THREE_FOUR = [1.0, 2.0], [3.0, 4.0]
CASES = {}


@dataclass
class Case:
    """`runs`: the first output in ONNX Runtime for x = 1, 2, ..., or None where it refuses."""

    model: bytes
    checker: bool
    runs: list | None
    ours: str
    says: str = ""
    stays: str = ""  # the operator that must be there afterwards
    level: str = "-O0"  # the lowest at which it says so


def case(name, model, checker, runs, ours, says="", stays="", level="-O0"):
    CASES[name] = Case(model, checker, runs, ours, says, stays, level)


def same(name, model, runs, says="", level="-O0"):
    case(name, model, True, runs, "same", says, level=level)


def refused(name, model, says):
    case(name, model, False, None, "refused", says)


# ---- parts of models


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def type_(shape=(2,), kind=FLOAT):
    return message(1, number(1, kind) + message(2, b"".join(message(1, number(1, size)) for size in shape)))


def value(name, *of):
    return message(1, name) + message(2, type_(*of))


def nodeContent(operator, inputs, outputs, *attributes, domain=""):
    names = b"".join(message(1, name) for name in inputs) + b"".join(message(2, name) for name in outputs)
    of = message(7, domain) if domain else b""
    return names + message(4, operator) + of + b"".join(message(5, one) for one in attributes)


def node(*of, **more):
    return message(1, nodeContent(*of, **more))


def attribute(name, content, kind):
    return message(1, name) + content + number(20, kind)


def head(name, dims=(2,), kind=FLOAT):
    return b"".join(number(1, size) for size in dims) + number(2, kind) + message(8, name)


def tensor(name, values, dims=None):
    return head(name, dims or (len(values),)) + message(9, floats(*values))


def initializer(name, values, dims=None):
    return message(5, tensor(name, values, dims))


def sparse(name, one):
    values = number(1, 1) + number(2, FLOAT) + message(8, name) + message(9, floats(one))
    return message(15, message(1, values) + message(2, number(1, 1) + number(2, INT64) + message(9, bytes(8))) + number(3, 2))


def imports(field, *versions):
    return b"".join(message(field, message(1, domain) + number(2, version)) for domain, version in versions)


def model(graph, *versions, more=b"", ir=8):
    return number(1, ir) + message(7, message(2, "g") + graph) + imports(8, *(versions or [("", 17)])) + more


def function(name, inputs, outputs, body, *versions, attributes=(), more=b"", domain="f"):
    lists = [message(field, one) for field, names in ((4, inputs), (5, outputs), (6, attributes)) for one in names]
    nodes = message(7, body)
    every = imports(9, *(versions or [("", 17)]))
    return message(25, message(1, name) + b"".join(lists) + nodes + every + message(10, domain) + more)


X, Y = message(11, value("x")), message(12, value("y"))
ADDED = node("Add", ["x", "w"], ["y"]) + X + Y
NEGATED = node("Neg", ["w"], ["y"]) + Y  # of constants
W, W2 = initializer("w", ONE_TWO), initializer("w", THREE_FOUR)
C = initializer("c", ONE_TWO)

# ---- imports

WIDE = message(11, value("x", (1, 2, 2))) + message(12, value("y", (1, 2, 2)))
SOFTMAX = node("Softmax", ["x"], ["y"]) + WIDE
AT_13 = [[[0.26894143, 0.7310586], [0.26894143, 0.7310586]]]
AT_7 = [[[0.0320586, 0.08714432], [0.23688284, 0.6439143]]]
HOLDS = "the last one holds"
for first, second, result in ((7, 13, AT_13), (13, 7, AT_7)):
    for one, other in (("", ""), ("", "ai.onnx"), ("ai.onnx", ""), ("ai.onnx", "ai.onnx")):
        names = f"import of '{one}' at {first}, then of '{other}' at {second}"
        case(names, model(SOFTMAX, (one, first), (other, second)), True, result, "same", HOLDS)
same("import twice at one version", model(SOFTMAX, ("", 13), ("ai.onnx", 13)), AT_13)
CALL, CALLED = node("S", ["x"], ["y"], domain="f"), [("", 13), ("f", 1)]
BODY = nodeContent("Softmax", ["a"], ["b"])
case(
    "function imports at 7 and 13, model at 13",
    model(CALL + WIDE, *CALLED, more=function("S", "a", "b", BODY, ("", 7), ("", 13))),
    True,
    AT_13,
    "same",
    HOLDS,
)
case(
    "function imports at 13 and 7, model at 13",
    model(CALL + WIDE, *CALLED, more=function("S", "a", "b", BODY, ("", 13), ("", 7))),
    False,
    AT_13,
    "kept",
    "imports opset 7, and the model 13, in which Softmax is another one",
    "S",
)

# ---- singular fields of protobuf: of scalars the last one holds, messages are merged

same("ir_version 3, then 8", number(1, 3) + model(ADDED + W), [2.0, 4.0])
split = number(1, 8) + message(7, node("Neg", ["w"], ["y"])) + message(7, W + Y + message(2, "g")) + imports(8, ("", 17))
same("two graphs: merged", split, [-1.0, -2.0])
C23 = initializer("c", [1, 2, 3, 4, 5, 6], (2, 3))
Y23 = message(12, value("y", (2, 3)))
ROWS = [[0.09003057, 0.24472848, 0.66524094]] * 2
COLUMNS = [[0.04742587] * 3, [0.95257413] * 3]


def softmaxOf(*attributes):
    return model(node("Softmax", ["c"], ["y"], *attributes) + C23 + Y23)


axis = lambda content, kind=OF_INT: attribute("axis", content, kind)
same("i of an attribute: 0, then 1", softmaxOf(axis(number(3, 0) + number(3, 1))), ROWS)
same("type of an attribute: float, then int", softmaxOf(number(20, OF_FLOAT) + axis(number(3, 0))), COLUMNS)
same("name of an attribute", softmaxOf(message(1, "other") + axis(number(3, 0))), COLUMNS)
parts = message(5, number(1, 2) + number(2, FLOAT)) + message(5, message(9, floats(*ONE_TWO)))
same(
    "two t of an attribute: merged",
    model(node("Constant", [], ["w"], attribute("value", parts, OF_TENSOR)) + NEGATED),
    [-1.0, -2.0],
)
doubled = message(5, tensor("", ONE_TWO)) + message(5, tensor("", THREE_FOUR))
refused(
    "two t of an attribute: their dims make one shape",
    model(node("Constant", [], ["w"], attribute("value", doubled, OF_TENSOR)) + NEGATED),
    "has 8 bytes of raw_data, expected 16",
)
branch = lambda name, operator: node(operator, ["w"], [name])
halves = message(6, branch("t", "Abs")) + message(6, message(12, value("t")) + message(2, "t"))
whole = message(6, branch("e", "Neg") + message(12, value("e")) + message(2, "e"))
same(
    "two g of an attribute: merged",
    model(
        node("If", ["k"], ["y"], attribute("then_branch", halves, OF_GRAPH), attribute("else_branch", whole, OF_GRAPH))
        + message(5, number(2, BOOL) + message(8, "k") + message(9, b"\1"))
        + W
        + Y
    ),
    [1.0, 2.0],
)
same("op_type of a node", model(message(1, message(4, "Abs") + nodeContent("Neg", ["w"], ["y"])) + W + Y), [-1.0, -2.0])
same("name of an initializer", model(NEGATED + message(5, message(8, "v") + tensor("w", ONE_TWO))), [-1.0, -2.0])
same("raw_data", model(NEGATED + message(5, message(9, floats(9, 9)) + tensor("w", ONE_TWO))), [-1.0, -2.0])
same("data_type", model(NEGATED + message(5, number(2, INT64) + tensor("w", ONE_TWO))), [-1.0, -2.0])
inputTwice = message(11, message(1, "x") + message(2, type_()) + message(2, type_()))
same(
    "type of an input: their dims make one shape",
    model(node("Shape", ["x"], ["y"]) + inputTwice + message(12, value("y", (2,), INT64))),
    [2, 2],
)

# ---- attributes

refused(
    "two attributes of one name",
    softmaxOf(axis(number(3, 0)), axis(number(3, 1))),
    "node 'y' (Softmax) has two attributes 'axis', expected one",
)
case(
    "i and f in one attribute",
    softmaxOf(axis(number(3, 0) + fixed32(2, floats(1)))),
    False,
    None,
    "kept",
    "expected one of them",
    "Softmax",
)
case(
    "i and ints in one attribute",
    softmaxOf(axis(number(3, 0) + number(8, 1))),
    False,
    None,
    "kept",
    "expected one of them",
    "Softmax",
)
case(
    "i, and a type that says f",
    softmaxOf(axis(number(3, 0), OF_FLOAT)),
    False,
    None,
    "kept",
    "expected 'f' as its type says",
    "Softmax",
)
case("i without a type", softmaxOf(message(1, "axis") + number(3, 0)), False, None, "kept", "has no type", "Softmax")
same(
    "ints packed, then unpacked",
    model(
        node("Transpose", ["c"], ["y"], attribute("perm", message(8, b"\1") + number(8, 0), OF_INTS))
        + C23
        + message(12, value("y", (3, 2)))
    ),
    [[1, 4], [2, 5], [3, 6]],
)
ofTensor = lambda values: attribute("value", message(5, tensor("", values)), OF_TENSOR)
ofFloats = attribute("value_floats", message(7, floats(*THREE_FOUR)), OF_FLOATS)
case(
    "two value of Constant",
    model(node("Constant", [], ["w"], ofTensor(ONE_TWO), ofTensor(THREE_FOUR)) + NEGATED),
    False,
    [-1.0, -2.0],
    "kept",
    "node 'w' (Constant) has 2 values",
    "Neg",
)
case(
    "value, then value_floats of Constant",
    model(node("Constant", [], ["w"], ofTensor(ONE_TWO), ofFloats) + NEGATED),
    True,
    [-1.0, -2.0],
    "kept",
    "has 2 values",
    "Neg",
)
case(
    "value_floats, then value of Constant",
    model(node("Constant", [], ["w"], ofFloats, ofTensor(ONE_TWO)) + NEGATED),
    True,
    [-3.0, -4.0],
    "kept",
    "has 2 values",
    "Neg",
)

# ---- names

TAKEN = "initializer 'w' has the name of another initializer"
case("two initializers of one name", model(NEGATED + W + W2), False, [-3.0, -4.0], "kept", TAKEN, "Neg")
case("two equal initializers of one name", model(NEGATED + W + W), False, [-1.0, -2.0], "kept", TAKEN, "Neg")
case(
    "two initializers of one name, unread",
    model(node("Neg", ["x"], ["y"]) + X + Y + W + W2),
    False,
    [-1.0, -2.0],
    "kept",
    TAKEN,
    "Neg",
)
case(
    "two initializers of one name and other shapes", model(ADDED + W + initializer("w", [3])), False, None, "kept", TAKEN, "Add"
)
case(
    "two initializers of the name of an input",
    model(ADDED + message(11, value("w")) + W + W2),
    False,
    [4.0, 6.0],
    "kept",
    TAKEN,
    "Add",
)
case(
    "two initializers of one name, IR version 3",
    model(ADDED + message(11, value("w")) + W + W2, ir=3),
    False,
    [4.0, 6.0],
    "kept",
    TAKEN,
    "Add",
)
case("a dense and a sparse initializer of one name", model(ADDED + W + sparse("w", 5)), False, [6.0, 2.0], "kept", TAKEN, "Add")
case("two sparse initializers of one name", model(ADDED + sparse("w", 5) + sparse("w", 6)), False, None, "kept", TAKEN, "Add")
CONSTANT = node("Constant", [], ["w"], ofTensor(THREE_FOUR))
OF_EITHER = "both are kept, and so are the nodes that read it"
for name, graph, runs in (
    ("initializer", CONSTANT + ADDED + W, [4, 6]),
    ("initializer, read before it", ADDED + CONSTANT + W, [4, 6]),
    ("initializer of other shape", node("Constant", [], ["w"], ofTensor([1, 2, 3])) + ADDED + W, None),
    ("sparse initializer", CONSTANT + ADDED + sparse("w", 7), [8, 2]),
    ("two initializers", CONSTANT + ADDED + W + W2, [4, 6]),
    ("input", CONSTANT + ADDED + message(11, value("w")), [4, 6]),
    ("input and initializer", CONSTANT + ADDED + W + message(11, value("w")), [4, 6]),
    ("Constant node", CONSTANT + node("Constant", [], ["w"], ofTensor(ONE_TWO)) + ADDED, [2, 4]),
    ("two Constant nodes", CONSTANT + node("Constant", [], ["w"], ofTensor(ONE_TWO)) + CONSTANT + ADDED, [4, 6]),
    ("initializer and Constant node", CONSTANT + node("Constant", [], ["w"], ofTensor(ONE_TWO)) + ADDED + W, [2, 4]),
):
    case(f"Constant node and {name} of one name", model(graph), False, runs, "kept", OF_EITHER, "Constant")
case(
    "Constant node and initializer of one name, an output",
    model(node("Constant", [], ["y"], ofTensor(THREE_FOUR)) + Y + initializer("y", ONE_TWO)),
    False,
    [3, 4],
    "kept",
    OF_EITHER,
    "Constant",
)
case(
    "Constant node and initializer of one name, unread",
    model(CONSTANT + node("Abs", ["x"], ["y"]) + X + Y + W),
    False,
    [1, 2],
    "kept",
    OF_EITHER,
)
case(
    "Constant node and initializer of one name in a body",
    model(
        node(
            "If",
            ["t"],
            ["y"],
            attribute("then_branch", message(6, message(2, "t") + CONSTANT + node("Add", ["x", "w"], ["p"]) + W + message(12, value("p"))), 5),
            attribute("else_branch", message(6, message(2, "e") + node("Neg", ["x"], ["q"]) + message(12, value("q"))), 5),
        )
        + X
        + Y
        + message(5, head("t", (), BOOL) + message(9, b"\x01"))
    ),
    False,
    None,
    "kept",
    OF_EITHER,
)
refused("initializer and node output", model(node("Abs", ["c"], ["w"]) + NEGATED + C + W), "value 'w' is defined twice")
same(
    "initializer and graph output",
    model(node("Abs", ["x"], ["z"]) + X + message(12, value("z")) + initializer("y", [1, 2]) + Y),
    [1.0, 2.0],
)
refused("two inputs of one name", model(node("Neg", ["x"], ["y"]) + X + X + Y), "input 'x' is defined twice")
same("two outputs of one name", model(node("Neg", ["c"], ["y"]) + C + Y + Y), [-1.0, -2.0])
refused(
    "one node, two outputs of one name",
    model(node("Split", ["c"], ["y", "y"]) + initializer("c", [1, 2, 3, 4]) + Y),
    "value 'y' is defined twice",
)
refused(
    "two nodes, one output name",
    model(node("Neg", ["c"], ["y"]) + node("Abs", ["c"], ["y"]) + C + Y),
    "value 'y' is defined twice",
)
refused(
    "node output and graph input",
    model(node("Neg", ["x"], ["x"]) + node("Abs", ["x"], ["y"]) + X + Y),
    "value 'x' is defined twice",
)
inside = message(6, branch("v", "Abs") + message(12, value("v")) + message(2, "t"))
refused(
    "node output in a body, and a value around it",
    model(
        node("If", ["k"], ["y"], attribute("then_branch", inside, OF_GRAPH), attribute("else_branch", whole, OF_GRAPH))
        + message(5, number(2, BOOL) + message(8, "k") + message(9, b"\1"))
        + W
        + initializer("v", [5, 6])
        + Y
    ),
    "value 'v' is defined twice",
)
ENTRY = lambda text: message(14, message(1, "k") + message(2, text))
case("two metadata entries of one key", model(NEGATED + W, more=ENTRY("a") + ENTRY("b")), False, [-1.0, -2.0], "same")

# ---- types

HIDDEN = node("NonZero", ["x"], ["h"]) + node("Shape", ["h"], ["y"]) + X + message(12, value("y", (2,), INT64))
of = lambda size: message(13, value("h", (1, size), INT64))
same("value_info twice, alike", model(HIDDEN + of(2) + of(2)), [1, 2])
case(
    "value_info twice, [1,3] and [1,2]",
    model(HIDDEN + of(3) + of(2)),
    True,
    [1, 2],
    "kept",
    "the type of value 'h' is stated twice, and differently",
    "Shape",
)
case(
    "value_info twice, [1,2] and [1,3]",
    model(HIDDEN + of(2) + of(3)),
    True,
    [1, 2],
    "kept",
    "the type of value 'h' is stated twice, and differently",
    "Shape",
)
case(
    "value_info and graph output",
    model(node("NonZero", ["x"], ["y"]) + message(13, value("y", (1, 3), INT64)) + X + message(12, value("y", (1, 2), INT64))),
    True,
    [[0, 1]],
    "kept",
    "is stated twice",
    "NonZero",
)
OTHER = "initializer 'w' has another type than the input of its name"
SHAPED = node("Shape", ["w"], ["y"]) + W + message(12, value("y", (1,), INT64))
for ir in (3, 8):
    wide = model(SHAPED + message(11, value("w", (3,))), ir=ir)
    case(f"initializer [2] and input [3], IR version {ir}", wide, True, None, "kept", OTHER, "Shape")
    same(f"initializer [2] and input [2], IR version {ir}", model(SHAPED + message(11, value("w")), ir=ir), [2])
same(
    "value_info and graph input",
    model(node("Shape", ["x"], ["y"]) + message(13, value("x", (3,))) + X + message(12, value("y", (1,), INT64))),
    [2],
    "the model says that 'x' is tensor<3xf32>, inferred is tensor<2xf32>",
    "-O1",
)
same(
    "value_info and initializer",
    model(node("Shape", ["w"], ["y"]) + W + message(13, value("w", (3,))) + message(12, value("y", (1,), INT64))),
    [2],
)

# ---- functions

NEG, ABS = nodeContent("Neg", ["a"], ["b"]), nodeContent("Abs", ["a"], ["b"])
CALLS = node("S", ["w"], ["y"], domain="f") + W + Y
of1 = [("", 17), ("f", 1)]
refused(
    "two functions of one name",
    model(CALLS, *of1, more=function("S", "a", "b", NEG) + function("S", "a", "b", ABS)),
    "has two functions 'S' of domain 'f'",
)
same(
    "two functions of one name, two overloads",
    model(CALLS, *of1, ir=10, more=function("S", "a", "b", NEG) + function("S", "a", "b", ABS, more=message(13, "o"))),
    [-1.0, -2.0],
)
same("name of a function", model(CALLS, *of1, more=function("S", "a", "b", NEG, more=message(10, "f"))), [-1.0, -2.0])
two = node("S", ["w", "c"], ["y"], domain="f") + W + initializer("c", THREE_FOUR) + Y
case(
    "two inputs of a function of one name",
    model(two, *of1, more=function("S", "aa", "b", NEG)),
    False,
    [-3.0, -4.0],
    "kept",
    "names the input 'a' twice",
    "S",
)
both = node("S", ["w"], ["y", "z"], domain="f") + W + Y + message(12, value("z"))
case(
    "two outputs of a function of one name",
    model(both, *of1, more=function("S", "a", "bb", NEG)),
    False,
    None,
    "kept",
    "names the output 'b' twice",
    "S",
)
LEAKY = nodeContent("LeakyRelu", ["a"], ["b"], message(1, "alpha") + number(20, OF_FLOAT) + message(21, "p"))
given = lambda one: attribute("p", fixed32(2, floats(one)), OF_FLOAT)
scaled = lambda *attributes: node("S", ["w"], ["y"], *attributes, domain="f") + initializer("w", [-1, 2]) + Y
case(
    "two attributes of a function of one name",
    model(scaled(given(3)), *of1, more=function("S", "a", "b", LEAKY, attributes="pp")),
    False,
    [-3.0, 2.0],
    "kept",
    "names the attribute 'p' twice",
    "S",
)
default = lambda one: message(11, given(one))
same(
    "two default values of an attribute of a function",
    model(scaled(), *of1, ir=9, more=function("S", "a", "b", LEAKY, more=default(3) + default(5))),
    [-3.0, 2.0],
)
refused(
    "two attributes of a call of one name",
    model(scaled(given(3), given(5)), *of1, more=function("S", "a", "b", LEAKY, attributes="p")),
    "has two attributes 'p'",
)
valued = nodeContent(
    "LeakyRelu", ["a"], ["b"], message(1, "alpha") + number(20, OF_FLOAT) + message(21, "p") + fixed32(2, floats(7))
)
same(
    "reference and value in an attribute of a body",
    model(scaled(given(3)), *of1, more=function("S", "a", "b", valued, attributes="p")),
    [-3.0, 2.0],
)

# ---- values of tensors

RAW, TYPED = message(9, floats(*ONE_TWO)), message(4, floats(*THREE_FOUR))
with_ = lambda content: model(NEGATED + message(5, head("w") + content))
ONE = "expected one of them"
case("raw_data, then float_data", with_(RAW + TYPED), False, [-1.0, -2.0], "kept", ONE, "Neg")
case("float_data, then raw_data", with_(TYPED + RAW), False, [-1.0, -2.0], "kept", ONE, "Neg")
case("empty raw_data and float_data", with_(message(9, b"") + TYPED), True, None, "kept", "an empty raw_data", "Neg")
same("raw_data and empty float_data", with_(RAW + message(4, b"")), [-1.0, -2.0])
case("raw_data and string_data", with_(RAW + message(6, b"a")), False, [-1.0, -2.0], "kept", ONE, "Neg")
case("float_data and int32_data", with_(TYPED + message(5, b"\5\6")), False, [-3.0, -4.0], "kept", ONE, "Neg")
refused("int32_data of a float tensor", with_(message(5, b"\5\6")), "has values in int32_data, expected float_data")
same("float_data packed and unpacked", with_(fixed32(4, floats(3)) + message(4, floats(4))), [-3.0, -4.0])
same(
    "dims packed and unpacked",
    model(
        node("Neg", ["w"], ["y"])
        + message(5, message(1, b"\1") + number(1, 2) + number(2, FLOAT) + message(8, "w") + RAW)
        + message(12, value("y", (1, 2)))
    ),
    [[-1.0, -2.0]],
)
inConstant = attribute("value", message(5, head("") + RAW + TYPED), OF_TENSOR)
case(
    "raw_data and float_data in Constant",
    model(node("Constant", [], ["w"], inConstant) + NEGATED),
    False,
    [-1.0, -2.0],
    "kept",
    ONE,
    "Neg",
)
entry = lambda key, text: message(13, message(1, key) + message(2, text))
OUTSIDE = number(14, 1)
FILES = {"w.bin": floats(*ONE_TWO, 7, 8), "v.bin": floats(50, 60)}
case(
    "external data and raw_data",
    with_(message(9, floats(30, 40)) + entry("location", "w.bin") + OUTSIDE),
    False,
    [-1.0, -2.0],
    "kept",
    "external data in 'w.bin' and values of its own",
    "Neg",
)
case(
    "external data and float_data",
    with_(TYPED + entry("location", "w.bin") + OUTSIDE),
    False,
    [-1.0, -2.0],
    "kept",
    "external data in 'w.bin' and values of its own",
    "Neg",
)
same("external_data and raw_data, data_location 0", with_(RAW + entry("location", "v.bin")), [-1.0, -2.0])
same("data_location 1, then 0", with_(RAW + entry("location", "v.bin") + OUTSIDE + number(14, 0)), [-1.0, -2.0])
case(
    "two locations of external data",
    with_(entry("location", "v.bin") + entry("location", "w.bin") + OUTSIDE),
    True,
    None,
    "kept",
    "has external data with 2 locations",
    "Neg",
)
located = entry("location", "w.bin") + entry("length", "8")
same("two offsets of external data", with_(located + entry("offset", "0") + entry("offset", "8") + OUTSIDE), [-7.0, -8.0])
same("two lengths of external data", with_(entry("length", "4") + located + OUTSIDE), [-1.0, -2.0])


def table():
    """The table in onnx/io/RATIONALE.md."""
    lines = ["| Twice, or in two places | ONNX's checker | ONNX Runtime | onnx-fold |", "|---|---|---|---|"]
    for name, one in CASES.items():
        checker = "accepts" if one.checker else "refuses"
        lines.append(f"| {name} | {checker} | {'runs' if one.runs is not None else 'refuses'} | {one.ours} |")
    return "\n".join(lines) + "\n"
