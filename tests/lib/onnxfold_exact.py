# SPDX-License-Identifier: Apache-2.0
"""Models before and after, compared bit for bit in ONNX Runtime."""

import onnxruntime as ort

import onnxfold_compare as compare
import onnxfold_models as m


def runExact(path, feeds):
    """ONNX Runtime without optimisations: every node as it stands."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_outputs()]
    return [dict(zip(names, session.run(None, feed))) for feed in feeds]


def canRun(path, feeds):
    try:
        return bool(runExact(path, feeds))
    except ort.capi.onnxruntime_pybind11_state.Fail:
        return False


def expectSameBits(left, right, feeds):
    for feed, got, want in zip(feeds, runExact(left, feeds), runExact(right, feeds)):
        assert list(got) == list(want), "outputs"
        for name in want:
            text = compare.differenceText(got[name], want[name])
            assert not text, f"output '{name}' {text}; inputs {feed}"


def cleaned(folder, source, *flags, feeds=None, runs=True):
    """`folded`, with outputs that are equal bit for bit, and inputs and outputs as they were."""
    out = m.folded(folder, source, *flags, runs=False)
    for field in ("input", "output"):
        now, before = getattr(out.graph, field), getattr(source.graph, field)
        assert [one.SerializeToString() for one in now] == [one.SerializeToString() for one in before], field
    if runs:
        expectSameBits(folder / "out.onnx", folder / "model.onnx", feeds or [m.ones(source)])
    return out
