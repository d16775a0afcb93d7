# SPDX-License-Identifier: Apache-2.0
"""Calls of the model's functions whose results are constant whatever the inputs that are not known are: they fold."""

import numpy as np
import onnx
from onnx import parser

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned

FEEDS = [{"x": np.float32([1.5, -2, 0, 4]), "z": np.arange(rows, dtype=np.float32)} for rows in (2, 4)]
C = np.float32([1, 2, 3, 4])
HEAD = '<domain: "own", opset_import: ["" : 21, "own" : 1, "other" : 1]>'
SHAPE = f"{HEAD} S (u) => (s) {{ s = Shape (u) }}"

# A call that passes other constants than the rest may be inlined, if little is left of it.
NOT_INLINED = "--disable=constant-call"


def source(nodes, functions, values="float[4] c = {1, 2, 3, 4}", output="float[k] y"):
    imports = 'opset_import: ["" : 21, "own" : 1, "other" : 1]'
    text = f"<ir_version: 10, {imports}> g (float[4] x, float[n] z) => ({output}) <{values}> {{ {nodes} }} {functions}"
    return parser.parse_model(text)


def calls(container):
    return [list(one.output)[0] for one in container.node if one.domain]


def reasons(folder, model, *flags):
    onnx.save(model, folder / "source.onnx")
    report = t.foldWithReport(folder / "source.onnx", folder / "reported.onnx", *flags)
    return {(one["op"], (one["outputs"] or [""])[0]): one for one in report["nodes"]}


def expectCalls(folder, model, names, *flags, **more):
    out = cleaned(folder, model, "--verify", *flags, feeds=FEEDS, **more)
    assert calls(out.graph) == names, f"calls {flags}"
    return out


def test_sizes_of_what_is_not_known(folder):
    """Of x the shape is known, of z it is not. Readers fold in the same run."""
    nodes = """a = own.S (x) b = own.S (z) p = Concat <axis = 0> (a, b) f = Cast <to = 1> (p)
        k = Mul (a, a) g = Cast <to = 1> (k) y = Concat <axis = 0> (f, g)"""
    model = source(nodes, SHAPE)
    out = expectCalls(folder, model, ["b"])
    m.expectValue(out.graph, "a", [4])
    m.expectValue(out.graph, "g", [16])
    seen = reasons(folder, model)
    assert seen[("S", "a")]["action"] == "folded", "the call in the report"
    assert seen[("S", "b")]["reason"]["code"] == "input-not-constant", "why the other one is kept"
    assert seen[("Cast", "g")]["action"] == "folded", "what reads it"


def test_sizes_that_are_known_in_part(folder):
    """[n, 2] is the shape that it has, and what the call gives is equal to what a Shape does."""
    nodes = """k = Unsqueeze (z, one) w = Concat <axis = 1> (k, k) s = own.S (w) r = Reshape (w, s) e = Neg (w) q = Reshape (e, s)
        t = Shape (e) u = Expand (q, t) p = Sum (r, q, u) y = Relu (p)"""
    out = expectCalls(folder, source(nodes, SHAPE, "int64[1] one = {1}", "float[k, 2] y"), [])
    assert m.operators(out) == ["Unsqueeze", "Concat", "Neg", "Sum", "Relu"], "what is left"


def test_sizes_that_a_function_computes(folder):
    """The same number in both results of a call, and not that of another call."""
    function = f"{HEAD} T (u) => (s, t) {{ n = Size (u) k = Mul (n, n) o = Constant <value_ints = [1]> () s = Reshape (k, o) t = Add (s, o) }}"
    nodes = """a, b = own.T (z) d, e = own.T (x) f = Sub (b, a) g = Cast <to = 1> (f) h = Cast <to = 1> (a) i = Cast <to = 1> (e)
        p = Sum (g, h, i) y = Relu (p)"""
    out = expectCalls(folder, source(nodes, function), ["a"])
    m.expectValue(out.graph, "i", [17])


def test_inputs_that_are_known(folder):
    """The other one may be what it likes, also where the whole of it is computed beside."""
    function = f"{HEAD} F (u, d) => (v) {{ e = Exp (u) f = MatMul (e, e) v = Neg (d) }}"
    nodes = "a = own.F (x, c) b = own.F (x, z) p = Concat <axis = 0> (a, b) y = Relu (p)"
    out = expectCalls(folder, source(nodes, function), ["b"])
    m.expectValue(out.graph, "a", -C)


def test_large_values(folder):
    """Nothing that is passed is too large to be looked at, within the limits that hold for all."""
    values = "float[1, 1] one = {3}, int64[2] shape = {100, 100}"
    function = f"{HEAD} F (u, d) => (v) {{ v = ReduceSum <keepdims = 0> (d) }}"
    nodes = """w = Expand (one, shape) a = own.F (x, w) f = Unsqueeze (z, k) b = own.F (x, f)
        p = Sum (x, a, b) y = Identity (p)"""
    out = expectCalls(folder, source(nodes, function, values + ", int64[1] k = {0}"), ["b"])
    m.expectValue(out.graph, "a", 30000)


def test_functions_that_call_functions(folder):
    """All of the inner one is known for one of the calls only."""
    outer = f"{HEAD} T (u, d) => (v) {{ s = own.S (u) h = own.N (u) r = own.S (h) f = Add (s, r) q = Cast <to = 1> (f) v = Mul (d, q) }}"
    inner = f"{HEAD} N (u) => (v) {{ w = Neg (u) v = Exp (w) }}"
    nodes = "a = own.T (x, c) b = own.T (z, c) p = Concat <axis = 0> (a, b) y = Relu (p)"
    out = expectCalls(folder, source(nodes, " ".join([SHAPE, inner, outer])), ["b"])
    m.expectValue(out.graph, "a", 8 * C)


def test_branches_of_functions(folder):
    """A branch that the constant condition does not take may depend on what it likes."""
    function = f"""{HEAD} F (u, d, yes) => (v) {{
        v = If (yes) <then_branch = t () => (float[k] p) {{ p = Neg (d) }}, else_branch = e () => (float[l] q) {{ q = Exp (u) }}> }}"""
    nodes = "a = own.F (x, c, yes) b = own.F (x, c, no) d = own.F (z, x, yes) p = Concat <axis = 0> (a, b, d) y = Relu (p)"
    values = "float[4] c = {1, 2, 3, 4}, bool yes = {1}, bool no = {0}"
    out = expectCalls(folder, source(nodes, function, values), ["b", "d"])
    m.expectValue(out.graph, "a", -C)


def test_attributes(folder):
    """The result depends on what the call gives for an attribute."""
    function = f"{HEAD} F <from> (u) => (v) {{ s = Shape <start : int = @from> (u) f = Cast <to = 1> (s) v = Neg (f) }}"
    nodes = """r = Reshape (x, rows) t = Unsqueeze (z, rows0) a = own.F <from = 0> (r) b = own.F <from = 1> (r) d = own.F <from = 0> (t)
        p = Concat <axis = 0> (a, b, d) y = Relu (p)"""
    out = expectCalls(folder, source(nodes, function, "int64[2] rows = {2, 2}, int64[1] rows0 = {0}"), ["d"])
    m.expectValue(out.graph, "a", [-2, -2])
    m.expectValue(out.graph, "b", [-2])


def test_one_of_two_results(folder):
    """Its readers fold; the call is kept for the other one. If that has no users, it is erased."""
    function = f"{HEAD} F (u, d) => (v, w) {{ v = Neg (d) w = Mul (u, d) }}"
    nodes = "a, a2 = own.F (x, c) b, b2 = own.F (x, x) h = Exp (a) p = Sum (h, a2, b, b2) y = Relu (p)"
    out = expectCalls(folder, source(nodes, function), ["a", "b"], NOT_INLINED)
    m.expectValue(out.graph, "h", np.exp(-C.astype(np.float64)).astype(np.float32))
    nodes = "a, a2 = own.F (x, c) b, b2 = own.F (x, x) p = Sum (a, b, b2) y = Relu (p)"
    out = expectCalls(folder, source(nodes, function), ["b"])
    m.expectValue(out.graph, "a", -C)


def test_in_bodies(folder):
    """Of a Loop whose number of iterations nobody knows, and of an If; of calls of what such a body has."""
    loop = """l = Loop (i, "", x) <body = body (int64 i, bool go, float[4] w) => (bool on, float[4] v) {
        on = Identity (go) s = own.S (w) f = Cast <to = 1> (s) v = Add (w, f) }>"""
    nodes = f"i = Size (z) {loop} b = own.S (z) g = Cast <to = 1> (b) p = Concat <axis = 0> (l, g) y = Relu (p)"
    out = expectCalls(folder, source(nodes, SHAPE), ["b"])
    [body] = [one.attribute[0].g for one in out.graph.node if one.op_type == "Loop"]
    assert [one.op_type for one in body.node] == ["Identity", "Add"], "nodes of the Loop"


def test_in_functions(folder):
    """For all calls of the function around: a Constant there; for each another one: what is passed."""
    outer = f"{HEAD} T (u, d) => (v) {{ k = own.F (u, d) s = Add (u, k) v = Relu (s) }}"
    inner = f"{HEAD} F (u, d) => (v) {{ n = Neg (d) q = Shape (u) f = Cast <to = 1> (q) v = Sum (n, f) }}"
    for number, (second, constant) in enumerate((("c", True), ("d", False), ("h", None))):
        place = folder / str(number)
        place.mkdir()
        nodes = f"h = own.T (x, c) i = own.T (h, {second}) r = own.F (z, z) q = ReduceSum <keepdims = 0> (r) p = Add (i, q) y = Relu (p)"
        out = expectCalls(place, source(nodes, f"{inner} {outer}", "float[4] c = {1, 2, 3, 4}, float[4] d = {2, 2, 3, 4}"), ["h", "i", "r"])
        [around] = [one for one in out.functions if one.name == "T"]
        assert calls(around) == (["k"] if constant is None else []), "calls in the function"
        if constant:
            m.expectValue(around, "k", 4 - C)
        elif constant is False:
            assert len(around.input) == 2, "inputs of the function"


def expectStays(folder, body, functions=""):
    """One result does not depend on `e`, which the other is."""
    function = f"{HEAD} F (u, d) => (v, w) {{ {body} w = Relu (e) v = Neg (d) }}"
    nodes = "a = own.F (x, c) b, b2 = own.F (x, x) q = ReduceSum <keepdims = 0> (b2) p = Sum (a, b, q) y = Relu (p)"
    model = source(nodes, f"{function} {functions}")
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", NOT_INLINED))
    assert calls(out.graph) == ["a", "b"], f"calls where the function has {body}"
    t.expectSameBytes(t.fold(folder / "out.onnx", folder / "again.onnx", NOT_INLINED), folder / "out.onnx", "folded again")


def test_what_stays(folder):
    """What is random, custom, trains or fails, however deep, also where the result does not depend on it."""
    deep = f"{HEAD} G (u) => (v) {{ v = RandomUniformLike (u) }}"
    fails = f"{HEAD} G (u) => (v) {{ k = Constant <value_int: int = 9> () v = Gather (u, k) }}"
    expectStays(folder, "r = RandomNormalLike (u) e = Exp (r)")
    expectStays(folder, "r = other.Unknown (u) e = Exp (r)")
    expectStays(folder, 's = ReduceMax <keepdims = 0> (u) t = Cast <to = 9> (s) r = Dropout (u, "", t) e = Exp (r)')
    expectStays(folder, "k = Constant <value_int: int = 9> () r = Gather (d, k) e = Exp (r)")
    expectStays(folder, "e = own.G (u)", deep)
    expectStays(folder, "e = own.G (d)", fails)


def test_what_goes_from_a_function_does_not_matter(folder):
    """Random values that only an unused node reads: the second run would not see them."""
    function = f"{HEAD} F (u, d) => (v) {{ r = RandomNormalLike (u) e = Exp (r) v = Neg (d) }}"
    nodes = "a = own.F (x, c) b = own.F (x, z) p = Concat <axis = 0> (a, b) y = Relu (p)"
    expectCalls(folder, source(nodes, function), ["b"])


def test_a_dropout_that_does_not_train(folder):
    function = f"{HEAD} F (u, d) => (v) {{ r = Dropout (u) e = Exp (r) v = Neg (d) }}"
    nodes = "a = own.F (x, c) b = own.F (x, z) p = Concat <axis = 0> (a, b) y = Relu (p)"
    expectCalls(folder, source(nodes, function), ["b"])


def test_filters(folder):
    """They look into the function."""
    function = f"{HEAD} F (u, d) => (v) {{ r = Exp (u) e = Tan (r) v = Neg (d) }}"
    nodes = "a = own.F (x, c) b = own.F (x, z) p = Concat <axis = 0> (a, b) y = Relu (p)"
    for flag, isKept in (("--skip=a", True), ("--skip=op:Neg", True), ("--skip=op:Exp", True), ("--skip=op:Sin", False)):
        expectCalls(folder, source(nodes, function), ["a", "b"] if isKept else ["b"], flag, NOT_INLINED)


def test_without_room(folder):
    """The budget leaves the call where it is; what it reads is what the function takes."""
    function = f"{HEAD} F (u, d, s) => (v) {{ e = Neg (d) v = Expand (e, s) }}"
    nodes = "a = own.F (x, c, s) f = Unsqueeze (z, k) b = own.F (x, f, s2) q = ReduceSum <keepdims = 0> (b) p = Add (a, q) y = Relu (p)"
    values = "float[4] c = {1, 2, 3, 4}, int64[2] s = {1000, 4}, int64[3] s2 = {3, 1, 1}, int64[1] k = {0}"
    model = source(nodes, function, values, "float[1000, 4] y")
    expectCalls(folder, model, ["b"])
    out = expectCalls(folder, model, ["a", "b"], "--max-growth=0", NOT_INLINED)
    assert len(out.SerializeToString()) < 2000, f"{len(out.SerializeToString())} bytes"
    assert reasons(folder, model, "--max-growth=0", NOT_INLINED)[("F", "a")]["reason"]["code"] == "growth", "reason"


def test_lifting_leaves_room_for_calls_that_fold(folder):
    """Both together were more than the budget, and what a second run found room for was something else."""
    function = f"{HEAD} F (u, d) => (v, w) {{ v = Exp (u) w = Neg (d) }}"
    nodes = "a, p = own.F (c, c) b, q = own.F (w, k) s = Sum (w, p, b, q, c, k) y = Relu (s)"
    model = source(f"w = Expand (x, shape) {nodes}", function, "int64[2] shape = {100, 4}", "float[100, 4] y")
    for k, name in enumerate("ck"):
        model.graph.initializer.append(m.const(name, np.arange(400).reshape(100, 4) + k, np.float32))
    for flags, bytesMore in (([], 3200), (["--max-growth=2000"], 2000), (["--max-growth=3300"], 3300)):
        out = cleaned(folder, model, NOT_INLINED, *flags, feeds=FEEDS)
        grown = len(out.SerializeToString()) - len(model.SerializeToString())
        assert grown <= bytesMore + 200, f"{grown} bytes more with {flags}"


def test_not_at_level_0(folder):
    """There no body is looked into for what is known of shapes."""
    nodes = "a = own.S (x) b = own.S (z) p = Concat <axis = 0> (a, b) y = Cast <to = 1> (p)"
    expectCalls(folder, source(nodes, SHAPE), ["a", "b"], "-O0")


def test_limits(folder):
    function = f"{HEAD} F (u, d, s) => (v) {{ e = Expand (d, s) v = ReduceSum <keepdims = 0> (e) }}"
    nodes = "a = own.F (x, c, s) f = Unsqueeze (z, k) b = own.F (x, f, s2) p = Sum (x, a, b) y = Relu (p)"
    values = "float[4] c = {1, 2, 3, 4}, int64[2] s = {1000, 4}, int64[3] s2 = {3, 1, 1}, int64[1] k = {0}"
    model = source(nodes, function, values)
    expectCalls(folder, model, ["b"])
    # Not with --verify, which has the same limit and cannot compare y.
    limited = cleaned(folder, model, "--max-result=10K", NOT_INLINED, feeds=FEEDS)
    assert calls(limited.graph) == ["a", "b"], "calls beyond the limit"
