# SPDX-License-Identifier: Apache-2.0
"""--verify-inputs: .npz, .npy and ONNX's test data in place of random inputs."""

import io
import struct
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node


SIZE, ENTRY = 100_000, 61_803


def sample():
    """A table with an entry that only indices of one's own reach."""
    nodes = [node("Neg", ["table"], ["t"]), node("Gather", ["t", "i"], ["g"]), node("Mul", ["g", "x"], ["y"])]
    inputs = [info("i", ("n",), TensorProto.INT64), info("x", ("n",))]
    return m.model(nodes, inputs, [info("y", ("n",))], [const("table", np.arange(SIZE, dtype=np.float32))])


def other(folder, value):
    """The same but for one entry of the table."""
    source = sample()
    table = np.arange(SIZE, dtype=np.float32)
    table[ENTRY] = value
    source.graph.initializer[0].CopyFrom(const("table", table))
    onnx.save(source, folder / "other.onnx")
    return folder / "other.onnx"


LAST = {"i": np.array([ENTRY, 0]), "x": np.array([2, 3], np.float32)}


def asNpz(folder, save=np.savez):
    save(folder / "in.npz", **LAST)
    return folder / "in.npz"


def asCompressedNpz(folder):
    return asNpz(folder, np.savez_compressed)


def asNpy(folder):
    (folder / "arrays").mkdir()
    for name, value in LAST.items():
        np.save(folder / "arrays" / f"{name}.npy", value)
    return folder / "arrays"


def asMessages(folder, place="data", named=True):
    (folder / place).mkdir(parents=True)
    for number, (name, value) in enumerate(LAST.items()):
        tensor = numpy_helper.from_array(value, name if named else "")
        (folder / place / f"input_{number}.pb").write_bytes(tensor.SerializeToString())
    (folder / place / "output_0.pb").write_bytes(b"")
    return folder / place


def asTestCase(folder):
    asMessages(folder, "case/test_data_set_0", named=False)
    asMessages(folder, "case/test_data_set_1")
    return folder / "case"


def asArchives(folder):
    (folder / "many").mkdir()
    np.savez(folder / "many/a.npz", i=np.array([1]), x=np.ones(1, np.float32))
    np.savez(folder / "many/b.npz", **LAST)
    return folder / "many"


@pytest.mark.parametrize("make, trials", [(asNpz, 1), (asCompressedNpz, 1), (asNpy, 1), (asMessages, 1), (asTestCase, 2), (asArchives, 2)])
def test_forms(folder, make, trials):
    """A difference that random inputs do not find."""
    onnx.save(sample(), folder / "model.onnx")
    given = make(folder)
    result = t.runOk(f"--verify-inputs={given}", folder / "model.onnx")
    assert f"1 of 1 values agree in {trials} trial" in result.err, result.err
    t.runOk("compare", folder / "model.onnx", other(folder, 7))
    result = t.run("compare", f"--verify-inputs={given}", folder / "model.onnx", folder / "other.onnx")
    assert result.code == 3 and "output 'y' differs" in result.err and str(-2 * ENTRY) in result.err, result.err


def test_what_is_missing_is_random(folder):
    """And has the sizes that the given inputs say."""
    onnx.save(sample(), folder / "model.onnx")
    np.savez(folder / "in.npz", i=np.array([ENTRY, 1, 2, 3, 4]))
    result = t.run("compare", f"--verify-inputs={folder}/in.npz", folder / "model.onnx", other(folder, 7))
    assert result.code == 3 and "at [0]" in result.err, result.err


def test_beside_other_options(folder):
    onnx.save(sample(), folder / "model.onnx")
    given = asNpz(folder)
    t.runOk(f"--verify-inputs={given}", "--dim=n:2", folder / "model.onnx")
    result = t.run(f"--verify-inputs={given}", "--dim=n:3", folder / "model.onnx")
    assert result.code == 1 and "input 'i' has shape [2], expected tensor<3xi64>" in result.err, result.err
    np.save(folder / "x.npy", LAST["x"])
    t.runOk(f"--verify-inputs={given}", f"--bind=x={folder}/x.npy", folder / "model.onnx")
    np.savez(folder / "inner.npz", g=np.ones(2, np.float32), x=LAST["x"])
    t.runOk("--inputs=g,x", f"--verify-inputs={folder}/inner.npz", folder / "model.onnx")


def test_sequences_and_types(folder):
    nodes = [node("SequenceAt", ["s", "zero"], ["e"]), node("Cast", ["b"], ["f"], to=TensorProto.FLOAT)]
    nodes.append(node("Add", ["e", "f"], ["y"]))
    inputs = [m.sequenceInfo("s"), info("b", (2,), TensorProto.BFLOAT16)]
    source = m.model(nodes, inputs, [info("y", (2,))], [const("zero", 0, np.int64)])
    onnx.save(source, folder / "model.onnx")
    (folder / "data").mkdir()
    values = [np.ones(2, np.float32), np.zeros(3, np.float32)]
    sequence = numpy_helper.from_list(values, "s")
    (folder / "data/input_0.pb").write_bytes(sequence.SerializeToString())
    half = helper.make_tensor("b", TensorProto.BFLOAT16, [2], [1.0, 2.0])
    (folder / "data/input_1.pb").write_bytes(half.SerializeToString())
    result = t.runOk(f"--verify-inputs={folder}/data", folder / "model.onnx")
    assert "1 of 1 values agree in 1 trial" in result.err, result.err


def hugeArray():
    """A deflated entry of 40 bytes that says it has 3 GB: they were allocated before it was looked at."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", bytes(20_000))
    said = struct.pack("<I", 20_000)
    return file.getvalue().replace(said, struct.pack("<I", 3 << 30))


def broken(folder, kind):
    given = asNpz(folder)
    data = given.read_bytes()
    if kind == "none":
        return folder / "none"
    if kind == "empty":
        (folder / "empty").mkdir()
        return folder / "empty"
    if kind == "packed":
        with zipfile.ZipFile(given, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("x.npy", data)
    elif kind == "damaged":
        given.write_bytes(data.replace(LAST["x"].tobytes(), b"12345678"))
    elif kind == "bomb":
        given.write_bytes(hugeArray())
    elif kind == "cut":
        given.write_bytes(data[: len(data) // 2])
    elif kind == "text":
        with zipfile.ZipFile(given, "w") as archive:
            archive.writestr("readme.txt", "no array")
    elif kind == "name":
        np.savez(given, z=np.ones(2))
    elif kind == "type":
        np.savez(given, x=np.ones(2))
    elif kind == "rank":
        np.savez(given, x=np.ones((2, 2), np.float32))
    elif kind == "offset":
        given.write_bytes(data.replace(b"PK\x03\x04", b"PK\x03\x05", 1))
    elif kind == "message":
        (asMessages(folder) / "input_7.pb").write_bytes(numpy_helper.from_array(LAST["x"]).SerializeToString())
        return folder / "data"
    return given


@pytest.mark.parametrize(
    "kind, words",
    [
        ("none", "none', expected a folder or a .npz file"),
        ("empty", "has no inputs, expected test_data_set_0, input_0.pb"),
        ("packed", "entry 'x.npy' is packed by method 14, expected 0 (stored) or 8 (deflated)"),
        ("damaged", "array 'x' is damaged: its checksum is another"),
        ("bomb", "array 'x' cannot be inflated"),
        ("cut", "in.npz: is not a zip archive"),
        ("text", "entry 'readme.txt' is not an array"),
        ("name", "in.npz: input 'z' is none of the model, expected one of 'i', 'x'"),
        ("type", "in.npz: input 'x' has elements of type f64, expected f32"),
        ("rank", "in.npz: input 'x' has shape [2, 2], expected tensor<?xf32>"),
        ("offset", "array 'i' is not where the list says"),
        ("message", "input_7.pb: is of input 7, the model has 2"),
    ],
)
def test_refused(folder, kind, words):
    onnx.save(sample(), folder / "model.onnx")
    given = broken(folder, kind)
    result = t.run(f"--verify-inputs={given}", folder / "model.onnx")
    assert result.code == 1 and words in result.err, result.err
    assert not (folder / "model.folded.onnx").exists(), "an output was written"


@pytest.mark.parametrize(
    "flag, words",
    [
        ("--verify-inputs=", "--verify-inputs is '', expected a folder or a .npz file"),
        ("--schemas=", "--schemas is '', expected a file"),
        ("--output-dir=", "--output-dir is '', expected a folder"),
        ("--target-opset=0", "--target-opset is '0', expected a number above 0"),
    ],
)
def test_what_a_script_leaves_empty(folder, flag, words):
    """`--verify-inputs=$DIR` without DIR: nothing would be verified, and nobody told."""
    onnx.save(sample(), folder / "model.onnx")
    result = t.run(flag, folder / "model.onnx")
    assert result.code == 1 and words in result.err, result.err
    assert [one.name for one in folder.iterdir()] == ["model.onnx"]


@pytest.mark.parametrize("save", [asNpz, asCompressedNpz])
def test_broken_archives(folder, save):
    """Any byte may be another one: an error or the values, and never a crash."""
    onnx.save(sample(), folder / "model.onnx")
    given = save(folder)
    data, random = given.read_bytes(), np.random.default_rng(5)
    for trial in range(60):
        changed = bytearray(data)
        for place in random.integers(0, len(data), 3):
            changed[place] = random.integers(0, 256)
        given.write_bytes(changed)
        result = t.run("--quiet", f"--verify-inputs={given}", folder / "model.onnx")
        assert result.code in (0, 1), f"trial {trial}: {result}"
