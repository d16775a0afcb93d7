# SPDX-License-Identifier: Apache-2.0
"""The models that Python packages of the tests carry, compiled and run by onnx-run: what ONNX Runtime runs is compiled, and gives
what it gives there.

Short form: of each package a few, small ones, others with another --seed; --long: all, with and without LLVM's optimisations, with and without buffer reuse.
"""

import subprocess
import tempfile
from pathlib import Path

import onnx
import pytest
from onnx import numpy_helper

import corpus
import corpus_runs
import onnxfold_runs as runs
import onnxfold_testing as t
from test_corpus import chosen, label

pytestmark = pytest.mark.skipif(not runs.RUN.exists(), reason="onnx-run is not built")
SECONDS = 600
SLOW = () if t.options.long else ("silero_vad_v6",)  # takes 13 s of the processor, most of it in LLVM
FLAGS = runs.OPTIONS if t.options.long else runs.OPTIONS[2:3]
# Custom operators are none of ONNX, and a compiled model has no maps (of labels to numbers, of ai.onnx.ml).
NO_KERNEL = ("has no lowering", "no kernel", "!onnx.map<")
# The inputs are random. With them a result may have another shape than the model says, and an image may be smaller than a window,
# of which ONNX Runtime computes something: both are errors at run time.
CONTRADICTED = ("but the model says", "does not fit into")


def outputOf(file, value):
    """What onnx-run wrote of one output."""
    data = file.read_bytes()
    if value.type.HasField("sequence_type"):
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def runCompiled(path, feed, flags, folder):
    """The finished process; results are in folder/out."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    model = onnx.load(path, load_external_data=False)
    stored = {one.name for one in model.graph.initializer}
    for i, value in enumerate(one for one in model.graph.input if one.name not in stored or one.name in feed):
        (data / f"input_{i}.pb").write_bytes(runs.message(feed.get(value.name), value.type).SerializeToString())
    command = [runs.RUN, path, f"--input-dir={data}", f"--result-dir={folder}/out", "--result-format=pb", "--stats", "--guard-memory"]
    return subprocess.run([*command, f"--cache={folder}/cache", *flags], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def isOfAnotherOracle(original, model, feed, got):
    """Whether ONNX Runtime's plain kernels alone have something else: Sigmoid is off by 4e-4 of a result of 4e-5, and what
    corpus_runs.load() says of bytes."""
    names = [value.name for value in model.graph.output]
    reference = runs.referenceResults(str(original.path), [feed])
    if reference and runs.areAllEqual([dict(zip(names, got))], reference):
        return True
    exact, _ = corpus_runs.load(original.path, saturates=False)
    return exact is not None and not original.compare(got, feed, exact.run(None, feed))


def finding(original, flags, folder):
    """What is not as it must be."""
    model = onnx.load(original.path, load_external_data=False)
    for kind, feed, results in original.feeds:
        if kind == "special":  # of NaN the operators of ONNX Runtime make different things
            continue
        done = runCompiled(original.path, feed, flags, folder)
        where = f"{' '.join(flags)}, {kind}"
        if done.returncode != 0:
            return f"{where}: ended with {done.returncode}: {done.stderr[-600:]}"
        if runs.NOT_COMPILED in done.stderr:
            return f"{where}: {done.stderr[-600:]}"
        got = [outputOf(folder / f"out/output_{i}.pb", value) for i, value in enumerate(model.graph.output)]
        text = original.compare(got, feed, results)
        if text and not isOfAnotherOracle(original, model, feed, got):
            return f"{where}: {text}"
        counts = [line.split() for line in done.stdout.splitlines() if " allocations, " in line]
        if not counts or counts[0][0] != counts[0][2]:
            return f"{where}: it leaks: {done.stdout}"
    return ""


def examine(path, isRun=True):
    """As corpus.examine."""
    original = corpus_runs.Original(Path(path), isRun)
    findings = []
    for flags in FLAGS if original.feeds and not original.isRandom else ():
        with tempfile.TemporaryDirectory(prefix="onnxfold-") as name:
            try:
                text = finding(original, flags, Path(name))
            except subprocess.TimeoutExpired:
                text = f"{SECONDS} s"
        if text and not any(part in text for part in NO_KERNEL + CONTRADICTED):
            findings.append({"level": flags[0], "kind": "compiled", "text": text})
    return {"model": str(path), "findings": findings, "notes": original.notes()}


@pytest.mark.parametrize("path", [path for path in chosen() if path.stem not in SLOW], ids=label)
def test_model(path):
    found = corpus.examineApart(path, how=examine)
    assert not found["findings"], "\n".join(one["text"] for one in found["findings"])
