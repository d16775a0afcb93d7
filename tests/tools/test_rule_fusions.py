# SPDX-License-Identifier: Apache-2.0
"""--rules=fusions: what becomes one operator, what is nearly that and stays, and that ONNX Runtime computes the same."""

import re

import numpy as np
import onnx
import onnx.reference
import pytest
from onnx import parser

import onnxfold_models as m
import onnxfold_oracles as oracles
import onnxfold_testing as t

LAYER_NORM = """axes = Constant <value_ints = [-1]> ()
epsilon = Constant <value_float = 0.00001> ()
mean = ReduceMean (x, axes)
d = Sub (x, mean)
square = Mul (d, d)
variance = ReduceMean (square, axes)
moved = Add (variance, epsilon)
root = Sqrt (moved)
n = Div (d, root)
"""
RMS_NORM = """axes = Constant <value_ints = [-1]> ()
two = Constant <value_float = 2.0> ()
epsilon = Constant <value_float = 0.000001> ()
square = Pow (x, two)
variance = ReduceMean (square, axes)
moved = Add (variance, epsilon)
root = Sqrt (moved)
one = Constant <value_float = 1.0> ()
inverse = Div (one, root)
n = Mul (x, inverse)
"""
AFFINE = """axes = Constant <value_ints = [-1]> ()
epsilon = Constant <value_float = 0.00001> ()
mean = ReduceMean (x, axes)
d = Sub (x, mean)
square = Mul (d, d)
variance = ReduceMean (square, axes)
moved = Add (variance, epsilon)
root = Sqrt (moved)
r = Div (w, root)
scaled = Mul (x, r)
away = Mul (mean, r)
shift = Sub (b, away)
y = Add (scaled, shift)
"""
GROUPS = """first = Constant <value_ints = [0, 2, -1]> ()
one = Constant <value = float[2] {1, 1}> ()
zero = Constant <value = float[2] {0, 0}> ()
last = Constant <value_ints = [0, 4, 3, 2]> ()
p = Reshape (x, first)
i = InstanceNormalization (p, one, zero)
q = Reshape (i, last)
s = Mul (q, w)
y = Add (s, b)
"""
INSTANCE = """axes = Constant <value_ints = [2, 3]> ()
epsilon = Constant <value_float = 0.001> ()
mean = ReduceMean (x, axes)
d = Sub (x, mean)
square = Mul (d, d)
variance = ReduceMean (square, axes)
moved = Add (variance, epsilon)
root = Sqrt (moved)
n = Div (d, root)
s = Mul (n, w)
y = Add (s, b)
"""
ATTENTION = """c = Constant <value_float = 2.0> ()
kt = Transpose <perm = [0, 1, 3, 2]> (k)
dots = MatMul (q, kt)
scores = Div (dots, c)
masked = Add (scores, mask)
weights = Softmax <axis = -1> (masked)
y = MatMul (weights, v)
"""
GROUPED = """two = Constant <value_ints = [2]> ()
wide = Constant <value_ints = [1, 1, 2, 1, 1]> ()
heads = Constant <value_ints = [0, 4, 5, 8]> ()
ku = Unsqueeze (k, two)
ke = Expand (ku, wide)
kr = Reshape (ke, heads)
vu = Unsqueeze (v, two)
ve = Expand (vu, wide)
vr = Reshape (ve, heads)
kt = Transpose <perm = [0, 1, 3, 2]> (kr)
a = Constant <value_float = 0.5> ()
qa = Mul (q, a)
ka = Mul (kt, a)
scores = MatMul (qa, ka)
weights = Softmax <axis = -1> (scores)
y = MatMul (weights, vr)
"""
ROTARY = """one = Constant <value_ints = [1]> ()
begin = Constant <value_ints = [0]> ()
half = Constant <value_ints = [2]> ()
most = Constant <value_ints = [9223372036854775807]> ()
axes = Constant <value_ints = [3]> ()
angles = Concat <axis = -1> (f, f)
c = Cos (angles)
s = Sin (angles)
cu = Unsqueeze (c, one)
su = Unsqueeze (s, one)
x1 = Slice (x, begin, half, axes)
x2 = Slice (x, half, most, axes)
minus = Neg (x2)
turned = Concat <axis = -1> (minus, x1)
p = Mul (x, cu)
q = Mul (turned, su)
y = Add (p, q)
"""
def fixed(name, function):
    """Cosines or sines of five positions and two frequencies, as a constant of rank 4."""
    numbers = [repr(float(np.float32(function(place * frequency)))) for place in range(5) for frequency in (1, 0.1, 1, 0.1)]
    return f"{name} = Constant <value = float[1, 1, 5, 4] {{{', '.join(numbers)}}}> ()\n"


FIXED_ROTARY = fixed("cu", np.cos) + fixed("su", np.sin) + "".join(
    line + "\n" for line in ROTARY.splitlines() if not re.match("one|angles|[cs]u? =", line)
)
GELU = """root = Constant <value_float = 1.41421353816986083984> ()
one = Constant <value_float = 1.0> ()
part = Div (x, root)
e = Erf (part)
sum = Add (e, one)
p = Mul (x, sum)
y = MatMul (p, w)
"""
LOG_SUM = """axes = Constant <value_ints = [1]> ()
most = ReduceMax (x, axes)
d = Sub (x, most)
e = Exp (d)
s = ReduceSum (e, axes)
l = Log (s)
y = Add (l, most)
"""
SHUFFLE = """first = Constant <value_ints = [1, 3, 2, 2, 4, 5]> ()
last = Constant <value_ints = [1, 3, 8, 10]> ()
p = Reshape (x, first)
q = Transpose <perm = [0, 1, 4, 2, 5, 3]> (p)
y = Reshape (q, last)
"""
TO_DEPTH = """first = Constant <value_ints = [1, 3, 4, 2, 5, 2]> ()
last = Constant <value_ints = [1, 12, 4, 5]> ()
p = Reshape (x, first)
q = Transpose <perm = [0, 3, 5, 1, 2, 4]> (p)
y = Reshape (q, last)
"""
X = "float[2, 3, 8] x"
SCALED = X + ", float[8] w, float[8] b"
IMAGE = "float[2, 4, 3, 2] x, float[4, 1, 1] w, float[4, 1, 1] b"
HEADS = "float[2, 3, 5, 4] q, float[2, 3, 5, 4] k, float[2, 3, 5, 4] v, float[2, 1, 1, 5] mask"
FEW_HEADS = "float[2, 4, 5, 8] q, float[2, 2, 5, 8] k, float[2, 2, 5, 8] v"

# opset, inputs, nodes, what is left (but constants; weights that are inputs are reshaped)
HITS = {
    "layer norm": (18, SCALED, LAYER_NORM + "s = Mul (n, w)\ny = Add (s, b)", {"LayerNormalization"}),
    "layer norm without scale": (18, X, LAYER_NORM + "y = Identity (n)", {"LayerNormalization"}),
    "layer norm of opset 17": (
        17, X, LAYER_NORM.replace("axes = Constant <value_ints = [-1]> ()\n", "").replace("ReduceMean (x, axes)", "ReduceMean <axes = [-1]> (x)")
        .replace("ReduceMean (square, axes)", "ReduceMean <axes = [-1]> (square)") + "y = Identity (n)", {"LayerNormalization"},
    ),
    "layer norm as of tf2onnx": (18, SCALED, AFFINE, {"LayerNormalization"}),
    "rms norm": (23, SCALED, RMS_NORM + "y = Mul (w, n)", {"RMSNormalization"}),
    "rms norm without scale": (23, X, RMS_NORM + "y = Identity (n)", {"RMSNormalization"}),
    "group norm": (21, IMAGE, GROUPS, {"GroupNormalization", "Reshape"}),
    "instance norm": (18, IMAGE, INSTANCE, {"InstanceNormalization", "Reshape"}),
    "attention": (23, HEADS, ATTENTION, {"Expand", "Attention"}),
    "grouped attention": (23, FEW_HEADS, GROUPED, {"Attention"}),
    "rotary embedding": (23, "float[2, 3, 5, 4] x, float[2, 5, 2] f", ROTARY, {"Cos", "Sin", "RotaryEmbedding"}),
    "rotary embedding of fixed positions": (23, "float[2, 3, 5, 4] x", FIXED_ROTARY, {"RotaryEmbedding"}),
    "gelu whose half is elsewhere": (20, "float[3, 8] x, float[8, 2] w", GELU, {"Gelu", "Mul", "MatMul"}),
    "log sum exp": (18, "float[3, 8] x", LOG_SUM, {"ReduceLogSumExp"}),
    "pixel shuffle": (14, "float[1, 12, 4, 5] x", SHUFFLE, {"DepthToSpace"}),
    "space to depth": (14, "float[1, 3, 8, 10] x", TO_DEPTH, {"SpaceToDepth"}),
    "swish": (24, X, "a = Constant <value_float = 1.702> ()\np = Mul (x, a)\ng = Sigmoid (p)\ny = Mul (x, g)", {"Swish"}),
    "leaky relu": (16, X, "a = Constant <value_float = 0.1> ()\np = Mul (x, a)\ny = Max (x, p)", {"LeakyRelu"}),
    "softplus with a threshold": (
        13, X, "c = Constant <value_float = 20.0> ()\ng = Greater (x, c)\ns = Softplus (x)\ny = Where (g, x, s)", {"Softplus"},
    ),
    "hard swish": (
        14, X, "three = Constant <value_float = 3.0> ()\nzero = Constant <value_float = 0.0> ()\nsix = Constant <value_float = 6.0> ()\n"
        "c = Constant <value_float = 0.16666667163372039795> ()\ns = Add (x, three)\n"
        "g = Clip (s, zero, six)\np = Mul (g, c)\ny = Mul (x, p)", {"HardSwish"},
    ),
}


def model(folder, opset, inputs, nodes, outputs="y"):
    kind = re.search(r"u?int\d+|float", inputs)[0]
    results = ", ".join(f"{kind}[] {one}" for one in outputs.split())
    text = f'<ir_version: 8, opset_import: ["" : {opset}]>\ng ({inputs}) => ({results}) {{\n{nodes}\n}}'
    made = parser.parse_model(text)
    for one in made.graph.output:
        one.type.tensor_type.ClearField("shape")
    onnx.save(onnx.shape_inference.infer_shapes(made, check_type=True), folder / "m.onnx")
    return folder / "m.onnx"


def folded(source, *flags):
    out = source.with_name("out.onnx")
    t.runOk("-O2", "--max-growth=unlimited", *flags, "-o", out, source)
    return onnx.load(out)


def left(made):
    return {one for one in m.operators(made) if one not in ("Constant", "Identity")}


@pytest.mark.parametrize("case", HITS)
def test_fusions(folder, case):
    opset, inputs, nodes, expected = HITS[case]
    source = model(folder, opset, inputs, nodes)
    made = folded(source, "--rules=fusions")
    assert left(made) == expected
    onnx.checker.check_model(made, full_check=True)
    draw = np.random.default_rng(1)
    original = onnx.load(source)
    feeds = {one.name: draw.uniform(-2, 2, [d.dim_value for d in one.type.tensor_type.shape.dim]).astype(np.float32) for one in original.graph.input}
    for before, after in zip(oracles.runModel(original, feeds), oracles.runModel(made, feeds)):
        assert before.shape == after.shape
        np.testing.assert_allclose(after, before, rtol=0, atol=8 * np.spacing(np.abs(before).max(initial=1)))
    t.runOk("-O2", "--max-growth=unlimited", "--rules=fusions", "--check", source.with_name("out.onnx"))


EPSILON = "epsilon = Constant <value_float = 0.00001> ()\n"
AROUND = {"Expand", "Cos", "Sin", "Mul", "MatMul", "Reshape"}  # what stays beside what is fused
# what is replaced in a case, its inputs or one more, and further outputs
NEAR = {
    "the epsilon is an input": ("layer norm without scale", {EPSILON: ""}, "float epsilon", ""),
    "the epsilon is one for each place": ("layer norm without scale", {EPSILON: ""}, "float[8] epsilon", ""),
    "the mean is of another axis": ("layer norm without scale", {"[-1]": "[1]"}, "", ""),
    "one mean is of another axis": ("layer norm without scale", {"ReduceMean (square, axes)": "ReduceMean (square)"}, "", ""),
    "the deviation has another reader": ("layer norm without scale", {}, "", "root"),
    "the difference has another reader": ("rms norm without scale", {}, "", "square"),
    "the square is of another value": ("layer norm without scale", {"Mul (d, d)": "Mul (d, x)"}, "", ""),
    "the power is 3": ("rms norm without scale", {"2.0": "3.0"}, "", ""),
    "the scale has another shape": ("group norm", {}, IMAGE.replace("float[4, 1, 1] w", "float[2] w"), ""),
    "one group has another scale": ("group norm", {"{1, 1}": "{1, 2}"}, "", ""),
    "the groups do not divide the channels": (
        "group norm", {"[0, 4, 3, 2]": "[0, 3, 2, 2]"}, "float[1, 3, 2, 2] x, float[3, 1, 1] w, float[3, 1, 1] b", "",
    ),
    "another number of elements": ("instance norm", {"[2, 3]": "[3]"}, "", ""),
    "the softmax is of another axis": ("attention", {"axis = -1": "axis = 1"}, "", ""),
    "the divisor makes scores larger": ("attention", {"2.0": "0.5"}, "", ""),
    "the factor makes scores larger": ("attention", {"Div (dots, c)": "Mul (dots, c)"}, "", ""),
    "the scores are an output": ("attention", {}, "", "scores"),
    "the mask is too wide": ("attention", {}, HEADS.replace("float[2, 1, 1, 5] mask", "float[5] mask"), ""),
    "the halves are uneven": ("rotary embedding", {"half = Constant <value_ints = [2]>": "half = Constant <value_ints = [1]>"}, "", ""),
    "the other half is turned": ("rotary embedding", {"Concat <axis = -1> (minus, x1)": "Concat <axis = -1> (x1, minus)"}, "", ""),
    "the halves of the cosines differ": ("rotary embedding of fixed positions", {"{1.0, 1.0, 1.0, 1.0,": "{1.0, 1.0, 1.0, 0.5,"}, "", ""),
    "the halves of the sines differ": ("rotary embedding of fixed positions", {"{0.0, 0.0, 0.0, 0.0,": "{0.0, 0.0, 0.0, 0.5,"}, "", ""),
    "the root is another number": ("gelu whose half is elsewhere", {"1.41421353816986083984": "1.414"}, "", ""),
    "another order": ("pixel shuffle", {"[0, 1, 4, 2, 5, 3]": "[0, 1, 5, 3, 4, 2]"}, "", ""),
    "an element type without a kernel": ("pixel shuffle", {}, "int32[1, 12, 4, 5] x", ""),
    "and back": ("space to depth", {}, "int64[1, 3, 8, 10] x", ""),
    "another block": ("space to depth", {"[1, 3, 4, 2, 5, 2]": "[1, 3, 2, 4, 5, 2]"}, "", ""),
    "another operand": ("swish", {"Mul (x, g)": "Mul (z, g)"}, "float[2, 3, 8] z", ""),
    "the slope is above 1": ("leaky relu", {"0.1": "1.5"}, "", ""),
    "the threshold is low": ("softplus with a threshold", {"20.0": "2.0"}, "", ""),
}


@pytest.mark.parametrize("case", NEAR)
def test_near_misses_stay(folder, case):
    name, changes, inputs, more = NEAR[case]
    opset, given, nodes, expected = HITS[name]
    for old, new in changes.items():
        assert old in nodes
        nodes = nodes.replace(old, new)
    given = inputs if re.search(r" [xq](,|$)", inputs) else f"{given}, {inputs}".strip(", ")
    source = model(folder, opset, given, nodes, f"y {more}".strip())
    made = left(folded(source, "--rules=fusions"))
    assert made == left(folded(source)) or not made & (expected - AROUND)


WIDE_SOFTMAX = {
    "over a divisor": ATTENTION,
    "times a factor": ATTENTION.replace("Div (dots, c)", "Mul (dots, c)").replace("2.0", "0.5"),
    "without a mask": ATTENTION.replace("Softmax <axis = -1> (masked)", "Softmax <axis = -1> (scores)").replace("masked = Add (scores, mask)\n", ""),
    "not scaled": ATTENTION.replace("c = Constant <value_float = 2.0> ()\n", "").replace("scores = Div (dots, c)\n", "").replace("(scores", "(dots"),
    "not scaled, without a mask": """kt = Transpose <perm = [0, 1, 3, 2]> (k)
scores = MatMul (q, kt)
weights = Softmax <axis = -1> (scores)
y = MatMul (weights, v)
""",
    "factors of both operands": ATTENTION.replace("2.0", "0.75").replace("scores = Div (dots, c)\n", "").replace("(scores", "(dots")
    .replace("dots = MatMul (q, kt)", "qa = Mul (q, c)\nka = Mul (kt, c)\ndots = MatMul (qa, ka)"),
}


def computesTheSame(source, made, ulps=32):
    """The values of both: by our kernels, and by the reference of ONNX where that has the types."""
    out = source.with_name("out.onnx")
    original = onnx.load(source)
    kinds = [one.type.tensor_type.elem_type for one in original.graph.input]
    if onnx.TensorProto.BFLOAT16 in kinds:
        t.runOk("compare", "--verify=10", "-O2", source, out)
        return
    draw = np.random.default_rng(1)
    feeds = {
        one.name: draw.uniform(-2, 2, [d.dim_value for d in one.type.tensor_type.shape.dim]).astype(onnx.helper.tensor_dtype_to_np_dtype(kind))
        for one, kind in zip(original.graph.input, kinds)
    }
    np.savez(source.with_name("feeds.npz"), **feeds)
    t.runOk("compare", f"--verify-inputs={source.with_name('feeds.npz')}", "-O2", source, out)
    before, after = (onnx.reference.ReferenceEvaluator(one).run(None, feeds)[0] for one in (original, made))
    assert before.shape == after.shape and np.abs(before).max() > 0.1
    np.testing.assert_allclose(after, before, rtol=0, atol=ulps * float(np.spacing(np.float16(np.abs(before).max()))))


def wideSoftmax(nodes, number):
    """Attention in half precision, its Softmax in single precision."""
    nodes = re.sub(r"weights = Softmax <axis = -1> \((\w+)\)", rf"wide = Cast <to = 1> (\1)\nsoft = Softmax <axis = -1> (wide)\n"
                   rf"weights = Cast <to = {number}> (soft)", nodes)
    nodes = re.sub(r"c = (Constant <value_float = [.0-9]+> \(\))", rf"c1 = \1\nc = Cast <to = {number}> (c1)", nodes, count=1)
    return nodes.replace("y = MatMul", "n = MatMul") + "y = Cast <to = 1> (n)"


@pytest.mark.parametrize("number", [10, 16])
@pytest.mark.parametrize("case", WIDE_SOFTMAX)
def test_attention_with_a_softmax_in_single_precision(folder, case, number):
    kind = {10: "float16", 16: "bfloat16"}[number]
    source = model(folder, 23, HEADS.replace("float", kind), wideSoftmax(WIDE_SOFTMAX[case], number))
    made = folded(source, "--rules=fusions")
    assert left(made) <= {"Attention", "Expand", "Cast"}
    fused = next(node for node in made.graph.node if node.op_type == "Attention")
    assert {one.name: onnx.helper.get_attribute_value(one) for one in fused.attribute}["softmax_precision"] == 1
    computesTheSame(source, made)


WIDE_NEAR = {
    "the factor has more dimensions": ({"Constant <value_float = 2.0>": "Constant <value = float[1, 1, 1, 1, 1] {2}>"}, "y"),
    "the factor makes scores larger": ({"value_float = 2.0": "value_float = 0.125"}, "y"),
    "the softmax is of another axis": ({"soft = Softmax <axis = -1>": "soft = Softmax <axis = 1>"}, "y"),
    "the wide scores have another reader": ({}, "y wide"),
    "the wide weights have another reader": ({}, "y soft"),
    "the narrow weights have another reader": ({"n = MatMul": "more = Cast <to = 1> (weights)\nn = MatMul"}, "y more"),
}


@pytest.mark.parametrize("case", WIDE_NEAR)
@pytest.mark.parametrize("form", ["over a divisor", "without a mask"])
def test_near_misses_of_a_softmax_in_single_precision_stay(folder, form, case):
    changes, outputs = WIDE_NEAR[case]
    nodes = wideSoftmax(WIDE_SOFTMAX[form], 10)
    for old, new in changes.items():
        assert old in nodes
        nodes = nodes.replace(old, new)
    assert "Attention" not in left(folded(model(folder, 23, HEADS.replace("float", "float16"), nodes, outputs), "--rules=fusions"))


def test_grouped_attention_with_a_softmax_in_single_precision(folder):
    """The rules of scales and of repeated heads take the precision along."""
    nodes = GROUPED.replace("wide", "times").replace("scores = MatMul (qa, ka)", "dots = MatMul (qa, ka)\nscores = Mul (dots, a)")
    nodes = wideSoftmax(nodes, 10)
    nodes = nodes.replace("a = Constant <value_float = 0.5> ()", "a1 = Constant <value_float = 0.5> ()\na = Cast <to = 10> (a1)")
    source = model(folder, 23, FEW_HEADS.replace("float", "float16"), nodes)
    made = folded(source, "--rules=fusions")
    fused = [node for node in made.graph.node if node.op_type == "Attention"]
    assert left(made) == {"Attention", "Cast"} and len(fused) == 1
    assert {one.name: onnx.helper.get_attribute_value(one) for one in fused[0].attribute}["softmax_precision"] == 1
    computesTheSame(source, made)


def test_attention_of_half_precision(folder):
    nodes = ATTENTION.replace("c = Constant <value_float = 2.0> ()", "c1 = Constant <value_float = 2.0> ()\nc = Cast <to = 10> (c1)")
    source = model(folder, 23, HEADS.replace("float", "float16"), nodes.replace("y = MatMul", "n = MatMul") + "y = Cast <to = 1> (n)")
    made = folded(source, "--rules=fusions")
    assert left(made) == {"Attention", "Expand", "Cast"}
    computesTheSame(source, made)


def test_rotary_embedding_of_half_precision(folder):
    nodes = ROTARY.replace("c = Cos", "c1 = Cos").replace("s = Sin", "s1 = Sin").replace("cu =", "c = Cast <to = 10> (c1)\ncu =")
    nodes = nodes.replace("su =", "s = Cast <to = 10> (s1)\nsu =").replace("y = Add", "n = Add") + "y = Cast <to = 1> (n)"
    source = model(folder, 23, "float16[2, 3, 5, 4] x, float[2, 5, 2] f", nodes)
    made = folded(source, "--rules=fusions")
    assert left(made) == {"Cos", "Sin", "Cast", "RotaryEmbedding"}
    computesTheSame(source, made)


def test_half_precision_between_casts(folder):
    """The norm of a Llama in half precision computes in single precision."""
    nodes = "wide = Cast <to = 1> (h)\n" + RMS_NORM.replace("(x", "(wide") + "narrow = Cast <to = 10> (n)\nz = Mul (w, narrow)\ny = Cast <to = 1> (z)"
    source = model(folder, 23, "float16[2, 3, 8] h, float16[8] w", nodes)
    made = folded(source, "--rules=fusions")
    assert left(made) == {"RMSNormalization", "Cast"}
    computesTheSame(source, made)
