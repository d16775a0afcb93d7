# SPDX-License-Identifier: Apache-2.0
"""Calls of the model's functions whose inputs are all constant are computed like any other node."""

import numpy as np
import onnx
from onnx import helper, parser

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned

X = np.float32([1.5, -2, 0, 4])
FEEDS = [{"x": X}, {"x": -X}]
# u * -d; the inputs that a constant call passes are c and d.
SCALED = '<domain: "own", opset_import: ["" : 21]> F (u, d) => (v) { e = Neg (d) v = Mul (u, e) }'
C, D = np.float32([1, 2, 3, 4]), np.float32([2, 2, 2, 2])
VALUES = "float[4] c = {1, 2, 3, 4}, float[4] d = {2, 2, 2, 2}"


def source(nodes, functions=SCALED, values=VALUES, output="float[4] y"):
    text = f'<ir_version: 10, opset_import: ["" : 21, "own" : 1]> g (float[4] x) => ({output}) <{values}> {{ {nodes} }} {functions}'
    return parser.parse_model(text)


def nodesOf(model):
    return [(one.op_type, list(one.output)[0]) for one in model.graph.node]


def reasons(folder, model, *flags):
    onnx.save(model, folder / "source.onnx")
    report = t.foldWithReport(folder / "source.onnx", folder / "reported.onnx", *flags)
    return {(one["op"], (one["outputs"] or [""])[0]): one.get("reason", {}) for one in report["nodes"]}


def test_folds_at_every_level(folder):
    """And the other call of the same function is kept."""
    model = source("a = own.F (c, d) b = own.F (x, d) y = Add (a, b)")
    for level in "012":
        place = folder / level
        place.mkdir()
        out = cleaned(place, model, f"-O{level}", "--disable=constant-call", feeds=FEEDS)
        assert nodesOf(out) == [("F", "b"), ("Add", "y")], f"nodes at -O{level}"
        m.expectValue(out.graph, "a", C * -D)


def test_the_only_call(folder):
    """It is not inlined: nothing would be left of it. Its function is erased."""
    out = cleaned(folder, source("a = own.F (c, d) y = Add (a, x)"), feeds=FEEDS)
    assert nodesOf(out) == [("Add", "y")], "nodes"
    assert [one.name for one in out.functions] == [], "functions"


def test_results_that_readers_need(folder):
    """What follows from a call folds in the same run: a Reshape to what a function computes."""
    shape = '<domain: "own", opset_import: ["" : 21]> Twice (s) => (t) { two = Constant <value_int: int = 2> () t = Mul (s, two) }'
    model = source("t = own.Twice (s) r = Reshape (x, t) y = Reshape (r, k)", shape, "int64[2] s = {1, 1}, int64[1] k = {4}")
    out = cleaned(folder, model, feeds=FEEDS)
    assert m.operators(out) == ["Reshape"], "what is left of a call and two Reshapes"


def test_attributes_and_defaults(folder):
    """What a call gives, and the default where it gives none; in a function that is called by another one, too."""
    inner = helper.make_function(
        "own", "Leaky", ["u"], ["v"], [helper.make_node("LeakyRelu", ["u"], ["v"])], [helper.make_opsetid("", 21)], [],
        [helper.make_attribute("slope", 0.25)],
    )  # fmt: skip
    inner.node[0].attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    outer = helper.make_function(
        "own", "Outer", ["u"], ["v"], [helper.make_node("Leaky", ["u"], ["v"], domain="own")],
        [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)], ["slope"],
    )  # fmt: skip
    outer.node[0].attribute.append(onnx.AttributeProto(name="slope", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    model = source(
        "p = own.Leaky <slope = 0.5> (n) q = own.Leaky (n) r = own.Outer <slope = 2.0> (n) s = Sum (p, q, r, x) y = Identity (s)",
        "", "float[4] n = {-1, -2, 3, -4}",
    )  # fmt: skip
    model.functions.extend([inner, outer])
    out = cleaned(folder, model, feeds=FEEDS)
    n = np.float32([-1, -2, 3, -4])
    for name, slope in (("p", 0.5), ("q", 0.25), ("r", 2)):
        m.expectValue(out.graph, name, np.where(n < 0, np.float32(slope) * n, n).astype(np.float32))


def test_inputs_that_are_left_out(folder):
    """At the end, and in the middle: the body sees what is missing."""
    clip = '<domain: "own", opset_import: ["" : 21]> Bound (u, low, high) => (v) { v = Clip (u, low, high) }'
    model = source('p = own.Bound (c, low) q = own.Bound (c, "", low) y = Sum (p, q, x)', clip, VALUES + ", float low = {2}")
    out = cleaned(folder, model, feeds=FEEDS, runs=False)
    m.expectValue(out.graph, "p", np.maximum(C, 2))
    m.expectValue(out.graph, "q", np.minimum(C, 2))


def test_in_bodies(folder):
    """A Loop and an If around calls fold with them."""
    loop = """a = Loop (n, "", c) <body = body (int64 i, bool go, float[4] w) => (bool on, float[4] z) {
        on = Identity (go) z = own.F (w, d) }>"""
    choice = """b = If (yes) <then_branch = t () => (float[4] p) { p = own.F (a, d) },
        else_branch = e () => (float[4] q) { q = Identity (a) }>"""
    values = VALUES + ", int64 n = {3}, bool yes = {1}"
    for flags in ([], ["-O0"], ["--disable=constant-branch"]):
        place = folder / "".join(flags)
        place.mkdir(exist_ok=True)
        out = cleaned(place, source(loop + choice + "y = Add (b, x)", SCALED, values), *flags, feeds=FEEDS)
        assert nodesOf(out) == [("Add", "y")], f"nodes with {flags}"
        m.expectValue(out.graph, "b", C * 16)


def test_sequences(folder):
    """A function that takes one and gives one: its users fold, and it is erased."""
    pair = '<domain: "own", opset_import: ["" : 21]> More (s, u) => (r) { r = SequenceInsert (s, u) }'
    nodes = "s = SequenceConstruct (c) r = own.More (s, d) k = Constant <value_int: int = 1> () e = SequenceAt (r, k) y = Add (e, x)"
    out = cleaned(folder, source(nodes, pair), feeds=FEEDS)
    assert nodesOf(out) == [("Add", "y")], "nodes"
    m.expectValue(out.graph, "e", D)


def test_what_lifting_meets(folder):
    """A call that folds, of a function that is lifted from: its constant says where it comes from, as that of any folded node."""
    model = source("a = own.F (c, d) b = own.F (x, d) z = Add (a, b) y = own.F (z, d)")
    out = cleaned(folder, model, "--provenance", feeds=FEEDS)
    m.expectValue(out.graph, "a", C * -D)
    assert [len(one.input) for one in out.graph.node] == [1, 2, 1], "inputs of the calls and of Add"
    [folded] = [one for one in out.graph.initializer if one.name == "a"]
    text = " ".join(one.value for one in folded.metadata_props)
    assert '"c"' in text and '"d"' in text and '"F"' in text, f"provenance is {text}"


def test_what_stays(folder):
    """Each with the operator in the body that is to blame."""
    cases = {
        "random": ("r = RandomUniformLike (u) v = Mul (r, d)", "not-deterministic", "RandomUniformLike"),
        "wrong": ("k = Constant <value_int: int = 9> () g = Gather (u, k) v = Mul (g, d)", "undefined", "Gather"),
        "custom": ("g = other.Unknown (u) v = Mul (g, d)", "no-kernel", "Unknown"),
    }
    for name, (body, code, blamed) in cases.items():
        place = folder / name
        place.mkdir()
        function = f'<domain: "own", opset_import: ["" : 21, "other" : 1]> F (u, d) => (v) {{ {body} }}'
        model = source("a = own.F (c, d) y = Add (a, x)", function)
        model.opset_import.append(helper.make_opsetid("other", 1))
        reason = reasons(place, model, "--disable=constant-call")[("F", "a")]
        assert reason.get("code") == code, f"reason of the {name} one"
        assert blamed in reason["text"], f"'{reason['text']}' names {blamed}"


def test_filters_look_into_the_function(folder):
    for flag, folds in (("--skip=op:Neg", False), ("--skip=op:Exp", True), ("--only=op:Mul", False)):
        place = folder / flag.split(":")[1]
        place.mkdir()
        out = cleaned(place, source("a = own.F (c, d) y = Add (a, x)"), "-O0", flag, feeds=FEEDS)
        assert ([one[0] for one in nodesOf(out)] == ["Add"]) == folds, f"the call folds with {flag}"


def test_without_room(folder):
    """The budget leaves a call where it is; what other calls get is not taken from it."""
    large = """<domain: "own", opset_import: ["" : 21]> F (u, d, s) => (v) {
        e = Neg (d) n = Mul (u, e) v = Expand (n, s) }"""
    values = VALUES + ", int64[2] s = {1000, 4}, bool no = {0}"
    choice = """a = If (no) <then_branch = t () => (float[1000, 4] p) { p = own.F (c, d, s) },
        else_branch = e () => (float[1000, 4] q) { q = Expand (c, s) }>"""
    for name, first in (("call", "a = own.F (c, d, s)"), ("branch", choice)):
        for flags in ([], ["--max-growth=0"], ["--max-growth=0", "--disable=constant-branch,small-constant"]):
            place = folder / (name + str(len("".join(flags))))
            place.mkdir()
            model = source(f"{first} b = own.F (x, d, s) y = Add (a, b)", large, values, "float[1000, 4] y")
            out = cleaned(place, model, *flags, feeds=FEEDS)
            if flags:
                assert len(out.SerializeToString()) < 2000, f"{len(out.SerializeToString())} bytes with {flags}"
            else:
                assert ("F", "a") not in nodesOf(out), "the call folds where there is room"


def test_inputs_that_are_needed(folder):
    """A call that leaves out what an operator needs: it is kept, with the operator to blame."""
    reason = reasons(folder, source("a = own.F (c) y = Add (a, x)"), "--disable=constant-call")[("F", "a")]
    assert reason["code"] == "invalid", "reason"
    assert "Neg" in reason["text"] and "absent" in reason["text"], reason["text"]


def test_functions_in_a_cycle(folder):
    """The checker refuses them; here they are kept, and nothing breaks."""
    cycle = """<domain: "own", opset_import: ["" : 21, "own" : 1]> F (u, d) => (v) { v = own.G (u, d) }
        <domain: "own", opset_import: ["" : 21, "own" : 1]> G (u, d) => (v) { w = own.F (u, d) v = Neg (w) }"""
    reason = reasons(folder, source("a = own.F (c, d) y = Add (a, x)", cycle))[("F", "a")]
    assert reason["code"] == "work-limit", "reason"
    assert "deep" in reason["text"], reason["text"]


def test_functions_that_double(folder):
    """Each calls the one before twice: 2^40 calls. It ends, and says why."""
    functions = ['<domain: "own", opset_import: ["" : 21]> F0 (u) => (v) { v = Neg (u) }']
    for k in range(1, 41):
        functions.append(
            f'<domain: "own", opset_import: ["" : 21, "own" : 1]> F{k} (u) => (v) {{ w = own.F{k - 1} (u) v = own.F{k - 1} (w) }}'
        )
    model = source("a = own.F40 (c) b = own.F8 (c) y = Sum (a, b, x)", " ".join(functions))
    seen = reasons(folder, model, "--max-work=1000000000")
    assert seen[("F40", "a")]["code"] == "work-limit", "reason of 2^40 calls"
    assert seen[("F40", "a")]["text"].count("in its body") == 1, "what the reason says of bodies around the one to blame"
    assert seen[("F8", "b")]["code"] == "none", "2^8 calls fold"
    (total,) = [one for one in onnx.load(folder / "reported.onnx").graph.node if one.op_type == "Sum"]
    assert list(total.input) == ["a", "c", "x"], "2^8 times Neg is what it was: the result reads the initializer that it equals"
