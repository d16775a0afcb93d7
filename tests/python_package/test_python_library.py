# SPDX-License-Identifier: Apache-2.0
"""engine="library": the bytes, reports and errors of the program, from libonnxfold in this process."""

import json
import threading
import warnings

import onnx
import pytest

import onnx_fold
import onnxfold_testing as t
from onnx_fold import _library, _tool
from python_cases import outOfOrder, save, simple, withExternalData

LIBRARY = t.TOOL.parents[1] / "lib/libonnxfold.so.1"
pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="libonnxfold is not built")
MODELS = ["bert", "detector", "lstm", "mobilenet_qdq", "control_flow"]


@pytest.fixture(autouse=True)
def byTheLibrary(monkeypatch):
    monkeypatch.setenv("ONNXFOLD_LIBRARY", str(LIBRARY))


@pytest.fixture
def noProgram(monkeypatch):
    """A run of the program is a mistake."""
    _library._load()
    monkeypatch.setattr(_tool, "run", lambda *arguments, **named: pytest.fail(f"the program runs: {arguments}"))


def withoutTimes(report):
    """What does not depend on the run."""
    told = report.as_dict()
    for name in ("seconds", "peak_bytes", "steps", "run"):
        told.pop(name, None)
    return json.dumps(told, sort_keys=True)


@pytest.mark.parametrize("name", MODELS)
def test_same_bytes_and_report(name):
    model = (t.ROOT / f"tests/models/data/{name}.onnx").read_bytes()
    ours, theirs = (onnx_fold.fold(model, engine=engine, level=2) for engine in ("library", "program"))
    assert ours.model == theirs.model and ours.changed == theirs.changed
    assert withoutTimes(ours.report) == withoutTimes(theirs.report)


def test_every_kind_of_model(folder, noProgram):
    path = save(folder, simple())
    proto = onnx.load(path)
    assert onnx_fold.fold(path, folder / "out.onnx", engine="library").path == str(folder / "out.onnx")
    expected = (folder / "out.onnx").read_bytes()
    assert onnx_fold.fold(proto, engine="library").model == onnx.load_from_string(expected)
    assert onnx_fold.fold(path.read_bytes(), folder / "bytes.onnx", engine="library").changed
    assert (folder / "bytes.onnx").read_bytes() == expected
    assert onnx_fold.check(proto, engine="library") and not onnx_fold.check(expected, engine="library")
    assert onnx_fold.examine(path, engine="library").nodes
    onnx_fold.fold(path, in_place=True, engine="library", verify=True)
    assert path.read_bytes() == expected


def test_external_data(folder, noProgram):
    """A result in memory refers to the data of the input; a file in another folder gets its own."""
    model = withExternalData(folder)
    (folder / "away").mkdir()
    onnx_fold.fold(model.SerializeToString(), folder / "away/out.onnx", folder=folder, engine="library")
    assert {one.name for one in (folder / "away").iterdir()} > {"out.onnx"}
    onnx.checker.check_model(str(folder / "away/out.onnx"), full_check=True)


def raised(**arguments):
    with pytest.raises(Exception) as caught:
        onnx_fold.fold(**arguments)
    return type(caught.value), str(caught.value), vars(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"model": b"no model"},
        {"model": "missing.onnx"},
        {"model": simple(), "dims": {"nothing": 3}, "strict": True},
        {"model": simple(), "level": 7},
        {"model": simple(), "output": "/proc/no/such/folder.onnx"},
        {"model": simple(), "external_data": "w.bin", "keep_data_files": True},
        {"model": simple(), "convert": "f32:f99"},
    ],
    ids=lambda arguments: str(list(arguments.items())[-1])[:30],
)
def test_same_errors(arguments):
    wanted = raised(**arguments)
    assert raised(**arguments, engine="library") == wanted


def test_same_warnings():
    """Reports of the program called a model in memory <stdin>, and warnings called it <memory>."""
    said, reports = [], []
    for engine in ("program", "library"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            reports.append(onnx_fold.fold(outOfOrder(), engine=engine).report)
        said.append([(str(one.message), one.category, one.filename) for one in caught])
    assert said[0] == said[1] and said[0]
    assert withoutTimes(reports[0]) == withoutTimes(reports[1])
    assert "<memory>" in reports[0].warnings[0]


def test_settings_are_named_as_arguments():
    """It was 'only'=zzz*: half an option, and half a name."""
    with pytest.warns(onnx_fold.FoldWarning, match="'only=zzz.': matches no node"):
        onnx_fold.fold(simple(), only="zzz*", engine="library")


def test_threads():
    """Any number of calls at once; each has its own model."""
    model = (t.ROOT / "tests/models/data/detector.onnx").read_bytes()
    expected, found = onnx_fold.fold(model).model, []
    threads = [threading.Thread(target=lambda: found.append(onnx_fold.fold(model, engine="library", threads=1).model)) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [expected] * 8


def test_another_library_is_refused(folder, monkeypatch):
    monkeypatch.setattr(_library, "_loaded", None)
    monkeypatch.setenv("ONNXFOLD_LIBRARY", str(folder / "libonnxfold.so.1"))
    with pytest.raises(FileNotFoundError, match="set ONNXFOLD_LIBRARY"):
        onnx_fold.fold(simple(), engine="library")
    monkeypatch.setenv("ONNXFOLD_LIBRARY", str(LIBRARY))
    monkeypatch.setattr(_tool, "version", lambda: "0.0.7")
    with pytest.raises(OSError, match="expected 0.0.7"):
        onnx_fold.fold(simple(), engine="library")
    with pytest.raises(ValueError, match="'program' or 'library'"):
        onnx_fold.fold(simple(), engine="process")
