# SPDX-License-Identifier: Apache-2.0
"""--precision: what folds in exact mode is what numpy gives operator by operator, in wide mode what it gives in float64,
rounded once where a constant enters the graph."""

import ml_dtypes
import numpy as np
import pytest
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

TYPES = {
    "float32": (np.float32, TensorProto.FLOAT),
    "float16": (np.float16, TensorProto.FLOAT16),
    "bfloat16": (ml_dtypes.bfloat16, TensorProto.BFLOAT16),
}


def sample(shape):
    """Multiples of 1/16 of at most seven bits: float64 holds all sums of products of their products."""
    return (np.random.default_rng(t.options.seed).integers(-127, 128, shape) / 16).astype(np.float32)


def expectBits(actual, expected, what):
    same = actual is not None and actual.dtype == expected.dtype and actual.shape == expected.shape
    assert same, f"{what} is {actual!r}, expected {expected!r}"
    kept = np.ascontiguousarray(actual).tobytes() == np.ascontiguousarray(expected).tobytes()
    assert kept, f"{what} is {actual!r}, expected {expected!r}"


def folded(folder, model, precision, *flags):
    """{value: array} of the constants of the folded model, which folds again into the same bytes."""
    out = m.folded(folder, model, "-O0", f"--precision={precision}", "--max-growth=unlimited", *flags, runs=False)
    names = [one.name for one in out.graph.initializer]
    return {name: m.constantValue(out.graph, name) for name in names}


def elementwise(dtype, kind, shape=(5, 7)):
    """r reads a * a * b - a, and m the square in the middle of it."""
    random = np.random.default_rng(t.options.seed)
    a, b = random.standard_normal(shape).astype(dtype), random.standard_normal(shape[1:]).astype(dtype)
    nodes = [
        node("Mul", ["a", "a"], ["square"]),
        node("Mul", ["square", "b"], ["cube"]),
        node("Transpose", ["cube"], ["turned"]),
        node("Transpose", ["turned"], ["back"]),
        node("Sub", ["back", "a"], ["result"]),
        node("Add", ["x", "result"], ["r"]),
        node("Add", ["x", "square"], ["m"]),
    ]
    outputs = [info("r", shape, kind), info("m", shape, kind)]
    model = m.model(nodes, [info("x", shape, kind)], outputs, [const("a", a), const("b", b)])
    exact = ((a * a).astype(dtype) * b).astype(dtype) - a
    wideA = a.astype(np.float64)
    wide = wideA * wideA * b.astype(np.float64) - wideA
    return model, exact.astype(dtype), wide.astype(dtype), (wideA * wideA).astype(dtype)


@pytest.mark.parametrize("dtype, kind", TYPES.values(), ids=TYPES)
def test_elementwise(dtype, kind, folder):
        model, exact, wide, square = elementwise(dtype, kind)
        got = {precision: folded(folder, model, precision) for precision in ("exact", "wide")}
        expectBits(got["exact"]["result"], exact, "exact result")
        expectBits(got["wide"]["result"], wide, "wide result")
        for precision, values in got.items():
            expectBits(values["square"], square, f"{precision} value in the middle")
        assert exact.tobytes() != wide.tobytes(), "the sample does not tell the modes apart"
        onnx.save(model, folder / "model.onnx")
        plain = t.fold(folder / "model.onnx", folder / "plain.onnx", "--max-growth=unlimited")
        t.fold(folder / "model.onnx", folder / "exact.onnx", "--max-growth=unlimited", "--precision=exact")
        t.expectSameBytes(plain, folder / "exact.onnx", "exact is the default")


def test_eager_operators(folder):
    """MatMul, ReduceSum and CumSum hand doubles on: every sum here is exact in float64."""
    a, b = sample((40, 60)), sample((60, 30))
    nodes = [
        node("MatMul", ["a", "b"], ["product"]),
        node("Mul", ["product", "product"], ["squares"]),
        node("ReduceSum", ["squares", "axes"], ["sums"], keepdims=0),
        node("CumSum", ["sums", "axis"], ["running"]),
        node("Sqrt", ["running"], ["root"]),
        node("Div", ["root", "three"], ["result"]),
        node("Add", ["x", "result"], ["y"]),
    ]
    weights = [
        const("a", a),
        const("b", b),
        const("axes", [0], np.int64),
        const("axis", 0, np.int64),
        const("three", np.float32(3)),
    ]
    model = m.model(nodes, [info("x", (30,))], [info("y", (30,))], weights)
    product = a.astype(np.float64) @ b.astype(np.float64)
    wide = (np.sqrt(np.cumsum((product * product).sum(0))) / 3).astype(np.float32)
    # One rounding after each operator; a sum is rounded once.
    step = product.astype(np.float32)
    step = np.cumsum((step * step).astype(np.float64).sum(0).astype(np.float32).astype(np.float64)).astype(np.float32)
    exact = np.sqrt(step) / np.float32(3)
    expectBits(folded(folder, model, "wide")["result"], wide, "wide result")
    expectBits(folded(folder, model, "exact")["result"], exact, "exact result")
    assert exact.tobytes() != wide.tobytes(), "the sample does not tell the modes apart"


def test_overflow_in_the_middle(folder):
    nodes = [
        node("Mul", ["a", "a"], ["square"]),
        node("Sqrt", ["square"], ["result"]),
        node("Add", ["x", "result"], ["y"]),
    ]
    model = m.model(nodes, [info("x", (1,))], [info("y", (1,))], [const("a", [1e30], np.float32)])
    expectBits(folded(folder, model, "exact")["result"], np.float32([np.inf]), "exact result")
    expectBits(folded(folder, model, "wide")["result"], np.float32([1e30]), "wide result")


def test_casts_round_and_comparisons_do_not(folder):
    """3 - 2^-30 is 3 in float32, so a Cast makes it 3 in both modes; it is less than 3 in wide mode."""
    nodes = [
        node("Sub", ["three", "little"], ["nearly"]),
        node("Cast", ["nearly"], ["int"], to=TensorProto.INT32),
        node("Cast", ["nearly"], ["double"], to=TensorProto.DOUBLE),
        node("Cast", ["nearly"], ["same"], to=TensorProto.FLOAT),
        node("Less", ["same", "three"], ["sameIsLess"]),
        node("Less", ["nearly", "three"], ["isLess"]),
        node("Where", ["c", "isLess", "sameIsLess"], ["bools"]),
        node("Where", ["c", "int", "int"], ["ints"]),
        node("Where", ["c", "double", "double"], ["doubles"]),
    ]
    outputs = [
        info("bools", (1,), TensorProto.BOOL),
        info("ints", (1,), TensorProto.INT32),
        info("doubles", (1,), TensorProto.DOUBLE),
    ]
    weights = [const("three", [3], np.float32), const("little", [2.0**-30], np.float32)]
    model = m.model(nodes, [info("c", (1,), TensorProto.BOOL)], outputs, weights)
    for precision in ("exact", "wide"):
        values = folded(folder, model, precision)
        expectBits(values["int"], np.int32([3]), f"{precision} int")
        expectBits(values["double"], np.float64([3]), f"{precision} double")
        expectBits(values["sameIsLess"], np.array([False]), f"{precision} comparison of what was cast")
        expectBits(values["isLess"], np.array([precision == "wide"]), f"{precision} comparison")


def test_integers_wrap_in_both_modes(folder):
    nodes = [
        node("Add", ["a", "a"], ["b"]),
        node("Mul", ["b", "a"], ["result"]),
        node("Add", ["x", "result"], ["y"]),
    ]
    a = np.int32([2**31 - 1, 70000, -(2**31)])
    kind = TensorProto.INT32
    model = m.model(nodes, [info("x", (3,), kind)], [info("y", (3,), kind)], [const("a", a)])
    with np.errstate(over="ignore"):
        expected = (a + a) * a
    for precision in ("exact", "wide"):
        expectBits(folded(folder, model, precision)["result"], expected, f"{precision} result")


def test_moved_constants_keep_their_bytes(folder):
    """Signalling NaNs, which a detour through float64 would quieten."""
    bits = np.uint32([[0x7FA00001, 0x3F800000, 0xFFA00002], [0x80000000, 0x7FC12345, 1]])
    nodes = [
        node("Transpose", ["a"], ["t"]),
        node("Concat", ["t", "t"], ["result"], axis=0),
        node("Add", ["x", "result"], ["y"]),
    ]
    tensor = onnx.helper.make_tensor("a", TensorProto.FLOAT, (2, 3), bits.tobytes(), raw=True)
    model = m.model(nodes, [info("x", (6, 2))], [info("y", (6, 2))], [tensor])
    expected = np.concatenate([bits.T, bits.T]).view(np.float32)
    for precision in ("exact", "wide"):
        expectBits(folded(folder, model, precision)["result"], expected, f"{precision} result")


def test_same_bytes_with_any_number_of_threads(folder):
    """Large enough that the work is cut into pieces."""
    a = np.random.default_rng(t.options.seed).standard_normal((700, 900)).astype(np.float32)
    nodes = [
        node("Exp", ["a"], ["e"]),
        node("MatMul", ["e", "w"], ["p"]),
        node("Softmax", ["p"], ["s"]),
        node("ReduceMean", ["s", "axes"], ["mean"]),
        node("Div", ["s", "mean"], ["result"]),
        node("Add", ["x", "result"], ["y"]),
    ]
    weights = [const("a", a), const("w", a.T[:, :500].copy()), const("axes", [0], np.int64)]
    model = m.model(nodes, [info("x", (700, 500))], [info("y", (700, 500))], weights)
    onnx.save(model, folder / "model.onnx")
    for precision in ("exact", "wide"):
        outs = [folder / f"{precision}{threads}.onnx" for threads in (1, 2)]
        for threads, out in zip((1, 2), outs):
            t.fold(
                folder / "model.onnx",
                out,
                f"--precision={precision}",
                f"--threads={threads}",
                "--max-growth=unlimited",
            )
        t.expectSameBytes(*outs, f"{precision}, one and two threads")
        again = t.fold(outs[0], folder / "again.onnx", f"--precision={precision}", "--max-growth=unlimited")
        t.expectSameBytes(again, outs[0], f"{precision}, folded again")
    assert not t.sameBytes(folder / "exact1.onnx", folder / "wide1.onnx"), "the modes do not differ"


def test_wrong_value(folder):
    onnx.save(elementwise(np.float32, TensorProto.FLOAT)[0], folder / "model.onnx")
    for value in ("double", "", "Wide"):
        result = t.run(f"--precision={value}", folder / "model.onnx")
        assert result.code == 1, f"exit status of --precision={value}"
        wanted = f"--precision is '{value}', expected exact or wide"
        assert wanted in result.err, f"the message is {result.err!r}, expected {wanted!r}"
    assert sorted(path.name for path in folder.iterdir()) == ["model.onnx"], "files"
    text = t.runOk("--help=all").out.decode()
    assert "--precision=exact|wide" in text, "--help=all does not name --precision"


# Operators that round what they read, as their headers say: Cast and its kin, and those whose attributes name types.
ROUND = {"Cast", "CastLike", "EyeLike", "Range", "ConstantOfShape"} | t.QUANTIZATION
# The means of f64 are corrected, those of floats need not be: the last bit of a double may differ.
CORRECTED_MEANS = {"InstanceNormalization"}
FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE


def nodeTests():
    """(operator, folder) of up to three node tests of each operator on one f32 node."""
    seen = {}
    for folder in sorted((t.TEST_DATA / "node").iterdir()):
        if not (folder / "model.onnx").exists():
            continue
        nodes = onnx.load(folder / "model.onnx").graph.node
        operator = nodes[0].op_type
        if len(nodes) != 1 or operator not in t.KERNELS - ROUND or any(t.subgraphs(nodes[0])):
            continue
        source = onnx.load(folder / "model.onnx").graph
        if FLOAT in [value.type.tensor_type.elem_type for value in source.input]:
            seen.setdefault(operator, []).append(folder)
    return [(operator, folder) for operator, folders in seen.items() for folder in folders[:3]]


def shifted(folder, kind, subtract=()):
    """The node test with its f32 inputs turned into constants of type `kind`, to each of which a node adds a little more than
    a float can say; from output number i the constant subtract[i], if any, is subtracted. Outputs are called o0, o1 ..."""
    model = onnx.load(folder / "model.onnx")
    graph, imports = model.graph, {one.domain: one.version for one in model.opset_import}
    test = graph.node[0]
    weights, nodes, outputs = [], [], []
    for index, value in enumerate(graph.input):
        tensor = onnx.load_tensor(folder / "test_data_set_0" / f"input_{index}.pb")
        array, name = onnx.numpy_helper.to_array(tensor), value.name
        if tensor.data_type != FLOAT:
            weights.append(const(name, array))
            continue
        dtype = onnx.helper.tensor_dtype_to_np_dtype(kind)
        weights += [const(f"{name}.float", array.astype(dtype)), const(f"{name}.more", np.asarray(2.0**-30, dtype))]
        nodes.append(node("Add", [f"{name}.float", f"{name}.more"], [name]))
    nodes.append(test)
    for index, value in enumerate(graph.output):
        name, elements = value.name, value.type.tensor_type.elem_type
        if index < len(subtract) and subtract[index] is not None:
            weights.append(const(f"{name}.less", subtract[index]))
            nodes.append(node("Sub", [name, f"{name}.less"], [f"o{index}"]))
        else:
            nodes.append(node("Identity", [name], [f"o{index}"]))
        shape = [one.dim_value for one in value.type.tensor_type.shape.dim]
        outputs.append(info(f"o{index}", shape, kind if elements == FLOAT else elements))
    return m.model(nodes, [], outputs, weights, opset=max(13, imports[""]))


def outputsOf(folder, model, *flags):
    """The outputs of a model that folds entirely, or why it does not."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        return str(error)
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited", *flags))
    arrays = [m.constantValue(out.graph, value.name) for value in model.graph.output]
    return "does not fold" if any(array is None for array in arrays) else arrays


def test_every_operator_keeps_doubles(folder):
    """The same operator in f64 says what a wide f32 one must give. What a float cannot say of it is made visible by
    subtracting the float from it; an operator that rounds its inputs or results would leave nothing, or something else."""
    operators, skipped = set(), {}
    for operator, test in nodeTests():
        doubles = outputsOf(folder, shifted(test, DOUBLE))
        if isinstance(doubles, str):
            skipped.setdefault(operator, doubles)
            continue
        nearest = [array.astype(np.float32) if array.dtype == np.float64 else None for array in doubles]
        got = outputsOf(folder, shifted(test, FLOAT, nearest), "--precision=wide")
        assert not isinstance(got, str), f"{test.name}: {got}"
        for array, double, near in zip(got, doubles, nearest):
            with np.errstate(invalid="ignore"):
                want = double if near is None else (double - near).astype(np.float32)
            same = np.array_equal(array, want, equal_nan=near is not None)
            if not same and near is not None and operator in CORRECTED_MEANS:
                same = np.allclose(array, want, rtol=0, atol=2.0**-51 * max(1, np.nanmax(np.abs(double))), equal_nan=True)
            assert same, f"{test.name}: {array!r}, expected {want!r}"
        operators.add(operator)
    left = set(skipped) - operators
    print(f"  {len(operators)} operators keep doubles; not in f64: {sorted(left)}")
    assert len(operators) >= 75, f"only {len(operators)} operators were tried; not: {skipped}"


def test_celu_keeps_doubles(folder):
    """Celu has no f64; of what is above 0 it is the identity."""
    nodes = [
        node("Add", ["one", "little"], ["a"]),
        node("Celu", ["a"], ["b"]),
        node("Sub", ["b", "one"], ["result"]),
        node("Add", ["x", "result"], ["y"]),
    ]
    weights = [const("one", [1], np.float32), const("little", [2.0**-30], np.float32)]
    model = m.model(nodes, [info("x", (1,))], [info("y", (1,))], weights)
    expectBits(folded(folder, model, "wide")["result"], np.float32([2.0**-30]), "wide result")
    expectBits(folded(folder, model, "exact")["result"], np.float32([0]), "exact result")
