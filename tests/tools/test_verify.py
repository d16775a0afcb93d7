# SPDX-License-Identifier: Apache-2.0
"""--verify: passes on every model that folds rightly, says what it could not run, and changes nothing else.

What it finds is tested with a model whose numbers cancel, so that -O2 changes them beyond its bound; with files that are not
what was written; and in tests/onnx/verify, with modules that differ. Models: those of tests/models/data, and the large ones of bench/nodes.
"""

import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
import onnx
from onnx import TensorProto, helper

import models as large
import onnxfold_testing as t
from onnxfold_models import const, info, model, node


def verified(source, folder, *flags):
    """The `verify` object of the report; the output has to be the same as without --verify."""
    report = t.foldWithReport(source, folder / "verified.onnx", "--verify=2", *flags)
    t.fold(source, folder / "plain.onnx", *flags)
    t.expectSameBytes(folder / "verified.onnx", folder / "plain.onnx", "with and without --verify")
    assert "verify" in [step["name"] for step in report["steps"]], "no step 'verify'"
    return report["verify"]


def notVerified(source, folder, *flags):
    """The `verify` object of a run that ends with status 4, and its first line; an output that was there stays."""
    (folder / "kept.onnx").write_bytes(b"before")
    report = folder / "report.json"
    result = t.run("--verify=2", *flags, f"--report=json:{report}", "-o", folder / "kept.onnx", source)
    assert result.code == 4, f"exit status ({result})"
    assert (folder / "kept.onnx").read_bytes() == b"before", "the file under the output's name"
    found = json.loads(report.read_text())["verify"]
    assert (found["equal"], found["complete"]) == (False, False), f"{found}"
    quiet = t.run("--verify=2", *flags, "--quiet", "-o", folder / "kept.onnx", source)
    assert quiet.code == 4 and quiet.err.splitlines()[0] == result.err.splitlines()[0], f"{quiet} and {result}"
    assert "0 of 0" not in result.err, f"{result}"
    return found, result.err.splitlines()[0]


def expectAllOutputs(source, found):
    names = {f"output '{value.name}'" for value in onnx.load(source, load_external_data=False).graph.output}
    compared = {value["name"] for value in found["compared"]}
    assert names <= compared, f"not compared: {sorted(names - compared)}; not run: {found['not_run'][:3]}"
    assert found["not_run"] == [], "what was not run"


def checkModel(path, folder, flags):
    found = verified(path, folder, *flags)
    assert found["equal"] == True, f"equal ({[one for one in found['compared'] if not one['equal']]})"
    assert found["trials"] == 2, "trials"
    expectAllOutputs(path, found)


def save(folder, source):
    onnx.save(source, folder / "model.onnx")
    return folder / "model.onnx"


def test_what_cannot_be_run_is_named(folder):
    nodes = [
        node("Add", ["x", "c"], ["a"], name="sum"),
        node("RandomNormalLike", ["a"], ["r"], name="noise"),
        node("Frobnicate", ["a"], ["f"], name="mine", domain="com.acme"),
    ]
    outputs = [info("a"), info("r"), helper.make_tensor_value_info("f", TensorProto.FLOAT, None)]
    source = model(nodes, [info("x")], outputs, [const("c", np.ones((2, 3)), np.float32)], domains=[("com.acme", 1)])
    found = verified(save(folder, source), folder)
    assert found["equal"] == True, "equal"
    codes = {one["name"]: one["code"] for one in found["not_run"]}
    assert codes.get("RandomNormalLike 'noise'") == "not-deterministic", "code of the random operator"
    assert codes.get("Frobnicate 'mine'") == "no-kernel", "code of the custom operator"
    names = {one["name"] for one in found["compared"]}
    assert {"output 'a'", "output 'r'", "output 'f'", "input #0 of Frobnicate 'mine'"} <= names, f"compared are {names}"
    result = t.runOk("--verify", "-o", folder / "out.onnx", folder / "model.onnx")
    assert "Frobnicate 'mine' was not run" in result.err, f"standard error does not say so: {result}"
    assert "values agree in 3 trials" in result.err, f"no summary: {result}"
    assert t.runOk("--quiet", "--verify", "-o", folder / "out.onnx", folder / "model.onnx").err == "", "with --quiet"


def test_the_limit_on_work_holds_for_the_whole_run(folder):
    nodes = [node("MatMul", ["x", "w"], ["a"], name="product"), node("Relu", ["a"], ["y"])]
    source = model(nodes, [info("x", (64, 64))], [info("y", (64, 64))], [const("w", np.ones((64, 64)), np.float32)])
    path = save(folder, source)
    found, line = notVerified(path, folder, "--max-work=1000")
    assert found["not_run"][-1]["code"] == "work-limit", f"code of what was not run ({found['not_run']})"
    assert "output 'y' was not compared: it depends on MatMul 'product': " in line and "--max-work" in line, line
    assert not [one for one in found["compared"] if one["name"].startswith("output")], "an output was compared"
    expectAllOutputs(path, verified(path, folder))


def test_an_input_that_is_too_large(folder):
    """No memory is asked for: the model is said not to be verified."""
    for size in (10**6, 2**40):
        shape = (size, size)
        source = model([node("Identity", ["x"], ["i"]), node("Relu", ["i"], ["y"])], [info("x", shape)], [info("y", shape)])
        found, line = notVerified(save(folder, source), folder)
        assert (found["trials"], found["compared"]) == (0, []), "trials and compared values"
        assert f"output 'y' was not compared: input 'x' has shape [{size}, {size}]" in line, line
        assert f"input 'x' has shape [{size}, {size}]" in found["not_run"][0]["text"], f"not run: {found['not_run']}"


def test_values_go_with_their_last_reader(folder):
    """Thirty lists of indices of 16 MB each, which are computed when they are met: some may be there at a time."""
    nodes, last, shape = [], "x", (2048, 512)
    for i in range(30):
        nodes += [node("NonZero", [last], [f"n{i}"]), node("Transpose", [f"n{i}"], [f"t{i}"], perm=[1, 0]),
                  node("GatherND", [last, f"t{i}"], [f"g{i}"]), node("Reshape", [f"g{i}", "shape"], [f"r{i}"])]
        last = f"r{i}"
    source = model([*nodes, node("Relu", [last], ["y"])], [info("x", shape)], [info("y", shape)],
                   [const("shape", shape, np.int64)])
    report = t.foldWithReport(save(folder, source), folder / "out.onnx", "--verify=1")
    assert report["verify"]["equal"] == True, "equal"
    assert report["peak_bytes"] < 200_000_000, f"peak of {report['peak_bytes'] / 1e6:.0f} MB, expected below 200"


def test_sizes_of_unequal_names_that_have_to_be_equal(folder):
    """An exporter calls one dimension s31 and s80: inputs of other sizes are refused, and others are tried."""
    nodes = [node("Add", ["x", "z"], ["y"])]
    source = model(nodes, [info("x", ("s31", 3)), info("z", ("s80", 3))], [info("y", (None, 3))])
    expectAllOutputs(save(folder, source), verified(folder / "model.onnx", folder))


@pytest.mark.parametrize("operator, attributes", [("MaxPool", {"kernel_shape": [2]}), ("ReduceMax", {}), ("TopK", {}), ("Hardmax", {})])
def test_a_nan_stops_no_node(folder, operator, attributes):
    """Where runtimes do not order a NaN in one way, trials with one were left out, and so was what they would have shown."""
    inputs = ["x", "k"] if operator == "TopK" else ["x"]
    shape = (1, 2, 6)
    more = [const("k", [2], np.int64)] if operator == "TopK" else []
    outputs = ["y", "i"] if operator == "TopK" else ["y"]
    whole = model([node(operator, inputs, outputs, **attributes)], [info("x", shape)], [info("y", None)], more)
    nodes = [node("IsNaN", ["x"], ["n"]), node("Where", ["n", "zero", "x"], ["w"]), node(operator, ["w", *inputs[1:]], outputs, **attributes)]
    without = model(nodes, [info("x", shape)], [info("y", None)], [const("zero", 0, np.float32), *more])
    path, other = save(folder, whole), folder / "other.onnx"
    onnx.save(without, other)
    assert t.run("compare", path, other).code == 3, "NaN counts as 0 in one of them"
    assert t.run("compare", path, path).code == 0, "a near miss"


def overflowing():
    """Conv gives infinities, which BatchNormalization would scale down; in one Conv with folded weights, which is what -O2
    makes of it, there are none."""
    ones = np.ones(2, np.float32)
    nodes = [node("Conv", ["x", "w", "b"], ["c"]), node("BatchNormalization", ["c", "s", "z", "m", "v"], ["y"])]
    constants = {"w": np.full((2, 3, 1, 1), 3e38), "b": 0 * ones, "s": 1e-37 * ones, "z": 0 * ones, "m": 0 * ones, "v": ones}
    return model(nodes, [info("x", (1, 3, 4, 4))], [info("y", (1, 2, 4, 4))],
                 [const(name, value, np.float32) for name, value in constants.items()], opset=15, ir=8)


def test_a_difference_ends_it(folder):
    """Exit status 3, no output, a report that says where; the text names output, index, values and distance."""
    path = save(folder, overflowing())
    before = t.folderState(folder)
    report = folder / "report.json"
    for more in ([], ["--check"], ["--quiet"]):
        result = t.run("-O2", "--verify", *more, f"--report=json:{report}", "-o", folder / "out.onnx", path)
        assert result.code == 3, f"exit status ({result})"
        line = next((one for one in result.err.splitlines() if "output 'y' differs" in one), "")
        assert ", at [0, " in line and " ulp; " in line and "of 32 elements differ" in line, f"no place named: {result}"
        found = json.loads(report.read_text())["verify"]
        assert found["equal"] == False, "equal"
        (value,) = found["compared"]
        assert value["name"] == "output 'y'" and value["difference"] in line and value["ulps"] > 1, f"{value}"
        report.unlink()
        t.expectUnchanged(before, folder, f"a difference {more}")
    assert t.run("-O1", "--verify", "-o", folder / "out.onnx", path).code == 0, "exit status at -O1"


def test_an_output_that_was_there_stays(folder):
    path = save(folder, overflowing())
    (folder / "out.onnx").write_bytes(b"before")
    assert t.run("-O2", "--verify", "-o", folder / "out.onnx", path).code == 3, "exit status"
    assert (folder / "out.onnx").read_bytes() == b"before", "the file under the output's name"


# A disk or a kernel that changes what is written: in place of libc's pwrite. Both environment variables are hexadecimal.
FAULTY_PWRITE = r"""
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/types.h>
static std::string bytes(const char *variable) {
  std::string text = std::getenv(variable), result;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    result += char(std::stoi(text.substr(i, 2), nullptr, 16));
  return result;
}
extern "C" ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
  using Function = ssize_t (*)(int, const void *, size_t, off_t);
  static Function real = Function(dlsym(RTLD_NEXT, "pwrite"));
  static const std::string from = bytes("CORRUPT_FROM"), to = bytes("CORRUPT_TO");
  std::string copy(static_cast<const char *>(data), size);
  for (size_t at = 0; (at = copy.find(from, at)) != copy.npos; at += to.size())
    copy.replace(at, from.size(), to);
  return real(fd, copy.data(), size, offset);
}
"""


@functools.cache
def faultyWriter():
    """The shared library, made once."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if not compiler:
        pytest.skip("no compiler for the library that changes what is written")
    folder = tempfile.mkdtemp(prefix="onnxfold-faulty-")
    source, library = Path(folder, "faulty.cpp"), Path(folder, "faulty.so")
    source.write_text(FAULTY_PWRITE)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def runFaulty(before, after, *arguments, **keywords):
    """Runs the tool on a disk on which the bytes `before` become `after`: as a fold-server, which loads shared libraries."""
    corrupt = {"CORRUPT_FROM": before.hex(), "CORRUPT_TO": after.hex(), "LD_PRELOAD": str(faultyWriter())}
    # A sanitizer's library wants to be the first one.
    sanitizer = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
    server = t.Server(t.TOOL.parent / "tests/fold-server", {**os.environ, **sanitizer, **corrupt})
    return t.run(*arguments, server=server, **keywords)


def summed(folder, size=512):
    """A model with the constant s = a + b, s[i] = 2 + i, which is not in the file: y[n, size] = x * s + k, k[1] = 0.7."""
    k = np.zeros(size, np.float32)
    k[1] = 0.7
    nodes = [node("Add", ["a", "b"], ["s"]), node("Mul", ["x", "s"], ["m"]), node("Add", ["m", "k"], ["y"])]
    constants = [const("a", np.full(size, 1, np.float32)), const("b", np.arange(1, size + 1, dtype=np.float32)), const("k", k)]
    return save(folder, model(nodes, [info("x", ("n", size))], [info("y", ("n", size))], constants))


def floatBytes(value):
    return np.float32(value).tobytes()


def test_what_is_in_the_file_is_compared_not_what_was_meant(folder):
    """The result in memory was compared, before it was written: a fault of the writer, or of the disk, was never found."""
    path = summed(folder)
    (folder / "out.onnx").write_bytes(b"before")
    before = t.folderState(folder)
    arguments = ["--verify", "--quiet", "-o", folder / "out.onnx"]
    folded, kept = (floatBytes(9), floatBytes(8.5)), (floatBytes(0.7), floatBytes(0.6))
    for fault, place in ((folded, ", 7]: "), (kept, ", 1]: ")):
        for more in ([], ["--external-data=new.bin"], ["--inline-data"], ["--check"]):
            result = runFaulty(*fault, *arguments, *more, path)
            if more == ["--check"]:  # which writes nothing
                assert result.code == 2, f"exit status ({result})"
            else:
                assert result.code == 3, f"exit status {more} ({result})"
                line = next((one for one in result.err.splitlines() if "output 'y' differs" in one), "")
                assert place in line and " ulp; " in line, f"no place named {more}: {result}"
            t.expectUnchanged(before, folder, f"a fault {more}")
        out = runFaulty(*fault, "--verify", "--quiet", "-o", "-", path)
        assert (out.code, out.out) == (3, b""), f"exit status and standard output ({out})"
    assert runFaulty(b"nothing of that", b"not of that", *arguments, path).code == 0, "exit status without a fault"


def test_a_difference_is_measured_in_units_in_the_last_place(folder):
    """A constant that is wrong in its last bit."""
    path = summed(folder)
    report = folder / "report.json"
    result = runFaulty(floatBytes(5), floatBytes(np.nextafter(np.float32(5), np.float32(6))), "--verify=20", "--quiet",
                       f"--report=json:{report}", "-o", folder / "out.onnx", path)
    assert result.code == 3, f"exit status ({result})"
    (value,) = json.loads(report.read_text())["verify"]["compared"]
    # Products of neighbours are neighbours, or one further where the product is small within its binade.
    assert 1 <= value["ulps"] <= 2, f"{value}"
    assert "output 'y'" == value["name"] and ", 3]: " in value["difference"], f"{value}"


def test_a_file_that_cannot_be_read_back(folder):
    path = summed(folder)
    before = t.folderState(folder)
    result = runFaulty(b"\x42\x01s", b"\x42\x01t", "--verify", "--quiet", "-o", folder / "out.onnx", path)
    assert result.code == 1, f"exit status ({result})"
    assert "cannot be read back" in result.err and "'s'" in result.err, f"{result}"
    t.expectUnchanged(before, folder, "a file that cannot be read back")


def test_data_files_in_another_folder_are_read_where_they_will_be(folder):
    """They have no names yet either; one of them is there already."""
    weight = np.arange(600, dtype=np.float32)
    (folder / "in/sub").mkdir(parents=True)
    (folder / "out").mkdir()
    nodes = [node("Add", ["x", "v"], ["a"]), node("Add", ["w", "w"], ["d"]), node("Mul", ["a", "d"], ["y"])]
    source = model(nodes, [info("x", ("n", 600))], [info("y", ("n", 600))], [const("v", weight), const("w", weight + 1)])
    for tensor, place in zip(source.graph.initializer, ("v.bin", "sub/w.bin")):
        onnx.external_data_helper.set_external_data(tensor, place)
    onnx.save(source, folder / "in/model.onnx")
    shutil.copy(folder / "in/v.bin", folder / "out/v.bin")
    expectAllOutputs(folder / "in/model.onnx", verified(folder / "in/model.onnx", folder / "out"))
    shutil.rmtree(folder / "out")
    (folder / "out").mkdir()
    before = t.folderState(folder)
    result = runFaulty(floatBytes(599), floatBytes(598), "--verify", "--quiet", "-o", folder / "out/m.onnx",
                       folder / "in/model.onnx")
    assert result.code == 3, f"exit status ({result})"
    assert ", 599]: " in result.err, f"no place named: {result}"
    t.expectUnchanged(before, folder, "a fault in a copied data file")


def randomBranch():
    """An If whose condition folds, of a branch with a random operator."""
    def branch(name, nodes):
        return onnx.helper.make_graph(nodes, name, [], [info(name + "_out")])

    then = branch("then", [node("RandomNormalLike", ["x"], ["r"]), node("Add", ["x", "r"], ["then_out"])])
    other = branch("else", [node("Neg", ["x"], ["else_out"])])
    nodes = [node("Not", ["f"], ["c"]), node("If", ["c"], ["i"], then_branch=then, else_branch=other),
             node("Mul", ["x", "x"], ["z"]), node("Relu", ["i"], ["y"])]
    return model(nodes, [info("x")], [info("y"), info("z")], [const("f", False, np.bool_)]), "-O1"


def randomFunction():
    """A call that is written out, of a function with a random operator."""
    function = onnx.helper.make_function(
        "own", "F", ["a", "k"], ["b"],
        [node("Neg", ["k"], ["m"]), node("RandomNormalLike", ["a"], ["r"]), node("Add", ["r", "m"], ["n"]),
         node("Add", ["a", "n"], ["b"])], [onnx.helper.make_opsetid("", 21)])
    nodes = [node("F", ["x", "w"], ["i"], domain="own"), node("Mul", ["x", "x"], ["z"]), node("Relu", ["i"], ["y"])]
    return model(nodes, [info("x")], [info("y"), info("z")], [const("w", np.ones((2, 3)), np.float32)],
                 domains=[("own", 1)], functions=[function]), "-O1"


@pytest.mark.parametrize("make", (randomBranch, randomFunction))
def test_taken_apart(make, folder):
    """What stood in for a body as a whole cannot stand in for the random operator in it, which is a node of the graph now:
    they were said to differ."""
    source, flag = make()
    found, line = notVerified(save(folder, source), folder, flag)
    assert "output 'y' was not compared" in line, line
    t.fold(folder / "model.onnx", folder / "plain.onnx", flag)
    assert [one["name"] for one in found["compared"] if not one["equal"]] == [], "what differs"
    assert "output 'z'" in {one["name"] for one in found["compared"]}, f"compared: {found['compared']}"
    codes = {one["code"] for one in found["not_run"]}
    assert codes == {"not-deterministic"}, f"codes of {found['not_run']}"
    counts = t.operatorCounts(onnx.load(folder / "plain.onnx"), True)
    assert not counts.keys() & {"If", "own.F"}, f"nothing was taken apart: {counts}"


def leaky(attributes):
    """y = LeakyRelu(x, slope) + bias, by a function that has defaults for both: slope 0.5, bias 3."""
    body = [node("Constant", [], ["c"]), node("Constant", [], ["t"]), node("LeakyRelu", ["a"], ["l"]),
            node("Add", ["l", "c"], ["s"]), node("Mul", ["s", "t"], ["b"])]
    for at, name, parameter, kind in ((0, "value_float", "bias", "FLOAT"), (1, "value", "factor", "TENSOR"),
                                      (2, "alpha", "slope", "FLOAT")):
        body[at].attribute.add(name=name, ref_attr_name=parameter, type=getattr(onnx.AttributeProto, kind))
    defaults = [helper.make_attribute("slope", 0.5), helper.make_attribute("bias", 3.0),
                helper.make_attribute("factor", const("", [2, 4, 8], np.float32))]
    function = helper.make_function("own", "Leaky", ["a"], ["b"], body, [helper.make_opsetid("", 21)], ["unused"], defaults)
    nodes = [node("Add", ["k", "k"], ["d"]), node("Mul", ["x", "d"], ["m"]),
             node("Leaky", ["m"], ["y"], domain="own", **attributes)]
    return model(nodes, [info("x")], [info("y")], [const("k", 1, np.float32)], domains=[("own", 1)], functions=[function])


def test_defaults_of_a_functions_attributes(folder):
    """A call that leaves an attribute out was said not to be run: the default stood in the file alone."""
    for attributes in ({}, {"slope": 0.25}, {"slope": 0.25, "bias": 1.0, "factor": const("", 3, np.float32)}):
        path = save(folder, leaky(attributes))
        expectAllOutputs(path, verified(path, folder))
    # The defaults are those of the file: 0.5 = 3f000000, of which the output would be another one.
    source = save(folder, leaky({}))
    for before, after in ((0.5, 0.25), (3, 2), (8, 7)):
        result = runFaulty(floatBytes(before), floatBytes(after), "--verify", "--quiet", "-o", folder / "out.onnx", source)
        assert result.code == 3, f"exit status with a default of {after} instead of {before} ({result})"


def test_standard_input_and_external_data(folder):
    weight = np.arange(12, dtype=np.float32).reshape(3, 4)
    source = model([node("Transpose", ["w"], ["t"]), node("MatMul", ["x", "t"], ["y"])], [info("x", ("n", 4))],
                   [info("y", (None, 3))], [const("w", weight)])
    out = t.runOk("--verify", "-o", "-", "-", stdin=source.SerializeToString())
    assert "1 of 1 values agree in 3 trials" in out.err, f"no summary: {out}"
    onnx.save(source, folder / "model.onnx", save_as_external_data=True, location="data.bin", size_threshold=0)
    expectAllOutputs(folder / "model.onnx", verified(folder / "model.onnx", folder))


def test_a_shape_that_is_an_input(folder):
    """Its default is [-1, 6]: no random numbers will do, and nothing was compared. Another value is given where one will do."""
    nodes = [node("Relu", ["x"], ["r"]), node("Reshape", ["r", "shape"], ["f"]), node("MatMul", ["f", "w"], ["y"])]
    constants = [const("shape", np.array([-1, 6])), const("w", np.ones((6, 2)), np.float32)]
    inputs = [info("x", ("n", 2, 1, 3)), info("shape", (2,), TensorProto.INT64)]
    path = save(folder, model(nodes, inputs, [info("y", (None, 2))], constants))
    expectAllOutputs(path, verified(path, folder))


def test_texts_of_truth_values(folder):
    """The standard leaves them open, so no fold writes them; both models have the same ones. Nothing behind them was compared."""
    nodes = [node("Greater", ["x", "c"], ["b"]), node("Cast", ["b"], ["text"], to=TensorProto.STRING)]
    nodes += [node("Cast", ["text"], ["n"], to=1), node("Add", ["n", "c"], ["y"])]
    source = model(nodes, [info("x", (2, 3))], [info("y", (2, 3))], [const("c", np.float32(0.5))])
    path = save(folder, source)
    expectAllOutputs(path, verified(path, folder))


def test_a_bound_of_one_element(folder):
    """A runtime takes it for the scalar that the standard asks for. It is not folded, and what depends on it was not compared."""
    nodes = [node("Clip", ["x", "low", ""], ["y"]), node("Clip", ["c", "low", ""], ["z"])]
    constants = [const("low", np.zeros(1, np.float32)), const("c", np.array([-1, 1], np.float32))]
    path = save(folder, model(nodes, [info("x", (2, 3))], [info("y", (2, 3)), info("z", (2,))], constants))
    expectAllOutputs(path, verified(path, folder))
    assert t.operatorCounts(onnx.load(folder / "verified.onnx")) == {"Clip": 2}


def test_wrong_numbers_of_trials(folder):
    path = save(folder, model([node("Relu", ["x"], ["y"])], [info("x")], [info("y")]))
    for number in ("0", "-1", "many", "1001"):
        result = t.run(f"--verify={number}", "-o", folder / "out.onnx", path)
        assert result.code == 1, f"exit status ({result})"
        assert "--verify" in result.err, f"the message does not name the flag: {result}"


@pytest.mark.parametrize("name", large.NAMES)
def test_large(name, folder):
    large.make(name, folder / "model.onnx")
    for level in ("-O1", "-O2"):
        checkModel(folder / "model.onnx", folder, [level])


@pytest.mark.parametrize("level", ("-O0", "-O1", "-O2"))
@pytest.mark.parametrize("path", t.shippedModels(), ids=lambda path: path.stem)
def test_shipped(path, level, folder):
    checkModel(path, folder, [level])
