# SPDX-License-Identifier: Apache-2.0
"""--in-place: the output replaces the input, data files too, or not at all."""

import os
import stat

import numpy as np
import onnx
import pytest

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from external_cases import entries
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(7)


def sample(side=32):
    nodes = [node("Transpose", ["w"], ["t"]), node("MatMul", ["x", "t"], ["a"]), node("MatMul", ["a", "v"], ["y"])]
    constants = [const(name, RANDOM.standard_normal((side, side)).astype(np.float32)) for name in ("w", "v")]
    return m.model(nodes, [info("x", (2, side))], [info("y", (2, side))], constants)


def save(folder, source, **external):
    onnx.save(source, folder / "model.onnx", **external)
    return folder / "model.onnx"


def values(path):
    [found] = compare.outputs(path, [{"x": np.ones((2, 32), np.float32)}])
    return found["y"]


def files(folder):
    return sorted(path.name for path in folder.iterdir())


EXTERNAL = {"save_as_external_data": True, "size_threshold": 0}


def test_the_file_is_what_another_output_would_be(folder):
    path = save(folder, sample())
    os.chmod(path, 0o640)
    t.fold(path, folder / "other.onnx")
    result = t.runOk("--in-place", "--verify", path)
    assert "1 of 1 values agree" in result.err and "Transpose" in result.err, result.err
    t.expectSameBytes(path, folder / "other.onnx", "in place")
    assert files(folder) == ["model.onnx", "other.onnx"] and stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_would_not_change_is_not_written(folder):
    path = save(folder, sample())
    t.runOk("--in-place", path)
    before = t.folderState(folder)
    t.runOk("--in-place", "--verify", path)
    assert t.run("--in-place", "--check", path).code == 0
    t.expectUnchanged(before, folder, "times too")


def test_data_files_that_stay(folder):
    """Folded values are written to the model file, and the data file is not touched."""
    path = save(folder, sample(), location="w.bin", **EXTERNAL)
    want, before = values(path), t.fileState(folder / "w.bin")
    t.runOk("--in-place", path)
    assert t.fileState(folder / "w.bin") == before and files(folder) == ["model.onnx", "w.bin"]
    np.testing.assert_array_equal(values(path), want)


def test_data_files_are_replaced_together(folder):
    path = save(folder, sample(), location="model.onnx.data", **EXTERNAL)
    want, size = values(path), (folder / "model.onnx.data").stat().st_size
    t.runOk("--in-place", "--external-data=align=1", path)
    assert files(folder) == ["model.onnx", "model.onnx.data"]
    assert (folder / "model.onnx.data").stat().st_size == size, "two weights, one of them transposed"
    np.testing.assert_array_equal(values(path), want)
    t.runOk("--in-place", "--external-data=shard=4K", path)
    assert files(folder) == ["model.onnx", "model.onnx.data", "model.onnx.data_1"]
    np.testing.assert_array_equal(values(path), want)
    t.runOk("--in-place", "--external-data", path)
    assert files(folder) == ["model.onnx", "model.onnx.data"], "parts without a successor"
    np.testing.assert_array_equal(values(path), want)
    result = t.runOk("--in-place", "--inline-data", path)
    assert "does not refer to its data file 'model.onnx.data' any more" in result.err, result.err
    assert files(folder) == ["model.onnx", "model.onnx.data"], "the file may be of another model too"
    np.testing.assert_array_equal(values(path), want)


def test_another_name_of_the_data(folder):
    path = save(folder, sample(), location="w.bin", **EXTERNAL)
    want = values(path)
    result = t.runOk("--in-place", "--external-data=v.bin", path)
    assert "does not refer to its data file 'w.bin' any more" in result.err, result.err
    assert files(folder) == ["model.onnx", "v.bin", "w.bin"]
    np.testing.assert_array_equal(values(path), want)


def test_data_that_cannot_be_moved(folder):
    """A tensor of an unknown type is kept in its file, which another one then must not replace."""
    path = save(folder, sample(), location="w.bin", **EXTERNAL)
    model = onnx.load(path, load_external_data=False)
    odd = model.graph.initializer.add()
    odd.CopyFrom(model.graph.initializer[1])
    odd.name, odd.data_type = "odd", 99
    onnx.save(model, path)
    before = t.folderState(folder)
    result = t.run("--in-place", "--external-data=w.bin", path)
    assert result.code == 1 and "expected another name in --external-data" in result.err, result.err
    t.expectUnchanged(before, folder, "refused")
    t.runOk("--in-place", "--external-data=v.bin", path)
    kept = {tensor.name: entries(tensor)["location"] for tensor in onnx.load(path, load_external_data=False).graph.initializer}
    assert kept == {"t": "v.bin", "v": "v.bin", "odd": "w.bin"}, f"{kept}"


def test_a_link_is_refused(folder):
    """The caches of model hubs: others use the file behind it."""
    (folder / "store").mkdir()
    onnx.save(sample(), folder / "store/blob")
    os.symlink(folder / "store/blob", folder / "model.onnx")
    before = t.folderState(folder)
    result = t.run("--in-place", folder / "model.onnx")
    assert result.code == 1 and "is a link to a file that others may use, expected another output" in result.err, result.err
    t.expectUnchanged(before, folder, "a link")
    path = folder / "own.onnx"
    onnx.save(sample(), path, location="w.bin", **EXTERNAL)
    os.rename(folder / "w.bin", folder / "store/w.bin")
    os.symlink("store/w.bin", folder / "w.bin")
    result = t.run("--in-place", "--external-data=w.bin", path)
    assert result.code == 1 and "w.bin: is a link to a file that others may use" in result.err, result.err


@pytest.mark.parametrize(
    "flags, words",
    [
        (["-o", "x.onnx"], "--in-place and -o are given, expected one of them"),
        (["compare", "model.onnx"], "--in-place is not an option of 'onnx-fold compare'"),
        (["--run-once=v"], "--in-place and --run-once are given"),
        (["--emit=mlir"], "--in-place is given with --emit=mlir"),
        (["--max-result=1", "--dim=n:1"], "no input has a dimension 'n'"),
    ],
)
def test_refused(folder, flags, words):
    save(folder, sample())
    before = t.folderState(folder)
    result = t.run("--in-place", *flags, "model.onnx", cwd=folder)
    assert result.code == 1 and words in result.err, result.err
    t.expectUnchanged(before, folder, "refused")


def test_streams_and_text_are_refused(folder):
    path = save(folder, sample())
    result = t.run("--in-place", "-", stdin=path.read_bytes())
    assert result.code == 1 and "--in-place is given with standard input" in result.err, result.err
    (folder / "model.onnxtxt").write_text(onnx.printer.to_text(onnx.load(path)))
    result = t.run("--in-place", folder / "model.onnxtxt")
    assert result.code == 1 and "is text, and the output is binary" in result.err, result.err


def test_a_difference_replaces_nothing(folder):
    """A part that is compared with the model must be the same part: nothing is written where it is not."""
    path = save(folder, sample())
    before = t.folderState(folder)
    result = t.run("--in-place", "--max-work=0", "--outputs=nothing", path)
    assert result.code == 1, result
    t.expectUnchanged(before, folder, "an error")


def test_runs_take_turns_from_before_the_input_is_read(folder):
    """The second run reads what the first one wrote: both cut something off."""
    import subprocess

    path = save(folder, sample())
    children = [
        subprocess.Popen([str(t.TOOL), "--quiet", "--in-place", flag, path], stderr=subprocess.PIPE)
        for flag in ("--outputs=a", "--disable=identity", "--outputs=a")
    ]
    for child in children:
        assert child.wait(timeout=600) == 0, child.stderr.read()
    assert [value.name for value in onnx.load(path).graph.output] == ["a"] and files(folder) == ["model.onnx"]
