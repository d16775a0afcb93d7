# SPDX-License-Identifier: Apache-2.0
"""Damaged models: real models with bits flipped, ends cut, fields swapped, dims, types and names changed never crash the tool.

Each mutant folds into a model that can be read and folds no further (after a few runs at most, where it contradicts itself), or
is refused with one message and no output; the input is unchanged. Work is counted, not timed: --max-work
bounds it, and the watchdog of 60 s only kills what hangs. 500 mutants, --long: 10,000, spread over all models; a mutant that
fails is kept beside the message.
"""

import random
import shutil
import tempfile
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError
import pytest
from onnx import ModelProto

import onnxfold_testing as t
import onnxfold_wire as wire

LARGEST = 200_000  # bytes: small models have more structure for the byte
FLAGS = ("--quiet", "--max-growth=unlimited", "--max-work=100000000", "--max-result=16M", "--max-trip-count=100")
NUMBERS = (0, 1, 2, 3, -1, -2, 7, 8, 255, 1 << 31, (1 << 31) - 1, 1 << 32, 1 << 62, (1 << 63) - 1, -(1 << 63))


def changedNumber(rng, value):
    return rng.choice((*NUMBERS, value + 1, value - 1, value * 2, rng.randrange(30), rng.getrandbits(64)))


def changedText(rng, text, names):
    """Another name of the model, or the same one with a byte more, less, or other."""
    if names and rng.random() < 0.6:
        return rng.choice(names)
    data = bytearray(text)
    place = rng.randrange(len(data) + 1)
    data[place : place + rng.choice((0, 1))] = rng.randbytes(rng.choice((0, 1, 1, 3)))
    return bytes(data)


def changedFields(rng, fields, descriptor, names):
    """The fields of one message, [(number, wire type, content, whole)], with one change among them; says which."""
    place = rng.randrange(len(fields))
    number, wireType, content, whole = fields[place]
    known = descriptor.fields_by_number.get(number) if descriptor else None
    label = f"{descriptor.name if descriptor else '?'}.{known.name if known else number}"
    wholes = [field[3] for field in fields]
    other = rng.randrange(len(fields))
    kind = rng.choice(("value", "value", "value", "remove", "double", "swap", "swap contents", "other number"))
    if kind == "value" and wireType == wire.VARINT:
        wholes[place] = wire.number(number, changedNumber(rng, content))
    elif kind == "value" and wireType == wire.LENGTH:
        wholes[place] = wire.message(number, changedText(rng, content, names))
    elif kind == "remove":
        del wholes[place]
    elif kind == "double":
        wholes.insert(other, whole)
    elif kind == "swap":
        wholes[place], wholes[other] = wholes[other], wholes[place]
    elif kind == "swap contents" and wireType == fields[other][1] == wire.LENGTH:
        wholes[place] = wire.message(number, fields[other][2])
        wholes[other] = wire.message(fields[other][0], content)
    elif wireType == wire.LENGTH:
        wholes[place] = wire.message(rng.choice([field[0] for field in fields] + [rng.randrange(1, 30)]), content)
    else:
        wholes[place] = bytes([whole[0]]) + rng.randbytes(len(whole) - 1)
    return b"".join(wholes), f"{kind} {label}"


def changedMessage(rng, data, descriptor, names):
    """Goes down to a message at random, and changes it; the lengths around it are right."""
    fields = list(wire.fields(data))
    if not fields:
        return wire.number(rng.randrange(1, 20), 1), f"field in empty {descriptor.name}"
    nested = [
        i
        for i, (number, wireType, _, _) in enumerate(fields)
        if wireType == wire.LENGTH
        and descriptor.fields_by_number.get(number)
        and descriptor.fields_by_number[number].message_type
    ]
    if not nested or rng.random() < 0.15:
        return changedFields(rng, fields, descriptor, names)
    place = rng.choice(nested)
    number, _, content, _ = fields[place]
    inner, what = changedMessage(rng, content, descriptor.fields_by_number[number].message_type, names)
    fields[place] = (number, wire.LENGTH, inner, wire.message(number, inner))
    return b"".join(field[3] for field in fields), what


def changedBytes(rng, data):
    """Damage that knows nothing of messages. Half of it is at the front, where the nodes are."""
    data = bytearray(data)
    reach = min(len(data), rng.choice((2_000, 20_000, len(data))))
    place, kind = rng.randrange(reach), rng.choice(("flip", "flip", "set", "remove", "add", "cut"))
    if kind == "flip":
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "set":
        data[place] = rng.randrange(256)
    elif kind == "remove":
        del data[place : place + rng.choice((1, 2, 8))]
    elif kind == "add":
        data[place:place] = rng.randbytes(rng.choice((1, 2, 8)))
    else:
        del data[place:]
    return bytes(data), f"{kind} byte {place}"


def mutate(rng, data, names):
    edits = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        if not data:
            break
        try:
            if rng.random() < 0.7:
                data, edit = changedMessage(rng, data, ModelProto.DESCRIPTOR, names)
            else:
                data, edit = changedBytes(rng, data)
        except (IndexError, ValueError):  # no longer protobuf after an earlier change
            data, edit = changedBytes(rng, data)
        edits.append(edit)
    return data, edits


def canBeRead(path):
    try:
        onnx.load(path, load_external_data=False)
        return True
    except DecodeError:
        return False


def isValid(path):
    try:
        onnx.checker.check_model(path, full_check=True)
        return True
    except Exception:
        return False


def check(folder, data, what):
    """Whether the mutant folded."""
    model, output, again = (folder / name for name in ("model.onnx", "out.onnx", "again.onnx"))
    model.write_bytes(data)
    result = t.run(*FLAGS, "-o", output, model, timeout=600)
    what = f"{what}: {result}"
    assert result.code in (0, 1), what
    assert model.read_bytes() == data, f"the input changed: {what}"
    assert sorted(path.name for path in folder.iterdir()) == (
        ["model.onnx", "out.onnx"] if result.code == 0 else ["model.onnx"]
    ), f"files ({what})"
    if result.code:
        assert len(result.err.strip().splitlines()) == 1, f"lines of the message ({what})"
        return False
    assert canBeRead(output) or not canBeRead(model), f"the output cannot be read: {what}"
    # What contradicts itself (a wrong value_info, say) may be seen to do so one run later.
    for more in range(1 if isValid(model) else 4):
        second = t.run(*FLAGS, "-o", again, output, timeout=600)
        assert second.code == 0, f"exit status of folding again ({what}; {second})"
        if t.sameBytes(again, output):
            break
        again.replace(output)
    else:
        raise AssertionError(f"folding again changes the output: {what}")
    output.unlink()
    again.unlink()
    return True


SOURCES = [path for path in t.shippedModels() if path.stat().st_size <= LARGEST]
SOURCES += sorted((t.ROOT / "tests/fuzz/corpus").glob("seed-*.onnx"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_mutants(path, folder):
    total, number = 10_000 if t.options.long else 500, SOURCES.index(path)
    count = total // len(SOURCES) + (number < total % len(SOURCES))
    rng = random.Random(f"{t.options.seed} {path.name}")
    original = path.read_bytes()
    graph = onnx.load(path, load_external_data=False).graph
    names = [name.encode() for one in graph.node for name in (*one.input, *one.output, one.op_type)][:2000]
    folded = 0
    for number in range(count):
        data, edits = mutate(rng, original, names)
        try:
            folded += check(folder, data, f"mutant {number} of {path.name} ({'; '.join(edits)})")
        except Exception:
            kept = Path(tempfile.mkdtemp(prefix="onnxfold-mutant-")) / "model.onnx"
            shutil.copy(folder / "model.onnx", kept)
            print(f"  the mutant is {kept}", flush=True)
            raise
    print(f"  {path.stem}: {count} mutants, {folded} folded, {count - folded} refused", flush=True)
