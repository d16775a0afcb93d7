# SPDX-License-Identifier: Apache-2.0
"""onnx-run: from a model to results. ONNX's own node tests, the shared models against ONNX Runtime, and the command line.

The node tests run in one process that forks for each (--test-folders). The short form takes every 40th, and all that have a
sequence or an optional; --long takes all. What does not run is listed here with the reason.
"""

import json
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from backend_cases import NEWEST, allFolders
from onnxfold_runs import withoutShapes
from onnxfold_testing import ROOT, TOOL, options

RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")

# (what matches the name of a folder, what onnx-run says)
NOT_RUN = (
    ("bernoulli", "is random"),
    ("training_dropout(_default)?(_mask)?$", "is random in training mode"),
    ("image_decoder|gradient_of", "no kernel"),
    ("1.18.0/node/test_adam_multiple$", "ONNX's own answer is wrong (EXCEPTIONS of test_node_tests.py)"),
    ("1.12.0/node/test_castlike_BFLOAT16_to_FLOAT", "the shape of an input is not what the model says"),
    ("averagepool_2d_ceil_last_window_starts_on_pad", "ONNX's own answer is wrong (backend_cases.py leaves it out)"),
)


def onnxRun(*arguments, **keywords):
    keywords = {"timeout": 36000 if options.long else 600} | keywords
    return subprocess.run([RUN, *map(str, arguments)], capture_output=True, text=True, **keywords)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return f"--cache={tmp_path_factory.mktemp('cache')}"


def model(nodes, inputs, outputs, **keywords):
    graph = helper.make_graph(nodes, "g", inputs, outputs, **keywords)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def floats(name, shape=(None,)):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


@pytest.fixture
def twoInputs(folder):
    """y = cos(a) + b, and z, the sequence of both."""
    nodes = [
        helper.make_node("Cos", ["a"], ["c"], name="cosine"),
        helper.make_node("Add", ["c", "b"], ["y"], name="sum"),
        helper.make_node("SequenceConstruct", ["a", "b"], ["z"]),
    ]
    z = helper.make_tensor_sequence_value_info("z", TensorProto.FLOAT, None)
    onnx.save(model(nodes, [floats("a"), floats("b")], [floats("y"), z]), folder / "model.onnx")
    np.save(folder / "a.npy", np.float32([0, 1]))
    np.save(folder / "b.npy", np.float32([10, 20]))
    return folder


def inputsOf(folder):
    return ["--input", f"a={folder}/a.npy", "--input", f"b={folder}/b.npy"]


# ---- the command line --------------------------------------------------------------------------------------------------


def test_prints(twoInputs, cache):
    done = onnxRun(twoInputs / "model.onnx", *inputsOf(twoInputs), cache)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "y: f32[2] [11, 20.5403023]\nz: sequence of 2\n  [0] f32[2] [0, 1]\n  [1] f32[2] [10, 20]\n"
    )


def test_prints_complex_numbers(folder, cache):
    value = helper.make_tensor("v", TensorProto.COMPLEX64, [2], [1.5 - 2j, 3j])
    nodes = [helper.make_node("Constant", [], ["v"], value=value), helper.make_node("Identity", ["v"], ["y"])]
    onnx.save(model(nodes, [], [helper.make_tensor_value_info("y", TensorProto.COMPLEX64, [2])]), folder / "model.onnx")
    done = onnxRun(folder / "model.onnx", cache)
    assert done.stdout == "y: c64[2] [(1.5,-2), (0,3)]\n", done.stdout + done.stderr


def test_the_page_says_what_it_prints(folder, cache):
    """docs/sequences.md begins with a command and its output."""
    nodes = [
        helper.make_node("SequenceEmpty", [], ["e"]),
        helper.make_node("SequenceInsert", ["e", "x"], ["one"]),
        helper.make_node("SequenceInsert", ["one", "x"], ["list"]),
        helper.make_node("SequenceLength", ["list"], ["n"]),
    ]
    list_ = helper.make_tensor_sequence_value_info("list", TensorProto.FLOAT, None)
    n = helper.make_tensor_value_info("n", TensorProto.INT64, [])
    onnx.save(model(nodes, [floats("x")], [list_, n]), folder / "model.onnx")
    np.save(folder / "x.npy", np.float32([1, 2, 3]))
    page = (ROOT / "docs/sequences.md").read_text()
    command, output = re.findall(r"((?:^    .*\n)+)", page, re.M)[:2]
    assert command.split() == ["onnx-run", "model.onnx", "--input", "x=x.npy"]
    done = onnxRun(*command.split()[1:], cache, cwd=folder)
    assert done.stdout == re.sub(r"^    ", "", output, flags=re.M), done.stdout + done.stderr


def test_the_page_has_every_option():
    text = onnxRun("--help=all").stdout
    found = set(re.findall(r"^  (--?[\w-]+)", text, re.M)) - {"--help", "--version"}
    page = (ROOT / "docs/sequences.md").read_text()
    named = set(re.findall(r"(?<![\w-])(-O|--?[a-z][\w-]*)", page))
    assert len(found) > 15 and found <= named, (found - named, text)


def test_writes_and_compares(twoInputs, cache):
    """The results are written as npy, and as messages that --expected-dir reads; another result is exit status 3."""
    out = twoInputs / "out"
    arguments = [twoInputs / "model.onnx", *inputsOf(twoInputs), cache]
    assert onnxRun(*arguments, f"--result-dir={out}").returncode == 0
    assert np.array_equal(np.load(out / "z.1.npy"), np.float32([10, 20]))
    assert np.allclose(np.load(out / "y.npy"), np.float32([11, 20.5403023]))
    assert onnxRun(*arguments, f"--result-dir={out}", "--result-format=pb").returncode == 0
    assert onnxRun(*arguments, f"--expected-dir={out}").returncode == 0
    (out / "output_0.pb").write_bytes(numpy_helper.from_array(np.float32([11, 20.6])).SerializeToString())
    done = onnxRun(*arguments, f"--expected-dir={out}")
    assert done.returncode == 3 and "output 'y' differs" in done.stdout, done.stdout


def test_strings_and_optionals(folder, cache):
    """As inputs and results, in sequences, from .npy and .pb; an optional that is left out is nothing."""
    text = lambda name: helper.make_tensor_value_info(name, TensorProto.STRING, [None])
    optional = lambda name: helper.make_value_info(name, helper.make_optional_type_proto(floats("x").type))
    nodes = [
        helper.make_node("Constant", [], ["c"], value=helper.make_tensor("c", TensorProto.STRING, [1], ["!ü".encode()])),
        helper.make_node("StringConcat", ["s", "c"], ["t"]),
        helper.make_node("SequenceConstruct", ["s", "t"], ["list"]),
        helper.make_node("OptionalHasElement", ["o"], ["has"]),
        helper.make_node("Identity", ["o"], ["same"]),
    ]
    has = helper.make_tensor_value_info("has", TensorProto.BOOL, [])
    lists = helper.make_tensor_sequence_value_info("list", TensorProto.STRING, None)
    source = model(nodes, [text("s"), optional("o")], [text("t"), lists, has, optional("same")])
    source.opset_import[0].version = 20
    onnx.save(source, folder / "model.onnx")
    np.save(folder / "s.npy", np.array(["a", "", "b\u00e9"]))
    np.save(folder / "o.npy", np.float32([1, 2]))
    command = [folder / "model.onnx", "--input", f"s={folder}/s.npy", cache]
    begin = 't: str[3] ["a!ü", "!ü", "bé!ü"]\nlist: sequence of 2\n  [0] str[3] ["a", "", "bé"]\n  [1] str[3] ["a!ü", "!ü", "bé!ü"]\n'
    done = onnxRun(*command)
    assert done.stdout == begin + "has: bool[] false\nsame: nothing\n", done.stdout + done.stderr
    done = onnxRun(*command, "--input", f"o={folder}/o.npy", "--stats")
    assert done.stdout.startswith(begin + "has: bool[] true\nsame: f32[2] [1, 2]\n"), done.stdout + done.stderr
    counts = re.search(r"(\d+) allocations, (\d+) frees", done.stdout)
    assert counts[1] == counts[2], done.stdout
    for given in ([], ["--input", f"o={folder}/o.npy"]):
        out = folder / f"out{len(given)}"
        assert onnxRun(*command, *given, f"--result-dir={out}", "--result-format=pb").returncode == 0
        assert onnxRun(*command, *given, f"--expected-dir={out}").returncode == 0
        assert onnxRun(*command, *given, f"--result-dir={out}").returncode == 0
        assert np.load(out / "t.npy").tolist() == ["a!ü", "!ü", "bé!ü"]
        assert (out / "same.npy").exists() == bool(given)
    assert onnxRun(*command, f"--expected-dir={folder}/out2").returncode == 3  # nothing is not [1, 2]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed], ids=lambda save: save.__name__)
def test_archives(twoInputs, cache, save):
    """Arrays of a .npz file by the names of the inputs."""
    values = {"a": np.float32([0, 1]), "b": np.float32([10, 20])}
    save(twoInputs / "all.npz", **values)
    plain = onnxRun(twoInputs / "model.onnx", *inputsOf(twoInputs), cache)
    assert plain.returncode == 0, plain.stderr
    for flags in (["--input", twoInputs / "all.npz"], ["--input", f"a={twoInputs}/all.npz", "--input", f"b={twoInputs}/b.npy"]):
        for shapes in ([], ["--fix-shapes"]):
            done = onnxRun(twoInputs / "model.onnx", *flags, *shapes, cache)
            assert done.returncode == 0 and done.stdout == plain.stdout, done.stderr
    save(twoInputs / "more.npz", c=np.float32([1]), **values)
    done = onnxRun(twoInputs / "model.onnx", "--input", twoInputs / "more.npz", cache)
    assert done.returncode == 1 and "it has an array 'c', but" in done.stderr, done.stderr
    done = onnxRun(twoInputs / "model.onnx", "--input", f"a={twoInputs}/b.npz", cache)
    assert done.returncode == 1 and "b.npz: cannot be read: no such file" in done.stderr, done.stderr
    bytes_ = (twoInputs / "all.npz").read_bytes()
    random = np.random.default_rng(options.seed)
    for i in range(300 if options.long else 40):  # damaged: an error, or, where it does not matter, the same
        broken = bytearray(bytes_[: random.integers(len(bytes_))] if i % 4 == 0 else bytes_)
        for _ in range(i % 3 + 1):
            if broken:
                broken[random.integers(len(broken))] = random.integers(256)
        (twoInputs / "broken.npz").write_bytes(broken)
        done = onnxRun(twoInputs / "model.onnx", "--input", twoInputs / "broken.npz", cache)
        assert done.returncode == 1 or done.stdout == plain.stdout, (i, done.stdout, done.stderr)
        assert done.returncode == 0 or "onnx-run: error: " in done.stderr, (i, done.stderr)


def test_lists_in_archives(folder, cache):
    """The elements of a sequence are NAME.0, NAME.1 ..."""
    s = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
    n = helper.make_tensor_value_info("n", TensorProto.INT64, [])
    onnx.save(model([helper.make_node("SequenceLength", ["s"], ["n"])], [s], [n]), folder / "model.onnx")
    np.savez(folder / "s.npz", **{"s.0": np.float32([1]), "s.1": np.float32([1, 2]), "s.2": np.float32([[3]])})
    assert onnxRun(folder / "model.onnx", "--input", folder / "s.npz", cache).stdout == "n: i64[] 3\n"


def test_counts_memory(twoInputs, cache):
    """Everything that a run allocates is freed, by our passes and by MLIR's."""
    for flags in ([], ["--no-buffer-reuse"], ["--upstream-deallocation"]):
        done = onnxRun(twoInputs / "model.onnx", *inputsOf(twoInputs), "--stats", *flags, cache)
        counts = re.search(r"(\d+) allocations, (\d+) frees, (\d+) bytes at the peak, (\d+) copies", done.stdout)
        assert counts and counts[1] == counts[2] and int(counts[1]) > 0, done.stdout + done.stderr


def test_reuse_saves_allocations(folder, cache):
    """A chain of operators of one shape: with reuse there are two buffers in turn."""
    nodes = [helper.make_node("Cos", [f"x{i}"], [f"x{i + 1}"]) for i in range(20)]
    onnx.save(model(nodes, [floats("x0", [64])], [floats("x20", [64])]), folder / "model.onnx")
    np.save(folder / "x.npy", np.zeros(64, np.float32))
    found = []
    for flags in ([], ["--no-buffer-reuse"]):
        done = onnxRun(folder / "model.onnx", "--input", f"x0={folder}/x.npy", "--stats", *flags, cache)
        found.append(int(re.search(r"(\d+) allocations", done.stdout)[1]))
    assert found[0] <= 3 and found[1] == 20, found


def test_emits(twoInputs, cache):
    for form, begin in (("mlir", b"module"), ("llvm", b"; ModuleID"), ("object", b"\x7fELF")):
        done = subprocess.run([RUN, twoInputs / "model.onnx", f"--emit={form}"], capture_output=True, timeout=600)
        assert done.returncode == 0 and begin in done.stdout[:200], (form, done.stderr)
    library = twoInputs / "model.so"
    done = onnxRun(twoInputs / "model.onnx", "--emit=shared-library", "-o", library)
    assert done.returncode == 0 and library.read_bytes().startswith(b"\x7fELF"), done.stderr


def test_errors(twoInputs, cache):
    """Each names the file, the input or the node, what was found and what was expected."""
    file = twoInputs / "model.onnx"
    np.save(twoInputs / "square.npy", np.zeros((2, 2), np.float32))
    np.save(twoInputs / "three.npy", np.zeros(3, np.float32))
    a = f"a={twoInputs}/a.npy"
    cases = (
        ([], "no model is given"),
        ([file, "--rnus=2"], "'--rnus=2' is not known, did you mean --runs=2?"),
        ([file, "--output-dir=x"], "'--output-dir=x' is not known"),
        ([file, "--runs=0"], "--runs is '0', expected a number from 1"),
        ([file, "--emit=mlir", "-o", twoInputs / "none/model.mlir"], "none/model.mlir': No such file"),
        ([twoInputs / "none.onnx"], "none.onnx: cannot be read: no such file"),
        ([file], "input 'a' has no value, expected --input a=FILE (f32[?])"),
        ([file, "--input", f"q={twoInputs}/a.npy"], "it has no input 'q', such as "),
        ([file, "--input", a, "--input", f"b={twoInputs}/square.npy"], "input 'b' is f32[2, 2], expected f32[?]"),
        ([file, "--input", a, "--input", f"b={twoInputs}/three.npy"], "'sum': shapes do not broadcast"),
        ([file, "--emit=pdf"], "--emit is 'pdf', expected object, shared-library, llvm or mlir"),
        ([file, "--emit=shared-library"], "--emit=shared-library is given without -o FILE, expected both"),
    )
    for arguments, text in cases:
        done = onnxRun(*arguments, cache)
        assert done.returncode == 1 and text in done.stderr and "onnx-run: error: " in done.stderr, (text, done.stderr)


def test_errors_name_the_node(folder, cache):
    """Those of sequences said "sequence.at", and a loop's "Loop" alone."""
    x, p = helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, None]), helper.make_tensor_value_info("p", TensorProto.INT64, [])
    list_ = helper.make_tensor_sequence_value_info("y", TensorProto.FLOAT, None)
    some = helper.make_value_info("x", helper.make_optional_type_proto(floats("x").type))
    two = helper.make_node("SequenceConstruct", ["x", "x"], ["s"])
    numbers = helper.make_node("SequenceConstruct", ["p", "v"], ["s"])
    vector = helper.make_node("Constant", [], ["v"], value_ints=[1, 2])
    one = helper.make_node("Constant", [], ["one"], value_int=1)
    goOn, number = helper.make_tensor_value_info("go", TensorProto.BOOL, []), helper.make_tensor_value_info("i", TensorProto.INT64, [])
    carried = [helper.make_node("Identity", ["go"], ["go2"]), helper.make_node("Neg", ["c"], ["c2"])]
    body = helper.make_graph(carried, "body", [number, goOn, helper.make_empty_tensor_value_info("c")], [
        helper.make_tensor_value_info("go2", TensorProto.BOOL, []), helper.make_empty_tensor_value_info("c2")])  # fmt: skip
    node = lambda op, inputs, **attributes: helper.make_node(op, inputs, ["y"], name="this one", **attributes)
    cases = (
        ([two, node("SequenceAt", ["s", "p"])], x, floats("y", None), "SequenceAt 'this one': position 3 is not in [-2, 1] of"),
        ([two, node("SequenceErase", ["s", "p"])], x, list_, "SequenceErase 'this one': position 3 is not in [-2, 1] of"),
        ([two, node("SequenceInsert", ["s", "x", "p"])], x, list_, "SequenceInsert 'this one': position 3 is not in [-2, 2] of"),
        ([vector, node("SplitToSequence", ["x", "v"], axis=1)], x, list_, "SplitToSequence 'this one': size 2 at position 1, where 1 are left"),
        ([node("SplitToSequence", ["x", "p"], axis=1)], x, list_, None),
        ([node("OptionalGetElement", ["x"])], some, floats("y"), "OptionalGetElement 'this one': there is nothing"),
        ([vector, one, numbers, helper.make_node("SequenceAt", ["s", "one"], ["n"]),
          node("Loop", ["n", "", "v"], body=body)],
         x, helper.make_tensor_value_info("y", TensorProto.INT64, None), "the only element for Loop 'this one'"),
    )  # fmt: skip
    np.save(folder / "x.npy", np.float32([[1, 2]]))
    np.save(folder / "p.npy", np.int64(3))
    for nodes, first, output, text in cases:
        onnx.save(model(nodes, [first, p], [output]), folder / "model.onnx")
        given = [] if first is some else ["--input", f"x={folder}/x.npy"]
        done = onnxRun(folder / "model.onnx", *given, "--input", f"p={folder}/p.npy", cache)
        assert done.returncode == (1 if text else 0) and (text or "") in done.stderr, (text, done.stdout, done.stderr)


def test_functions_and_no_folding(folder, cache):
    """What the model gives no type was refused in functions, and everywhere with --no-fold: "StringConcat has a result of type
    '!onnx.unknown'"."""
    local = helper.make_function("local", "join", ["p", "q"], ["r"], [
        helper.make_node("StringConcat", ["p", "q"], ["t"]), helper.make_node("Identity", ["t"], ["r"])], [helper.make_opsetid("", 20)])
    body = helper.make_graph([helper.make_node("StringConcat", ["s", "s"], ["u"]), helper.make_node("Identity", ["u"], ["v"])], "body", [],
                             [helper.make_empty_tensor_value_info("v")])  # fmt: skip
    other = helper.make_graph([helper.make_node("Identity", ["s"], ["w"])], "other", [], [helper.make_empty_tensor_value_info("w")])
    nodes = [
        helper.make_node("If", ["c"], ["a"], then_branch=body, else_branch=other), helper.make_node("join", ["a", "s"], ["b"], domain="local"),
        helper.make_node("StringConcat", ["b", "a"], ["d"]), helper.make_node("Identity", ["d"], ["y"]),
    ]  # fmt: skip
    s, y = (helper.make_tensor_value_info(name, TensorProto.STRING, [None]) for name in "sy")
    source = model(nodes, [helper.make_tensor_value_info("c", TensorProto.BOOL, []), s], [y])
    source.functions.append(local)
    source.opset_import[0].version = 20
    source.opset_import.append(helper.make_opsetid("local", 1))
    onnx.save(source, folder / "model.onnx")
    np.savez(folder / "all.npz", c=np.bool_(True), s=np.array(["x", ""]))
    for flags in ([], ["--no-fold"]):
        done = onnxRun(folder / "model.onnx", "--input", folder / "all.npz", cache, *flags)
        assert done.stdout == 'y: str[2] ["xxxxx", ""]\n', (flags, done.stdout + done.stderr)


def test_contributed_operators(folder, cache):
    """Those of com.microsoft that fold run too: "FusedMatMul of domain 'com.microsoft' has no lowering"."""
    ort = pytest.importorskip("onnxruntime")
    nodes = [
        helper.make_node("FusedMatMul", ["a", "b"], ["c"], domain="com.microsoft", alpha=2.0, transB=1),
        helper.make_node("BiasGelu", ["c", "bias"], ["d"], domain="com.microsoft"), helper.make_node("Relu", ["d"], ["y"]),
    ]  # fmt: skip
    bias = numpy_helper.from_array(np.float32([0.5, -1, 2]), "bias")
    source = model(nodes, [floats("a", ["m", 4]), floats("b", [3, 4])], [floats("y", ["m", 3])], initializer=[bias])
    source.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(source, folder / "model.onnx")
    random = np.random.default_rng(options.seed)
    feed = {name: random.standard_normal(shape).astype(np.float32) for name, shape in (("a", (2, 4)), ("b", (3, 4)))}
    np.savez(folder / "all.npz", **feed)
    done = onnxRun(folder / "model.onnx", "--input", folder / "all.npz", f"--result-dir={folder}/out", cache)
    assert done.returncode == 0, done.stderr
    want = ort.InferenceSession(source.SerializeToString()).run(None, feed)[0]
    np.testing.assert_allclose(np.load(folder / "out/y.npy"), want, rtol=1e-5, atol=1e-6)
    source.graph.node[1].op_type = "NoSuchOperator"
    onnx.save(source, folder / "model.onnx")
    done = onnxRun(folder / "model.onnx", "--input", folder / "all.npz", cache)
    assert done.returncode == 1 and "domain 'com.microsoft' has no operator 'NoSuchOperator'" in done.stderr, done.stderr


def test_types_that_the_model_does_not_say(folder, cache):
    """In the body of a Scan no value has a type: a kernel takes that of the tensor. (It was a crash.)"""
    body = helper.make_graph(
        [helper.make_node("Cast", ["b"], ["c"], to=TensorProto.FLOAT), helper.make_node("Erf", ["c"], ["d"]),
         helper.make_node("Add", ["a", "d"], ["e"]), helper.make_node("Identity", ["e"], ["f"])],
        "body", [helper.make_empty_tensor_value_info(name) for name in "ab"],
        [helper.make_empty_tensor_value_info(name) for name in "ef"],
    )  # fmt: skip
    nodes = [helper.make_node("Scan", ["s", "x"], ["t", "y"], body=body, num_scan_inputs=1)]
    source = model(nodes, [floats("s", [2]), floats("x", [3, 2])], [floats("t", [2]), floats("y", [3, 2])])
    onnx.save(source, folder / "model.onnx")
    feed = {"s": np.float32([1, 2]), "x": np.float32([[0, 1], [2, 3], [4, 5]])}
    for name, value in feed.items():
        np.save(folder / f"{name}.npy", value)
    inputs = [f"--input={name}={folder}/{name}.npy" for name in feed]
    done = onnxRun(folder / "model.onnx", *inputs, f"--result-dir={folder}/out", cache)
    assert done.returncode == 0, done.stderr
    want = pytest.importorskip("onnxruntime").InferenceSession(source.SerializeToString()).run(None, feed)
    for name, value in zip("ty", want):
        assert np.allclose(np.load(folder / f"out/{name}.npy"), value, rtol=1e-6), name


# shapes of the operands, what the model says of the first, and whether it becomes loops and no call of the kernel
PRODUCTS = (
    ([5, 17], [17, 8], None, True), ([1, 64], [64, 33], None, True), ([7, 1], [1, 4], None, True), ([6, 32], [32, 16], ["m", 32], True),
    ([0, 16], [16, 8], ["m", 16], True), ([2, 3, 5, 40], [40, 9], ["a", "b", "m", 40], True), ([2, 3, 5, 6], [2, 3, 6, 7], None, True),
    ([2, 3, 5, 6], [2, 1, 6, 7], None, False), ([2, 3, 5, 6], [2, 3, 6, 7], ["a", 3, 5, 6], False), ([5, 6], [6, 3], None, False),
    ([5, 6], [6, 8], ["m", "k"], False), ([4, 0], [0, 8], None, False), ([6], [6, 8], None, False), ([3, 5, 6], [6], None, False),
)  # fmt: skip


def expectProduct(folder, cache, nodes, values, said, isLoop, want, type_):
    """Runs the model whose result is y, and looks whether it calls a kernel."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(type_))
    a = helper.make_tensor_value_info("a", kind, said)
    y = helper.make_tensor_value_info("y", kind, [None] * want.ndim)
    constants = [numpy_helper.from_array(value, name) for name, value in values.items() if name != "a"]
    onnx.save(model(nodes, [a], [y], initializer=constants), folder / "model.onnx")
    np.save(folder / "a.npy", values["a"])
    flags = [folder / "model.onnx", "--input", f"a={folder}/a.npy", f"--result-dir={folder}/out", cache]
    done = onnxRun(*flags, "--stats")
    assert done.returncode == 0, done.stderr
    counts = re.search(r"(\d+) allocations, (\d+) frees", done.stdout)
    assert counts[1] == counts[2], done.stdout
    found = np.load(folder / "out/y.npy")
    assert found.dtype == type_ and found.shape == want.shape
    tolerance = 1e-6 if type_ == np.float32 else 1e-14
    assert found.size == 0 or np.abs(found - want).max() <= tolerance * max(np.abs(want).max(), 1) * 8
    emitted = onnxRun(folder / "model.onnx", "--emit=mlir")
    assert ("sequence.kernel" not in emitted.stdout) == isLoop, emitted.stdout


@pytest.mark.parametrize("type_", [np.float32, np.float64])
@pytest.mark.parametrize("left, right, said, isLoop", PRODUCTS, ids=str)
def test_products(folder, cache, left, right, said, isLoop, type_):
    """MatMul as loops, and as a call of the kernel, against numpy in double precision."""
    random = np.random.default_rng(options.seed)
    a, b = (random.standard_normal(shape).astype(type_) for shape in (left, right))
    want = np.matmul(a.astype(np.float64), b.astype(np.float64))
    nodes = [helper.make_node("MatMul", ["a", "b"], ["y"])]
    expectProduct(folder, cache, nodes, {"a": a, "b": b}, said or left, isLoop, want, type_)


@pytest.mark.parametrize(
    "attributes, bias, isLoop",
    [
        ({}, None, True), ({}, [8], True), ({"transB": 1}, [8], True), ({"transB": 1}, None, True), ({"transA": 1}, [8], False),
        ({"alpha": 0.5}, [8], False), ({"beta": 2.0}, [8], False), ({}, [1], False), ({}, [5, 8], False), ({"transB": 1}, [5, 1], False),
    ],
    ids=str,
)  # fmt: skip
def test_gemm(folder, cache, attributes, bias, isLoop):
    random = np.random.default_rng(options.seed)
    values = {"a": random.standard_normal((5, 21)), "b": random.standard_normal((21, 8))}
    want = attributes.get("alpha", 1.0) * np.matmul(values["a"], values["b"])
    if bias:
        values["c"] = random.standard_normal(bias)
        want = want + attributes.get("beta", 1.0) * values["c"]
    for name, flag in (("a", "transA"), ("b", "transB")):
        values[name] = values[name].T.copy() if flag in attributes else values[name]
    nodes = [helper.make_node("Gemm", list(values), ["y"], **attributes)]
    expectProduct(folder, cache, nodes, values, values["a"].shape, isLoop, want, np.float64)


def untyped(nodes, inputs, outputs):
    infos = [[helper.make_empty_tensor_value_info(name) for name in names] for names in (inputs, outputs)]
    return helper.make_graph(nodes, "body", *infos)


@pytest.mark.parametrize("op", ["Scan", "Loop", "SequenceMap"])
def test_strings_in_bodies_that_do_not_say_so(folder, cache, op):
    """A value without a type was taken for a tensor of the numbers that strings are in programs: "is tensor<2xi64>"."""
    text = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.STRING, shape)
    join = [helper.make_node("Identity", ["a"], ["same"]), helper.make_node("StringConcat", ["same", "b"], ["e"])]
    keep = helper.make_node("Identity", ["e"], ["d"])
    b, c = np.array([["p", "q"], ["r", "s"]], object), np.array(["u", "v"], object)
    if op == "Scan":
        body = untyped([*join, keep], "ab", "ed")
        nodes = [helper.make_node("Scan", ["c", "b"], ["y", "z"], body=body, num_scan_inputs=1)]
        want = {"y": c + b[0] + b[1], "z": np.array([c + b[0], c + b[0] + b[1]])}
    elif op == "Loop":
        goOn = helper.make_tensor_value_info("go", TensorProto.BOOL, [])
        number = helper.make_tensor_value_info("i", TensorProto.INT64, [])
        body = untyped([*join[:1], helper.make_node("StringConcat", ["same", "a"], ["e"]), keep], ["a"], ["e", "d"])
        body.input.insert(0, number)
        body.input.insert(1, goOn)
        body.output.insert(0, goOn)
        nodes = [helper.make_node("Constant", [], ["two"], value_int=2), helper.make_node("Size", ["b"], ["four"])]
        nodes += [helper.make_node("Div", ["four", "two"], ["n"])]
        nodes += [helper.make_node("Loop", ["n", "", "c"], ["y", "z"], body=body)]
        want = {"y": c + c + c + c, "z": np.array([c + c, c + c + c + c])}
    else:
        nodes = [helper.make_node("SplitToSequence", ["b"], ["rows"], axis=0, keepdims=0)]
        nodes += [helper.make_node("SequenceMap", ["rows", "c"], ["list"], body=untyped(join, "ab", "e"))]
        nodes += [helper.make_node("Constant", [], ["one"], value_int=1), helper.make_node("SequenceAt", ["list", "one"], ["y"])]
        nodes += [helper.make_node("ConcatFromSequence", ["list"], ["z"], axis=0, new_axis=1)]
        want = {"y": b[1] + c, "z": np.array([b[0] + c, b[1] + c])}
    source = model(nodes, [text("b", [2, 2]), text("c", [2])], [text("y", [2]), text("z", [2, 2])])
    source.opset_import[0].version = 20
    onnx.save(source, folder / "model.onnx")
    inputs = []
    for name, value in (("b", b), ("c", c)):
        np.save(folder / f"{name}.npy", value.astype(str))
        inputs.append(f"--input={name}={folder}/{name}.npy")
    done = onnxRun(folder / "model.onnx", *inputs, f"--result-dir={folder}/out", cache)
    assert done.returncode == 0, done.stderr
    for name, value in want.items():
        assert np.load(folder / f"out/{name}.npy").tolist() == value.tolist(), name


def test_second_run_takes_the_cached_object(twoInputs):
    arguments = [twoInputs / "model.onnx", *inputsOf(twoInputs), f"--cache={twoInputs}/cache"]
    first = onnxRun(*arguments)
    cached = list((twoInputs / "cache").iterdir())
    assert len(cached) == 1 and first.stdout == onnxRun(*arguments).stdout
    assert len(list((twoInputs / "cache").iterdir())) == 1
    cached[0].write_bytes(b"no object")
    assert onnxRun(*arguments).returncode == 1


# ---- tests of ONNX -----------------------------------------------------------------------------------------------------


def withSequences(path):
    raw = (path / "model.onnx").read_bytes()
    return re.search(rb"Sequence(Empty|Construct|Insert|Erase|At|Length|Map)|SplitToSequence|ConcatFromSequence|Optional", raw)


def chosenFolders():
    folders = [folder.path for folder in allFolders()]
    if options.long:
        return folders
    newest = [path for path in folders if "releases" not in str(path)]
    return sorted({*newest[::40], *(path for path in newest if withSequences(path))})


def test_node_tests(cache):
    folders = chosenFolders()
    done = onnxRun("--test-folders=-", "--llvm-level=0", "--no-cache", input="".join(f"{path}\n" for path in folders))
    wrong = re.findall(r"^(differs|error|died) (.*)$", done.stdout, re.M)
    unexpected = [(how, name) for how, name in wrong if not any(re.search(pattern, name) for pattern, _ in NOT_RUN)]
    total = re.search(r"^(\d+) of (\d+) are equal$", done.stdout, re.M)
    assert total and int(total[2]) == len(folders), done.stdout[-200:] + done.stderr[-2000:]
    print(f"  {total[0]}")
    assert not unexpected, f"{len(unexpected)} of {len(folders)}: {unexpected[:20]}\n{done.stderr[-3000:]}"


def test_node_tests_without_shapes(folder, cache):
    """What the models say of shapes, in bodies too, is taken away: that outputs had none was a wrong value or a refusal."""
    named = {}
    for number, path in enumerate(chosenFolders()):
        place = folder / str(number)
        place.mkdir()
        named[str(place)] = str(path)
        onnx.save(withoutShapes(onnx.load(path / "model.onnx")), place / "model.onnx")
        for data in path.glob("test_data_set_*"):
            (place / data.name).symlink_to(data.absolute())
    done = onnxRun("--test-folders=-", "--llvm-level=0", "--no-cache", "--guard-memory", input="".join(f"{path}\n" for path in named))
    wrong = [(how, named[path]) for how, path in re.findall(r"^(differs|error|died) (.*)$", done.stdout, re.M)]
    unexpected = [(how, name) for how, name in wrong if not any(re.search(pattern, name) for pattern, _ in NOT_RUN)]
    total = re.search(r"^(\d+) of (\d+) are equal$", done.stdout, re.M)
    assert total and int(total[2]) == len(named), done.stdout[-200:] + done.stderr[-2000:]
    print(f"  {total[0]}")
    assert not unexpected, f"{len(unexpected)} of {len(named)}: {unexpected[:20]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("flags", [["--llvm-level=0"], ["--llvm-level=0", "--upstream-deallocation"], []], ids=str)
def test_models_with_sequences(flags, cache):
    """All of them, of every release, with real inputs: 42 node tests of the newest one. (Of these, 8 were refused.) Optimised, which
    takes three times as long, or deallocated by MLIR, every third of them, and all with --long."""
    folders = [folder for folder in allFolders() if withSequences(folder.path)]
    assert len([folder for folder in folders if folder.release == NEWEST and folder.suite == "node"]) >= 42
    if flags != ["--llvm-level=0"] and not options.long:
        folders = folders[::3]
    done = onnxRun("--test-folders=-", "--no-cache", *flags, input="".join(f"{folder.path}\n" for folder in folders))
    count = len(folders)
    assert done.returncode == 0 and done.stdout.endswith(f"\n{count} of {count} are equal\n"), done.stdout + done.stderr


# ---- models ------------------------------------------------------------------------------------------------------------

MODELS = ROOT / "tests/models/data"
SHORT = ("mobilenet", "bert", "lstm", "control_flow")


def randomInputs(name):
    random = np.random.default_rng(options.seed)
    values = {}
    for entry in json.loads((MODELS / "inputs.json").read_text())[name]:
        if entry["dtype"].startswith("float"):
            value = random.uniform(entry["lo"], entry["hi"], entry["shape"])
        else:
            value = random.integers(entry["lo"], entry["hi"], entry["shape"])
        values[entry["name"]] = np.asarray(value, entry["dtype"])
    return values


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.onnx")))
def test_models(name, folder, cache):
    """End to end against ONNX Runtime."""
    if not options.long and name not in SHORT:
        pytest.skip("--long runs it")
    ort = pytest.importorskip("onnxruntime")
    inputs = randomInputs(name)
    plain = ort.SessionOptions()
    plain.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL  # it rounds quantised models otherwise
    session = ort.InferenceSession(str(MODELS / f"{name}.onnx"), plain)
    arguments = []
    for i, entry in enumerate(session.get_inputs()):
        np.save(folder / f"{i}.npy", inputs[entry.name])
        arguments += ["--input", f"{entry.name}={folder}/{i}.npy"]
    done = onnxRun(MODELS / f"{name}.onnx", *arguments, f"--result-dir={folder}/out", "--stats", cache)
    assert done.returncode == 0, done.stderr[-2000:]
    bound = 2e-2 if "fp16" in name else 1e-4  # ONNX Runtime computes some operators on f16 in f32
    for info, expected in zip(session.get_outputs(), session.run(None, inputs)):
        ours = np.load(folder / f"out/{info.name.replace('/', '_')}.npy")
        assert ours.shape == expected.shape and ours.dtype == expected.dtype
        scale = np.abs(expected).max(initial=0) if expected.dtype.kind == "f" else 0
        assert np.abs(ours.astype(np.float64) - expected).max(initial=0) <= bound * scale, info.name
    counts = re.search(r"(\d+) allocations, (\d+) frees", done.stdout)
    assert counts[1] == counts[2], done.stdout
