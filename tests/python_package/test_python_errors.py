# SPDX-License-Identifier: Apache-2.0
"""An error is an exception with the message and the fields of the tool, or a Python warning; nothing is left behind."""

import mmap
import pickle
import random
import sys
import warnings

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnx_fold
import onnxfold_testing as t
import test_bad_input
from bad_cases import external, smallModel
from onnxfold_models import const, info, model, node
from python_cases import W, outOfOrder, save, simple


def raised(model, *arguments, kind=onnx_fold.FoldError, **keywords):
    with pytest.raises(kind) as caught:
        onnx_fold.fold(model, *arguments, **keywords)
    return caught.value


def test_fields_of_a_file(folder):
    short = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], raw_data=bytes(23))
    path = save(folder, smallModel(initializers=[short]))
    before = t.folderState(folder)
    error = raised(path, folder / "out.onnx")
    assert type(error) is onnx_fold.FoldError and error.code == "failed" and error.status == 1, f"{error!r}"
    assert error.file == str(path) and error.initializer == "w", f"{vars(error)}"
    assert error.has == "23 bytes of raw_data" and error.expected.startswith("24 for"), f"{vars(error)}"
    assert error.node is None and error.attribute is None, f"{vars(error)}"
    assert (
        str(error) == t.run("-o", folder / "out.onnx", path).err.removeprefix("onnx-fold: error: ").rstrip()
    ), "the tool's text"
    t.expectUnchanged(before, folder, "an error")


def test_fields_of_an_object():
    error = raised(smallModel([node("Add", ["x", "nowhere"], ["y"], name="adder")]))
    assert error.file == "<memory>" and error.node == "adder" and str(error).startswith("<memory>: "), f"{error!r}"
    error = raised(smallModel(initializers=[external("w", "weights.bin")]))
    assert error.initializer == "w" and "weights.bin" in str(error), f"{error!r}"


@pytest.mark.parametrize(
    "arguments, has, expected",
    [
        ({"level": 3}, "-O3", "-O0, -O1 or -O2"),
        ({"max_growth": "many"}, "'many'", "SIZE[K|M|G], N% or unlimited"),
        ({"disable": "nothing"}, "'nothing'", "a name of --list-patterns, such as 'concat-nothing'"),
        ({"precision": "low"}, "'low'", "exact or wide"),
        ({"verify": 5000}, "'5000'", "a number from 1 to 1000"),
    ],
)
def test_options(arguments, has, expected):
    error = raised(simple(), kind=onnx_fold.OptionError, **arguments)
    assert isinstance(error, ValueError) and error.code == "usage", f"{error!r}"
    assert error.has == has and error.expected == expected, f"{vars(error)}"


def test_inputs_that_do_not_exist():
    assert "nobody" in str(raised(simple(), bind={"nobody": 1})), "bind"
    assert "nobody" in str(raised(simple(), dims={"nobody": 1})), "dims"
    assert "nobody" in str(raised(simple(), input_shapes={"nobody": [1]})), "input_shapes"
    assert "nowhere" in str(raised(simple(), folder="/nowhere", kind=onnx_fold.OptionError)), "folder"


def test_errors_can_be_pickled():
    """Process pools send them."""
    error = raised(b"nothing")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error) and vars(copy) == vars(error), f"{copy!r}"


def test_warnings_are_those_of_python(folder):
    path = save(folder, outOfOrder())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        report = onnx_fold.fold(path, folder / "out.onnx").report
        line = sys._getframe().f_lineno - 1
    [warning] = caught
    assert warning.category is onnx_fold.FoldWarning and str(warning.message) == report.warnings[0], f"{warning}"
    assert warning.filename == __file__ and warning.lineno == line, f"the caller's line {line}, is {warning.lineno}"


def test_a_warning_that_is_an_error_ends_the_run(folder):
    path = save(folder, outOfOrder())
    before = t.folderState(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error", onnx_fold.FoldWarning)
        with pytest.raises(onnx_fold.FoldWarning):
            onnx_fold.fold(path, folder / "out.onnx")
    (folder / "out.onnx").unlink(missing_ok=True)  # it may have been ready by then
    t.expectUnchanged(before, folder, "a warning as an error")


def test_more_than_two_gigabytes_in_memory():
    with mmap.mmap(-1, 1 << 31) as large:  # no page of it is ever touched
        view = memoryview(large)
        error = raised(view)
        view.release()
    assert "give a path" in str(error) and "2 GB" in str(error), f"{error!r}"


def test_a_tool_that_is_not_there(monkeypatch):
    monkeypatch.setenv("ONNXFOLD_BINARY", "/nowhere/onnx-fold")
    with pytest.raises(FileNotFoundError):
        onnx_fold.fold(simple())


def test_a_tool_that_is_something_else(monkeypatch, folder):
    for script, says in (("echo oh dear >&2; exit 7", "oh dear"), ("exit 7", "status 7"), ("kill -9 $$", "SIGKILL")):
        (folder / "tool").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "tool").chmod(0o755)
        monkeypatch.setenv("ONNXFOLD_BINARY", str(folder / "tool"))
        assert says in str(raised(simple())), script


# ---- the bad files of the tests of the tool, given to the module ------------------------------------------------------------

# They wait, need many runs, or look at streams of the command line.
NOT_HERE = {
    "test_truncated_at_every_offset_of_a_small_model",
    "test_flipped_bytes_of_real_models",
    "test_external_data_on_standard_input",
}
BAD = [name for name, test in vars(test_bad_input).items() if name.startswith("test_") and name not in NOT_HERE]


class Refusals:
    """Stands in for the runs of the tool in tests/tools/test_bad_input.py: the module gets the same files."""

    def __init__(self):
        self.count = 0

    def __call__(self, *arguments, **keywords):
        texts = list(map(str, arguments))
        path, out = texts[-1], texts[texts.index("-o") + 1] if "-o" in texts else None
        self.count += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                onnx_fold.fold(path, out)
            return t.Result(arguments, 0, b"", b"", 0)
        except onnx_fold.FoldError as error:
            assert error.code == "failed" and error.status == 1, f"{error!r}"
            assert error.file is None or error.file in str(error), f"{error!r}"
            return t.Result(arguments, error.status, b"", str(error).encode("utf-8", "surrogateescape"), 0)


@pytest.mark.parametrize("name", BAD)
def test_bad_files(folder, monkeypatch, name):
    """No crash, no trace, the message of the tool: the test's own checks hold for the module."""
    test = getattr(test_bad_input, name)
    if test.__code__.co_argcount != 1:
        pytest.skip("it needs more than a folder")
    runs = Refusals()
    monkeypatch.setattr(t, "run", runs)
    monkeypatch.setattr(t.options, "long", False)
    test(folder)
    assert runs.count, "no model was folded"


def test_damaged_bytes():
    """Random damage to models in memory: an exception or a model, and the interpreter survives."""
    chooser = random.Random(t.options.seed)
    source = simple().SerializeToString()
    outcomes = set()
    for _ in range(400 if t.options.long else 60):
        data = bytearray(source)
        for _ in range(chooser.choice((1, 1, 2, 5))):
            data[chooser.randrange(len(data))] = chooser.randrange(256)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                outcomes.add(type(onnx_fold.fold(bytes(data)).model))
        except onnx_fold.FoldError as error:
            assert error.status == 1, f"{error!r}; model: {bytes(data).hex()}"
            outcomes.add(onnx_fold.FoldError)
    assert outcomes == {bytes, onnx_fold.FoldError}, f"{outcomes}"


def test_values_of_other_types():
    with pytest.raises(onnx_fold.FoldError, match="<memory>: bind=x"):
        onnx_fold.fold(simple(), bind={"x": W.astype(np.int64)})
    with pytest.raises(onnx_fold.FoldError):
        onnx_fold.fold(simple(), bind={"x": np.zeros((2, 2, 2), np.float32)})
    with pytest.raises(TypeError, match="external_data is {'shard': 1}, expected True, False"):
        onnx_fold.fold(simple(), external_data={"shard": 1})
    assert onnx.ModelProto, "the interpreter is alive"


@pytest.mark.parametrize("what", ["model", "data"])
def test_a_file_that_is_cut_meanwhile(folder, what):
    """The program ended with SIGBUS. A run that has read all before has the right result; others say which file was cut."""
    weight = np.arange(300_000, dtype=np.float32)
    source = model([node("Add", ["w", "w"], ["s"]), node("Add", ["x", "s"], ["y"])], [info("x", weight.shape)], [info("y", weight.shape)], [const("w", weight)])
    errors = 0
    for _ in range(10):
        path, cut = folder / "model.onnx", folder / ("weights.data" if what == "data" else "model.onnx")
        fresh = onnx.ModelProto()  # onnx.save moves the values of what it is given into the file
        fresh.CopyFrom(source)
        onnx.save(fresh, path, save_as_external_data=what == "data", location="weights.data")

        def shorten(*_):
            with open(cut, "r+b") as file:
                file.truncate(5000)

        try:
            onnx_fold.fold(path, folder / "out.onnx", progress=shorten, max_growth="unlimited")
        except onnx_fold.FoldError as error:
            errors += 1
            assert cut.name in str(error) and not (folder / "out.onnx").exists(), f"{error}"
            continue
        folded = onnx.load(folder / "out.onnx", load_external_data=False)
        [one] = [one for one in folded.graph.initializer if one.data_location == TensorProto.DEFAULT]
        assert np.array_equal(onnx.numpy_helper.to_array(one), weight + weight), "what was folded"
        (folder / "out.onnx").unlink()
        for rest in folder.glob("*.data"):
            rest.unlink()
    print(f"  {errors} of 10 runs met the cut")
