# SPDX-License-Identifier: Apache-2.0
"""Property: unknown fields in every message and any order of fields change nothing, and nothing of them is lost.

Each model is written again with fields that nobody knows between the known ones, at every level, and with the fields of every
message shuffled (those of one number keep their order, which means something). Such a model is written byte for byte where
nothing may fold; where it folds, the result means what the folded original means, and all that is left of the input is there
as it was. 4 variants of each model, --long: 25.
"""

import random
from pathlib import Path

import onnx
import pytest
from onnx import ModelProto

import onnxfold_testing as t
import onnxfold_wire as wire
import round_trip_models as made

LARGEST = 3_000_000
FLAGS = ("-O0", "--max-growth=unlimited")


def unknownField(rng):
    """A field of any wire type under a number that ONNX does not use, now and then a long one or a nested group."""
    field = rng.choice((900, 1000 + rng.randrange(1000), 18999, 20000, (1 << 29) - 1))
    kind = rng.randrange(6)
    if kind == 0:
        return wire.number(field, rng.getrandbits(rng.choice((7, 40, 62))), pad=rng.choice((0, 0, 1)))
    if kind == 1:
        return wire.fixed32(field, rng.randbytes(4))
    if kind == 2:
        return wire.fixed64(field, rng.randbytes(8))
    if kind == 3:
        return wire.group(field, wire.number(1, 5) + wire.group(2, wire.message(3, b"inside")))
    size = rng.choice((0, 1, 7, 200)) if rng.random() < 0.99 else 100_000
    return wire.message(field, rng.randbytes(size), tagPad=rng.choice((0, 0, 1)) if field < 20000 else 0)


def shuffled(rng, parts):
    """The fields in another order; those of one number keep theirs."""
    numbers = [number for number, _ in parts]
    rng.shuffle(numbers)
    queues = {}
    for number, whole in parts:
        queues.setdefault(number, []).append(whole)
    return [queues[number].pop(0) for number in numbers]


def noisy(rng, data, descriptor):
    """The message with noise in it and in all messages below."""
    parts = []
    for number, wireType, content, whole in wire.fields(data):
        field = descriptor.fields_by_number.get(number)
        if field and field.message_type and wireType == wire.LENGTH:
            whole = wire.message(number, noisy(rng, content, field.message_type))
        parts.append((number, whole))
    fields = shuffled(rng, parts) if rng.random() < 0.7 else [whole for _, whole in parts]
    for _ in range(rng.choice((0, 0, 1, 2))):
        fields.insert(rng.randrange(len(fields) + 1), unknownField(rng))
    return b"".join(fields)


def meaning(path):
    """What a model says to those who do not know the noise, as bytes."""
    return meaningOf(Path(path).read_bytes())


def meaningOf(data):
    model = onnx.load_model_from_string(data)
    model.DiscardUnknownFields()
    return model.SerializeToString(deterministic=True)


def graphFields(data):
    graphs = wire.every(data, 7)
    assert len(graphs) == 1, "graphs of the model"
    return [(number, whole) for number, _, _, whole in wire.fields(graphs[0])]


def holdsGraphs(node):
    return any(wire.every(attribute, 6) or wire.every(attribute, 11) for attribute in wire.every(node, 5))


def withoutInputs(number, whole):
    """A node without the names that it reads: readers of two equal new constants read one of them."""
    if number != 1:
        return whole
    return [None if field == 1 else part for field, _, _, part in wire.fields(wire.first(whole, 1))]


def checkWhatIsLeft(before, after, what):
    """Every field of the folded graph is one of the input's, in the same order, or a new initializer."""
    old = graphFields(before)
    keys = [(number, withoutInputs(number, whole)) for number, whole in old]
    names = {wire.first(wire.first(whole, 5), 8) for number, whole in old if number == 5}
    at = 0
    for number, whole in graphFields(after):
        content = wire.first(whole, number)
        if number == 5 and wire.first(content, 8) not in names:
            continue
        if number == 1 and (holdsGraphs(content) or wire.first(content, 4) == b"Constant"):
            continue  # changed inside, or new (IR < 4)
        key = (number, withoutInputs(number, whole))
        place = next((i for i in range(at, len(old)) if keys[i] == key), None)
        assert place is not None, f"{what}: field {number} of the graph is not as it was: {whole[:80]!r}"
        at = place + 1
    for number, whole in old:
        if number >= 900:
            assert (number, whole) in graphFields(after), f"{what}: an unknown field of the graph is lost"
    rest = lambda data: [whole for number, _, _, whole in wire.fields(data) if number not in (7, 25)]  # functions fold
    assert rest(after) == rest(before), f"{what}: fields of the model besides graph and functions"


def check(folder, source):
    data = source.read_bytes()
    plain = meaning(t.fold(source, folder / "plain.onnx", *FLAGS))
    for number in range(25 if t.options.long else 4):
        rng = random.Random(f"{t.options.seed} {source.stem} {number}")
        path = folder / "model.onnx"
        path.write_bytes(noisy(rng, data, ModelProto.DESCRIPTOR))
        what = f"variant {number} of {source.stem}"
        assert meaning(path) == meaningOf(data), f"{what}: the noise changes what it means (a mistake of this test)"
        t.expectSameBytes(t.fold(path, folder / "kept.onnx", "--skip=*"), path, f"{what} with --skip='*'")
        out = t.fold(path, folder / "out.onnx", *FLAGS)
        assert meaning(out) == plain, f"{what}: it folds into another model than the original"
        checkWhatIsLeft(path.read_bytes(), out.read_bytes(), what)
        t.expectSameBytes(t.fold(out, folder / "again.onnx", *FLAGS), out, f"{what}, folded again")


def checkMade(folder, build):
    path = folder / "source.onnx"
    data = build(folder)
    path.write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
    check(folder, path)


FILES = [path for path in t.shippedModels() if path.stat().st_size <= LARGEST]
# seed-oddBytes has two graph fields, which are one graph.
FILES += [path for path in sorted((t.ROOT / "tests/fuzz/corpus").glob("seed-*.onnx")) if path.stem != "seed-oddBytes"]
MADE = made.models()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(path, folder):
    check(folder, path)


@pytest.mark.parametrize("build", MADE.values(), ids=MADE)
def test_made(build, folder):
    checkMade(folder, build)
