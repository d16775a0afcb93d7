# SPDX-License-Identifier: Apache-2.0
"""What is not touched is byte for byte what it was: with --skip='*' the output is the input, whatever it carries.

The models: the real ones, and models made here, with the ONNX library (round_trip_models.py) and by hand on the wire
(round_trip_wire.py). The same models are then folded without --skip: nothing that they carry may be lost on the way.
"""

import pytest


import onnxfold_testing as t
import onnxfold_wire as wire
import round_trip_models as made
import round_trip_wire as byHand

FOLD_NOTHING = "--skip=*"


def checkFile(path, folder, *flags):
    before = t.folderState(path.parent)
    out = folder / "out.onnx"
    t.fold(path, out, FOLD_NOTHING, *flags)
    t.expectSameBytes(out, path, "output with --skip='*'")
    t.expectUnchanged(before, path.parent, "input", added=[out.name] if path.parent == folder else [])
    result = t.run(FOLD_NOTHING, "--check", path)
    assert result.code == 0, f"exit status of --check --skip='*' ({result.err.strip()[-300:]})"


def checkMade(build, folder):
    path = folder / "model.onnx"
    data = build(folder)
    path.write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
    checkFile(path, folder)


def checkFoldedKeepsRest(build, folder):
    """The model has one more node, Add of two constants, folded; every other field must still be there, byte for byte."""
    path = folder / "model.onnx"
    data = build(folder)
    path.write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
    out = t.fold(path, folder / "out.onnx", "--only=onnxfold_round_trip_*", "-O0")
    before, after = path.read_bytes(), out.read_bytes()
    touched = [whole for _, _, _, whole in wire.fields(before) if whole[0] == 0x3A]
    kept = [whole for _, _, _, whole in wire.fields(after) if whole[0] == 0x3A]
    assert len(kept) == len(touched), "number of graph fields"
    rest = lambda data: [whole for field, _, _, whole in wire.fields(data) if field != 7]
    assert rest(after) == rest(before), "fields of the model besides the graph"
    graph = lambda data: [whole for _, _, _, whole in wire.fields(wire.first(data, 7))]
    there = set(graph(after))
    lost = [whole for whole in graph(before) if whole not in there and b"onnxfold_round_trip" not in whole]
    assert not lost, f"fields of the graph lost or changed: {lost[:3]}"
    assert not any(
        wire.first(node, 3) == b"onnxfold_round_trip_add" for node in wire.every(wire.first(after, 7), 1)
    ), "the Add of two constants is still there"


MADE = {**made.models(), **byHand.models()}
WITH_ADD = {**byHand.models(withAdd=True), **made.modelsWithAdd()}


@pytest.mark.parametrize("path", t.shippedModels() + t.lightModels(), ids=lambda path: path.stem)
def test_file(path, folder):
    checkFile(path, folder)


@pytest.mark.parametrize("build", MADE.values(), ids=MADE)
def test_made(build, folder):
    checkMade(build, folder)


@pytest.mark.parametrize("build", WITH_ADD.values(), ids=WITH_ADD)
def test_folded_keeps_rest(build, folder):
    checkFoldedKeepsRest(build, folder)
