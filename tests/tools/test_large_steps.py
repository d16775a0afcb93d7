# SPDX-License-Identifier: Apache-2.0
"""Steps that read the model again from memory hold no value: weights that are computed may exceed 2 GB, and need the memory of one."""

import resource
import subprocess

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import numpy_helper
from onnx.helper import make_node as node

RANDOM = np.random.default_rng(453)
OPTIONS = [["--target-opset=17"], ["--convert=f32:f16"], ["--target-opset=17", "--convert=f32:bf16"], ["--target-opset=17", "--compact-constants"]]


def computed(count, side):
    """Weights that are products of a column and a row, read by Gathers of one row each."""
    nodes, constants = [], []
    for i in range(count):
        constants += [m.const(f"column{i}", RANDOM.standard_normal((side, 1)).astype(np.float32))]
        constants += [m.const(f"row{i}", RANDOM.standard_normal((1, side)).astype(np.float32))]
        nodes += [node("Mul", [f"column{i}", f"row{i}"], [f"w{i}"]), node("Gather", [f"w{i}", "i"], [f"g{i}"], axis=0)]
    nodes.append(node("Sum", [f"g{i}" for i in range(count)], ["y"]))
    return m.model(nodes, [m.info("i", (1,), onnx.TensorProto.INT64)], [m.info("y", (1, side))], constants, opset=18)


def limited(*arguments, megabytes):
    """Runs the tool in an address space of so many MB; the code, and what it says."""
    limits = (megabytes << 20, megabytes << 20)
    done = subprocess.run([t.TOOL, *map(str, arguments)], capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits))
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("flags", OPTIONS[:3] if t.options.long else OPTIONS[:1], ids="".join)
def test_more_than_a_message_holds(folder, flags):
    """2.2 GB of new values, and 1 GB of memory: nothing is written (--check), and the steps before are done."""
    onnx.save(computed(33, 4096), folder / "in.onnx")
    code, said = limited("--check", "--max-growth=unlimited", *flags, folder / "in.onnx", megabytes=1024)
    assert code == 2 and "would need external data" not in said, said


@pytest.mark.parametrize("flags", OPTIONS, ids="".join)
def test_values_after_the_steps(folder, flags):
    """What is written in the end is what the steps saw."""
    onnx.save(computed(3, 128), folder / "in.onnx")
    for placement in ([], ["--external-data=w.bin"]):
        runs = [folder / f"{len(placement)}-{i}" for i in range(3)]  # new values come first in a data file: the third has the bytes of the second
        model = folder / "in.onnx"
        for each in runs:
            each.mkdir()
            model = t.fold(model, each / "model.onnx", "--max-growth=unlimited", *flags, *placement)
        out = runs[0] / "model.onnx"
        for part in runs[1].iterdir():
            t.expectSameBytes(runs[2] / part.name, part, "another run")
        if "bf16" in str(flags):
            continue
        feeds = [{"i": np.int64([5])}]
        for got, want in zip(compare.outputs(out, feeds), compare.outputs(folder / "in.onnx", feeds), strict=True):
            compare.expectAgreement(got, want, "in several steps", 0.01 if "--convert=f32:f16" in flags else None)


@pytest.mark.parametrize("version", [17, 20])
def test_large_weights_keep_their_bytes(folder, version):
    """Of the model file and of data files: what is read again from memory is the same in the end, field by field."""
    weights = [m.const(f"w{i}", RANDOM.standard_normal((64, 64)).astype(np.float32)) for i in range(3)]
    for i, each in enumerate(weights):
        each.doc_string = f"weight {i}"
    constant = node("Constant", [], ["c"], value=m.const("c", RANDOM.standard_normal((64, 64)).astype(np.float32)))
    nodes = [constant, node("MatMul", ["x", "w0"], ["a"]), node("Add", ["a", "c"], ["b"])]
    nodes += [node("MatMul", ["b", "w1"], ["d"]), node("MatMul", ["d", "w2"], ["y"])]
    source = m.model(nodes, [m.info("x", (1, 64))], [m.info("y", (1, 64))], weights, opset=18)
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", f"--target-opset={version}")
    result = onnx.load(out)
    assert [each.SerializeToString() for each in result.graph.initializer] == [each.SerializeToString() for each in weights]
    assert result.graph.node[0] == constant and result.graph.node[1:] == source.graph.node[1:]


def test_the_input_keeps_its_data_file(folder):
    """The data file of the input is read until the end, whatever steps came between."""
    weight = m.const("w", RANDOM.standard_normal((64, 64)).astype(np.float32))
    source = m.model([node("MatMul", ["x", "w"], ["y"])], [m.info("x", (1, 64))], [m.info("y", (1, 64))], [weight], opset=18)
    onnx.save(source, folder / "in.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    before = (folder / "w.bin").read_bytes()
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", "--target-opset=17", "--convert=f32:f16", "--external-data=w.bin")
    assert done.code == 1 and (folder / "w.bin").read_bytes() == before, done
    np.testing.assert_array_equal(numpy_helper.to_array(onnx.load(folder / "in.onnx").graph.initializer[0]), numpy_helper.to_array(weight))
