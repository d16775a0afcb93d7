# SPDX-License-Identifier: Apache-2.0
"""What other tools that fold ONNX models get wrong, as tests: each point of that list, and where it is tested.

 1  float8 results stored as uint8          narrow_results_say_their_type
 2  random operators folded                 random_in_a_loop_stays, training_modes_stay; in a branch: tools/test_placement.py
 3  overridable initializers folded        tools/test_placement.py, node_tests (variant `overridable`), tools/test_bodies.py
 4  Shape of a custom domain                tools/test_placement.py
 5  INT_MIN / -1 kills; results of 2^40 elements hang; endless loops hang
                                            test_published_bugs.py (b9); tools/test_cli.py, huge_results_stay_at_once;
                                            endless_loops_stay_at_once
 6  undefined results computed              test_published_bugs.py (b9), undefined_numbers_stay
 7  CastLike ignores saturate               castlike_does_not_saturate
 8  nodes that the model's opset lacks      only_constants_are_added_at_any_opset
 9  Shape with start and end                shape_with_start_and_end
10  one operator stops all folding          tools/test_placement.py, nothing_stops_the_rest
11  folding again changes the result        onnxfold_models.folded (every test of tools/), models/test_models.py
12  Constant with value_ints = []           empty_lists_of_constants
13  outputs that no node makes              the checker in onnxfold_models.folded and node_tests; what_is_read_is_there
14  models over 2 GB                        tools/test_large.py
15  a cap on iterations                     long_chains_fold_to_their_end
16  tied weights stored twice               tools/test_placement.py, tools/test_cli.py, constprop/FoldPlanTest.cpp
17  all intermediates alive                 intermediates_die
18  casts for the runtime's own kernels     half_precision_stays_half
19  a static channel count under a dynamic batch   tools/test_symbols.py
20  GreaterOrEqual below opset 16           comparisons_of_any_opset
21  an If branch that gives an initializer  what_branches_give; tools/test_inlining.py
22  equal random operators merged           tools/test_clean_ups.py, transforms/common-subexpression.mlir
23  x + 1e-12 taken for x + 0               sums_of_small_numbers_stay
24  Clip(x, min) merged with Clip(x, , max)  operands_that_are_left_out_count
25  a size of -1 taken for a number         sizes_below_zero_are_open
26  a value that an input gives taken for its size   values_of_inputs_are_open
27  a Dropout in training left out          training_modes_stay
"""


import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_nodes import Model, expectArray, expectFolded, expectKept, f32, i64

I64, BOOL, FLOAT = TensorProto.INT64, TensorProto.BOOL, TensorProto.FLOAT
NARROW = "FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ FLOAT8E8M0 FLOAT4E2M1 UINT4 INT4 UINT2 INT2".split()
SECONDS = 10  # of processor time, for what must end at once


def keptOf(folder, model, *flags):
    """{first output of a node: reason code} of what is kept; the folded model must be valid."""
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", *flags)
    onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
    return {one["outputs"][0]: one["reason"]["code"] for one in report["nodes"] if one["action"] == "kept"}


# 1: Casts to float8 came out as UINT8 initializers under a value that says float8; the checker accepts it.
def test_narrow_results_say_their_type(folder):
    for kind in map(TensorProto.DataType.Value, NARROW):
        nodes = [
            helper.make_node("Cast", ["x"], ["a"], to=kind),
            helper.make_node("Transpose", ["a"], ["b"]),
            helper.make_node("Reshape", ["b", "s"], ["c"]),
        ]
        constants = [m.const("x", f32([1, 0], [1, 1])), m.const("s", i64(2, 2))]
        model = m.model(nodes, [], [m.info("c", (2, 2), kind)], constants, 25, 13)
        onnx.save(model, folder / "model.onnx")
        out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited"))
        assert [(one.name, one.data_type) for one in out.graph.initializer] == [("c", kind)], "initializers"
        value = m.constantValue(out.graph, "c")
        zero = 2**-127 if kind == TensorProto.FLOAT8E8M0 else 0  # which has no 0
        assert value.astype(np.float32).tolist() == [[1, 1], [zero, 1]], "value"


def loopOf(body, trips, condition=True):
    """A loop of constants only; trips None: as long as the condition holds."""
    given = [] if trips is None else [m.const("n", np.int64(trips))]
    node = helper.make_node("Loop", ["" if trips is None else "n", "go", "start"], ["last", "all"], name="loop", body=body)
    constants = [m.const("go", np.array(condition)), m.const("start", np.int64(0)), *given]
    return m.model([node], [], [m.info("last", (), I64), m.info("all", (None, 2))], constants)


def bodyOf(nodes, result):
    more = [helper.make_node("Identity", ["c"], ["c2"]), helper.make_node("Identity", ["s"], ["s2"])]
    inputs = [m.info("i", (), I64), m.info("c", (), BOOL), m.info("s", (), I64)]
    return m.graph([*nodes, *more], inputs, [m.info("c2", (), BOOL), m.info("s2", (), I64), m.info(result, (2,))], name="body")


# 2: Random operators were folded, also in If and Loop, where every iteration then had the same numbers.
def test_random_in_a_loop_stays(folder):
    for operator in ("RandomNormal", "RandomUniform"):
        body = bodyOf([helper.make_node(operator, [], ["r"], shape=[2], seed=1.0)], "r")
        kept = keptOf(folder, loopOf(body, 3), "--max-growth=unlimited")
        assert "last" in kept, f"the loop over {operator} was folded: {kept}"
        counts = t.operatorCounts(onnx.load(folder / "out.onnx"))
        assert (counts.get("Loop"), counts.get(operator)) == (1, 1), "operators that are kept"


# 2: Dropout in training mode was folded; before version 7 that is the default.
def test_training_modes_stay(folder):
    for opset in (1, 6):
        model = Model(folder, opset, ir=3)
        model.node("Dropout", [f32(1, 2)], **({"consumed_inputs": [0]} if opset == 1 else {}))
        values, kept = model.fold()
        assert set(values.values()) == {None} and list(kept) == ["n0"], f"Dropout at opset {opset}: {values}, kept {kept}"
        model = Model(folder, opset, ir=3)
        name = model.node("Dropout", [f32(1, 2)], is_test=1, **({"consumed_inputs": [0]} if opset == 1 else {}))
        values, kept = model.fold()
        expectArray(values[name], f32(1, 2), f"Dropout of opset {opset} as a test")
    image = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
    ones = [np.full(2, i + 1, np.float32) for i in range(4)]  # equal ones would become one
    model = Model(folder, 15)
    model.node("BatchNormalization", [image, *ones], 3, training_mode=1)
    values, kept = model.fold()
    assert set(values.values()) == {None} and list(kept) == ["n0"], f"BatchNormalization: {values}, kept {kept}"


# 5: Loops without an end hung, results of 2^40 elements were made. (Others: tools/test_cli.py.)
def test_endless_loops_stay_at_once(folder):
    body = bodyOf([helper.make_node("Constant", [], ["r"], value=m.const("", f32(1, 2)))], "r")
    for trips in (None, 2**63 - 1, 2**40):
        model = loopOf(body, trips)
        begin = t.processorSeconds()
        kept = keptOf(folder, model, "--max-growth=unlimited")
        assert "last" in kept, f"the loop of {trips} iterations was folded"
        assert t.processorSeconds() - begin < SECONDS, f"the loop of {trips} iterations took {t.processorSeconds() - begin:.1f} s"


def test_huge_results_stay_at_once(folder):
    """Also those whose size only a value says, and sizes that overflow 64 bits."""
    big = 1 << 40
    begin = t.processorSeconds()
    cases = [
        ("Tile", [f32(1, 2), i64(big)], {}, 13),
        ("Tile", [f32([1, 2]), i64(2**62, 2**62)], {}, 13),
        ("Pad", [f32(1), i64(0, big)], {}, 13),
        ("Pad", [f32(1), i64(2**62, 2**62)], {}, 13),
        ("Range", [np.int64(0), np.int64(2**62), np.int64(1)], {}, 11),
        ("Range", [np.float32(0), np.float32(3e38), np.float32(1e-3)], {}, 11),
        ("Expand", [f32(1), i64(big)], {}, 13),
        ("ConstantOfShape", [i64(2**32, 2**32)], {}, 9),
        ("OneHot", [i64(0), i64(big), f32(0, 1)], {}, 11),
        ("Upsample", [np.ones((1, 1, 1, 1), np.float32), f32(1, 1, 2e6, 2e6)], {}, 9),
        ("Resize", [np.ones((1, 1, 1, 1), np.float32), "", "", i64(1, 1, 2**31, 2**31)], {}, 13),
    ]
    for operator, inputs, attributes, opset in cases:
        model = Model(folder, opset)
        name = model.node(operator, inputs, **attributes)
        values, kept = model.fold()
        assert values[name] is None, f"{operator} folded to a huge result"
        assert kept.get("n0") in ("result-limit", "invalid", "undefined"), f"{operator} is kept with {kept}"
    assert t.processorSeconds() - begin < 3 * SECONDS, f"took {t.processorSeconds() - begin:.1f} s"


def test_tensors_without_elements_have_any_shape(folder):
    """Dimensions beside a 0, whose product is beyond 64 bits (found with a sanitizer: it overflowed where views are merged)."""
    empty = np.zeros((0, 2), np.float32)
    huge = i64(0, 2**40, 2**40)
    model = Model(folder)
    wide = model.node("Reshape", [empty, huge], allowzero=1)
    turned = model.node("Transpose", [wide])
    negative = model.node("Neg", [turned])
    back = model.node("Reshape", [negative, i64(2, 0)], allowzero=1)
    padded = model.node("Pad", [empty, i64(0, 0, 0, 2**62)])
    sizes = [model.node("Shape", [name]) for name in (wide, turned, negative, back, padded)]
    model.outputs = [*sizes, back]  # no array of numpy may have the other shapes
    values, _ = model.fold()
    expected = ([0, 2**40, 2**40], [2**40, 2**40, 0], [2**40, 2**40, 0], [2, 0], [0, 2**62 + 2])
    for name, want in zip(sizes, expected):
        expectArray(values[name], i64(*want), f"shape {name}")
    expectArray(values[back], np.zeros((2, 0), np.float32))


# 6: Whatever the processor gives became the constant.
def test_undefined_numbers_stay(folder):
    u8 = np.array([1, 255], np.uint8)
    for direction in ("LEFT", "RIGHT"):
        expectKept(folder, "BitShift", [u8, np.array([8, 1], np.uint8)], "undefined", opset=11, direction=direction)
        expectFolded(folder, "BitShift", [u8, np.array([7, 1], np.uint8)],
                     np.array([128, 254] if direction == "LEFT" else [0, 127], np.uint8), direction=direction)  # fmt: skip
    for kind in (TensorProto.INT8, TensorProto.UINT8, TensorProto.INT32, TensorProto.UINT32, I64, TensorProto.UINT64):
        for value in (np.nan, np.inf, -np.inf, 1e30, -1e30):
            expectKept(folder, "Cast", [f32(1, value)], "undefined", to=kind)
    expectKept(folder, "Cast", [f32(-1)], "undefined", to=TensorProto.UINT8)
    expectFolded(folder, "Cast", [f32(-0.9, 255.9)], np.array([0, 255], np.uint8), to=TensorProto.UINT8)
    expectKept(folder, "Pow", [i64(2, 3), i64(-1, 2)], "undefined")
    expectKept(folder, "Div", [np.array([7], np.uint64), np.array([0], np.uint64)], "undefined")
    expectFolded(folder, "Div", [f32(1, -1, 0), f32(0, 0, 0)], f32(np.inf, -np.inf, np.nan))


# 7: CastLike with saturate = 0 became Cast without it.
def test_castlike_does_not_saturate(folder):
    x = f32(1e6, -1e6, np.inf, 1)
    expected = {
        ml_dtypes.float8_e4m3fn: ([0x7E, 0xFE, 0x7E, 0x38], [0x7F, 0xFF, 0x7F, 0x38]),
        ml_dtypes.float8_e5m2: ([0x7B, 0xFB, 0x7B, 0x3C], [0x7C, 0xFC, 0x7C, 0x3C]),
        ml_dtypes.float8_e4m3fnuz: ([0x7F, 0xFF, 0x7F, 0x40], [0x80, 0x80, 0x80, 0x40]),
        ml_dtypes.float8_e5m2fnuz: ([0x7F, 0xFF, 0x7F, 0x40], [0x80, 0x80, 0x80, 0x40]),
    }
    for dtype, (saturated, not_saturated) in expected.items():
        for saturate, bits in ((1, saturated), (0, not_saturated)):
            model = Model(folder, 24, 12)
            name = model.node("CastLike", [x, np.zeros(1, dtype)], saturate=saturate)
            values, kept = model.fold()
            assert kept == {}, f"what is kept with saturate={saturate}"
            got, want = values[name], np.array(bits, np.uint8).view(dtype)
            same = (got.view(np.uint8) == want.view(np.uint8)) | (np.isnan(got) & np.isnan(want))
            assert got.dtype == want.dtype and same.all(), f"{dtype.__name__}, saturate={saturate}: {got}, expected {want}"


# 8: Constants came as value_int before 12, Squeeze and Split with inputs before 13, Reshape with allowzero before 14.
def test_only_constants_are_added_at_any_opset(folder):
    for opset, ir in ((1, 3), (6, 3), (7, 3), (7, 4), (9, 4), (11, 6), (13, 7), (18, 8), (21, 10), (28, 14)):
        consumed = {"consumed_inputs": [0]} if opset == 1 else {}
        nodes = [
            helper.make_node("Neg", ["w"], ["a"], **consumed),
            helper.make_node("Abs", ["a"], ["b"], **consumed),
            helper.make_node("MatMul", ["x", "b"], ["y"]),
        ]
        inputs = [m.info("x", (2, 2))] + ([m.info("w", (2, 2))] if ir < 4 else [])
        model = m.model(nodes, inputs, [m.info("y", (2, 2))], [m.const("w", f32([1, -2], [3, -4]))], opset, ir)
        keptOf(folder, model, "--max-growth=unlimited")
        out = onnx.load(folder / "out.onnx")
        assert (out.ir_version, out.opset_import[0].version) == (ir, opset), "IR version and opset"
        assert m.operators(out) == ["MatMul"], f"operators at opset {opset}"
        added = [(one.attribute[0].name, len(one.attribute)) for one in out.graph.node if one.op_type == "Constant"]
        assert added == ([("value", 1)] if ir < 4 else []), f"attributes of Constants at opset {opset}, IR {ir}"
        m.expectValue(out.graph, "b", f32([1, 2], [3, 4]))


# 9: Shape with start and end gave wrong values, or crashed.
def test_shape_with_start_and_end(folder):
    for shape in ((), (2,), (2, 0, 3)):
        model, expected, x = Model(folder, 19), {}, np.zeros(shape, np.float32)
        for start in (None, -5, -2, -1, 0, 1, 3, 9):
            for end in (None, -5, -1, 0, 2, 9):
                attributes = {name: value for name, value in (("start", start), ("end", end)) if value is not None}
                want = np.array(shape[start or 0 : end], np.int64)  # Python clamps as the specification does
                name = model.node("Shape", [x], **attributes)
                expected[name] = (want, f"Shape of {list(shape)} with {attributes}")
        values, _ = model.fold()
        for name, (want, what) in expected.items():
            expectArray(values[name], want, what)


# 10: One operator that cannot be evaluated stopped all folding of the model.
def test_nothing_stops_the_rest(folder):
    nodes = [
        helper.make_node("Gather", ["w", "bad"], ["g"]),  # index out of range
        helper.make_node("RandomNormal", [], ["r"], shape=[2]),
        helper.make_node("Unknown", ["w"], ["u"], domain="com.example"),
        helper.make_node("Tile", ["w", "many"], ["h"]),
        helper.make_node("Neg", ["w"], ["n"]),
        helper.make_node("Sum", ["g", "r", "u", "n", "x"], ["y"]),
        helper.make_node("ReduceMax", ["h"], ["z"], keepdims=0),
    ]
    constants = [m.const("w", f32(1, 2)), m.const("bad", i64(0, 7)), m.const("many", i64(1 << 40))]
    outputs = [m.info("y", (2,)), m.info("z", ())]
    model = m.model(nodes, [m.info("x", (2,))], outputs, constants, domains=[("com.example", 1)])
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert m.operators(out) == ["Gather", "RandomNormal", "Unknown", "Tile", "Sum", "ReduceMax"], "operators"
    m.expectValue(out.graph, "n", f32(-1, -2))


# 20: They have a function body from opset 16 on; what was there before did not fold.
def test_comparisons_of_any_opset(folder):
    for opset in (12, 13, 15, 16, 21):
        nodes = [
            helper.make_node("GreaterOrEqual", ["a", "b"], ["g"]),
            helper.make_node("LessOrEqual", ["a", "b"], ["l"]),
            helper.make_node("Where", ["g", "x", "a"], ["y"]),
            helper.make_node("Where", ["l", "x", "a"], ["z"]),
        ]
        constants = [m.const("a", f32(1, 2, np.nan)), m.const("b", f32(1, 3, 0))]
        model = m.model(nodes, [m.info("x", (3,))], [m.info("y", (3,)), m.info("z", (3,))], constants, opset=opset, ir=7)
        out = m.folded(folder, model)
        assert m.operators(out) == ["Where", "Where"], f"operators of opset {opset}"
        m.expectValue(out.graph, "g", [True, False, False])
        m.expectValue(out.graph, "l", [True, True, False])


# 21: The initializer went with the branch, and no node made the result; or the outer value was not found.
def test_what_branches_give(folder):
    stored = m.graph([], [], [m.info("w", (2,))], [m.const("w", f32(1, 2))], name="stored")
    outer = m.graph([helper.make_node("Identity", ["v"], ["o"])], [], [m.info("o", (2,))], name="outer")
    for condition, value in ((True, [1, 2]), (False, [3, 4])):
        for reader in ([helper.make_node("Add", ["x", "h"], ["y"])], [helper.make_node("Identity", ["h"], ["y"])]):
            choice = helper.make_node("If", ["c"], ["h"], then_branch=stored, else_branch=outer)
            constants = [m.const("c", np.array(condition)), m.const("v", f32(3, 4))]
            model = m.model([choice, *reader], [m.info("x", (2,))], [m.info("y", (2,))], constants)
            out = m.folded(folder, model)
            assert "If" not in m.operators(out), f"the If is there still: {m.operators(out)}"
            values = [m.constantValue(out.graph, name) for name in m.initializerNames(out)]
            assert any(np.array_equal(one, value) for one in values), f"initializers are {values}, expected {value}"


# 23: Under a tolerance of 1e-6 the epsilon of a normalisation is 0, and the square root of a constant row is too.
def test_sums_of_small_numbers_stay(folder):
    for number in (1e-12, 1e-45, -1e-45):
        nodes = [helper.make_node("Add", ["x", "e"], ["a"]), helper.make_node("Sqrt", ["a"], ["b"]), helper.make_node("Div", ["x", "b"], ["y"])]
        model = m.model(nodes, [m.info("x", (2,))], [m.info("y", (2,))], [m.const("e", np.float32(number))])
        for level in ("-O1", "-O2"):
            assert m.operators(m.folded(folder, model, level)) == ["Add", "Sqrt", "Div"], f"operators at {level}"


# 12: An empty list, which an exporter writes for every shape of rank 0, became a float64 tensor or stopped the import.
def test_empty_lists_of_constants(folder):
    kinds = (("value_ints", onnx.AttributeProto.INTS, I64), ("value_floats", onnx.AttributeProto.FLOATS, FLOAT))
    for name, attribute, kind in (*kinds, ("value_strings", onnx.AttributeProto.STRINGS, TensorProto.STRING)):
        constant = helper.make_node("Constant", [], ["c"])
        constant.attribute.append(onnx.AttributeProto(name=name, type=attribute))
        nodes = [constant, helper.make_node("Concat", ["c", "c"], ["y"], axis=0), helper.make_node("Shape", ["c"], ["s"])]
        model = m.model(nodes, [], [m.info("y", (0,), kind), m.info("s", (1,), I64)])
        onnx.save(model, folder / "model.onnx")
        out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
        stored = {tensor.name: (tensor.data_type, list(tensor.dims)) for tensor in out.graph.initializer}
        assert stored == {"y": (kind, [0]), "s": (I64, [1])}, f"initializers from {name} = []"
    nodes = [constant, helper.make_node("Reshape", ["x", "c"], ["y"])]
    constant.attribute[0].CopyFrom(onnx.AttributeProto(name="value_ints", type=onnx.AttributeProto.INTS))
    model = m.model(nodes, [], [m.info("y", ())], [m.const("x", f32(3))])
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    m.expectValue(out.graph, "y", np.float32(3))


# 13: A shape that was folded was read by a node, and no node or initializer made it.
def test_what_is_read_is_there(folder):
    """One constant with readers in the graph, in a branch of a branch, in a function call, and as an output."""
    inner = m.graph([helper.make_node("Add", ["x", "v"], ["p"])], [], [m.info("p", (2,))], name="inner")
    other = m.graph([helper.make_node("Identity", ["v"], ["q"])], [], [m.info("q", (2,))], name="other")
    outer = m.graph(
        [helper.make_node("If", ["c"], ["o"], then_branch=inner, else_branch=other)], [], [m.info("o", (2,))], name="outer"
    )
    nodes = [
        helper.make_node("Neg", ["w"], ["v"]),
        helper.make_node("If", ["c"], ["h"], then_branch=outer, else_branch=other),
        helper.make_node("Twice", ["v"], ["f"], domain="local"),
        helper.make_node("Sum", ["h", "f", "v"], ["y"]),
    ]
    function = helper.make_function(
        "local", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 21)]
    )
    model = m.model(
        nodes,
        [m.info("x", (2,)), m.info("c", (), BOOL)],
        [m.info("y", (2,)), m.info("v", (2,))],
        [m.const("w", f32(1, 2))],
        domains=[("local", 1)],
        functions=[function],
    )
    out = m.folded(folder, model, feeds=[{"x": f32(1, 1), "c": np.array(flag)} for flag in (True, False)])
    m.expectValue(out.graph, "v", f32(-1, -2))


# 15: After a fixed number of rounds the rest was left, without a word.
def test_long_chains_fold_to_their_end(folder):
    count = 20000
    nodes = [helper.make_node("Add", [f"v{k}", "one"], [f"v{k + 1}"]) for k in range(count)]
    model = m.model(nodes, [], [m.info(f"v{count}", (2,))], [m.const("v0", f32(0, 1)), m.const("one", np.float32(1))])
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited"))
    assert m.operators(out) == [], "operators that are left"
    m.expectValue(out.graph, f"v{count}", f32(count, count + 1))


# 17: Every intermediate of a chain was kept until the end: 20 to 43 times the file in memory.
def test_intermediates_die(folder):
    """400 operators on a matrix of 4 MB, half of which cannot be deferred."""
    nodes = []
    for k in range(0, 400, 2):
        nodes += [helper.make_node("Softmax", [f"v{k}"], [f"v{k + 1}"]), helper.make_node("Neg", [f"v{k + 1}"], [f"v{k + 2}"])]
    x = np.random.default_rng(17).normal(size=(1024, 1024)).astype(np.float32)
    model = m.model(nodes, [], [m.info("v400", x.shape)], [m.const("v0", x)])
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited")
    assert report["ops"].get("Softmax", [0, 0])[1] == 0, "Softmax that is left"
    assert report["peak_bytes"] < 80 << 20, f"peak is {report['peak_bytes'] >> 20} MB for a file of 4 MB"


# 18: Casts around float16 operators, which one runtime has no kernels for, were written into the model.
def test_half_precision_stays_half(folder):
    half = np.array([[1, 2], [3, 4]], np.float16)
    nodes = [
        helper.make_node("MatMul", ["w", "w"], ["a"]),
        helper.make_node("Softmax", ["a"], ["b"]),
        helper.make_node("MatMul", ["x", "b"], ["c"]),
        helper.make_node("Add", ["c", "w"], ["y"]),
    ]
    kind = TensorProto.FLOAT16
    model = m.model(nodes, [m.info("x", (2, 2), kind)], [m.info("y", (2, 2), kind)], [m.const("w", half)])
    out = m.folded(folder, model)
    assert m.operators(out) == ["MatMul", "Add"], "operators"
    assert {tensor.data_type for tensor in out.graph.initializer} == {kind}, "types of the initializers"


# 24: onnxruntime's cse_optional_args.onnx came out with four Clips of five, and other results.
def test_operands_that_are_left_out_count(folder):
    clips = [["x"], ["x", "", ""], ["x", "", "c"], ["x", "c", ""], ["x", "c"]]
    nodes = [helper.make_node("Clip", inputs, [f"y{i}"]) for i, inputs in enumerate(clips)]
    nodes.append(helper.make_node("Sum", [f"y{i}" for i in range(5)], ["y"]))
    model = m.model(nodes, [m.info("x", (5,))], [m.info("y", (5,))], [m.const("c", np.float32(0.5))], opset=12)
    feeds = [{"x": np.linspace(-1, 1, 5, dtype=np.float32)}]
    for level in ("-O1", "-O2"):
        out = m.folded(folder, model, level, feeds=feeds)
        assert t.operatorCounts(out)["Clip"] >= 3, level


# 25: of x: [-1, -1, -1] all sizes were equal, and the branch for that was taken (onnxruntime's cpu_if.onnx).
def test_sizes_below_zero_are_open(folder):
    branches = {f"{name}_branch": m.graph([helper.make_node(op, ["x"], [name])], [], [m.info(name, (None, None))], name=name)
                for name, op in (("then", "Neg"), ("else", "Abs"))}
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("ArgMax", ["s"], ["a"], keepdims=0),
        helper.make_node("ArgMin", ["s"], ["b"], keepdims=0),
        helper.make_node("Equal", ["a", "b"], ["c"]),
        helper.make_node("If", ["c"], ["y"], **branches),
    ]
    model = m.model(nodes, [m.info("x", (-1, -1))], [m.info("y", (None, None))], opset=21)
    out = m.folded(folder, model, "-O2", runs=False)
    assert "If" in t.operatorCounts(out), "operators"


# 26: onnxruntime's issue4829.onnx got the target [1, 2, 2] for what the input gives.
def test_values_of_inputs_are_open(folder):
    nodes = [
        helper.make_node("ReduceProd", ["s"], ["n"], keepdims=1),
        helper.make_node("ConstantOfShape", ["n"], ["z"]),
        helper.make_node("Concat", ["one", "s"], ["t"], axis=0),
        helper.make_node("Reshape", ["z", "t"], ["y"]),
    ]
    model = m.model(nodes, [m.info("s", (2,), I64)], [m.info("y", (1, None, None))], [m.const("one", [1], np.int64)], opset=21)
    for sizes in ([2, 2], [3, 4]):
        m.folded(folder, model, "-O2", feeds=[{"s": np.array(sizes, np.int64)}])
