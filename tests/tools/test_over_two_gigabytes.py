# SPDX-License-Identifier: Apache-2.0
"""Models at and beyond the 2 GB of protobuf, 20 GB of external data, results of 512 MB: sparse files, and little memory."""

import mmap
import os

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from external_cases import entries, external, isExternal
from onnxfold_models import const, info, node


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def fieldsOf(data, begin, end):
    """(number, body begin, body end) of length-delimited fields; varints are skipped. Reads nothing of the bodies."""

    def number(at):
        value = shift = 0
        while True:
            byte = data[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value, at

    while begin < end:
        tag, at = number(begin)
        length, at = number(at)
        if tag & 7 == 0:
            begin = at
            continue
        yield tag >> 3, at, at + length
        begin = at + length


def nearlyTwoGigabytes(folder, spare):
    """A model with one weight, a hole, so that the file has 2^31 - 1 - spare bytes; and a value that folds."""
    small = m.model(
        [node("Transpose", ["v"], ["t"]), node("MatMul", ["x", "t"], ["a"]), node("MatMul", ["x", "v"], ["b"])]
        + [node("Gather", ["big", "i"], ["g"]), node("Add", ["a", "b"], ["c"]), node("Add", ["c", "g"], ["y"])],
        [info("x", (512, 512)), info("i", (), TensorProto.INT64)],
        [info("y", (512, 512))],
        [const("v", np.arange(512 * 512, dtype=np.float32).reshape(512, 512))],
    )
    graph = small.graph.SerializeToString()
    small.ClearField("graph")
    count = ((1 << 31) - 1 - spare - len(graph)) // 2048  # rows of 512 floats
    head = varint(1 << 3) + varint(count) + varint(1 << 3) + varint(512) + b"\x10\x01" + b"\x42\x03big"
    head += varint(9 << 3 | 2) + varint(count * 2048)
    body = len(head) + count * 2048
    head = varint(5 << 3 | 2) + varint(body) + head
    with open(folder / "model.onnx", "wb") as file:
        file.write(small.SerializeToString())
        file.write(varint(7 << 3 | 2) + varint(len(graph) + len(head) + count * 2048) + graph + head)
        file.truncate(file.tell() + count * 2048)
    return folder / "model.onnx"


def test_beyond_two_gigabytes_new_values_go_to_a_data_file(folder):
    """Protobuf reads no message of 2 GB: what folds is written beside the model, and what was there is kept in it."""
    path = nearlyTwoGigabytes(folder, 500_000)
    report = t.foldWithReport(path, folder / "out.onnx", "--max-growth=2M")
    out = folder / "out.onnx"
    assert out.stat().st_size < 1 << 31, f"the model has {out.stat().st_size} bytes"
    assert report["peak_bytes"] < 40_000_000, f"peak is {report['peak_bytes']} bytes"
    want = np.arange(512 * 512, dtype=np.float32).reshape(512, 512).T
    assert (folder / "out.onnx.data").read_bytes() == want.tobytes(), "data file"
    found = {}
    with open(out, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        graph = next(field for field in fieldsOf(data, 0, len(data)) if field[0] == 7)
        for number, begin, end in fieldsOf(data, *graph[1:]):
            if number == 5 and end - begin < 1 << 24:
                tensor = TensorProto.FromString(data[begin:end])
                found[tensor.name] = tensor
    assert sorted(found) == ["t", "v"], "small initializers of the output"
    assert isExternal(found["t"]) and not isExternal(found["v"]), "only the new value is external"
    assert entries(found["t"]) == {"location": "out.onnx.data", "offset": "0", "length": str(1 << 20)}, "entries"


def test_twenty_gigabytes_of_holes(folder):
    """Moving all weights of a 20 GB model into a new file, and back beside another one, takes no memory and no disk space."""
    layers, side = 75, 8192
    with open(folder / "weights.bin", "wb") as file:
        for number in range(layers):  # no two are equal, or one would be left
            file.seek(number * side * side * 4)
            file.write(bytes([number + 1]))
        file.truncate(layers * side * side * 4)
    weights = [
        external(f"w{number}", "weights.bin", offset=number * side * side * 4, dims=(side, side))
        for number in range(layers)
    ]
    nodes = [node("MatMul", [f"y{number}", f"w{number}"], [f"y{number + 1}"]) for number in range(layers)]
    source = m.model(nodes, [info("y0", ("n", side))], [info(f"y{layers}", ("n", side))], weights)
    onnx.save(source, folder / "model.onnx")
    (folder / "home").mkdir()
    for out, flags in (("moved.onnx", ["--external-data"]), ("home/copied.onnx", [])):
        report = t.foldWithReport(folder / "model.onnx", folder / out, *flags)
        data = folder / ("moved.onnx.data" if flags else "home/weights.bin")
        assert data.stat().st_size == layers * side * side * 4, f"size of {data.name}"
        assert data.stat().st_blocks * 512 < 1 << 24, f"{data.name} takes {data.stat().st_blocks * 512} bytes on disk"
        assert report["peak_bytes"] < 40_000_000, f"peak is {report['peak_bytes']} bytes"
    # The copy is there now: comparing it with the input must not read 40 GB of zeros.
    report = t.foldWithReport(folder / "model.onnx", folder / "home/again.onnx")
    assert report["processor_seconds"] < 5, f"comparing two holes took {report['seconds']} s"


def test_large_results_are_never_in_memory(folder):
    """512 MB are computed from two vectors while they are written; equal ones are found without being kept."""
    rows, columns = 16384, 8192
    generator = np.random.default_rng(3)
    left = generator.standard_normal((rows, 1)).astype(np.float32)
    right = generator.standard_normal((1, columns)).astype(np.float32)
    source = m.model(
        [node("Add", ["l", "r"], ["s"]), node("Add", ["r", "l"], ["again"]), node("MatMul", ["x", "s"], ["y"])]
        + [node("MatMul", ["x", "again"], ["z"])],
        [info("x", ("n", rows))],
        [info("y", ("n", columns)), info("z", ("n", columns))],
        [const("l", left), const("r", right)],
    )
    onnx.save(source, folder / "model.onnx")
    flags = ("-O0", "--max-growth=unlimited", "--external-data")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", *flags)
    assert report["peak_bytes"] < 70_000_000, f"peak is {report['peak_bytes']} bytes, at most 64 MB and a little expected"
    data = np.memmap(folder / "out.onnx.data", np.float32, "r", shape=(rows, columns))
    assert (folder / "out.onnx.data").stat().st_size == rows * columns * 4, "size of the data file"
    for row in (0, 1, 777, rows - 1):
        assert data[row].tobytes() == (left[row] + right[0]).tobytes(), f"row {row}"


def test_what_cannot_be_below_two_gigabytes(folder):
    """--inline-data of more than 2 GB, and a pipe that would need a data file: an error, and no output."""
    path = nearlyTwoGigabytes(folder, 500_000)
    before = t.folderState(folder) if t.options.long else None
    result = t.run("--max-growth=2M", "--inline-data", "-o", folder / "out.onnx", path)
    assert result.code == 1, f"exit status ({result})"
    assert "2 GB" in result.err and "--external-data" in result.err, f"message: {result}"
    result = t.run("--max-growth=2M", "-o", "-", path, stdout=open(os.devnull, "wb"))
    assert result.code == 1, f"exit status of a pipe ({result})"
    assert "external data" in result.err, f"message: {result}"
    if before:
        t.expectUnchanged(before, folder, "folder")
    assert [one.name for one in folder.iterdir()] == ["model.onnx"], "files"


def test_a_part_of_a_model_beyond_two_gigabytes(folder):
    """A file that protobuf could not read: what is cut off is not read, and what is left is copied."""
    path = nearlyTwoGigabytes(folder, -500_000_000)
    assert path.stat().st_size > 1 << 31
    report = t.foldWithReport(path, folder / "part.onnx", "--outputs=c", "-O0", "--skip=*")
    assert report["peak_bytes"] < 40_000_000, f"peak is {report['peak_bytes']} bytes"
    part = onnx.load(folder / "part.onnx")
    assert [value.name for value in part.graph.input] == ["x"] and m.operators(part) == ["Transpose", "MatMul", "MatMul", "Add"]
    assert part.graph.initializer[0].raw_data == np.arange(512 * 512, dtype=np.float32).tobytes()
    rest = t.foldWithReport(path, folder / "rest.onnx", "--inputs=c,i", "--skip=*")
    assert rest["peak_bytes"] < 40_000_000 and (folder / "rest.onnx").stat().st_size > 1 << 31, "the large weight is in this part"
