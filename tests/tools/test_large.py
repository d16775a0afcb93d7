#!/usr/bin/env python3
"""A model of 5 GB with external data goes through without its weights being read, and so do thousands of inputs and outputs.

The data file is a hole: it takes no disk space, and reading it would still take memory and seconds.
"""

import os
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

suite = t.Suite(__doc__.splitlines()[0])
LAYERS, SIDE = 80, 4096  # 80 weights of 64 MiB
WEIGHT = SIDE * SIDE * 4
PEAK, SECONDS = 40_000_000, 10


def largeModel(folder):
    """Layers of MatMul with external weights, and between them shape arithmetic with a dynamic batch that folds in part."""
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(LAYERS * WEIGHT)
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
    t.expect(report["seconds"] < SECONDS, f"{what}: took {report['seconds']:.1f} s, at most {SECONDS} expected")
    t.expect(report["peak_bytes"] < PEAK, f"{what}: peak is {report['peak_bytes']} bytes, at most {PEAK} expected")
    print(f"  {what}: {report['seconds']:.3f} s, peak {report['peak_bytes'] / 1e6:.1f} MB", flush=True)


def expectFolded(path, what):
    counts = t.operatorCounts(onnx.load(path, load_external_data=False))
    t.expectEqual(
        [counts.get(name, 0) for name in ("MatMul", "Mul", "Div")], [LAYERS, 0, 0], f"{what}: MatMul, Mul and Div"
    )


def spaceOf(path):
    return os.stat(path).st_blocks * 512


@suite.case
def beside_the_input_data_is_shared(folder):
    """The output refers to the input's data file; no byte of it is read or written."""
    path = largeModel(folder)
    before = os.stat(folder / "weights.bin")
    report = t.foldWithReport(path, folder / "out.onnx")
    expectLean(report, "5 GB of external data, output beside it")
    expectFolded(folder / "out.onnx", "output")
    t.expectEqual(
        sorted(entry.name for entry in folder.iterdir()),
        ["model.onnx", "out.onnx", "out.onnx.report.json", "weights.bin"],
        "files",
    )
    after = os.stat(folder / "weights.bin")
    t.expectEqual(
        (after.st_mtime_ns, after.st_size, after.st_ino),
        (before.st_mtime_ns, before.st_size, before.st_ino),
        "state of the data file",
    )
    again = t.fold(folder / "out.onnx", folder / "again.onnx")
    t.expectSameBytes(again, folder / "out.onnx", "folded again")


@suite.case
def in_another_folder_the_hole_is_copied_as_a_hole(folder):
    path = largeModel(folder)
    (folder / "elsewhere").mkdir()
    report = t.foldWithReport(path, folder / "elsewhere/out.onnx")
    expectLean(report, "5 GB of external data, output in another folder")
    copy = folder / "elsewhere/weights.bin"
    t.expect(copy.exists(), "the data file was not copied beside the output")
    t.expectEqual(copy.stat().st_size, LAYERS * WEIGHT, "size of the copied data file")
    t.expect(spaceOf(copy) < 1 << 24, f"the copy of a hole takes {spaceOf(copy)} bytes on disk")


@suite.case
def thousands_of_inputs_and_outputs(folder):
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


@suite.case
def data_of_other_content_is_not_replaced(folder):
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
        result = t.run("-o", home / "out.onnx", folder / "model.onnx")
        t.expectEqual(result.code, code, f"exit status with {name} content ({result})")
        if code:
            t.expect("w.bin" in result.err, f"the message does not name the data file: {result}")
            t.expectUnchanged(before, home, "folder with other content")
        else:
            t.expectEqual(
                (home / "w.bin").read_bytes(), (folder / "w.bin").read_bytes(), f"data file with {name} content"
            )
            onnx.checker.check_model(str(home / "out.onnx"), full_check=True)


@suite.case
def external_weights_fold(folder):
    """A weight in an external file is read when it folds; the value goes inline, the file is not touched."""
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
    t.expectEqual(m.operators(out), ["MatMul"], "operators")
    m.expectValue(out.graph, "v", weight.T)
    t.expectEqual(t.fileState(folder / "w.bin"), before, "state of the data file")


@suite.case
def standard_output_has_no_external_data(folder):
    """A reader of a pipe has no folder: the data comes inline, or the tool says why it cannot."""
    weight = np.arange(6, dtype=np.float32).reshape(2, 3)
    model = m.model([node("Add", ["x", "w"], ["y"])], [info("x")], [info("y")], [const("w", weight)])
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    result = t.run("-o", "-", folder / "model.onnx")
    if result.code == 0:
        out = onnx.load_model_from_string(result.out)
        t.expect(
            all(tensor.data_location != TensorProto.EXTERNAL for tensor in out.graph.initializer),
            "external data on standard output",
        )
        m.expectValue(out.graph, "w", weight)
    else:
        t.expectEqual(result.code, 1, f"exit status ({result})")
        t.expect("w" in result.err and not result.out, f"message or output: {result}")


if __name__ == "__main__":
    sys.exit(suite.main())
