#!/usr/bin/env python3
"""Damaged models: real models with a few bytes changed, removed or added never crash the tool and never hang it.

Each mutant folds (exit 0) or is refused (exit 1, a message, no output). 150 mutants of each model, --long: 3000.
A mutant that fails is written out as hexadecimal edits, so that it can be made again.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_testing as t

suite = t.Suite(__doc__.splitlines()[0])
LARGEST = 200_000  # bytes: small models have more structure for the byte


def mutate(rng, data):
    """A damaged copy and the list of edits. Half of the edits go to the front, where the nodes are."""
    data, edits = bytearray(data), []
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        reach = min(len(data), rng.choice((2_000, 20_000, len(data))))
        place, kind = rng.randrange(reach), rng.choice(("change", "change", "change", "remove", "add"))
        count = rng.choice((1, 2, 8))
        content = bytes(rng.randrange(256) for _ in range(count))
        if kind == "change":
            data[place : place + 1] = content[:1]
        elif kind == "remove":
            del data[place : place + count]
        else:
            data[place:place] = content
        edits.append(f"{kind} {place} {content.hex()}")
    return bytes(data), edits


def mutants(path, folder):
    rng = random.Random(f"{suite.options.seed} {path.name}")
    original = path.read_bytes()
    model, output = folder / "model.onnx", folder / "out.onnx"
    for number in range(3000 if suite.options.long else 150):
        data, edits = mutate(rng, original)
        model.write_bytes(data)
        result = t.run("--quiet", "--max-growth=unlimited", "-o", output, model, timeout=60)
        what = f"mutant {number} of {path.name} ({'; '.join(edits)}): {result}"
        t.expect(result.code in (0, 1), what)
        t.expect(result.code == 0 or result.err, f"no message: {what}")
        t.expect(output.exists() == (result.code == 0), f"output exists is {output.exists()}: {what}")
        t.expect(model.read_bytes() == data, f"the input changed: {what}")
        output.unlink(missing_ok=True)


for shipped in t.shippedModels():
    if shipped.stat().st_size <= LARGEST:
        suite.add(shipped.stem, lambda folder, path=shipped: mutants(path, folder))

sys.exit(suite.main())
