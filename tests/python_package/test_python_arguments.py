# SPDX-License-Identifier: Apache-2.0
"""A wrong argument is a TypeError or a ValueError that names it; a file that is not there is an OSError."""

import inspect
import os
import pickle
import re

import numpy as np
import pytest

import onnx_fold
from onnx_fold import _check
from onnx_fold._arguments import fold
from python_cases import save, simple

WRONG_TYPES = [
    ({"dims": 1.9}, "dims"),
    ({"dims": ["batch"]}, "dims"),
    ({"dims": {"batch": 1.9}}, "dims['batch']"),  # it was 1
    ({"dims": {"batch": "2"}}, "dims['batch']"),
    ({"dims": {"batch": True}}, "dims['batch']"),
    ({"dims": {1: 1}}, "dims"),
    ({"input_shapes": {"x": 3}}, "input_shapes['x']"),
    ({"input_shapes": {"x": "1,3"}}, "input_shapes['x']"),
    ({"input_shapes": {"x": [1.5, 3]}}, "input_shapes['x']"),
    ({"bind": [1]}, "bind"),
    ({"level": "2"}, "level"),
    ({"level": 1.0}, "level"),
    ({"disable": 3}, "disable"),
    ({"disable": [3]}, "disable"),
    ({"only": b"op:Add"}, "only"),
    ({"max_growth": 0.1}, "max_growth"),
    ({"max_result": [1]}, "max_result"),
    ({"max_time": "60"}, "max_time"),
    ({"max_trip_count": 1.5}, "max_trip_count"),
    ({"precision": 1}, "precision"),
    ({"sync": "yes"}, "sync"),
    ({"external_data": {"shard": 1}}, "external_data"),
    ({"cache": 3}, "cache"),
    ({"verify": 1.9}, "verify"),
    ({"verify": "yes"}, "verify"),
    ({"verify_inputs": 3}, "verify_inputs"),
    ({"progress": 3}, "progress"),
    ({"in_place": "no"}, "in_place"),
    ({"output": 3}, "output"),
    ({"folder": 3}, "folder"),
    ({"verify_with": 1}, "verify_with"),
    ({"run_once": 1.5}, "run_once"),
]


@pytest.mark.parametrize("arguments, name", WRONG_TYPES)
def test_types(arguments, name):
    with pytest.raises(onnx_fold.OptionTypeError) as caught:
        onnx_fold.fold(simple(), **arguments)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, onnx_fold.FoldError)
    assert caught.value.argument == name and str(caught.value).startswith(f"{name} is "), f"{caught.value!r}"


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"dims": {"batch": -1}}, "dims"),
        ({"dims": {"nobody": 1}}, "dims"),
        ({"input_shapes": {"x": [-7]}}, "input_shapes"),
        ({"level": 3}, "level"),
        ({"disable": "nothing"}, "disable"),
        ({"max_growth": "many"}, "max_growth"),
        ({"precision": "low"}, "precision"),
        ({"verify": 5000}, "verify"),
        ({"bind": {"nobody": 1}}, "bind"),
        ({"verify_with": "abacus"}, "verify_with"),
        ({"in_place": True}, "in_place"),
        ({"once_output": "a.onnx"}, "once_output"),
    ],
)
def test_values(arguments, name):
    """The names of the command line are not those of Python: --max-growth is max_growth, --dim is dims."""
    with pytest.raises(onnx_fold.OptionError) as caught:
        onnx_fold.fold(simple(), **arguments)
    assert isinstance(caught.value, ValueError) and caught.value.argument == name, f"{vars(caught.value)}"
    assert name in str(caught.value) and "--" not in str(caught.value).replace("--list-patterns", ""), f"{caught.value}"


@pytest.mark.filterwarnings("ignore:.*matches no node")
def test_what_is_taken():
    """Integers of NumPy, generators and mappings of other classes are no mistakes."""
    onnx_fold.fold(simple(), dims={"batch": np.int64(2)}, level=np.int32(1), verify=np.bool_(True), disable=iter(["identity"]))
    onnx_fold.fold(simple(), max_growth=float("inf"), max_result=np.int64(100), max_time=1, sync=0, dims=None, skip=("a", "b"))
    onnx_fold.fold(simple(), input_shapes={"x": (np.int64(2), "?")}, verify_inputs=iter([{"x": np.ones((2, 3), np.float32)}]))


@pytest.mark.parametrize("function", [onnx_fold.check, onnx_fold.examine])
def test_other_functions(function):
    with pytest.raises(onnx_fold.OptionTypeError, match="unexpected argument 'levl', expected 'level'"):
        function(simple(), levl=1)
    with pytest.raises(onnx_fold.OptionTypeError, match="dims is 1.9"):
        function(simple(), dims=1.9)
    with pytest.raises(onnx_fold.OptionTypeError, match="bind is 3"):
        function(simple(), bind=3)


def test_arguments_of_two_models():
    with pytest.raises(onnx_fold.OptionTypeError, match="dims is 1.9"):
        onnx_fold.diff(simple(), simple(), dims=1.9)
    for engine in ("onnx-fold", "onnxruntime"):
        with pytest.raises(onnx_fold.OptionTypeError, match="trials is 1.5"):
            onnx_fold.verify(simple(), simple(), trials=1.5, engine=engine)
        with pytest.raises(onnx_fold.OptionError, match="trials is 0"):
            onnx_fold.verify(simple(), simple(), trials=0, engine=engine)
        with pytest.raises(onnx_fold.OptionTypeError, match="inputs is 3"):
            onnx_fold.verify(simple(), simple(), inputs=3, engine=engine)


def test_missing_files(folder):
    path, missing = save(folder, simple()), folder / "missing.onnx"
    calls = [
        lambda: onnx_fold.fold(missing),
        lambda: onnx_fold.fold(str(missing), folder / "out.onnx"),
        lambda: onnx_fold.check(missing),
        lambda: onnx_fold.examine(missing),
        lambda: onnx_fold.diff(path, missing),
        lambda: onnx_fold.verify(path, missing),
        lambda: onnx_fold.verify(path, missing, engine="onnxruntime"),
        lambda: onnx_fold.verify(missing, path, engine="onnxruntime"),
    ]
    for call in calls:
        with pytest.raises(FileNotFoundError, match="missing.onnx") as caught:
            call()
        assert isinstance(caught.value, onnx_fold.FileError) and caught.value.filename == str(missing), f"{caught.value!r}"
        assert "cannot be opened" in str(caught.value) and "Errno" not in str(caught.value), f"{caught.value}"
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.errno == caught.value.errno and copy.filename == str(missing), f"{copy!r}"
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        onnx_fold.fold(path, folder / "nowhere/out.onnx")


def test_other_errors_of_files(folder):
    path = save(folder, simple())
    with pytest.raises(IsADirectoryError, match="is a folder, expected a file"):
        onnx_fold.fold(path, folder)
    if os.geteuid() != 0:
        path.chmod(0)
        with pytest.raises(PermissionError):
            onnx_fold.fold(path, folder / "out.onnx")
    with pytest.raises(onnx_fold.FoldError) as caught:
        onnx_fold.fold(b"no model")
    assert not isinstance(caught.value, OSError), "a near miss: the bytes are wrong, not the file"


def test_help_has_every_argument():
    """Its name, its default, what it does, and an example that is no default."""
    text = inspect.getdoc(onnx_fold.fold)
    for name, parameter in inspect.signature(fold).parameters.items():
        found = re.search(rf"^    {name}(?: = (.*))?\n((?:        .*\n)+)", text + "\n", re.M)
        assert found, f"help(fold) has no {name}"
        if parameter.default is not parameter.empty:
            assert found[1] == repr(parameter.default).replace("'", '"'), f"{name} = {found[1]}"
        example = found[2].partition("Example: ")[2].strip()
        assert example and example != f"{name}={found[1]}" and (name in example or example.startswith("fold(")), f"{name}: {example}"


def test_examples_are_of_the_types_that_are_taken():
    text = inspect.getdoc(onnx_fold.fold)
    for example in re.findall(r"Example: (.*)", text):
        if not example.startswith("fold("):
            given = eval(f"dict({example})", {"array": np.ones(1)})
            _check.checked(fold, given)


def test_every_argument_is_checked():
    unchecked = [name for name, kind in fold.__annotations__.items() if _check._checkOf(kind) is None]
    assert unchecked == ["model", "return"], f"without a check: {unchecked}"
