# SPDX-License-Identifier: Apache-2.0
"""onnx_fold.fold, check and examine: each kind of model, each argument, and what they return."""

import inspect
import io
import re
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx_ir
import pytest
from onnx import TensorProto

import onnx_fold
import onnxfold_models as m
import onnxfold_testing as t
from bad_cases import external
from onnx_fold import _options
from onnx_fold._arguments import FLAGS
from onnxfold_models import const, info, node
from python_cases import W, operators, save, simple, withExternalData


def test_paths(folder):
    path = save(folder, simple())
    expected = t.fold(path, folder / "expected.onnx").read_bytes()
    result = onnx_fold.fold(path, folder / "out.onnx")
    assert result.changed and result.path == str(folder / "out.onnx"), f"{result!r}"
    assert result.model == folder / "out.onnx" and isinstance(result.model, Path), "a Path in, a Path out"
    assert (folder / "out.onnx").read_bytes() == expected, "the bytes of the tool"
    result = onnx_fold.fold(str(path))
    assert result.model == str(folder / "model.folded.onnx") and Path(result.model).read_bytes() == expected, "default output"
    assert not onnx_fold.fold(result.model, folder / "again.onnx").changed, "folded again"


def test_bind_none_is_the_initializer(folder):
    """An input that has an initializer becomes a constant, whatever verifies the result."""
    model = simple()
    model.ir_version = 10
    [weight] = model.graph.initializer
    model.graph.input.append(info(weight.name, list(weight.dims)))
    assert weight.name in [one.name for one in onnx_fold.fold(model).model.graph.input], "a near miss"
    for engine in ("onnx-fold", "onnxruntime"):
        folded = onnx_fold.fold(model, bind={weight.name: None}, verify=True, verify_with=engine).model
        assert operators(folded) == ["Mul"] and [one.name for one in folded.graph.input] == ["x"], engine


def test_a_path_that_looks_like_an_option(folder, monkeypatch):
    save(folder, simple(), "-O7")
    monkeypatch.chdir(folder)
    onnx_fold.fold("-O7", "out.onnx")
    assert operators(onnx.load("out.onnx")) == ["Mul"], "operators"


def test_bytes(folder):
    data = simple().SerializeToString()
    expected = t.fold(save(folder, simple()), folder / "expected.onnx").read_bytes()
    for given in (data, bytearray(data), memoryview(data)):
        result = onnx_fold.fold(given)
        assert result.model == expected and result.changed and result.path is None, f"bytes of {type(given)}"


def test_open_files(folder):
    """Bytes come back; external data is looked for beside the file, or in `folder`. The drop-ins took them, and this did not."""
    data = simple().SerializeToString()
    expected = onnx_fold.fold(data).model
    result = onnx_fold.fold(io.BytesIO(data), verify=True)
    assert result.model == expected and result.path is None and onnx_fold.check(io.BytesIO(data)), f"{result}"
    assert onnx_fold.verify(io.BytesIO(data), io.BytesIO(expected)).equal, "both are open files"
    with open(save(folder, withExternalData(folder)), "rb") as file:
        stored = onnx.ModelProto.FromString(onnx_fold.fold(file).model)
    assert {one.name for one in stored.graph.initializer} == {"w", "v"}, "its data is beside it"
    with pytest.raises(TypeError, match="model is an open file that has a str, expected bytes; open it with mode 'rb'"):
        onnx_fold.fold(io.StringIO("ir_version: 8"))


def test_protos():
    model = simple()
    before = model.SerializeToString()
    result = onnx_fold.fold(model)
    assert isinstance(result.model, onnx.ModelProto) and operators(result.model) == [
        "Mul"
    ], "a ModelProto in, a ModelProto out"
    assert model.SerializeToString() == before, "the model is not changed"
    again = onnx_fold.fold(result.model)
    assert not again.changed and again.model == result.model and again.model is not result.model, "folded again"


def test_ir_models():
    model = onnx_ir.from_proto(simple())
    result = onnx_fold.fold(model)
    assert isinstance(result.model, onnx_ir.Model) and result.model is not model, "an onnx_ir model in, one out"
    assert [one.op_type for one in result.model.graph] == ["Mul"] and len(model.graph) == 2, "operators"


def test_what_is_no_model():
    for thing in (None, 3, ["model.onnx"]):
        with pytest.raises(TypeError, match="expected a path, bytes, an open file, an onnx.ModelProto, an onnx_ir.Model or a torch.onnx.ONNXProgram"):
            onnx_fold.fold(thing)


def test_objects_to_files(folder):
    model = simple()
    result = onnx_fold.fold(model, folder / "out.onnx")
    assert operators(onnx.load(folder / "out.onnx")) == ["Mul"] and operators(result.model) == ["Mul"], "file and object"
    result = onnx_fold.fold(model.SerializeToString(), folder / "again.onnx")
    assert result.model == (folder / "again.onnx").read_bytes(), "bytes of the file"


def test_external_data_of_objects(folder):
    """It is not moved, and the result refers to it."""
    home = folder / "home"
    home.mkdir()
    model = withExternalData(home)
    result = onnx_fold.fold(model, folder=home, verify=True).model
    stored = {tensor.name: tensor.data_location for tensor in result.graph.initializer}
    assert stored == {"w": TensorProto.EXTERNAL, "v": TensorProto.DEFAULT}, f"initializers {stored}"
    onnx_fold.fold(model, folder / "out.onnx", folder=home)
    assert (folder / "weights.bin").read_bytes() == W.tobytes(), "data comes along to another folder"
    with pytest.raises(onnx_fold.FoldError, match="weights.bin"):
        onnx_fold.fold(model, folder=folder / "home/..", external_data=False, data_root=[]) and (
            folder / "weights.bin"
        ).unlink()
        onnx_fold.fold(model)
    with pytest.raises(TypeError, match="folder is given with a path"):
        onnx_fold.fold(folder / "out.onnx", folder=folder)


def test_external_data_of_ir_models(folder):
    path = save(folder, withExternalData(folder))
    model = onnx_ir.load(path)
    result = onnx_fold.fold(model).model
    tensor = result.graph.initializers["w"].const_value
    assert isinstance(tensor, onnx_ir.ExternalTensor), "the tensor is kept in its file"
    assert np.array_equal(tensor.numpy(), W), "and is found there"
    assert np.array_equal(result.graph.initializers["v"].const_value.numpy(), W + W), "the new value"


def test_dimensions_and_shapes(folder):
    nodes = [node("Shape", ["x"], ["s"]), node("Cast", ["s"], ["y"], to=TensorProto.FLOAT)]
    model = m.model(nodes, [info("x", ("batch", "n"))], [info("y", (2,))])
    assert operators(onnx_fold.fold(model).model) == ["Shape", "Cast"], "open dimensions"
    for arguments in (
        {"dims": {"batch": 2, "n": 5}},
        {"input_shapes": {"x": [2, 5]}},
        {"input_shapes": {"x": (2, None)}, "dims": {"n": np.int64(5)}},
        {"input_shapes": {"x": ["?", 5]}, "dims": {"batch": 2}},
    ):
        folded = onnx_fold.fold(model, **arguments).model
        m.expectValue(folded.graph, "y", [2, 5])


def bound(value, kind=TensorProto.FLOAT, shape=(2,)):
    """The constant that an input becomes."""
    model = m.model(
        [node("Identity", ["x"], ["a"]), node("Concat", ["a", "a"], ["y"], axis=0)],
        [info("x", shape, kind)],
        [info("y", None, kind)],
    )
    folded = onnx_fold.fold(model, bind={"x": value}).model
    assert not folded.graph.input, "a bound input is none"
    return m.constantValue(folded.graph, "y")


def test_bound_values(folder):
    np.save(folder / "x.npy", np.float32([1, 2]))
    for value in ([1, 2], (1.0, 2.0), np.float32([1, 2]), np.float32([[1, 2]])[0], folder / "x.npy"):
        assert np.array_equal(bound(value), [1, 2, 1, 2]), f"value {value!r}"
    assert np.array_equal(bound([True, False], TensorProto.BOOL), [True, False] * 2), "truth values"
    assert np.array_equal(bound(np.array([True, False]), TensorProto.BOOL), [True, False] * 2), "an array of them"
    assert np.array_equal(bound([[1, 2], [3, 4]], TensorProto.INT64, (2, 2)), [[1, 2], [3, 4]] * 2), "a list of lists"
    assert np.array_equal(bound([7], TensorProto.INT64, (1,)), [7, 7]), "a list of one"


def test_bound_scalars():
    nodes = [node("Where", ["flag", "w", "x"], ["y"])]
    model = m.model(nodes, [info("x", (2, 3)), info("flag", (), TensorProto.BOOL)], [info("y", (2, 3))], [const("w", W)])
    for value in (True, np.bool_(True), np.array(True)):
        assert "flag" not in [one.name for one in onnx_fold.fold(model, bind={"flag": value}).model.graph.input], f"{value!r}"


def test_levels_and_rewrites():
    model = m.model([node("Identity", ["x"], ["a"]), node("Relu", ["a"], ["y"])], [info("x")], [info("y")])
    assert operators(onnx_fold.fold(model).model) == ["Relu"], "level 1"
    assert operators(onnx_fold.fold(model, level=0).model) == ["Identity", "Relu"], "level 0"
    assert operators(onnx_fold.fold(model, disable="identity").model) == ["Identity", "Relu"], "disable, as a text"
    assert operators(onnx_fold.fold(model, disable=["identity", "no-op"][:1]).model) == ["Identity", "Relu"], "as a list"


def test_filters():
    assert not onnx_fold.check(simple(), skip="add"), "skip"
    assert not onnx_fold.check(simple(), only=["op:Mul"]), "only"
    assert onnx_fold.check(simple(), only=["op:Add", "op:Mul"]), "two of them"


def test_growth():
    model = m.model(
        [node("Expand", ["w", "shape"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", (512, 1024))],
        [info("y", (512, 1024))],
        [const("w", np.ones((1, 1024), np.float32)), const("shape", [512, 1024], np.int64)],
    )
    for limit, wanted in ((None, 1), (0, 1), ("1G", 0), ("unlimited", 0), (float("inf"), 0), (1 << 30, 0), ("10%", 1)):
        assert operators(onnx_fold.fold(model, max_growth=limit).model).count("Expand") == wanted, f"{limit}"
    assert list(onnx_fold.examine(model).kept_by_reason()) == ["growth", "input-not-constant"], "reasons"


def test_data_placement(folder):
    path = save(
        folder,
        m.model(
            [node("Add", ["x", "w"], ["y"])],
            [info("x", (40, 40))],
            [info("y", (40, 40))],
            [const("w", np.ones((40, 40), np.float32))],
        ),
    )
    onnx_fold.fold(path, folder / "a.onnx", external_data=True)
    assert (folder / "a.onnx.data").stat().st_size == 6400, "a data file"
    onnx_fold.fold(path, folder / "b.onnx", external_data="weights.bin")
    assert (folder / "weights.bin").stat().st_size == 6400, "with a name"
    onnx_fold.fold(folder / "b.onnx", folder / "c.onnx", external_data=False)
    assert not onnx.load(folder / "c.onnx", load_external_data=False).graph.initializer[0].external_data, "into the model"


def test_more_than_two_gigabytes_by_path(folder):
    """A weight of 3 GB, which is a hole in a file: Python sees nothing of it."""
    side = 1 << 14
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(side * side * 12)
    big = external("big", "weights.bin", shape=(3, side, side))
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"]), node("Gather", ["big", "i"], ["z"])]
    inputs, outputs = [info("x"), info("i", (), TensorProto.INT64)], [info("y"), info("z", (side, side))]
    path = save(folder, m.model(nodes, inputs, outputs, [const("w", W), big]))
    result = onnx_fold.fold(path, folder / "out.onnx")
    assert result.report.operators_after == {"Mul": 1, "Gather": 1} and result.report.peak_bytes < 1 << 26, f"{result.report}"
    # In memory too, as long as the data is kept in its file.
    model = onnx.load(path, load_external_data=False)
    assert operators(onnx_fold.fold(model, folder=folder).model) == ["Mul", "Gather"], "an object"
    with pytest.raises(onnx_fold.FoldError, match="give a path"):
        onnx_fold.fold(model, folder=folder, external_data=False)


def test_cut(folder):
    nodes = [m.node("Neg", ["x"], ["h"]), m.node("Abs", ["h"], ["g"]), m.node("Relu", ["g"], ["y"])]
    source = m.model(nodes, [m.info("x")], [m.info("y")])
    result = onnx_fold.fold(source, inputs="h", outputs=["g"])
    assert m.operators(result.model) == ["Abs"] and result.report.cut == {"nodes": 2, "inputs": ["h"], "outputs": ["g"]}
    assert onnx_fold.check(source, outputs=["g"]) and not onnx_fold.check(source, outputs=["y"])
    with pytest.raises(onnx_fold.FoldError, match="such as 'g'") as caught:
        onnx_fold.fold(source, outputs=["gg"])
    assert caught.value.expected.startswith("the name of a value"), f"{caught.value.expected}"


def test_keep_initializers(folder):
    nodes = [m.node("Neg", ["w"], ["n"]), m.node("Mul", ["x", "n"], ["y"])]
    source = m.model(nodes, [m.info("x")], [m.info("y")], [m.const("w", np.ones((2, 3), np.float32))])
    result = onnx_fold.fold(source, keep_initializers="w")
    assert result.report.kept_initializers == {"nodes": 1, "names": ["w"]}, f"{result.report.kept_initializers}"
    assert m.operators(result.model) == ["Neg", "Mul"] and m.initializerNames(result.model) == ["w"]
    assert not onnx_fold.check(source, keep_initializers=["w"]) and onnx_fold.check(source)


def test_run_once(folder):
    nodes = [node("MatMul", ["a", "b"], ["ab"]), node("MatMul", ["x", "ab"], ["y"])]
    path = save(folder, m.model(nodes, [info("x", (2, 4)), info("a", (4, 4)), info("b", (4, 4))], [info("y", (2, 4))]))
    result = onnx_fold.fold(path, folder / "out.onnx", run_once=["a", "b"], once_output=folder / "first.onnx")
    assert result.report.run_once["nodes"] == 1 and (folder / "first.onnx").is_file(), f"{result.report.run_once}"


def test_check_and_examine(folder):
    path = save(folder, simple())
    before = t.folderState(folder)
    assert onnx_fold.check(path) is True and onnx_fold.check(onnx_fold.fold(simple()).model) is False, "check"
    report = onnx_fold.examine(path, dims={"batch": 1})
    assert report.changed and [one.action for one in report.nodes] == ["folded", "kept"], f"{report.nodes}"
    assert onnx_fold.check(path, bind={"x": np.ones((2, 3), np.float32)}), "with a value"
    t.expectUnchanged(before, folder, "check and examine")
    with pytest.raises(TypeError, match="unexpected argument 'output'"):
        onnx_fold.check(path, output="x")


def test_report():
    report = onnx_fold.fold(simple()).report
    assert report.operators_before == {"Add": 1, "Mul": 1} and report.operators_after == {"Mul": 1}, "operators"
    add, mul = report.nodes
    assert (add.op, add.name, add.domain, add.since, add.outputs, add.action) == (
        "Add",
        "add",
        "",
        14,
        ["v"],
        "folded",
    ), f"{add!r}"
    assert add.bytes == 12 and add.sources == ["w"] and add.reason == "none" and add.graph == "main_graph", f"{add!r}"
    assert mul.action == "kept" and mul.reason == "input-not-constant" and mul.reason_text, f"{mul!r}"
    assert {code: [one.name for one in nodes] for code, nodes in report.kept_by_reason().items()} == {
        "input-not-constant": ["mul"]
    }
    assert report.bytes_before and report.bytes_after and report.peak_bytes > 1 << 20 and report.seconds > 0, "numbers"
    assert list(report.steps) == ["read", "evaluate", "plan", "rewrite", "write"] and report.warnings == [], "steps"
    assert report.verification is None and report.run_once is None, "what was not asked for"
    assert re.search(r"^Add +1 +0$", str(report), re.M) and "2 nodes before, 1 after" in repr(report), f"{report}"
    assert onnx_fold.fold(simple(), nodes=False).report.nodes == [], "without nodes"


def test_arguments_are_the_options_of_the_tool():
    """Each option has an argument, or a reason to have none."""
    text = subprocess.run([t.TOOL, "--help=all"], stdout=subprocess.PIPE, text=True).stdout
    flags = {flag.replace("-", "_") for flag in re.findall(r"^  --([a-z-]+)", text, re.M)}
    others = {
        "help",
        "version",
        "messages",
        "quiet",
        "report",
        "check",
        "confirm",  # the module uses it for each call
    }
    others |= {"list_patterns", "beside", "emit", "inline_data"}
    several = {"output_dir", "batch_memory"}
    assert several <= set(inspect.signature(onnx_fold.fold_all).parameters) and several <= flags, "of several models"
    others |= several
    renamed = {"dim": "dims", "input_shape": "input_shapes", "keep_initializer": "keep_initializers"}
    wanted = {renamed.get(flag, flag) for flag in flags - others}
    arguments = set(inspect.signature(onnx_fold.fold).parameters)
    missing = wanted - arguments
    assert not missing, f"options without an argument: {sorted(missing)}"
    own = arguments - wanted - {"model", "output", "level", "nodes", "verify_with", "engine"}
    assert not own, f"arguments that are no option: {sorted(own)}"


# A value of each argument that fold, check and examine share, and what the tool is given for it.
SCHEMAS = t.ROOT / "onnx/folding/schemas/microsoft.json"
SAMPLES = {
    "dims": ({"batch": 1}, ["--dim=batch:1"]),
    "input_shapes": ({"x": [1, None]}, ["--input-shape=x:1,?"]),
    "level": (2, ["-O2"]),
    "disable": (["identity", "reshape-back"], ["--disable=identity", "--disable=reshape-back"]),
    "unroll": (4, ["--unroll=4"]),
    "inline_functions": (["pkg.*"], ["--inline-functions=pkg.*"]),
    "only": ("op:Add", ["--only=op:Add"]),
    "skip": (["a*"], ["--skip=a*"]),
    "fold_quantization": (True, ["--fold-quantization=all"]),
    "precision": ("wide", ["--precision=wide"]),
    "keep_initializers": ("w*", ["--keep-initializer=w*"]),
    "target_opset": (23, ["--target-opset=23"]),
    "ir_version": (9, ["--ir-version=9"]),
    "convert": ("f32:f16", ["--convert=f32:f16"]),
    "convert_io": (True, ["--convert-io"]),
    "convert_skip": ("op:Add", ["--convert-skip=op:Add"]),
    "compact_constants": (True, ["--compact-constants"]),
    "inputs_without_initializers": (True, ["--inputs-without-initializers"]),
    "constants": ("initializers", ["--constants=initializers"]),
    "strip": (["docs", "names"], ["--strip=docs", "--strip=names"]),
    "sort": (True, ["--sort"]),
    "prune": (True, ["--prune"]),
    "batch": ("open:b", ["--batch=open:b"]),
    "schemas": (SCHEMAS, [f"--schemas={SCHEMAS}"]),
    "rules": (["fusions"], ["--rules=fusions"]),
    "trust_rules": (True, ["--trust-rules"]),
    "run_once": (True, ["--run-once"]),
    "inputs": ("x", ["--inputs=x"]),
    "outputs": (["v", "y"], ["--outputs=v", "--outputs=y"]),
    "shapes": (True, ["--shapes"]),
    "strict": (True, ["--strict"]),
    "max_growth": ("10%", ["--max-growth=10%"]),
    "max_result": (100, ["--max-result=100"]),
    "max_work": (100, ["--max-work=100"]),
    "max_trip_count": (3, ["--max-trip-count=3"]),
    "max_time": (1.5, ["--max-time=1.5"]),
    "max_memory": ("1G", ["--max-memory=1G"]),
    "cache": (Path("folded-values"), ["--cache=folded-values"]),
    "cache_size": ("2G", ["--cache-size=2G"]),
    "external_data": ("w.bin", ["--external-data=w.bin"]),
    "data_root": (Path("/"), ["--data-root=/"]),
    "keep_data_files": (True, ["--keep-data-files"]),
    "sync": (True, ["--sync"]),
    "provenance": (True, ["--provenance"]),
    "threads": (1, ["--threads=1"]),
}
NEEDED = {"convert_io": {"convert": "f32:f16"}, "convert_skip": {"convert": "f32:f16"}, "trust_rules": {"rules": "fusions"}}  # beside an argument


@pytest.mark.filterwarnings("ignore:.*left nothing out")
def test_every_argument_reaches_the_tool():
    """An argument that fold, check or the type Options lacks, or that no option is made of, is a mistake here."""
    assert set(FLAGS) == set(SAMPLES), f"without a sample, or without an argument: {sorted(set(FLAGS) ^ set(SAMPLES))}"
    for name, (value, wanted) in SAMPLES.items():
        flags = _options.flags({name: value})
        assert flags == wanted, f"{name}={value!r}: {flags}"
        assert isinstance(onnx_fold.check(simple(), **{name: value}, **NEEDED.get(name, {})), bool), f"check(..., {name}={value!r})"


def test_cache(folder):
    """What is computed once is found by the next call."""
    values = np.random.default_rng(3).standard_normal((3, 160, 160)).astype(np.float32)
    nodes = [node("MatMul", ["a", "b"], ["ab"]), node("Add", ["ab", "c"], ["w"]), node("MatMul", ["x", "w"], ["y"])]
    constants = [const(name, value) for name, value in zip("abc", values)]
    model = m.model(nodes, [info("x", (1, 160))], [info("y", (1, 160))], constants)
    wanted = onnx_fold.fold(model).model.SerializeToString()
    for found in (0, 1):
        result = onnx_fold.fold(model, cache=folder / "cache", cache_size="1M")
        assert result.report.cache["found"] == found and result.model.SerializeToString() == wanted
    assert onnx_fold.fold(model).report.cache is None, "only with the argument"


def test_names_of_the_module():
    assert onnx_fold.__version__ == subprocess.run([t.TOOL, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()[1]
    for name in onnx_fold.__all__:
        assert getattr(onnx_fold, name) is not None and name in dir(onnx_fold), f"onnx_fold.{name}"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        onnx_fold.nothing


@pytest.mark.parametrize("engine", ["program", "library"])
def test_rules(folder, engine):
    """Files of rules are proved, applied, and reported."""
    text = "{name} (x) => (before, after) {{\n  a = {inner} (x)\n  before = {outer} (a)\n  after = {outer} (x)\n}}\n"
    (folder / "abs.rules").write_text(text.format(name="abs_neg", inner="Neg", outer="Abs"))
    header = '<opset_import: ["" : 14], doc_string: "level: 2; bound: 0 ulp; x: float">\n'
    (folder / "cos.rules").write_text(header + text.format(name="cos_neg", inner="Neg", outer="Cos"))
    nodes = [node("Neg", ["x"], ["a"]), node("Abs", ["a"], ["b"]), node("Neg", ["b"], ["c"]), node("Cos", ["c"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")])
    files = [folder / "abs.rules", folder / "cos.rules"]
    assert operators(onnx_fold.fold(model, rules=files[:1], engine=engine).model) == ["Abs", "Neg", "Cos"]
    assert operators(onnx_fold.fold(model, rules=files, level=2, engine=engine).model) == ["Abs", "Cos"]
    (folder / "abs.rules").write_text(text.format(name="exp_neg", inner="Neg", outer="Exp"))
    with pytest.raises(onnx_fold.FoldError, match="the rule 'exp_neg' is not used"):
        onnx_fold.fold(model, rules=files, engine=engine)


def test_schemas_and_opset(folder):
    """Operators of others, and another opset, by the options' names."""
    import json

    forms = {"domains": {"com.acme": {"Twice": {"forms": ["x: T[a, b] -> y: T[a, b * 2]"]}}}}
    (folder / "acme.json").write_text(json.dumps(forms))
    nodes = [m.node("Twice", ["x"], ["d"], domain="com.acme"), m.node("Shape", ["d"], ["y"])]
    source = m.model(nodes, [m.info("x", (2, 3))], [m.info("y", (2,), onnx.TensorProto.INT64)], domains=[("com.acme", 1)], opset=12, ir=8)
    result = onnx_fold.fold(source, schemas=folder / "acme.json", target_opset=17)
    assert [one.version for one in result.model.opset_import if not one.domain] == [17]
    m.expectValue(result.model.graph, "y", [2, 6])
    assert "Shape" in m.operators(onnx_fold.fold(source).model)
