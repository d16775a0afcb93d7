# SPDX-License-Identifier: Apache-2.0
"""Models in memory beyond the 2 GB of protobuf: their tensors go through files. Here from a few bytes on, and once in earnest."""

import json
import os
import subprocess
import sys

import numpy as np
import onnx
import onnx_ir
import pytest
from onnx import TensorProto, numpy_helper

import onnx_fold
import onnxfold_models as m
import onnxfold_testing as t
from onnx_fold import _models, _stored
from onnxfold_models import const, info, node
from python_cases import operators, save


@pytest.fixture
def low(monkeypatch):
    """Every object is a large one."""
    monkeypatch.setattr(_models, "LARGE", 0)
    monkeypatch.setattr(_stored, "SMALLEST", 16)


def layers(rows=64):
    """y = x * w + (v + v), with typed and raw data, a Constant node, a body, and an int64 shape that stays small."""
    weight, bias = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3), np.ones((rows, 3), np.float32)
    typed = onnx.helper.make_tensor("v", TensorProto.FLOAT, bias.shape, bias.ravel())
    body = onnx.helper.make_graph(
        [node("Add", ["s", "inner"], ["t"])], "body", [], [info("t", None)], [numpy_helper.from_array(weight, "inner")]
    )
    other = onnx.helper.make_graph([node("Neg", ["s"], ["u"])], "other", [], [info("u", None)])
    nodes = [
        node("Mul", ["x", "w"], ["z"]),
        node("Add", ["v", "v"], ["d"], name="folds"),
        node("Add", ["z", "d"], ["s"]),
        onnx.helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(weight * 2, "value")),
        onnx.helper.make_node("If", ["flag"], ["i"], then_branch=body, else_branch=other),
        node("Mul", ["i", "c"], ["p"]),
        node("Reshape", ["p", "shape"], ["y"]),
    ]
    inputs = [info("x", (rows, 3)), info("flag", (), TensorProto.BOOL)]
    return m.model(nodes, inputs, [info("y", None)], [numpy_helper.from_array(weight, "w"), typed, const("shape", [-1], np.int64)])


def weights(model):
    return {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}


def test_protos(low):
    model = layers()
    before = model.SerializeToString()
    expected = onnx.ModelProto.FromString(onnx_fold.fold(before).model)
    result = onnx_fold.fold(model, verify=True)
    assert model.SerializeToString() == before, "the argument"
    assert result.changed and operators(result.model) == operators(expected) and result.path is None, f"{result!r}"
    assert result.report.as_dict()["input"] == "<memory>", f"{result.report.as_dict()['input']}"
    found, wanted = weights(result.model), weights(expected)
    assert found.keys() == wanted.keys() and all(np.array_equal(found[name], wanted[name]) for name in wanted), f"{found}"
    assert not any(one.data_location for one in result.model.graph.initializer), "all of it is in the model"
    found = onnx_fold.verify(before, result.model)
    assert found, f"{found!r}"


def test_ir_models(low):
    model = onnx_ir.from_proto(layers())
    before = onnx_ir.to_proto(model).SerializeToString()
    result = onnx_fold.fold(model)
    assert onnx_ir.to_proto(model).SerializeToString() == before, "the argument"
    assert type(result.model) is onnx_ir.Model and onnx_fold.verify(before, result.model), "values"
    given, made = (one.graph.initializers["w"].const_value for one in (model, result.model))
    assert given is made, "a tensor that nothing changes is not copied"


def test_to_files(low, folder):
    for number, model in enumerate((layers(), onnx_ir.from_proto(layers()))):
        out = folder / f"out{number}.onnx"
        result = onnx_fold.fold(model, out, verify=True, verify_with="onnxruntime")
        assert result.path == str(out) and onnx_fold.verify(layers(), out), "values"
        assert isinstance(result.model, type(model)), "of the same kind"
    onnx_fold.fold(layers(), folder / "own.onnx", external_data="mine.bin")
    names = sorted(one.name for one in folder.iterdir())
    assert names == ["mine.bin", "out0.onnx", "out0.onnx.data", "out1.onnx", "out1.onnx.data", "own.onnx"] or names == [
        "out0.onnx", "out1.onnx", "own.onnx"
    ], f"nothing temporary is left: {names}"


def test_data_in_several_folders(folder):
    """Two folders were an error: a model of onnx_ir may be put together of several."""
    model = onnx_ir.from_proto(layers(512))
    for name in ("w", "v"):
        (folder / name).mkdir()
        value = model.graph.initializers[name]
        tensor = value.const_value
        (folder / name / "weights.bin").write_bytes(tensor.tobytes())
        value.const_value = onnx_ir.ExternalTensor(
            "weights.bin", None, None, tensor.dtype, shape=tensor.shape, name=name, base_dir=folder / name
        )
    result = onnx_fold.fold(model)
    assert onnx_fold.verify(layers(512), result.model) and onnx_fold.verify(layers(512), result.model, engine="onnxruntime"), "values"
    kept = result.model.graph.initializers["w"].const_value
    assert isinstance(kept, onnx_ir.ExternalTensor) and kept.path == str(folder / "w/weights.bin"), f"{kept!r}"
    assert onnx_fold.diff(layers(512), model).equal, "diff"


class ONNXProgram:
    """What torch.onnx.ONNXProgram has."""

    def __init__(self, model):
        self.model = model

    @property
    def model_proto(self):
        return onnx_ir.to_proto(self.model)


def test_programs_of_torch():
    program = ONNXProgram(onnx_ir.from_proto(layers()))
    result = onnx_fold.fold(program)
    assert type(result.model) is ONNXProgram and result.model is not program, f"{result.model!r}"
    assert len(result.model.model.graph) < len(program.model.graph) and onnx_fold.verify(program, result.model), "values"
    older = type("ONNXProgram", (), {"model_proto": layers()})()
    assert isinstance(onnx_fold.fold(older).model, onnx.ModelProto), "an older one has only its proto"


def test_a_cancelled_call_removes_its_folder(low, folder, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)

    def stop(progress):
        raise KeyboardInterrupt

    for out in (None, folder / "out.onnx"):
        with pytest.raises(KeyboardInterrupt):
            onnx_fold.fold(layers(), out, progress=stop)
    assert list(folder.iterdir()) == [], "files that are left"


PROGRAM = """
import json, sys, resource, onnx, onnx_fold
path, kind, gigabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
given = path + "/model.onnx" if kind == "path" else onnx.load(path + "/model.onnx")

def seconds():
    every = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in every)

begin = seconds()
result = onnx_fold.fold(given, path + "/out.onnx" if kind != "object" else None, external_data=None if kind != "path" else True)
model, end = result.model, seconds()
if kind == "object":
    assert len(model.graph.node) == 8 * gigabytes and sum(len(one.raw_data) for one in model.graph.initializer) > gigabytes - 1 << 30
    del model, result
    copied = seconds()
    onnx.ModelProto().CopyFrom(given)
    print(json.dumps([end - begin, seconds() - copied]))
else:
    print(json.dumps([end - begin, 0]))
"""


def test_three_gigabytes(folder):
    """In earnest; --long, for the memory and the disk that it takes. To a file it may take 1.3 times what a path takes, by the
    processor; as an object also the time of a copy by protobuf, which the result has to be."""
    if not t.options.long:
        pytest.skip("--long")
    makeLarge(folder, 3)
    took = {kind: [] for kind in ("path", "output", "object")}
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python")}
    for _ in range(2):
        for kind, runs in took.items():
            for name in ("out.onnx", "out.onnx.data"):
                (folder / name).unlink(missing_ok=True)
            command = [sys.executable, "-c", PROGRAM, folder, kind, "3"]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, f"{done.stderr}"
            runs.append(json.loads(done.stdout))
            if kind == "output":
                model = onnx.load(folder / "out.onnx", load_external_data=False)
                assert len(model.graph.node) == 24 and (folder / "out.onnx.data").stat().st_size >= 3 << 30, "the output"
    path, output, asObject = (min(one[0] for one in took[kind]) for kind in took)
    copy = min(one[1] for one in took["object"])
    print(f"CPU: path {path:.2f} s, to a file {output:.2f} s, as an object {asObject:.2f} s, of which the copy {copy:.2f} s")
    assert output <= 1.3 * path and asObject <= 1.3 * (path + copy), f"{took}"


def makeLarge(folder, gigabytes):
    """A chain of additions of 128 MB each, and one node that folds."""
    count, elements = 8 * gigabytes, (1 << 25)
    nodes = [node("Add", [f"x{i}" if i else "x", f"w{i}"], [f"x{i + 1}"]) for i in range(count)]
    nodes.insert(0, node("Neg", ["small"], ["folded"]))
    nodes[1].input[1] = "folded"
    tensors = [const("small", [1], np.float32), const("w0", [1], np.float32)]
    with open(folder / "weights.bin", "wb") as file:
        for i in range(count):
            file.write(np.full(elements, i, np.float32).tobytes())
            tensor = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[elements], data_location=TensorProto.EXTERNAL)
            for key, value in (("location", "weights.bin"), ("offset", i * 4 * elements), ("length", 4 * elements)):
                tensor.external_data.add(key=key, value=str(value))
            if i:
                tensors.append(tensor)
    tensors[1] = TensorProto()
    tensors[1].CopyFrom(tensors[2])
    tensors[1].name = "w0"
    save(folder, m.model(nodes, [info("x", (elements,))], [info(f"x{count}", (elements,))], tensors))
