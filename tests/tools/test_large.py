# SPDX-License-Identifier: Apache-2.0
"""A model of 5 GB with external data is copied without its weights being read, and so do thousands of inputs and outputs.

The data file is a hole: it takes no disk space, and reading it would still take memory and seconds.
What folds takes the memory of the largest folded operator (what it reads and what it makes) and 64 MB, however many there are.
"""

import os

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

LAYERS, SIDE = 80, 4096  # 80 weights of 64 MiB
WEIGHT = SIDE * SIDE * 4
PEAK, SECONDS = 40_000_000, 10


def largeModel(folder):
    """Layers of MatMul with external weights, and between them shape arithmetic with a dynamic batch that folds in part."""
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(LAYERS * WEIGHT)
        for layer in range(LAYERS):  # equal weights would become one
            file.seek(layer * WEIGHT + WEIGHT // 2)
            file.write(np.float32(layer + 1).tobytes())
    initializers = [
        const("i0", np.int64(0)),
        const("i1", np.int64(1)),
        const("zero", [0], np.int64),
        const("two", np.int64(2)),
    ]
    nodes, value = [], "x"
    for layer in range(LAYERS):
        tensor = TensorProto(
            name=f"w{layer}", data_type=TensorProto.FLOAT, dims=[SIDE, SIDE], data_location=TensorProto.EXTERNAL
        )
        for key, entry in (("location", "weights.bin"), ("offset", layer * WEIGHT), ("length", WEIGHT)):
            pair = tensor.external_data.add()
            pair.key, pair.value = key, str(entry)
        initializers.append(tensor)
        names = {
            name: f"{name}_{layer}"
            for name in ("mm", "shape", "batch", "width", "double", "half", "bv", "hv", "target", "out")
        }
        nodes += [
            node("MatMul", [value, f"w{layer}"], [names["mm"]]),
            node("Shape", [names["mm"]], [names["shape"]]),
            node("Gather", [names["shape"], "i0"], [names["batch"]]),
            node("Gather", [names["shape"], "i1"], [names["width"]]),
            node("Mul", [names["width"], "two"], [names["double"]]),
            node("Div", [names["double"], "two"], [names["half"]]),
            node("Unsqueeze", [names["batch"], "zero"], [names["bv"]]),
            node("Unsqueeze", [names["half"], "zero"], [names["hv"]]),
            node("Concat", [names["bv"], names["hv"]], [names["target"]], axis=0),
            node("Reshape", [names["mm"], names["target"]], [names["out"]]),
        ]
        value = names["out"]
    model = m.model(nodes, [info("x", ("batch", SIDE))], [info(value, ("batch", SIDE))], initializers)
    onnx.save(model, folder / "model.onnx")
    return folder / "model.onnx"


def expectLean(report, what):
    assert report["processor_seconds"] < SECONDS, f"{what}: took {report['processor_seconds']:.1f} s, at most {SECONDS} expected"
    assert report["peak_bytes"] < PEAK, f"{what}: peak is {report['peak_bytes']} bytes, at most {PEAK} expected"
    print(f"  {what}: {report['processor_seconds']:.3f} s, peak {report['peak_bytes'] / 1e6:.1f} MB", flush=True)


def expectFolded(path, what):
    counts = t.operatorCounts(onnx.load(path, load_external_data=False))
    assert [counts.get(name, 0) for name in ("MatMul", "Mul", "Div")] == [LAYERS, 0, 0], f"{what}: MatMul, Mul and Div"


def spaceOf(path):
    return os.stat(path).st_blocks * 512


def test_beside_the_input_data_is_shared(folder):
    """The output refers to the input's data file; no byte of it is read or written."""
    path = largeModel(folder)
    before = os.stat(folder / "weights.bin")
    report = t.foldWithReport(path, folder / "out.onnx")
    expectLean(report, "5 GB of external data, output beside it")
    expectFolded(folder / "out.onnx", "output")
    assert sorted(entry.name for entry in folder.iterdir()) == [
        "model.onnx",
        "out.onnx",
        "out.onnx.report.json",
        "weights.bin",
    ], "files"
    after = os.stat(folder / "weights.bin")
    assert (after.st_mtime_ns, after.st_size, after.st_ino) == (
        before.st_mtime_ns,
        before.st_size,
        before.st_ino,
    ), "state of the data file"
    again = t.fold(folder / "out.onnx", folder / "again.onnx")
    t.expectSameBytes(again, folder / "out.onnx", "folded again")


def test_in_another_folder_the_hole_is_copied_as_a_hole(folder):
    path = largeModel(folder)
    (folder / "elsewhere").mkdir()
    report = t.foldWithReport(path, folder / "elsewhere/out.onnx")
    expectLean(report, "5 GB of external data, output in another folder")
    copy = folder / "elsewhere/weights.bin"
    assert copy.exists(), "the data file was not copied beside the output"
    assert copy.stat().st_size == LAYERS * WEIGHT, "size of the copied data file"
    assert spaceOf(copy) < 1 << 24, f"the copy of a hole takes {spaceOf(copy)} bytes on disk"


def test_thousands_of_inputs_and_outputs(folder):
    """The names of all were listed anew for each of them, in lists that never die: 8,000 outputs took 500 MB."""
    count = 4000
    names = [f"x{k}" for k in range(count)]
    nodes = [node("Neg", [name], [f"y{k}"]) for k, name in enumerate(names)]
    initializers = [const(name, np.float32(1)) for name in names[count // 2 :]]
    outputs = [onnx.helper.make_empty_tensor_value_info(f"y{k}") for k in range(count)]
    model = m.model(nodes, [info(name, ()) for name in names], outputs, initializers)
    model.ir_version = 3
    onnx.save(model, folder / "model.onnx")
    expectLean(t.foldWithReport(folder / "model.onnx", folder / "out.onnx"), "4,000 inputs and outputs")


def test_data_of_other_content_is_not_replaced(folder):
    """In another folder a file of the same name with other content is refused, one with the same content is used."""
    weight = np.arange(6, dtype=np.float32).reshape(2, 3)
    model = m.model(
        [node("Add", ["x", "w"], ["h"]), node("Neg", ["c"], ["n"]), node("Add", ["h", "n"], ["y"])],
        [info("x")],
        [info("y")],
        [const("w", weight), const("c", weight)],
    )
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    for name, content, code in (
        ("other", b"other content, 24 bytes!", 1),
        ("same", (folder / "w.bin").read_bytes(), 0),
        ("none", None, 0),
    ):
        home = folder / name
        home.mkdir()
        if content is not None:
            (home / "w.bin").write_bytes(content)
        before = t.folderState(home)
        result = t.run("--keep-data-files", "-o", home / "out.onnx", folder / "model.onnx")
        assert result.code == code, f"exit status with {name} content ({result})"
        if code:
            assert "w.bin" in result.err, f"the message does not name the data file: {result}"
            t.expectUnchanged(before, home, "folder with other content")
        else:
            assert (home / "w.bin").read_bytes() == (folder / "w.bin").read_bytes(), f"data file with {name} content"
            onnx.checker.check_model(str(home / "out.onnx"), full_check=True)


def test_external_weights_fold(folder):
    """A weight in an external file is read when it folds; the value is inline, the file is not touched."""
    weight = np.arange(6000, dtype=np.float32).reshape(60, 100)
    model = m.model(
        [node("Transpose", ["w"], ["v"]), node("MatMul", ["x", "v"], ["y"])],
        [info("x", (2, 100))],
        [info("y", (2, 60))],
        [const("w", weight)],
    )
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    before = t.fileState(folder / "w.bin")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert m.operators(out) == ["MatMul"], "operators"
    m.expectValue(out.graph, "v", weight.T)
    assert t.fileState(folder / "w.bin") == before, "state of the data file"


def test_standard_output_has_no_external_data(folder):
    """A reader of a pipe has no folder: the data comes inline, or the tool says why it cannot."""
    weight = np.arange(6, dtype=np.float32).reshape(2, 3)
    model = m.model([node("Add", ["x", "w"], ["y"])], [info("x")], [info("y")], [const("w", weight)])
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    result = t.run("-o", "-", folder / "model.onnx")
    if result.code == 0:
        out = onnx.load_model_from_string(result.out)
        assert all(
            tensor.data_location != TensorProto.EXTERNAL for tensor in out.graph.initializer
        ), "external data on standard output"
        m.expectValue(out.graph, "w", weight)
    else:
        assert result.code == 1, f"exit status ({result})"
        assert "w" in result.err and not result.out, f"message or output: {result}"


# ---- memory of what folds

TENSOR = (4096, 2048)  # of float: 32 MiB


def bytesOf(shape):
    return 4 * int(np.prod(shape))


def randomWeights(folder, count, shape=TENSOR):
    """`count` different external weights, in a file of their own."""
    generator = np.random.default_rng(20261122)
    tensors = []
    with open(folder / "random.bin", "wb") as file:
        for k in range(count):
            tensor = TensorProto(name=f"w{k}", data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
            for key, entry in (("location", "random.bin"), ("offset", file.tell()), ("length", bytesOf(shape))):
                pair = tensor.external_data.add()
                pair.key, pair.value = key, str(entry)
            tensors.append(tensor)
            file.write(generator.standard_normal(shape, dtype=np.float32).tobytes())
    return tensors


def weightsOf(tensors, folder):
    return [onnx.numpy_helper.to_array(tensor, str(folder)) for tensor in tensors]


def cumulated(values):
    """Along the last axis; each sum is rounded once."""
    return np.add.accumulate(values, axis=1, dtype=np.float64).astype(np.float32)


def expectPeak(folder, nodes, outputs, initializers, tensorsOfOperator, shape=TENSOR):
    """Folds; the peak is at most that of an operator with so many tensors. Returns the folded values."""
    model = m.model(nodes, [info("x", shape)], [info(name, shape) for name in outputs], initializers)
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited")
    most = tensorsOfOperator * bytesOf(shape) + 64_000_000
    print(f"  peak {report['peak_bytes'] / 1e6:.1f} MB, at most {most / 1e6:.1f}", flush=True)
    assert report["peak_bytes"] <= most, f"peak is {report['peak_bytes']} bytes, at most {most} expected"
    assert [entry.name for entry in folder.iterdir() if entry.suffix not in (".onnx", ".bin", ".json")] == [], "other files"
    out = onnx.load(folder / "out.onnx")
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in out.graph.initializer if tensor.data_location == 0}


def test_a_wave_of_large_results(folder):
    """Twelve nodes read x and a large computed constant each: to see whether two are equal the constants are compared, and all
    of them were kept (16 of 64 MB: 1.15 GB)."""
    weights = randomWeights(folder, 12)
    nodes = [node("CumSum", [f"w{k}", "axis"], [f"k{k}"]) for k in range(12)]
    nodes += [node("Add", ["x", f"k{k}"], [f"y{k}"]) for k in range(12)]
    values = expectPeak(folder, nodes, [f"y{k}" for k in range(12)], [*weights, const("axis", np.int64(0))], 2)
    for k, weight in enumerate(weightsOf(weights, folder)):
        sums = np.add.accumulate(weight[:, ::16], axis=0, dtype=np.float64)
        assert np.allclose(values[f"k{k}"][:, ::16], sums, rtol=1e-4, atol=1e-3), f"k{k} is no cumulative sum"


def test_two_equal_large_results(folder):
    """They become one constant and their readers one node; to compare them both were in memory."""
    shape = (8192, 4096)  # 128 MiB: two more than the operator has are more than 64 MB
    (weight,) = randomWeights(folder, 1, shape)
    nodes = [
        node("CumSum", ["w0", "axis"], ["a"]),
        node("Neg", ["w0"], ["n"]),
        node("CumSum", ["n", "axis"], ["c"]),
        node("Neg", ["c"], ["b"]),
        node("Add", ["x", "a"], ["ya"]),
        node("Add", ["x", "b"], ["yb"]),
    ]
    values = expectPeak(folder, nodes, ["ya", "yb"], [weight, const("axis", np.int64(1))], 2, shape)
    large = [value for value in values.values() if value.shape == shape]
    assert len(large) == 1, "number of large constants"
    expected = cumulated(weightsOf([weight], folder)[0])
    assert np.allclose(large[0], expected, rtol=1e-5, atol=1e-3), "the constant is no cumulative sum"


def test_a_residual_chain(folder):
    """v = f(v) + v: each v was computed while its reader was in memory, all the way up, and everything twice (8 of 64 MB: 615)."""
    (weight,) = randomWeights(folder, 1)
    for operator, function in (("CumSum", cumulated), ("Tanh", np.tanh)):
        nodes, value = [], "w0"
        for k in range(8):
            nodes.append(node(operator, [value, "axis"] if operator == "CumSum" else [value], [f"f{k}"]))
            nodes.append(node("Add", [f"f{k}", value], [f"v{k}"]))
            value = f"v{k}"
        nodes.append(node("Add", ["x", value], ["y"]))
        values = expectPeak(folder, nodes, ["y"], [weight, const("axis", np.int64(1))], 3)
        expected = weightsOf([weight], folder)[0]
        for _ in range(8):
            expected = function(expected) + expected
        close = np.allclose(values[value], expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
        assert close, f"{operator}: {value} differs"
