# SPDX-License-Identifier: Apache-2.0
"""An output in another folder takes along what it needs of the input's data files, and no more."""

import json

import numpy as np
import onnx
import pytest

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from external_cases import entries
from onnxfold_models import info, node

SIDE = 64
BYTES = SIDE * SIDE * 4


def stored(home, files, turned, align=1, dead=0):
    """`files`: the data file of each weight; those of `turned` are read through a Transpose, which folds. `dead`: bytes at the end
    of each data file that no tensor refers to."""
    home.mkdir()
    random = np.random.default_rng(5)
    nodes, weights, data, value = [], [], {name: b"" for name in files}, "x"
    for i, name in enumerate(files):
        weight = random.standard_normal((SIDE, SIDE)).astype(np.float32)
        data[name] += bytes(-len(data[name]) % align)
        tensor = onnx.TensorProto(name=f"w{i}", dims=weight.shape, data_type=1, data_location=onnx.TensorProto.EXTERNAL)
        for key, entry in (("location", name), ("offset", len(data[name])), ("length", BYTES)):
            tensor.external_data.add(key=key, value=str(entry))
        data[name] += weight.tobytes()
        weights.append(tensor)
        if i in turned:
            nodes.append(node("Transpose", [f"w{i}"], [f"t{i}"], perm=[1, 0]))
        nodes.append(node("MatMul", [value, f"t{i}" if i in turned else f"w{i}"], [f"y{i}"]))
        value = f"y{i}"
    for name, content in data.items():
        (home / name).write_bytes(content + bytes(dead))
    onnx.save(m.model(nodes, [info("x", (1, SIDE))], [info(value, (1, SIDE))], weights), home / "model.onnx")
    return home / "model.onnx"


def foldElsewhere(folder, path, *flags, out="away"):
    (folder / out).mkdir()
    t.runOk("--quiet", path, "-o", folder / out / "out.onnx", *flags)
    feeds = [{"x": np.ones((1, SIDE), np.float32)}]
    for got, want in zip(compare.outputs(folder / out / "out.onnx", feeds), compare.outputs(path, feeds)):
        compare.expectAgreement(got, want, "in ONNX Runtime")
    return {one.name: one for one in (folder / out).iterdir() if one.name != "out.onnx"}


def test_one_data_file_with_what_is_needed(folder):
    path = stored(folder / "home", ["w.bin"] * 10, turned=range(3, 10))
    data = foldElsewhere(folder, path)
    assert list(data) == ["out.onnx.data"]
    assert 3 * BYTES <= data["out.onnx.data"].stat().st_size <= 1.02 * 3 * BYTES
    again = foldElsewhere(folder, folder / "away/out.onnx", out="again")
    assert again["out.onnx.data"].read_bytes() == data["out.onnx.data"].read_bytes()
    t.expectSameBytes(folder / "again/out.onnx", folder / "away/out.onnx", "folded again")


def test_what_is_used_of_several_files_is_gathered(folder):
    path = stored(folder / "home", ["a.onnx_data", "b.onnx_data"] * 4, turned=[1, 2, 5])
    data = foldElsewhere(folder, path)
    assert list(data) == ["out.onnx_data"], "as the input's are called"
    assert data["out.onnx_data"].stat().st_size <= 1.02 * 5 * BYTES


@pytest.mark.parametrize("align", [1, 4096, 65536])
def test_files_of_which_all_is_needed_are_copied(folder, align):
    """Also those in which tensors are aligned."""
    path = stored(folder / "home", ["a.bin", "b.bin", "a.bin"], turned=[], align=align)
    data = foldElsewhere(folder, path)
    assert sorted(data) == ["a.bin", "b.bin"]
    assert all(one.read_bytes() == (folder / "home" / name).read_bytes() for name, one in data.items())
    t.expectSameBytes(folder / "away/out.onnx", path, "no offset is another one")


@pytest.mark.parametrize("dead, names", [(BYTES // 50, ["w.bin"]), (BYTES // 10, ["out.onnx.data"])])
def test_a_fiftieth_that_nobody_needs_is_copied(folder, dead, names):
    assert list(foldElsewhere(folder, stored(folder / "home", ["w.bin"], turned=[], dead=dead))) == names


def test_keep_data_files(folder):
    path = stored(folder / "home", ["w.bin"] * 5, turned=[1, 2, 3])
    data = foldElsewhere(folder, path, "--keep-data-files")
    assert list(data) == ["w.bin"] and data["w.bin"].read_bytes() == (folder / "home/w.bin").read_bytes()
    refused = t.run(path, "-o", folder / "x.onnx", "--keep-data-files", "--external-data")
    assert refused.code == 1 and "--keep-data-files" in refused.err, refused.err


def test_a_part_takes_its_weights_along(folder):
    path = stored(folder / "home", ["w.bin"] * 10, turned=[])
    (folder / "away").mkdir()
    t.runOk("--quiet", path, "-o", folder / "away/part.onnx", "--inputs=y3", "--outputs=y5")
    assert (folder / "away/part.onnx.data").stat().st_size <= 1.02 * 2 * BYTES and not (folder / "away/w.bin").exists()


def test_the_two_models_of_run_once(folder):
    path = stored(folder / "home", ["w.bin"] * 6, turned=[0])
    (folder / "away").mkdir()
    t.runOk("--quiet", path, "-o", folder / "away/out.onnx", "--run-once=w0")
    sizes = {one.name: one.stat().st_size for one in (folder / "away").iterdir() if one.suffix == ".data"}
    assert set(sizes) == {"out.onnx.data", "out.once.onnx.data"} and sum(sizes.values()) <= 1.02 * 6 * BYTES


def test_data_in_attributes_moves_with_the_rest(folder):
    """Runtimes do not read it there, but it may not be lost."""
    path = stored(folder / "home", ["w.bin"] * 4, turned=[2, 3])
    model = onnx.load(path, load_external_data=False)
    model.opset_import.add(domain="acme", version=1)
    custom = node("Custom", ["x"], ["c"], domain="acme")
    custom.attribute.append(onnx.helper.make_attribute("table", model.graph.initializer[0]))
    model.graph.node.insert(0, custom)
    model.graph.output.append(onnx.helper.make_empty_tensor_value_info("c"))
    onnx.save(model, path)
    (folder / "away").mkdir()
    t.runOk("--quiet", path, "-o", folder / "away/out.onnx")
    [table] = [one for one in onnx.load(folder / "away/out.onnx", load_external_data=False).graph.node if one.op_type == "Custom"]
    place = entries(table.attribute[0].t)
    assert place["location"] == "out.onnx.data"
    begin = int(place["offset"])
    assert (folder / "away/out.onnx.data").read_bytes()[begin : begin + BYTES] == (folder / "home/w.bin").read_bytes()[:BYTES]
    assert (folder / "away/out.onnx.data").stat().st_size <= 1.02 * 2 * BYTES, "equal ranges once"


def test_beside_the_input_it_is_said_what_is_left(folder):
    path = stored(folder / "home", ["w.bin"] * 5, turned=[1, 2, 3])
    said = t.runOk(path, "-o", folder / "home/out.onnx", f"--report=json:{folder}/report.json").err
    assert f"of the data file w.bin {2 * BYTES} of {5 * BYTES} bytes are still referred to" in said, said
    report = json.loads((folder / "report.json").read_text())
    assert report["data_files"] == [{"location": "w.bin", "bytes": 5 * BYTES, "bytes_referred": 2 * BYTES}]
    assert not (folder / "home/out.onnx.data").exists()
