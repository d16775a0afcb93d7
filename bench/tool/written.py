# SPDX-License-Identifier: Apache-2.0
"""Bytes that a run writes, over the bytes that its output needs, for each way to write a model whose weights are in a data file.

Needed is what a reader of the outputs looks at: the model files, and the ranges of data files that they refer to, each once.
Written is what the files that are new take on the disk; holes take nothing, and of a file the last page may be half empty.
"""

import shutil
import subprocess

import models

# Name: options, and whether the output is beside the input. The cache holds what it is asked to hold.
CASES = {
    "beside the input": ([], True),
    "another folder": ([], False),
    "... -O2": (["-O2"], False),
    "... --keep-data-files": (["--keep-data-files"], False),
    "... --external-data": (["--external-data"], False),
    "... --external-data=shard=1M": (["--external-data=shard=1M"], False),
    "... --external-data=align=1": (["--external-data=align=1"], False),
    "... --inline-data": (["--inline-data"], False),
    "... --max-growth=0": (["--max-growth=0"], False),
    "... --run-once": (["--run-once"], False),
    "... --convert=f32:f16": (["--convert=f32:f16"], False),
    "... --target-opset=21": (["--target-opset=21"], False),
    "... --inputs, --outputs": ("cut", False),
    "... --cache, empty": (["--cache={cache}"], False),
    "... --cache, full": (["--cache={cache}"], False),
}
# What more is expected to be written than is needed.
ASKED = {"... --keep-data-files": "all of the old data file", "... --cache, empty": "the cache"}


def spaceOf(paths):
    return sum(path.stat().st_blocks * 512 for path in paths)


def needed(folder, others):
    """`others`: folders of which files were there before."""
    import onnx

    total, ranges = 0, {}
    for path in sorted(folder.glob("*.onnx")):
        if path in others:
            continue
        total += path.stat().st_size
        model = onnx.load(path, load_external_data=False)
        for tensor in model.graph.initializer:
            if tensor.data_location == onnx.TensorProto.EXTERNAL:
                entry = {one.key: one.value for one in tensor.external_data}
                ranges.setdefault(entry["location"], set()).add((int(entry.get("offset", 0)), int(entry["length"])))
    for location, parts in ranges.items():
        if folder / location not in others:
            total += sum(length for _, length in parts)
    return total


def table(tool, folder, layers=24, width=512):
    """Rows (name, bytes written, bytes needed)."""
    rows, home = [], folder / "home"
    home.mkdir()
    model, cache = home / "llm.onnx", folder / "cache"
    names = models.partlyTurned(model, home / "weights.bin", layers, width)
    for name, (options, isBeside) in CASES.items():
        target = home if isBeside else folder / "away"
        target.mkdir(exist_ok=True)
        before, cached = set(home.iterdir()), set(cache.iterdir()) if cache.exists() else set()
        flags = [f"--inputs={names[0]}", f"--outputs={names[1]}"] if options == "cut" else options
        flags = [flag.format(cache=cache) for flag in flags]
        subprocess.run([tool, "--quiet", *flags, model, "-o", target / "out.onnx"], check=True, stderr=subprocess.DEVNULL)
        new = set(target.iterdir()) - before
        new |= (set(cache.iterdir()) if cache.exists() else set()) - cached
        rows.append((name, spaceOf(new), needed(target, before)))
        for one in new - (set(cache.iterdir()) if cache.exists() else set()):
            one.unlink()
    for one in (home, folder / "away", cache):
        shutil.rmtree(one, ignore_errors=True)
    return rows
