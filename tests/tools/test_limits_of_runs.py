"""--max-time and --max-memory: what does not fit stays, with the reason; the rest is folded and written. And where there is no
memory at all, under `ulimit -v`, the error names the node.
"""

import resource

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

X, Y = info("x", ()), info("y", ())


def products(count, size):
    """Sums of products of matrices of this size, each some tenths of a second."""
    nodes = [node("ConstantOfShape", ["shape"], ["m"], value=const("", [1.0], np.float32))]
    for i in range(count):
        nodes.append(node("Add", ["m", f"k{i}"], [f"a{i}"]))
        nodes.append(node("MatMul", [f"a{i}", "m"], [f"p{i}"], name=f"product{i}"))
        nodes.append(node("ReduceSum", [f"p{i}"], [f"s{i}"], keepdims=0))
    nodes.append(node("Sum", ["x", *(f"s{i}" for i in range(count))], ["y"]))
    constants = [const("shape", [size, size], np.int64), *(const(f"k{i}", i, np.float32) for i in range(count))]
    return m.model(nodes, [X], [Y], constants)


def reasons(report):
    return {one["name"] or one["outputs"][0]: one["reason"]["code"] for one in report["nodes"] if one["action"] == "kept"}


def folded(folder, model, *flags):
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", *flags)
    onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
    return onnx.load(folder / "out.onnx"), report


def test_time(folder):
    """Of forty products some are computed; all that is left is a model that computes the same."""
    model = products(40, 700)
    _, whole = folded(folder, model)
    spent = whole["seconds"]
    out, report = folded(folder, model, f"--max-time={spent / 3}")
    kept = reasons(report)
    assert "work-limit" in kept.values(), f"reasons: {set(kept.values())}"
    assert m.operators(out).count("MatMul") in range(1, 41), "products that stay"
    assert report["seconds"] < spent, f"{report['seconds']} s, without a limit {spent} s"
    nothing, report = folded(folder, model, "--max-time=0")
    assert m.operators(nothing).count("MatMul") == 40, "nothing is computed in no time"
    again, _ = folded(folder, nothing)
    assert m.operators(again) == ["Sum"], "and folds later"


def test_memory(folder):
    """Constants of 16 KB fold, those of 64 MB do not fit beside what the process has."""
    nodes = [
        node("ConstantOfShape", ["small"], ["a"], value=const("", [2.0], np.float32)),
        node("ConstantOfShape", ["large"], ["b"], value=const("", [3.0], np.float32)),
        node("CumSum", ["a", "zero"], ["c"]),
        node("CumSum", ["b", "zero"], ["d"]),
        node("ReduceMax", ["c"], ["e"], keepdims=0),
        node("ReduceMax", ["d"], ["f"], keepdims=0),
        node("Sum", ["x", "e", "f"], ["y"]),
    ]
    constants = [const("small", [4096], np.int64), const("large", [1 << 24], np.int64), const("zero", 0, np.int64)]
    model = m.model(nodes, [X], [Y], constants)
    out, _ = folded(folder, model)
    assert m.operators(out) == ["Sum"], "operators"
    out, report = folded(folder, model, "--max-memory=64M")
    kept = reasons(report)
    assert kept["d"] == "result-limit" or kept["b"] == "result-limit", f"reasons: {kept}"
    assert "CumSum" in m.operators(out) and m.constantValue(out.graph, "e") is not None, "what fits folds"


def test_flags_are_checked(folder):
    onnx.save(products(1, 2), folder / "model.onnx")
    for flag, says in (
        ("--max-time=soon", "--max-time is 'soon'"),
        ("--max-time=-1", "--max-time is '-1'"),
        ("--max-time=nan", "--max-time is 'nan'"),
        ("--max-memory=much", "--max-memory is 'much'"),
        ("--max-memory=-1", "--max-memory is '-1'"),
    ):
        result = t.run(flag, "-o", folder / "out.onnx", folder / "model.onnx")
        assert result.code == 1 and says in result.err, f"{flag}: {result}"


@pytest.mark.parametrize("megabytes", [1600, 2000, 2600])
def test_no_memory_is_an_error(folder, megabytes):
    """Under `ulimit -v`: exit 1 and one line with the file, no signal; beside it the output is as it was."""
    nodes = [
        node("ConstantOfShape", ["large"], ["b"], value=const("", [3.0], np.float64)),
        node("CumSum", ["b", "zero"], ["d"], name="large"),
        node("CumSum", ["d", "zero"], ["g"], name="larger"),
        node("TopK", ["g", "k"], ["t", "i"], name="sorted"),
        node("ReduceMax", ["t"], ["f"], keepdims=0),
        node("Cast", ["f"], ["h"], to=TensorProto.FLOAT),
        node("Sum", ["x", "h"], ["y"]),
    ]
    constants = [const("large", [1 << 26], np.int64), const("zero", 0, np.int64), const("k", [1 << 25], np.int64)]
    onnx.save(m.model(nodes, [X], [Y], constants), folder / "model.onnx")
    (folder / "out.onnx").write_bytes(b"old")

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    result = t.run("--threads=1", "-o", folder / "out.onnx", folder / "model.onnx", preexec_fn=limited, timeout=300)
    assert result.code in (0, 1), f"{megabytes} MB: {result}"
    if result.code == 1:
        assert (folder / "out.onnx").read_bytes() == b"old", "the old output"
        assert f"{folder / 'model.onnx'}: " in result.err and "memory" in result.err, f"{megabytes} MB: {result}"
