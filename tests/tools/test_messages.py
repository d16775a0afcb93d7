# SPDX-License-Identifier: Apache-2.0
"""--messages=json: all of standard error as JSON, a line each; what errors name; compare and --folder."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from bad_cases import external, smallModel
from onnxfold_models import const, info, node

W = np.arange(6, dtype=np.float32).reshape(2, 3)


def simple(factor=1.0):
    """y = x * (w + w): one Add folds, one Mul is kept."""
    nodes = [node("Add", ["w", "w"], ["v"], name="add"), node("Mul", ["x", "v"], ["y"], name="mul")]
    return m.model(nodes, [info("x")], [info("y")], [const("w", W * np.float32(factor))])


def messages(*arguments, code=0, **keywords):
    """The lines of a run, by kind."""
    result = t.run("--messages=json", *arguments, **keywords)
    assert result.code == code, f"exit status: {result}"
    lines = [json.loads(line) for line in result.err.splitlines()]
    assert lines[-1]["kind"] == "end" and lines[-1]["status"] == code, f"the last line of {result}"
    return {kind: [one for one in lines if one["kind"] == kind] for kind in ("warning", "progress", "report", "error", "end")}


def test_a_run(folder):
    onnx.save(simple(), folder / "model.onnx")
    found = messages("-o", folder / "out.onnx", folder / "model.onnx")
    report = found["report"][0]["report"]
    assert report["ops"] == {"Add": [1, 0], "Mul": [1, 1]} and report["nodes"] == [] and report["changed"], f"report {report}"
    assert not found["error"] and not found["progress"] and found["end"][0]["changed"], f"messages {found}"
    found = messages("--report=json", "--check", folder / "model.onnx", code=2)
    assert [one["action"] for one in found["report"][0]["report"]["nodes"]] == ["folded", "kept"], "nodes"
    assert not messages("--check", folder / "out.onnx")["end"][0]["changed"], "a folded model"
    assert not messages("--quiet", "-o", folder / "out.onnx", folder / "model.onnx")["report"], "--quiet"


def test_progress(folder):
    onnx.save(simple(), folder / "model.onnx")
    lines = messages("--progress", "-o", folder / "out.onnx", folder / "model.onnx")["progress"]
    ended = [line["ended"] for line in lines if "ended" in line]
    assert ended == ["read", "evaluate", "plan", "rewrite", "write"], f"steps {ended}"
    assert [line for line in lines if line.get("nodes")], "evaluated nodes"
    size = (folder / "out.onnx").stat().st_size
    assert {line["total"] for line in lines if "bytes" in line} == {size}, "bytes that are written"


def test_warnings(folder):
    model = simple()
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, folder / "model.onnx")
    found = messages("-o", folder / "out.onnx", folder / "model.onnx")
    assert [line["text"] for line in found["warning"]] == found["report"][0]["report"]["warnings"], "warnings"
    assert len(found["warning"]) == 1, "nodes out of order"


# A model's bytes or an option, and the fields of its error. `file` is that of the model unless it says something else.
SHORT = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], raw_data=bytes(23))
UNDEFINED = smallModel([node("Add", ["x", "nowhere"], ["y"], name="it's")])
BAD = {
    "short tensor": (
        smallModel(initializers=[SHORT]),
        [],
        {"initializer": "w", "has": "23 bytes of raw_data", "expected": "24 for tensor<2x3xf32>"},
    ),
    "undefined input": (UNDEFINED, [], {"node": "it's", "operator": "Add"}),
    # The fields were cut out of the text, so a name could be several fields.
    "a name like a message": (
        smallModel([node("Add", ["x", "nowhere"], ["y"], name="x' is 3, expected 4")]),
        [],
        {"node": "x' is 3, expected 4", "has": None, "expected": None},
    ),
    "no name": (smallModel([node("Add", ["x", "nowhere"], ["y"])]), [], {"node": "y", "operator": "Add"}),
    "missing data": (smallModel(initializers=[external("w", "weights.bin")]), [], {"initializer": "w"}),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), [], {"expected": "an ONNX model"}),
    "level": (smallModel(), ["-O7"], {"file": None, "code": "usage", "has": "-O7", "expected": "-O0, -O1 or -O2"}),
    "growth": (
        smallModel(),
        ["--max-growth=all"],
        {"file": None, "code": "usage", "has": "'all'", "expected": "SIZE[K|M|G], N% or unlimited"},
    ),
    "dimension": (smallModel(), ["--dim=x"], {"file": None, "code": "usage", "option": "--dim", "has": "'x'", "expected": "NAME:SIZE"}),
}


@pytest.mark.parametrize("case", BAD)
def test_fields_of_errors(folder, case):
    model, flags, fields = BAD[case]
    path = folder / "model.onnx"
    path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    [error] = messages(*flags, "-o", folder / "out.onnx", path, code=1)["error"]
    for name, wanted in {"file": str(path), "code": "failed", **fields}.items():
        assert error.get(name) == wanted, f"{name} of {error}"


def test_error_says_the_text_of_the_tool(folder):
    for arguments in (["nowhere.onnx"], ["--max-work=1", "--messages=xml", "nowhere.onnx"]):
        plain = t.run(*arguments, cwd=folder)
        if "--messages=xml" in arguments:
            assert "--messages is 'xml', expected text or json" in plain.err, f"message {plain}"
        else:
            [error] = messages(*arguments, code=1, cwd=folder)["error"]
            assert plain.err == f"onnx-fold: error: {error['text']}\n" and error["file"] == "nowhere.onnx", f"message {error}"


def test_compare(folder):
    onnx.save(simple(), folder / "a.onnx")
    onnx.save(simple(2), folder / "b.onnx")
    t.fold(folder / "a.onnx", folder / "folded.onnx")
    before = t.folderState(folder)
    report = messages("compare", folder / "a.onnx", folder / "folded.onnx")["report"][0]["report"]
    assert report["verify"]["equal"] and report["verify"]["trials"] == 3, f"verification {report['verify']}"
    found = messages("compare", "--verify=2", folder / "a.onnx", folder / "b.onnx", code=3)
    assert found["error"][0]["code"] == "differs" and found["error"][0]["file"] == str(folder / "b.onnx"), "error"
    assert not found["report"][0]["report"]["verify"]["compared"][0]["equal"], "report"
    text = t.run("compare", folder / "a.onnx", folder / "b.onnx")
    assert text.code == 3 and "output 'y'" in text.err, f"text {text}"
    t.expectUnchanged(before, folder, "compare")


def test_compare_on_own_inputs(folder):
    """Two models that differ where x is large only."""
    for name, bound in (("a", 10.0), ("b", 20.0)):
        nodes = [node("Min", ["x", "bound"], ["y"])]
        onnx.save(m.model(nodes, [info("x")], [info("y")], [const("bound", bound, np.float32)]), folder / f"{name}.onnx")
    for value, code in ((5, 0), (15, 3)):
        np.save(folder / "x.npy", np.full((2, 3), value, np.float32))
        result = t.run("compare", f"--bind=x={folder / 'x.npy'}", folder / "a.onnx", folder / "b.onnx")
        assert result.code == code, f"x = {value}: {result}"


def test_compare_refuses(folder):
    onnx.save(simple(), folder / "a.onnx")
    other = simple()
    other.graph.output[0].name = other.graph.node[1].output[0] = "z"
    onnx.save(other, folder / "b.onnx")
    [error] = messages("compare", folder / "a.onnx", folder / "b.onnx", code=1)["error"]
    assert error["expected"].startswith("'y'") and "'z'" in error["has"], f"other outputs: {error}"
    assert t.run("compare", "-o", folder / "c.onnx", folder / "a.onnx", folder / "b.onnx").code == 1, "with -o"
    assert t.run("compare", folder / "a.onnx", folder / "none.onnx").code == 1, "no such file"


def withExternalData(folder):
    """y = x * w + (w + w), with w in a file."""
    (folder / "weights.bin").write_bytes(W.tobytes())
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "w"], ["z"]), node("Add", ["z", "v"], ["y"])]
    return smallModel(nodes, [external("w", "weights.bin")])


def test_folder_of_streams(folder):
    """A model on standard input finds its data in --folder, and the output on standard output refers to it."""
    home = folder / "home"
    home.mkdir()
    data = withExternalData(home).SerializeToString()
    result = t.runOk("--quiet", f"--folder={home}", "--verify", "-o", "-", "-", stdin=data, cwd=folder)
    folded = onnx.load_model_from_string(result.out)
    stored = {tensor.name: tensor.data_location for tensor in folded.graph.initializer}
    assert stored == {"w": TensorProto.EXTERNAL, "v": TensorProto.DEFAULT}, f"initializers {stored}"
    (home / "folded.onnx").write_bytes(result.out)
    assert np.array_equal(m.constantValue(onnx.load(home / "folded.onnx").graph, "v"), W + W), "value"
    # A file as output: data is copied into another folder, and not moved in its own.
    for place in (folder, home):
        t.runOk("--quiet", f"--folder={home}", "-o", place / "out.onnx", "-", stdin=data, cwd=folder)
        assert (place / "weights.bin").read_bytes() == W.tobytes(), f"data beside an output in {place.name}"
        assert np.array_equal(m.constantValue(onnx.load(place / "out.onnx").graph, "v"), W + W), f"output in {place.name}"
    assert t.run("-o", "-", "-", stdin=data, cwd=home).code == 1, "without --folder a stream has no data"
    assert "expected a folder" in t.run("--folder=/nowhere", "-o", "-", "-", stdin=data).err, "no such folder"
