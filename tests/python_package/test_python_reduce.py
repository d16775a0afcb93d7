# SPDX-License-Identifier: Apache-2.0
"""onnx-fold reduce, by the function of Python: planted faults are found in models that others made, with few nodes, and what is
tried is valid. `--long`: all of them."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnx.reference
import pytest

import onnx_fold
import onnxfold_models as m
import onnxfold_testing as t
from fake_runtime import Runtime
from onnx_fold._reduce import _Predicate
from onnxfold_models import const, info, node
from planted_faults import FAULTS

DATA = Path(__file__).resolve().parents[1] / "models/data"
SHORT = ("a square", "pad", "convolution and norm", "product of exponentials", "loop")


class Tried:
    """Models with a fault are interesting; those that the checker refuses are counted."""

    def __init__(self, fault):
        self.fault, self.count, self.invalid = fault, 0, 0

    def __call__(self, path):
        self.count += 1
        try:
            onnx.checker.check_model(path, full_check=True)
        except Exception:
            self.invalid += 1
        return Runtime(path).fails(self.fault)


@pytest.mark.parametrize("name", FAULTS if t.options.long else SHORT)
def test_planted(folder, name):
    model, fault, size = FAULTS[name]
    tried = Tried(fault)
    found = onnx_fold.reduce(DATA / f"{model}.onnx", tried, folder / "small.onnx")
    assert Runtime(folder / "small.onnx").fails(fault)
    assert found.nodes <= 1.2 * size, onnx.printer.to_text(found.model)
    assert tried.invalid <= 0.05 * tried.count, f"the checker refuses {tried.invalid} of {tried.count} models"
    assert tried.count <= found.runs < 32
    onnx.checker.check_model(found.path, full_check=True)
    assert set(found.inputs) == {one.name for one in found.model.graph.input}


def chain(size=64):
    """Sixteen sums behind each other, and a product that is the last but one."""
    weights = [const(f"w{i}", np.full((size, size), i), np.float32) for i in range(16)]
    nodes = [node("Add", [f"v{i}" if i else "x", f"w{i}"], [f"v{i + 1}"]) for i in range(15)]
    nodes += [node("Mul", ["v15", "w15"], ["v16"]), node("Relu", ["v16"], ["y"])]
    return m.model(nodes, [info("x", ("rows", size))], [info("y", ("rows", size))], weights)


def hasProduct(path):
    return any(one.op_type == "Mul" for one in onnx.load(path).graph.node)


def test_models_in_memory():
    for given in (chain(), chain().SerializeToString()):
        found = onnx_fold.reduce(given, hasProduct)
        assert found.path is None and found.nodes == 1 and not found.stopped and found.runs < 60
        assert [one.op_type for one in found.model.graph.node] == ["Mul"]
        assert list(found.model.graph.input[0].type.tensor_type.shape.dim)[1].dim_value <= 1


def test_threads_do_not_change_the_result(folder):
    onnx.save(chain(), folder / "m.onnx")
    one, four = (onnx_fold.reduce(folder / "m.onnx", hasProduct, folder / f"{n}.onnx", threads=n) for n in (1, 4))
    assert (folder / "1.onnx").read_bytes() == (folder / "4.onnx").read_bytes() and one.runs <= four.runs


def test_twice_the_same(folder):
    """Values that are recorded in the middle, constants among them, are the same in each run: so are all candidates."""
    runs = []
    for number in range(2):
        tried = []

        def fails(path):
            tried.append(Path(path).read_bytes())
            return Runtime(path).fails(FAULTS["softmax"][1])

        onnx_fold.reduce(DATA / "bert.onnx", fails, folder / f"{number}.onnx", threads=1)
        runs.append(tried)
    assert runs[0] == runs[1]


def test_inputs_are_recorded(folder):
    """What a node in the middle reads stays what it was: the fault is in the numbers."""
    onnx.save(chain(4), folder / "m.onnx")
    x = np.arange(16, dtype=np.float32).reshape(4, 4) + 1

    def fails(path, inputs):
        model = onnx.load(path)
        run = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
        return hasProduct(path) and any(float(one.max()) == (16 + sum(range(15))) * 15 for one in run)

    found = onnx_fold.reduce(folder / "m.onnx", fails, folder / "s.onnx", inputs={"x": x})
    assert found.nodes == 1 and fails(folder / "s.onnx", found.inputs)


def test_given_inputs_stay(folder):
    """An input that the result still has keeps the given values, as far as its sizes are left and the fault needs them."""
    onnx.save(chain(4), folder / "m.onnx")
    x = np.arange(16, dtype=np.float32).reshape(4, 4) + 41

    def fails(path, inputs):
        return "Add" in m.operators(onnx.load(path)) and any((one[:1, :1] == 41).any() for one in inputs.values())

    found = onnx_fold.reduce(folder / "m.onnx", fails, folder / "s.onnx", inputs={"x": x})
    (value,) = found.inputs.values()
    assert found.nodes == 1 and np.array_equal(value, x[: value.shape[0], : value.shape[1]])


def test_drawn_inputs_go_over(folder):
    """Two values become constants one after the other, the second one when the first is gone from the model: both are those of one
    input, although the second operator alone would accept others."""
    few, many = const("few", np.arange(3) + 10, np.int32), const("many", np.arange(1000) + 1000, np.int32)
    nodes = [node("Gather", ["few", "i"], ["a"]), node("Gather", ["many", "i"], ["b"]), node("Concat", ["a", "b"], ["c"], axis=0)]
    nodes += [node("Neg", ["c"], ["d"]), node("Abs", ["d"], ["y"])]
    inputs, outputs = [info("i", (1,), onnx.TensorProto.INT64)], [info("y", (2,), onnx.TensorProto.INT32)]
    onnx.save(m.model(nodes, inputs, outputs, [few, many]), folder / "m.onnx")

    def fails(path):
        """The second Gather may go when Neg went, which is no part of the first search."""
        found = onnx.load(path)
        makers = {one.output[0]: one for one in found.graph.node}
        last = next((one for one in found.graph.node if one.op_type == "Abs"), None)
        before = last and makers.get(last.input[0])
        values = [onnx.numpy_helper.to_array(one) for one in found.graph.initializer]
        if any(one.op_type == "Concat" and len(one.input) != 2 for one in found.graph.node) or any(one.min() < 10 for one in values):
            return False
        large = [one for one in values if one.size == 1000]
        hasGather = "Gather" in m.operators(found)
        isWhole = len(large) == 1 and np.array_equal(large[0], np.arange(1000) + 1000)
        if before and before.op_type == "Neg":
            return isWhole and makers.get(before.input[0], last).op_type == "Concat"
        return bool(before) and before.op_type == "Concat" and (isWhole or not hasGather) and "Neg" not in m.operators(found)

    found = onnx_fold.reduce(folder / "m.onnx", fails, folder / "s.onnx")
    assert m.operators(found.model) == ["Concat", "Abs"]
    a, b = (onnx.numpy_helper.to_array(one) for one in found.model.graph.initializer)
    assert a - 10 == b - 1000, (a, b)


def test_constants_of_old_models(folder):
    """Up to IR version 3 an initializer has to be an input, too. So is what becomes one, and nobody has to give it a value."""
    nodes = [node("Identity", ["s"], ["t"]), node("Relu", ["x"], ["r"]), node("Reshape", ["r", "t"], ["v"]), node("Neg", ["v"], ["y"])]
    inputs = [info("x", (4,)), info("s", (2,), onnx.TensorProto.INT64)]
    onnx.save(m.model(nodes, inputs, [info("y", (2, 2))], [const("s", [2, 2])], opset=8, ir=3), folder / "m.onnx")

    def fails(path):
        tried = onnx.load(path)
        return tried.ir_version == 3 and "Reshape" in m.operators(tried)

    found = onnx_fold.reduce(folder / "m.onnx", fails, folder / "s.onnx")
    assert m.operators(found.model) == ["Reshape"]
    data, shape = found.model.graph.node[0].input
    assert [one.name for one in found.model.graph.initializer] == [shape] and set(found.inputs) == {data}
    assert {one.name for one in found.model.graph.input} == {data, shape}
    onnx.checker.check_model(found.path, full_check=True)


def test_a_function_that_raises(folder):
    def fails(path):
        raise ZeroDivisionError(path)

    with pytest.raises(ZeroDivisionError):
        onnx_fold.reduce(chain(), fails)
    with pytest.raises(onnx_fold.FoldError, match="the test ends with status 1 for the model itself, expected 0"):
        onnx_fold.reduce(chain(), lambda path: False)
    with pytest.raises(onnx_fold.FoldError, match="not there|cannot be opened"):
        onnx_fold.reduce(folder / "none.onnx", hasProduct)
    for wrong, name in (("a", "repeat"), (1.5, "max_runs"), ("x", "anonymise")):
        with pytest.raises(onnx_fold.OptionTypeError, match=name):
            onnx_fold.reduce(chain(), hasProduct, **{name: wrong})


def test_flaky(folder):
    """The original is run three times; with repeat a fault that comes every second time is found."""
    calls = []

    def fails(path):
        calls.append(path)
        return len(calls) % 2 == 0 and hasProduct(path)

    with pytest.raises(onnx_fold.FoldError, match="the test is flaky: 1 of 3 runs of the model itself"):
        onnx_fold.reduce(chain(), fails)
    found = onnx_fold.reduce(chain(), fails, repeat=2, threads=1)
    assert found.nodes == 1


def tool(*arguments):
    return subprocess.run([t.TOOL, "reduce", *map(str, arguments)], capture_output=True, text=True)


def test_stop_and_go_on(folder):
    onnx.save(chain(), folder / "m.onnx")
    (folder / "test.py").write_text("import sys\nsys.exit(b'Mul' not in open(sys.argv[1], 'rb').read())\n")
    command = f"--test={sys.executable} -S {folder}/test.py {{}}"
    first = tool(command, "--max-runs=8", "--messages=json", "-o", folder / "s.onnx", folder / "m.onnx")
    report = json.loads(first.stderr.splitlines()[-2])["report"]
    assert first.returncode == 0 and report["stopped"] == "--max-runs=8 is reached" and report["runs"] == 8
    assert (folder / "s.onnx").is_file() and (folder / "s.onnx.reduce/results").is_file()
    second = tool(command, "--messages=json", "-o", folder / "s.onnx", folder / "m.onnx")
    again = json.loads(second.stderr.splitlines()[-2])["report"]
    assert again["resumed"] == 5 and again["nodes_after"] == 1 and again["stopped"] == ""
    assert sorted(one.name for one in folder.iterdir()) == ["m.onnx", "s.npz", "s.onnx", "s.py", "test.py"]
    shown = subprocess.run([sys.executable, folder / "s.py"], capture_output=True, text=True)
    assert shown.stdout == "exit status 0; 0 shows the fault\n"
    assert len((folder / "s.py").read_text().splitlines()) <= 10


def test_limits_hold(folder):
    """Few runs are fewer than three of the original, and a test that hangs does not outlive --max-time."""
    onnx.save(chain(4), folder / "m.onnx")
    flags = ("--messages=json", "-o", folder / "s.onnx", folder / "m.onnx")
    report = json.loads(tool("--test=test -e {}", "--max-runs=2", *flags).stderr.splitlines()[-2])["report"]
    assert report["runs"] == 2 and report["stopped"] == "--max-runs=2 is reached"
    runs = folder / "runs"
    assert "status 1" in tool(f"--test=echo >> {runs}; test ! -e {{}}", "--max-runs=2", "--repeat=5", *flags).stderr
    assert runs.read_text() == "\n\n"
    size, hang = (folder / "m.onnx").stat().st_size, f"{{ sleep 8; touch {folder}/end; }}"
    run = tool(f"--test=test $(stat -c %s {{}}) -ge {size} || {hang}", "--max-time=1", "--threads=1", *flags)
    assert json.loads(run.stderr.splitlines()[-2])["report"]["stopped"] == "--max-time=1.00 is reached"
    assert onnx.load(folder / "s.onnx") == chain(4) and not (folder / "end").exists()
    run = tool(f"--test={hang}; test -e {{}}", "--max-time=1", *flags)
    assert "--max-time is over before the model itself is tested three times" in run.stderr and not (folder / "end").exists()


def test_wrong_uses(folder):
    onnx.save(chain(), folder / "m.onnx")
    assert "reduce is given without --test" in tool(folder / "m.onnx").stderr
    assert "expected a command with {} for the model" in tool("--test=true", folder / "m.onnx").stderr
    assert "node 'v3' is not folded by onnx-fold" in tool("--test=folds:v3", folder / "m.onnx").stderr
    assert "reduce is given with a stream" in tool("--test=true {}", "-").stderr
    assert "--repeat is '0', expected a number from 1" in tool("--test=true {}", "--repeat=0", folder / "m.onnx").stderr
    assert [one.name for one in folder.iterdir()] == ["m.onnx"]


def test_two_gigabytes(folder):
    """Weights in a data file with holes, and in the model itself: candidates refer to them, and the result has what it needs."""
    size = 1 << 14
    shape = (size, size * 2)  # 2 GB of floats
    large = onnx.TensorProto(name="large", data_type=onnx.TensorProto.FLOAT, dims=shape, data_location=onnx.TensorProto.EXTERNAL)
    for key, value in (("location", "m.data"), ("offset", "0"), ("length", str(4 * size * size * 2))):
        large.external_data.add(key=key, value=value)
    with (folder / "m.data").open("wb") as file:
        file.truncate(4 * size * size * 2)
    nodes = [node("MatMul", ["x", "large"], ["a"]), node("MatMul", ["a", "small"], ["b"]), node("Relu", ["b"], ["y"])]
    small = const("small", np.ones((size * 2, 64)), np.float32)
    onnx.save(m.model(nodes, [info("x", ("rows", size))], [info("y", ("rows", 64))], [large, small]), folder / "m.onnx")
    for wanted in (["MatMul", "Relu"], ["Relu"]):
        sizes = []

        def fails(path):
            sizes.append(Path(path).stat().st_size)
            return all(any(one.op_type == kind for one in onnx.load(path, load_external_data=False).graph.node) for kind in wanted)

        found = onnx_fold.reduce(folder / "m.onnx", fails, folder / "s.onnx")
        assert found.nodes == len(wanted) and max(sizes) < 1 << 20, sizes
        assert (folder / "s.onnx").stat().st_size < 1 << 20
    assert not list(folder.glob(".*")), "candidates are removed"


def test_interrupted(folder):
    """Ctrl-C gives the best so far."""
    onnx.save(chain(), folder / "m.onnx")
    script = f"import os,signal,sys\nok = b'Mul' in open(sys.argv[1], 'rb').read()\nn = len(os.listdir({str(folder)!r}))\n"
    script += f"open({str(folder)!r} + '/' + str(n), 'w').close()\nn > 8 and os.kill(int(open({str(folder)!r} + '/pid').read()), signal.SIGINT)\n"
    (folder / "test.py").write_text(script + "sys.exit(not ok)\n")
    command = f"--test={sys.executable} -S {folder}/test.py {{}}"
    shell = f"echo $$ > {folder}/pid; exec '{t.TOOL}' reduce '{command}' --threads=1 -o {folder}/s.onnx {folder}/m.onnx"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True)
    assert done.returncode == 130 and "stopped: interrupted" in done.stderr, done
    assert hasProduct(folder / "s.onnx") and (folder / "s.onnx.reduce/results").is_file()


def test_publication(folder):
    """--anonymise: no name, no text and no weight of the original is left."""
    model = chain(4)
    model.graph.name, model.doc_string = "secret", "secret"
    for one in model.graph.initializer:
        one.CopyFrom(const(one.name, np.full((4, 4), 41.5), np.float32))
    onnx.save(model, folder / "m.onnx")

    def fails(path):
        found = onnx.load(path)
        return hasProduct(path) and any(onnx.numpy_helper.to_array(one).max(initial=0) > 40 for one in found.graph.initializer)

    found = onnx_fold.reduce(folder / "m.onnx", fails, folder / "s.onnx", anonymise=True)
    data = (folder / "s.onnx").read_bytes()
    assert b"secret" not in data and np.float32(41.5).tobytes() not in data and found.nodes == 1


def test_built_in_tests(folder):
    """Our own checks as tests."""
    nodes = [node("Add", ["c", "c"], ["d"], "sum"), node("Mul", ["x", "d"], ["e"], "product"), node("Relu", ["e"], ["y"], "last")]
    onnx.save(m.model(nodes, [info("x", (4,))], [info("y", (4,))], [const("c", np.arange(4), np.float32)]), folder / "m.onnx")
    for test, types in (("folds:sum", ["Add"]), ("kept product", ["Mul"])):
        found = onnx_fold.reduce(folder / "m.onnx", test, folder / "s.onnx")
        assert [one.op_type for one in found.model.graph.node] == types
    other = onnx.load(folder / "m.onnx")
    other.graph.node[1].op_type = "Div"
    onnx.save(other, folder / "o.onnx")
    found = onnx_fold.reduce(folder / "m.onnx", f"differs:{folder}/o.onnx", folder / "s.onnx")
    assert [one.op_type for one in found.model.graph.node] == ["Mul"]
    with pytest.raises(onnx_fold.FoldError, match="the test ends with status 2 for the model itself, expected 3"):
        onnx_fold.reduce(folder / "m.onnx", "verify", folder / "s.onnx")


@pytest.mark.skipif(not t.options.long, reason="each run starts onnxruntime")
def test_onnxruntime(folder, monkeypatch):
    """What it refuses at run time, by its message."""
    monkeypatch.setenv("ONNXFOLD_PYTHON", sys.executable)
    nodes = [node("Relu", ["x"], ["a"]), node("Gather", ["a", "i"], ["b"], "far"), node("Exp", ["b"], ["c"]), node("Neg", ["c"], ["y"])]
    onnx.save(m.model(nodes, [info("x", (4,))], [info("y", (1,))], [const("i", [7], np.int64)]), folder / "m.onnx")
    found = onnx_fold.reduce(folder / "m.onnx", "crash:ort", folder / "s.onnx")
    assert [one.op_type for one in found.model.graph.node] == ["Gather"]
    shown = subprocess.run([sys.executable, folder / "s.py"], capture_output=True, text=True)
    assert shown.returncode == 1 and "indices element out of data bounds" in shown.stderr
    with pytest.raises(onnx_fold.FoldError, match="the test ends with status 1 for the model itself, expected 0"):
        onnx_fold.reduce(chain(4), "differs:ort")


def test_files_of_the_user_stay(folder):
    """The model, the inputs, a script that is called like the result, and what is in the folder of a run."""
    onnx.save(chain(4), folder / "m.onnx")
    kept = {}

    def refused(expected, *flags):
        result = tool("--test=true {}", *flags, folder / "m.onnx")
        assert result.returncode == 1 and expected in result.stderr, result.stderr
        assert all((folder / name).read_bytes() == data for name, data in kept.items())
        assert not (folder / "s.onnx").exists() and {one.name for one in folder.iterdir()} - {"d"} == set(kept)

    def keep(name, data):
        (folder / name).write_bytes(data)
        kept[name] = data

    keep("m.onnx", (folder / "m.onnx").read_bytes())
    refused("one of the input files, which are never written", "-o", folder / "m.onnx")
    (folder / "d").mkdir()
    refused("is a folder, expected a file", "-o", folder / "d")
    refused("is no file, expected a file", "-o", os.devnull)
    keep("s.py", b"print('mine')\n")
    refused("s.py: is there and of no earlier reduction", "-o", folder / "s.onnx")
    np.savez(folder / "i.npz", x=np.ones((4, 4), np.float32))
    keep("i.npz", (folder / "i.npz").read_bytes())
    refused("one of the input files", f"--inputs={folder}/i.npz", "-o", folder / "i.onnx")
    keep("t.onnx.reduce", b"mine\n")
    refused("t.onnx.reduce: cannot be created", "-o", folder / "t.onnx")
    (folder / "u.onnx.reduce").mkdir()
    (folder / "u.onnx.reduce/mine").write_text("mine")
    assert tool("--test=true {}", "-o", folder / "u.onnx", folder / "m.onnx").returncode == 0
    assert [one.name for one in (folder / "u.onnx.reduce").iterdir()] == ["mine"]
    assert tool("--test=true {}", "-o", folder / "u.onnx", folder / "m.onnx").returncode == 0, "its own files may go"


def test_inputs_that_do_not_fit(folder):
    onnx.save(chain(4), folder / "m.onnx")
    for arrays, expected in (
        ({"z": np.ones(4, np.float32)}, "input 'z' is none of the model"),
        ({"x": np.ones((4, 4), np.int32)}, "input 'x' has elements of type i32, expected f32"),
        ({"x": np.ones((4, 5), np.float32)}, "input 'x' has shape [4, 5], expected that of the model's input"),
    ):
        with pytest.raises(onnx_fold.FoldError) as raised:
            onnx_fold.reduce(folder / "m.onnx", hasProduct, folder / "s.onnx", inputs=arrays)
        assert expected in str(raised.value)
        assert [one.name for one in folder.iterdir()] == ["m.onnx"]


def test_results_are_of_one_question(folder):
    """Another node, and other data in the files of the model: what an earlier run found does not count."""
    weights = [const("w", np.arange(4), np.float32), const("c", np.arange(4), np.float32)]
    nodes = [node("Add", ["c", "c"], ["d"]), node("Mul", ["x", "d"], ["e"]), node("Add", ["e", "w"], ["f"]), node("Relu", ["f"], ["y"])]
    model = m.model(nodes, [info("x", (4,))], [info("y", (4,))], weights)
    onnx.save(model, folder / "m.onnx", save_as_external_data=True, location="m.data", size_threshold=0)

    def resumed(test):
        run = tool(f"--test={test}", "--max-runs=4", "--threads=1", "--messages=json", "-o", folder / "s.onnx", folder / "m.onnx")
        report = json.loads(run.stderr.splitlines()[-2])["report"]
        assert report["stopped"], run.stderr
        return report["resumed"]

    assert resumed("kept:y") == 0
    assert resumed("kept:y") == 1
    assert resumed("kept:e") == 0
    os.utime(folder / "m.data", ns=(0, 0))
    assert resumed("kept:y") == 0


def test_what_a_test_lacks(folder):
    onnx.save(chain(4), folder / "m.onnx")
    for test, expected in (
        ("kept:nothing", "no node is called 'nothing' or has an output of that name"),
        ("differs:", "expected a command with {}"),
        ("verify", "expected 3 (that onnx-fold changes results)"),
        ("! no-such-program {}", "--test is '! no-such-program {}', expected a program that the shell can run"),
        (f"! {folder}/m.onnx {{}}", "expected a program that the shell can run"),
        ("no-such-program {}", "status 127 for the model itself, expected 0; the shell cannot run the command"),
    ):
        assert expected in tool(f"--test={test}", "-o", folder / "s.onnx", folder / "m.onnx").stderr
    assert tool("--test=true {}", "-o", folder / "small", folder / "m.onnx").returncode == 0
    assert 'os.path.join(here, "small")' in (folder / "small.py").read_text()


def test_a_function_that_exits_and_clients_that_leave(folder):
    """Neither leaves the run waiting for an answer."""
    with pytest.raises(SystemExit):
        onnx_fold.reduce(chain(4), lambda path: sys.exit(3))
    asked = _Predicate(lambda path: True, str(folder))
    for text in (b"", b"m.onnx"):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(folder / "ask"))
            client.sendall(text)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(folder / "ask"))
        client.sendall(b"m.onnx")
        client.shutdown(socket.SHUT_WR)
        client.settimeout(60)
        assert client.recv(9) == b"0"
    asked.close()
