# SPDX-License-Identifier: Apache-2.0
"""--max-time and --max-memory: what does not fit is kept, with the reason; the rest is folded and written. Where there is
no memory at all, under `ulimit -v`, the error names the node.
"""

import contextlib
import os
import resource
from pathlib import Path

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
    assert "time-limit" in kept.values(), f"reasons: {set(kept.values())}"
    assert m.operators(out).count("MatMul") in range(1, 41), "products that are kept"
    nothing, report = folded(folder, model, "--max-time=0")
    assert m.operators(nothing).count("MatMul") == 40, "nothing is computed in no time"
    again, _ = folded(folder, nothing)
    assert m.operators(again) == ["Sum"], "and folds later"


def textModel(nodes, rank=1):
    """From ten strings of 10,000 bytes; only the first character of the result matters."""
    texts = helper.make_tensor("s", TensorProto.STRING, [10], [b"x" * 10_000] * 10)
    inputs = [helper.make_tensor_value_info("i", TensorProto.INT64, [1])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.STRING, ["rows", "columns"][:rank])]
    return m.model([*nodes, node("Gather", ["t", "i"], ["y"], axis=0)], inputs, outputs, [texts, *SIZES])


SIZES = [
    const("thousand", [1000], np.int64),
    const("many", [100_000, 10], np.int64),
    const("places", np.zeros(200_000), np.int64),
    const("indices", [[0]] * 200_000, np.int64),
    const("pads", [0, 1_000_000], np.int64),
]
BIG_TEXTS = {
    "Concat": [node("Concat", ["s"] * 1000, ["a"], axis=0), node("Concat", ["a"] * 1000, ["t"], axis=0, name="large")],
    "Tile": [node("Tile", ["s", "thousand"], ["a"]), node("Tile", ["a", "thousand"], ["t"], name="large")],
    "Expand": [node("Expand", ["s", "many"], ["t"], name="large")],
    "Gather": [node("Gather", ["s", "places"], ["t"], axis=0, name="large")],
    "GatherND": [node("GatherND", ["s", "indices"], ["t"], name="large")],
    "Pad": [node("Pad", ["s", "pads"], ["t"], mode="wrap", name="large")],
    "StringConcat": [node("Tile", ["s", "thousand"], ["a"]), *(
        node("StringConcat", [name, name], [after], name=after) for name, after in zip("abcde", "bcdef")
    ), node("Identity", ["f"], ["t"], name="large")],
}


@pytest.mark.parametrize("operator", BIG_TEXTS)
def test_strings_that_share_their_characters(operator, folder):
    """A million strings that share 10,000 characters were 16 MB for every limit, and 10 GB when they were written: the run died."""
    model = textModel(BIG_TEXTS[operator], rank=2 if operator == "Expand" else 1)
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited")
    kept = {one["name"]: one["reason"] for one in report["nodes"] if one["action"] == "kept" and one["name"]}
    limited = {name for name, reason in kept.items() if reason["code"] in ("result-limit", "work-limit", "memory-limit")}
    assert limited and limited <= {"large", *"bcdef"}, f"kept: {kept}"
    assert report["peak_bytes"] < 1_500_000_000, f"{report['peak_bytes']} bytes"
    assert (folder / "out.onnx").stat().st_size < 1_200_000_000


def test_strings_within_the_limits(folder):
    """A near miss: 100 MB of text fold, and each of the strings is written."""
    model = textModel([node("Concat", ["s"] * 1000, ["t"], axis=0, name="large")])
    out, report = folded(folder, model, "--max-growth=unlimited")
    assert m.operators(out) == ["Gather"], "operators"
    [texts] = [tensor for tensor in out.graph.initializer if tensor.data_type == TensorProto.STRING]
    assert len(texts.string_data) == 10_000 and set(texts.string_data) == {b"x" * 10_000}, "strings"
    _, report = folded(folder, model, "--max-growth=unlimited", "--max-result=50M")
    assert reasons(report)["large"] == "result-limit", "with a smaller limit"
    _, report = folded(folder, model)
    assert reasons(report)["large"] == "growth", "and of growth"


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
    assert kept["d"] == "memory-limit" or kept["b"] == "memory-limit", f"reasons: {kept}"
    assert "CumSum" in m.operators(out) and m.constantValue(out.graph, "e") is not None, "what fits folds"


def test_work_of_one_node(folder):
    """What would take minutes is kept at once: the unit is what an operator costs, not how many elements it has."""
    boxes, side = 200_000, 20_000
    nodes = [
        node("ConstantOfShape", ["four"], ["b"], value=const("", [1.0], np.float32)),
        node("ConstantOfShape", ["one"], ["s"], value=const("", [1.0], np.float32)),
        node("NonMaxSuppression", ["b", "s", "most"], ["chosen"]),
        node("Size", ["chosen"], ["size"]),
        node("Cast", ["size"], ["c"], to=TensorProto.FLOAT),
        node("ConstantOfShape", ["square"], ["m"], value=const("", [1.0], np.float32)),
        node("MatMul", ["m", "m"], ["p"]),
        node("ReduceSum", ["p"], ["r"], keepdims=0),
        node("Sum", ["x", "c", "r"], ["y"]),
    ]
    constants = [const("four", [1, boxes, 4], np.int64), const("one", [1, 1, boxes], np.int64), const("most", boxes, np.int64),
                 const("square", [side, side], np.int64)]  # fmt: skip
    _, report = folded(folder, m.model(nodes, [X], [Y], constants), "--max-result=4G")
    kept = reasons(report)
    assert kept["chosen"] == "work-limit" and kept["p"] == "work-limit", f"reasons: {kept}"
    assert report["processor_seconds"] < 10, f"{report['processor_seconds']} s"


def kept_by_work(folder, nodes, constants, *flags):
    """Names of the nodes, whose outputs are called as they are, that are beyond --max-work."""
    ends = {name for one in nodes for name in one.output} - {name for one in nodes for name in one.input}
    for i, name in enumerate(sorted(ends)):
        nodes += [
            node("Cast", [name], [f"cast{i}"], to=TensorProto.FLOAT),
            node("ReduceMax", [f"cast{i}"], [f"max{i}"], keepdims=0),
        ]
    nodes.append(node("Sum", ["x", *(f"max{i}" for i in range(len(ends)))], ["y"]))
    _, report = folded(folder, m.model(nodes, [X], [Y], constants, domains=[("com.microsoft", 1)]), *flags)
    return {name for name, reason in reasons(report).items() if reason == "work-limit"}


def test_functions_cost_more_than_sums(folder):
    """All counted as an addition: a run of Pow and Gelu took twenty times as long as it should."""
    constants = [const("a", np.linspace(0.1, 0.9, 1000), np.float32)]
    constants += [const("places", np.arange(1000).reshape(1000, 1), np.int64), const("one", [1], np.float32)]
    nodes = [node("Add", ["a", "a"], ["add"]), node("Exp", ["a"], ["exp"]), node("Pow", ["a", "a"], ["pow"])]
    nodes += [node("LayerNormalization", ["a", "one"], ["norm"]), node("Shrink", ["a"], ["shrink"])]
    nodes += [node("GatherND", ["a", "places"], ["at"]), node("QuickGelu", ["a"], ["gelu"], domain="com.microsoft")]
    dear = {"exp", "norm", "shrink", "at", "gelu"}
    for work, expected in ((100_000, {*dear, "pow"}), (200_000, {"pow"}), (1_000_000, set())):
        assert kept_by_work(folder, list(nodes), constants, f"--max-work={work}") == expected, f"--max-work={work}"


def test_what_is_read_costs_too(folder):
    """A sum of many elements is one element, and a Sum of a thousand inputs is a thousand sums."""
    constants = [const("a", np.arange(10_000), np.float32), const("ten", np.arange(10), np.float32)]
    nodes = [
        node("Slice", ["a", "zero", "three"], ["part"]),
        node("ReduceSum", ["a"], ["sum"], keepdims=1),
        node("ReduceSum", ["part"], ["small"], keepdims=1),
        node("Sum", ["ten"] * 1000, ["many"]),
        node("Sum", ["ten"] * 3, ["few"]),
    ]
    constants += [const("zero", [0], np.int64), const("three", [3], np.int64)]
    found = kept_by_work(folder, nodes, constants, "--max-work=190000")
    assert found == {"sum", "many"}, f"beyond the limit: {found}"


def test_long_strings_are_compared_in_time(folder):
    """Four hundred times the same pair of strings of a megabyte: the bytes count, and not the elements."""
    text = "x" * (1 << 20)
    nodes = [
        node("Expand", ["s", "n"], ["a"]),
        node("Expand", ["t", "n"], ["b"]),
        node("Equal", ["a", "b"], ["many"]),
        node("Equal", ["s", "t"], ["one"]),
    ]
    constants = [const("s", np.array([text], object)), const("t", np.array([text], object)), const("n", [400], np.int64)]
    assert kept_by_work(folder, nodes, constants, "--max-work=1000000000") == {"many"}


def test_results_whose_size_depends_on_values_are_spilled(folder):
    """Of NonZero and Unique all were held until their last reader: 20 of 32 MB each took 683 MB."""
    count, size = 20, 1 << 22
    nodes = [
        node("ConstantOfShape", ["shape"], ["ones"], value=const("", [1.0], np.float32)),
        node("CumSum", ["ones", "zero"], ["a"]),
    ]
    for i in range(count):
        nodes += [node("Add", ["a", f"k{i}"], [f"a{i}"]), node("NonZero", [f"a{i}"], [f"n{i}"])]
        nodes.append(node("Cast", [f"n{i}"], [f"f{i}"], to=TensorProto.FLOAT))
    for i in range(count):
        nodes += [node("ReduceMax", [f"f{i}"], [f"m{i}"], keepdims=0), node("ReduceMin", [f"f{i}"], [f"l{i}"], keepdims=0)]
    nodes.append(node("Sum", ["x", *(f"{c}{i}" for c in "ml" for i in range(count))], ["y"]))
    constants = [const("shape", [size], np.int64), const("zero", 0, np.int64)]
    constants += [const(f"k{i}", i, np.float32) for i in range(count)]
    out, report = folded(folder, m.model(nodes, [X], [Y], constants))
    assert m.operators(out) == ["Sum"], "operators"
    assert report["peak_bytes"] < 300e6, f"{report['peak_bytes'] / 1e6:.0f} MB"


def test_work_of_a_run(folder):
    """Ten times the work of one node, and then nothing more: the same nodes each time."""
    model = products(30, 200)
    work = 4 * 200**3 + 50 * 200**2 + 2000  # of one product
    outs = []
    for place in ("one", "two"):
        (folder / place).mkdir()
        out, report = folded(folder / place, model, f"--max-work={work}")
        outs.append(out.SerializeToString(deterministic=True))
        kept = reasons(report)
        left = m.operators(out).count("MatMul")
        assert 10 < left < 30 and "time-limit" in kept.values(), f"{left} products are left, reasons: {set(kept.values())}"
    assert outs[0] == outs[1], "two runs give the same"
    out, _ = folded(folder, model, f"--max-work={10 * work}")
    assert m.operators(out) == ["Sum"], "with enough"


def test_strings_of_a_run(folder):
    """A string that doubles thirty times took 3.6 GB: all that a run makes counts together, 16 bytes for each string itself."""
    nodes = [node("StringConcat", [f"s{i}", f"s{i}"], [f"s{i + 1}"]) for i in range(30)]
    nodes += [node("Equal", ["s30", "s29"], ["e"]), node("Cast", ["e"], ["f"], to=TensorProto.FLOAT), node("Add", ["x", "f"], ["y"])]
    model = m.model(nodes, [X], [Y], [const("s0", np.array("x", object))])
    _, report = folded(folder, model)
    assert reasons(report)["s29"] == "memory-limit", f"reasons: {reasons(report)}"
    _, report = folded(folder, model, "--max-result=1M")
    assert reasons(report)["s19"] == "memory-limit", f"reasons: {reasons(report)}"


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


def test_no_memory_names_the_node(folder):
    """Where an operator asks for memory by itself, as the one of strings does, no exception passes: the last words name it."""
    nodes = [node("StringConcat", [f"s{i}", f"s{i}"], [f"s{i + 1}"], name=f"doubled {i}") for i in range(29)]
    nodes += [node("Equal", ["s29", "s28"], ["e"]), node("Cast", ["e"], ["f"], to=TensorProto.FLOAT), node("Add", ["x", "f"], ["y"])]
    onnx.save(m.model(nodes, [X], [Y], [const("s0", np.array("x", object))]), folder / "model.onnx")

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    result = t.run("--threads=1", "-o", folder / "out.onnx", folder / "model.onnx", preexec_fn=limited, timeout=300)
    assert result.code == 1 and not (folder / "out.onnx").exists(), f"{result}"
    assert f"{folder / 'model.onnx'}: node 'doubled 2" in result.err and "(StringConcat): out of memory" in result.err, f"{result}"


@contextlib.contextmanager
def controlGroup(size):
    """A group of Linux whose processes have so many bytes together; its file that takes numbers of processes."""
    for root, limit in (("memory", "memory.limit_in_bytes"), ("", "memory.max")):
        group = Path("/sys/fs/cgroup") / root / f"onnx-fold-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if (group / limit).exists():
                (group / limit).write_text(str(size))
                yield group / "cgroup.procs"
                return
        finally:
            group.rmdir()
    pytest.skip("no control group of memory can be made here")


def test_memory_of_a_container(folder):
    """A result of 400 MB where there are 256: it is computed in a file. The limit was looked for in one place, where a group in
    another one has none, and those of the first version of control groups never have: the system killed the run."""
    nodes = [
        node("ConstantOfShape", ["large"], ["b"], value=const("", [3.0], np.float32)),
        node("CumSum", ["b", "zero"], ["d"]),
        node("ReduceMax", ["d"], ["f"], keepdims=0),
        node("Sum", ["x", "f"], ["y"]),
    ]
    constants = [const("large", [100_000_000], np.int64), const("zero", 0, np.int64)]
    onnx.save(m.model(nodes, [X], [Y], constants), folder / "model.onnx")
    with controlGroup(256 << 20) as processes:

        def limited():
            processes.write_text(str(os.getpid()))

        result = t.run("-o", folder / "out.onnx", folder / "model.onnx", preexec_fn=limited, timeout=300)
    assert result.code == 0, f"{result}"
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Sum"], "operators"


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
