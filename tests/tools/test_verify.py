#!/usr/bin/env python3
"""--verify: passes on every model that folds rightly, says what it could not run, and changes nothing else.

What it finds is tested with a model whose numbers cancel, so that -O2 changes them beyond its bound; and in tests/onnx/verify,
with modules that differ. Models: those of tests/models/data, and the large ones of bench/nodes.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

for folder in ("tests/lib", "bench/nodes"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / folder))
import models as large
import onnxfold_testing as t
from onnxfold_models import const, info, model, node

suite = t.Suite(__doc__.splitlines()[0])


def verified(source, folder, *flags):
    """The `verify` object of the report; the output has to be the same as without --verify."""
    report = t.foldWithReport(source, folder / "verified.onnx", "--verify=2", *flags)
    t.fold(source, folder / "plain.onnx", *flags)
    t.expectSameBytes(folder / "verified.onnx", folder / "plain.onnx", "with and without --verify")
    t.expect("verify" in [step["name"] for step in report["steps"]], "no step 'verify'")
    return report["verify"]


def expectAllOutputs(source, found):
    names = {f"output '{value.name}'" for value in onnx.load(source, load_external_data=False).graph.output}
    compared = {value["name"] for value in found["compared"]}
    t.expect(names <= compared, f"not compared: {sorted(names - compared)}; not run: {found['not_run'][:3]}")
    t.expectEqual(found["not_run"], [], "what was not run")


def checkModel(path, folder, flags):
    found = verified(path, folder, *flags)
    t.expectEqual(found["equal"], True, f"equal ({[one for one in found['compared'] if not one['equal']]})")
    t.expectEqual(found["trials"], 2, "trials")
    expectAllOutputs(path, found)


def save(folder, source):
    onnx.save(source, folder / "model.onnx")
    return folder / "model.onnx"


@suite.case
def what_cannot_be_run_is_named(folder):
    nodes = [
        node("Add", ["x", "c"], ["a"], name="sum"),
        node("RandomNormalLike", ["a"], ["r"], name="noise"),
        node("Frobnicate", ["a"], ["f"], name="mine", domain="com.acme"),
    ]
    outputs = [info("a"), info("r"), helper.make_tensor_value_info("f", TensorProto.FLOAT, None)]
    source = model(nodes, [info("x")], outputs, [const("c", np.ones((2, 3)), np.float32)], domains=[("com.acme", 1)])
    found = verified(save(folder, source), folder)
    t.expectEqual(found["equal"], True, "equal")
    codes = {one["name"]: one["code"] for one in found["not_run"]}
    t.expectEqual(codes.get("RandomNormalLike 'noise'"), "not-deterministic", "code of the random operator")
    t.expectEqual(codes.get("Frobnicate 'mine'"), "no-kernel", "code of the custom operator")
    t.expect("output 'f'" in codes and "output 'r'" not in codes, f"not run are {codes}")
    names = {one["name"] for one in found["compared"]}
    t.expect({"output 'a'", "output 'r'", "input #0 of Frobnicate 'mine'"} <= names, f"compared are {names}")
    result = t.runOk("--verify", "-o", folder / "out.onnx", folder / "model.onnx")
    t.expect("Frobnicate 'mine' was not run" in result.err, f"standard error does not say so: {result}")
    t.expect("values agree in 3 trials" in result.err, f"no summary: {result}")
    t.expectEqual(t.runOk("--quiet", "--verify", "-o", folder / "out.onnx", folder / "model.onnx").err, "", "with --quiet")


@suite.case
def the_limit_on_work_holds_for_the_whole_run(folder):
    nodes = [node("MatMul", ["x", "w"], ["a"], name="product"), node("Relu", ["a"], ["y"])]
    source = model(nodes, [info("x", (64, 64))], [info("y", (64, 64))], [const("w", np.ones((64, 64)), np.float32)])
    path = save(folder, source)
    found = verified(path, folder, "--max-work=1000")
    t.expectEqual(found["not_run"][-1]["code"], "work-limit", f"code of what was not run ({found['not_run']})")
    t.expect(not [one for one in found["compared"] if one["name"].startswith("output")], "an output was compared")
    expectAllOutputs(path, verified(path, folder))


@suite.case
def an_input_that_is_too_large(folder):
    """No memory is asked for: the model is folded, and said not to be verified."""
    for size in (10**6, 2**40):
        shape = (size, size)
        source = model([node("Identity", ["x"], ["i"]), node("Relu", ["i"], ["y"])], [info("x", shape)], [info("y", shape)])
        found = verified(save(folder, source), folder)
        t.expectEqual((found["trials"], found["compared"]), (0, []), "trials and compared values")
        t.expect(f"input 'x' has shape [{size}, {size}]" in found["not_run"][0]["text"], f"not run: {found['not_run']}")


@suite.case
def values_go_with_their_last_reader(folder):
    """Thirty lists of indices of 16 MB each, which are computed when they are met: some may be there at a time."""
    nodes, last, shape = [], "x", (2048, 512)
    for i in range(30):
        nodes += [node("NonZero", [last], [f"n{i}"]), node("Transpose", [f"n{i}"], [f"t{i}"], perm=[1, 0]),
                  node("GatherND", [last, f"t{i}"], [f"g{i}"]), node("Reshape", [f"g{i}", "shape"], [f"r{i}"])]
        last = f"r{i}"
    source = model([*nodes, node("Relu", [last], ["y"])], [info("x", shape)], [info("y", shape)],
                   [const("shape", shape, np.int64)])
    report = t.foldWithReport(save(folder, source), folder / "out.onnx", "--verify=1")
    t.expectEqual(report["verify"]["equal"], True, "equal")
    t.expect(report["peak_bytes"] < 200_000_000, f"peak of {report['peak_bytes'] / 1e6:.0f} MB, expected below 200")


@suite.case
def sizes_of_unequal_names_that_have_to_be_equal(folder):
    """An exporter calls one dimension s31 and s80: inputs of other sizes are refused, and others are tried."""
    nodes = [node("Add", ["x", "z"], ["y"])]
    source = model(nodes, [info("x", ("s31", 3)), info("z", ("s80", 3))], [info("y", (None, 3))])
    expectAllOutputs(save(folder, source), verified(folder / "model.onnx", folder))


def cancelling():
    """Conv gives 1e8 and a little, and BatchNormalization takes the 1e8 away again. In f32 the little is lost; in one Conv
    with folded weights, which is what -O2 makes of it, it is not."""
    ones, many = np.ones(2, np.float32), np.full(2, 1e8, np.float32)
    nodes = [node("Conv", ["x", "w", "b"], ["c"]), node("BatchNormalization", ["c", "s", "z", "m", "v"], ["y"])]
    constants = {"w": np.ones((2, 3, 1, 1)), "b": many, "s": ones, "z": 0 * ones, "m": many, "v": ones}
    return model(nodes, [info("x", (1, 3, 4, 4))], [info("y", (1, 2, 4, 4))],
                 [const(name, value, np.float32) for name, value in constants.items()], opset=15, ir=8)


@suite.case
def a_difference_ends_it(folder):
    """Exit status 3, no output, a report that says where; the text names output, index, values and distance."""
    path = save(folder, cancelling())
    before = t.folderState(folder)
    report = folder / "report.json"
    for more in ([], ["--check"], ["--quiet"]):
        result = t.run("-O2", "--verify", *more, f"--report=json:{report}", "-o", folder / "out.onnx", path)
        t.expectEqual(result.code, 3, f"exit status ({result})")
        line = next((one for one in result.err.splitlines() if "output 'y' differs" in one), "")
        t.expect(", at [0, " in line and " ulp; " in line and "of 32 elements differ" in line, f"no place named: {result}")
        found = json.loads(report.read_text())["verify"]
        t.expectEqual(found["equal"], False, "equal")
        (value,) = found["compared"]
        t.expect(value["name"] == "output 'y'" and value["difference"] in line and value["ulps"] > 1, f"{value}")
        report.unlink()
        t.expectUnchanged(before, folder, f"a difference {more}")
    t.expectEqual(t.run("-O1", "--verify", "-o", folder / "out.onnx", path).code, 0, "exit status at -O1")


@suite.case
def an_output_that_was_there_stays(folder):
    path = save(folder, cancelling())
    (folder / "out.onnx").write_bytes(b"before")
    t.expectEqual(t.run("-O2", "--verify", "-o", folder / "out.onnx", path).code, 3, "exit status")
    t.expectEqual((folder / "out.onnx").read_bytes(), b"before", "the file under the output's name")


@suite.case
def standard_input_and_external_data(folder):
    weight = np.arange(12, dtype=np.float32).reshape(3, 4)
    source = model([node("Transpose", ["w"], ["t"]), node("MatMul", ["x", "t"], ["y"])], [info("x", ("n", 4))],
                   [info("y", (None, 3))], [const("w", weight)])
    out = t.runOk("--verify", "-o", "-", "-", stdin=source.SerializeToString())
    t.expect("1 of 1 values agree in 3 trials" in out.err, f"no summary: {out}")
    onnx.save(source, folder / "model.onnx", save_as_external_data=True, location="data.bin", size_threshold=0)
    expectAllOutputs(folder / "model.onnx", verified(folder / "model.onnx", folder))


@suite.case
def wrong_numbers_of_trials(folder):
    path = save(folder, model([node("Relu", ["x"], ["y"])], [info("x")], [info("y")]))
    for number in ("0", "-1", "many", "1001"):
        result = t.run(f"--verify={number}", "-o", folder / "out.onnx", path)
        t.expectEqual(result.code, 1, f"exit status ({result})")
        t.expect("--verify" in result.err, f"the message does not name the flag: {result}")


def checkLarge(name, folder):
    large.make(name, folder / "model.onnx")
    for level in ("-O1", "-O2"):
        checkModel(folder / "model.onnx", folder, [level])


for shipped in t.shippedModels():
    for level in ("-O0", "-O1", "-O2"):
        suite.add(f"{shipped.stem}{level}", lambda folder, path=shipped, level=level: checkModel(path, folder, [level]))

for name in large.NAMES:
    suite.add(name, lambda folder, name=name: checkLarge(name, folder))

if __name__ == "__main__":
    sys.exit(suite.main())
