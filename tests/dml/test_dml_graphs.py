# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: operators with graphs (If, Loop, Scan) and functions, on SystemDS."""

import numpy as np
import onnx
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t

HEAD = '<ir_version: 10, opset_import: ["": 21, "own": 1]>\n'


def model(text, functions=""):
    return onnx.parser.parse_model(HEAD + text + functions)


def floats(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


def true(value):
    return np.array(value)


# ---- If ----------------------------------------------------------------------------------------------------------------

IF = """
net (bool c, float[N, 3] x, float[3] w) => (float[N, 3] y, float[N, 3] z) {
  s = Exp (x)
  y, z = If (c) <
    then_branch = yes () => (float[N, 3] a, float[N, 3] b) { k = Add (s, w) a = Relu (k) b = Identity (s) },
    else_branch = no () => (float[N, 3] a, float[N, 3] b) { a = Neg (x) k = Mul (a, w) b = Abs (k) }
  >
}"""


@pytest.mark.parametrize("condition", [False, True])
def test_if(folder, condition):
    """The branches read values from outside, which no function of DML would see, and both name a value k."""
    systemds.expectSame(folder, model(IF), [true(condition), floats(4, 3), floats(3)])


@pytest.mark.parametrize("condition", [False, True])
def test_if_in_if_and_constants(folder, condition):
    text = """
    net (bool c, bool d, float[2] x) => (float[2] y) {
      y = If (c) <
        then_branch = yes () => (float[2] a) { a = Constant <value = float[2] {1.5, 2.5}> () },
        else_branch = no () => (float[2] b) {
          b = If (d) <
            then_branch = yes () => (float[2] e) { e = Sin (x) },
            else_branch = no () => (float[2] f) { f = Cos (x) }
          >
        }
      >
    }"""
    for inner in (False, True):
        systemds.expectSame(folder, model(text), [true(condition), true(inner), floats(2)])


def test_if_with_shapes_that_differ(folder):
    text = """
    net (bool c, float[4] x) => (float[n] y) {
      two = Constant <value = int64[1] {2}> ()
      zero = Constant <value = int64[1] {0}> ()
      y = If (c) <
        then_branch = yes () => (float[4] a) { a = Neg (x) },
        else_branch = no () => (float[2] b) { b = Slice (x, zero, two) }
      >
    }"""
    systemds.expectRefused(folder, model(text), "If 'y': dimension 0 of 'y'")


# ---- Loop --------------------------------------------------------------------------------------------------------------

COUNTED = """
net (int64 trips, float[N, 2] x) => (float[N, 2] a, float[N, 2] b) {
  yes = Constant <value = bool {1}> ()
  y = Neg (x)
  a, b = Loop (trips, yes, x, y) <
    body = step (int64 i, bool c, float[N, 2] p, float[N, 2] q) => (bool d, float[N, 2] r, float[N, 2] p) {
      d = Identity (c)
      f = Cast <to = 1> (i)
      g = Add (q, f)
      r = Mul (g, x)
    }
  >
}"""


@pytest.mark.parametrize("trips", [0, 1, 4])
def test_loop_that_swaps(folder, trips):
    """A value becomes another one, and must not have its next value yet, as in SystemDS's "t = a; a = r; b = t". 1:0 counts down."""
    x = floats(3, 2)
    p, q = x, -x
    for i in range(trips):
        p, q = (q + i) * x, p
    script = systemds.expectSame(folder, model(COUNTED), [np.array(trips), x], wanted=[p, q])
    assert "for (iteration in seq(1, trip_count, 1))" in script and "while" not in script


WHILE = """
net (float limit, float[2] x) => (float[2] y) {
  yes = Constant <value = bool {1}> ()
  none = Constant <value = int64 {9223372036854775807}> ()
  one = Constant <value = float {1.0}> ()
  first = ReduceMax <keepdims = 0> (x)
  go = Less (first, limit)
  y = Loop (none, go, x) <
    body = step (int64 i, bool c, float[2] v) => (bool d, float[2] w) {
      w = Add (v, one)
      m = ReduceMax <keepdims = 0> (w)
      d = Less (m, limit)
    }
  >
}"""


@pytest.mark.parametrize("limit", [-5, 0.5, 10])
def test_loop_while(folder, limit):
    script = systemds.expectSame(folder, model(WHILE), [np.array(limit, np.float32), np.float32([0, 0.25])])
    assert "while (goes_on)" in script


SCANNED = """
net (int64 trips, float[2, 3] x) => (float[2, 3] y, float[4, 2, 3] all, float[4] sums) {
  half = Constant <value = float {0.5}> ()
  y, all, sums = Loop (trips, , x) <
    body = step (int64 i, bool c, float[2, 3] v) => (bool c, float[2, 3] w, float[2, 3] v, float s) {
      w = Mul (v, half)
      s = ReduceSum <keepdims = 0> (w)
    }
  >
}"""


def test_loop_scan_outputs(folder):
    systemds.expectSame(folder, model(SCANNED), [np.array(4), floats(2, 3)])


def test_loop_with_more_iterations_than_its_shape_says(folder):
    """ONNX Runtime only warns. A wrong shape is an error: an iteration less would leave zeros."""
    if systemds.process():
        for trips in (3, 5):
            with pytest.raises(RuntimeError):
                systemds.expectSame(folder, model(SCANNED), [np.array(trips), floats(2, 3)], wanted=[])


def test_loop_in_loop(folder):
    text = """
    net (float[3] x) => (float[3] y, float[2, 3] all) {
      two = Constant <value = int64 {2}> ()
      three = Constant <value = int64 {3}> ()
      y, all = Loop (two, , x) <
        body = outer (int64 i, bool c, float[3] v) => (bool c, float[3] w, float[3] w) {
          w = Loop (three, , v) <
            body = inner (int64 j, bool d, float[3] v2) => (bool d, float[3] w2) {
              k = Add (i, j)
              f = Cast <to = 1> (k)
              g = Add (v2, f)
              w2 = Mul (g, x)
            }
          >
        }
      >
    }"""
    systemds.expectSame(folder, model(text), [floats(3)])


def test_loop_with_shapes_that_change(folder):
    text = """
    net (int64 trips, float[n] x) => (float[m] y) {
      y = Loop (trips, , x) <
        body = step (int64 i, bool c, float[k] v) => (bool c, float[l] w) { w = Concat <axis = 0> (v, x) }
      >
    }"""
    systemds.expectRefused(folder, model(text), "Loop 'y': dimension 0 of", "--input-shape=x:2")


# ---- Scan --------------------------------------------------------------------------------------------------------------

SCAN = """
net (float[N, 2] s0, float[N, 5, 2] x, float[5, 3] w) => (float[N, 2] s, float[N, 2, 5] all, float[5] first) {
  s, all, first = Scan (s0, x, w) <
    num_scan_inputs = 2, scan_input_axes = [1, 0], scan_input_directions = [0, 1], scan_output_axes = [-1, 0],
    scan_output_directions = [0, 1],
    body = step (float[N, 2] v, float[N, 2] xt, float[3] wt) => (float[N, 2] z, float[N, 2] z, float m) {
      m = ReduceSum <keepdims = 0> (wt)
      t = Mul (v, m)
      z = Add (t, xt)
    }
  >
}"""


def test_scan_axes_and_directions(folder):
    """Along the second dimension beside a free batch size, and backwards. (ONNX Runtime gives zeros for s.)"""
    s, x, w = floats(3, 2), floats(3, 5, 2), floats(5, 3)
    states, first = [], np.zeros(5)
    state = s
    for t in range(5):
        first[4 - t] = w[4 - t].sum()
        state = state * first[4 - t] + x[:, t]
        states.append(state)
    systemds.expectSame(folder, model(SCAN), [s, x, w], wanted=[state, np.stack(states, -1), first])


def test_scan_of_a_batch(folder):
    """Version 8 scans for each member of a batch."""
    text = """<ir_version: 4, opset_import: ["": 8]>
    net (float[2, 3] s0, float[2, 4, 3] x) => (float[2, 3] s, float[2, 4, 3] all) {
      s, all = Scan ("", s0, x) <
        num_scan_inputs = 1, directions = [1],
        body = step (float[3] v, float[3] xt) => (float[3] z, float[3] z) { z = Sub (xt, v) }
      >
    }""".replace('"", s0', ", s0")
    made = onnx.parser.parse_model(text)
    s0, x = floats(2, 3), floats(2, 4, 3)
    state, states = s0, []
    for t in reversed(range(4)):
        state = x[:, t] - state
        states.append(state)
    systemds.expectSame(folder, made, [s0, x], wanted=[state, np.stack(states, 1)])


# ---- functions ---------------------------------------------------------------------------------------------------------

CALLS = """
net (float[2, 3] x) => (float[2, 3] y, float[2, 3] z) {
  a = own.scale <factor = 2.0> (x)
  b = own.scale (a)
  y = own.twice <by = 0.5> (b)
  z = own.twice <by = 3.0> (x)
}
"""
FUNCTIONS = """
<domain: "own", opset_import: ["": 21]>
scale <factor: float = 4.0> (v) => (w) { f = Constant <value_float: float = @factor> () w = Mul (v, f) }
<domain: "own", opset_import: ["": 21, "own": 1]>
twice <by> (v) => (w) { f = own.scale <factor: float = @by> (v) e = Exp (f) w = own.scale <factor: float = @by> (e) }
"""


def test_functions_of_the_model(folder):
    """Called twice, so that they are not inlined; one in another, attributes with and without defaults."""
    systemds.expectSame(folder, model(CALLS, FUNCTIONS), [floats(2, 3)])


def test_refusal_in_a_function(folder):
    text = CALLS.replace("z = own.twice <by = 3.0> (x)", "n = own.first (x) z = Add (x, n)")
    functions = FUNCTIONS + '<domain: "own", opset_import: ["": 21]>\nfirst (v) => (w) { u = RandomNormalLike (v) w = Abs (u) }'
    systemds.expectRefused(
        folder, model(text, functions), "own.first 'n' [RandomNormalLike 'u']: the exporter does not know the operator"
    )


def test_function_of_an_operator(folder):
    """Its nodes have names of their own; the comments name the node of the model."""
    text = "net (float[N, 4] a, float[N, 4] b) => (float[N, 4] y) { y = SwiGLU <alpha = 1.5> (a, b) }"
    a, b = floats(3, 4), floats(3, 4)[::-1]
    wanted = a / (1 + np.exp(-1.5 * a)) * b  # no runtime has the operator yet
    operators = (t.ROOT / "docs/dml.md").read_text().split("<!-- operators")[1].split("<!-- end -->")[0]
    assert "SwiGLU" not in operators, "the test wants an operator without a lowering of its own"
    script = systemds.expectSame(folder, onnx.parser.parse_model(HEAD.replace(": 21", ": 28") + text), [a, b], [wanted])
    assert "# SwiGLU y: " in script


def test_function_in_a_loop(folder):
    text = """
    net (int64 trips, float[2, 3] x) => (float[2, 3] y) {
      y = Loop (trips, , x) <
        body = step (int64 i, bool c, float[2, 3] v) => (bool c, float[2, 3] w) { w = MeanVarianceNormalization <axes = [1]> (v) }
      >
    }"""
    systemds.expectSame(folder, model(text), [np.array(2), floats(2, 3)])


# ---- libraries ---------------------------------------------------------------------------------------------------------


def test_library_of_several_outputs(folder):
    """SystemDS's Python loader gives a program one result of a call."""
    made = model("net (float[2, 3] x) => (float[2, 3] y, float[2, 3] z) { y = Neg (x) z = Exp (y) }")
    text = systemds.export(folder, made, "--library").read_text()
    assert "net_z = function(matrix[double] x) return (matrix[double] z)\n{\n  [y, z] = net(x)\n}" in text


# ---- tensors without elements ------------------------------------------------------------------------------------------


def test_tensors_without_elements(folder):
    """An input that is not read, an output that is written, a sum over nothing, and nothing in a Concat and a Split."""
    text = """
    net (float[0, 3] x, float[2, 3] z) => (float[0, 3] y, float[1, 3] sum, float[2, 3] joined, float[2, 3] part) {
      axis = Constant <value = int64[1] {0}> ()
      sizes = Constant <value = int64[2] {2, 0}> ()
      y = Exp (x)
      sum = ReduceSum (y, axis)
      joined = Concat <axis = 0> (y, z, x)
      part, rest = Split <axis = 0> (z, sizes)
    }"""
    script = systemds.expectSame(folder, model(text), [floats(0, 3), floats(2, 3)])
    assert "x_file" not in script and "which has no elements and is not read" in script


# ---- sizes of a free batch ---------------------------------------------------------------------------------------------


def test_sizes_of_a_free_batch(folder):
    text = """
    net (float[N, 3] x) => (int64[2] shape, int64[1] rows, int64 size, float[N, 2] filled, float[N, 3] eye, int64[N] range) {
      shape = Shape (x)
      rows = Shape <end = 1> (x)
      size = Size (x)
      two = Constant <value = int64[1] {2}> ()
      sizes = Concat <axis = 0> (rows, two)
      filled = ConstantOfShape <value = float[1] {1.5}> (sizes)
      eye = EyeLike <k = 1> (x)
      zero = Constant <value = int64 {0}> ()
      one = Constant <value = int64 {1}> ()
      none = Constant <value = int64[0] {}> ()
      n = Reshape (rows, none)
      range = Range (zero, n, one)
    }"""
    systemds.expectSame(folder, model(text), [floats(4, 3)])


# ---- inputs with defaults ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["binary", "csv"])
def test_input_with_a_default(folder, weights):
    """An initializer that is an input (IR version 4 and later) may be given or not."""
    made = model("net (float[2, 20] x, float[20] w) => (float[2, 20] y) { y = Add (x, w) }")
    w = floats(20)
    made.graph.initializer.append(onnx.numpy_helper.from_array(w, "w"))
    script = systemds.export(folder, made, f"--weights={weights}")
    ending = "csv" if weights == "csv" else "bin"
    assert f'w_file = ifdef($w, "model.weights/w.{ending}")' in script.read_text()
    running = systemds.process()
    if not running:
        return
    x, other = floats(2, 20), np.ones(20, np.float32)
    systemds.writeMatrix(folder / "x", x)
    for given, wanted in ((folder / f"model.weights/w.{ending}", x + w), (folder / "other", x + other)):
        systemds.writeMatrix(folder / "other", other)
        running.run(script, format="csv", x=folder / "x", w=given, y=folder / "y")
        systemds.expectClose(systemds.readMatrix(folder / "y"), wanted, "y")
