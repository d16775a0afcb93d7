# SPDX-License-Identifier: Apache-2.0
"""What a model or a path gives reaches no terminal as it is: operator types with escape sequences were in the summary table,
file names with them in messages.

Every part of a model that has a name, and every path, gets one with escape sequences, new lines and what is no UTF-8; whatever
the tool then prints, in whichever form of text, has no control character but its own new lines.
"""

import json
import os

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from bad_cases import external
from onnxfold_models import const, info, node

EVIL = "a\x1b[2J\x1b]0;owned\x07b\r\nforged\x9b31m\x7f"  # clears the screen, sets the title, a line of its own, C1, DEL
FLAGS = (
    (),
    ("--report",),
    ("--report", "--check"),
    ("--verify",),
    ("--verify", "--report", "-O2"),
    ("--unroll=4",),
    ("--strict",),
    ("--run-once=w*", "--report"),
    ("--emit=mlir", "-o", "-"),
)


def body(e):
    return m.graph(
        [node("Add", ["a", "x"], ["b"], name="in" + e), node("RandomNormalLike", ["b"], ["r"]), node("Identity", ["c"], ["d"])],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("a", (3,))],
        [info("d", (), TensorProto.BOOL), info("r", (3,))],
        name="body" + e,
    )


def evilModel(e=EVIL):
    """Nodes that fold, that are kept for many reasons, and warnings; `e` in all names."""
    nodes = [
        node("Neg", ["w"], ["v" + e], name="n" + e),
        node("Op" + e, ["x"], ["o" + e], name="custom" + e, domain="dom" + e),
        node("Div", ["seven", "zero"], ["q" + e], name="div" + e),
        node("Reshape", ["w", "seven"], ["bad" + e]),
        node("Neg", ["w"], ["t" + e], name="n" + e),
        node("F" + e, ["x"], ["f" + e], domain="fun" + e),
        node("StringConcat", ["text", "text"], ["tt" + e]),
        node("Cast", ["text"], ["number" + e], to=TensorProto.FLOAT),
        node("Loop", ["four", "", "x"], ["l" + e], name="loop" + e, body=body(e)),
        node("Sum", ["x", "v" + e, "t" + e, "l" + e], ["y" + e]),
    ]
    opsets = [helper.make_opsetid("", 21)]
    function = helper.make_function("fun" + e, "F" + e, ["a"], ["b"], [node("Neg", ["a"], ["b"])], opsets)
    constants = [
        const("w", [1, 2, 3], np.float32), const("seven", [7], np.int32), const("zero", [0], np.int32),
        const("four", 4, np.int64), const("text", np.array(["a" + e], object)),
    ]  # fmt: skip
    outputs = [info(name + e, None) for name in ("y", "o", "q", "f")] + [info("tt" + e, None, TensorProto.STRING)]
    domains = [("dom" + e, 1), ("fun" + e, 1)]
    made = m.model(nodes, [info("x", (3,))], outputs, constants, domains=domains, functions=[function])
    made.graph.value_info.append(info("v" + e, (4,)))  # contradicts what is inferred
    made.graph.name = "graph" + e
    made.producer_name = "producer" + e
    return made


def expectClean(text, what):
    bad = [c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    assert not bad, f"{what}: control characters {bad[:5]!r} in {text[:2000]!r}"
    assert not any(line.startswith("forged") for line in text.splitlines()), f"{what}: a name makes lines: {text[:2000]!r}"


@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_names_of_a_model(folder, flags):
    onnx.save(evilModel(), folder / "model.onnx")
    result = t.run(*(flags if "-o" in flags else (*flags, "-o", folder / "out.onnx")), folder / "model.onnx")
    expectClean(result.err, str(flags))
    if "--emit=mlir" in flags:
        expectClean(result.out.decode(), str(flags))
    assert "\\x1b" in result.err or "\\0x1b" in result.err or "\\x1B" in result.err or "Op" not in result.err, (
        f"names are shown escaped: {result.err[:2000]}"
    )


def test_json_has_the_names(folder):
    onnx.save(evilModel(), folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    assert "Op" + EVIL in {one["op"] for one in report["nodes"]}, "operators in the report"
    result = t.run("--messages=json", "-o", folder / "out.onnx", folder / "model.onnx")
    assert all(json.loads(line) for line in result.err.splitlines()), "lines of JSON"


def broken():
    """Models that are refused, each for another reason, with `EVIL` in what the message names."""
    e = EVIL
    X, Y = info("x" + e, (3,)), info("y", None)
    short = const("w" + e, [1, 2, 3], np.float32)
    short.raw_data = short.raw_data[:8]
    yield m.model([node("Neg", ["x" + e], ["y"])], [X], [Y], [short])
    yield m.model([node("Neg", ["none" + e], ["y"], name="n" + e)], [X], [Y])
    yield m.model([node("Neg", ["y"], ["y"], name="n" + e)], [X], [Y])
    yield m.model([node("Neg", ["x" + e], ["d" + e]), node("Neg", ["x" + e], ["d" + e])], [X], [info("d" + e, None)])
    yield m.model([node("Neg", ["x" + e], ["y"])], [X, X], [Y])
    yield m.model([node("Neg", ["x" + e], ["y"])], [X], [info("out" + e, None)])
    yield m.model([node("Neg", ["x" + e], ["y"])], [X], [Y], [external("w" + e, "no" + e)])
    yield m.model([node("Neg", ["x" + e], ["y"])], [X], [Y], [external("w" + e, "../" + e)])


def test_errors_about_a_model(folder):
    for i, model in enumerate(broken()):
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        result = t.run("-o", folder / "out.onnx", folder / "model.onnx")
        assert result.code == 1, f"broken model {i}: {result}"
        expectClean(result.err, f"broken model {i}")
        assert len(result.err.strip().splitlines()) == 1, f"broken model {i}: lines of {result.err!r}"


def test_paths(folder):
    """Of inputs, outputs, reports, data files and folders, also in what parses the command line."""
    names = [EVIL.replace("/", ""), "\udcff\udcfe\x1b[31m"]
    for name in names:
        place = folder / name
        place.mkdir()
        model = place / ("m" + name + ".onnx")
        onnx.save(evilModel(), str(model))
        out = place / ("o" + name)
        for arguments in (
            (model, "-o", out),
            (model, "-o", out, "--report=text:" + str(place / ("r" + name))),
            (model, "-o", place),
            (model, "-o", place / "none" / name),
            (model, "-o", model),
            (place, "-o", out),
            (str(model) + "no", "-o", out),
            (model, "-o", out, "--external-data=" + "/" + name),
            (model, "-o", out, "--data-root=" + name),
            (model, "-o", out, "--dim=" + name + "=2"),
            (model, "-o", out, "--bind=" + name + "=" + name),
            (model, "-o", out, "--only=op:[" + name),
            (model, "-o", out, "--disable=" + name),
            (model, "-o", out, "--no-such-flag" + name),
            (model, "-o", out, "--level=" + name),
            (model, "-o", out, "--max-growth=" + name),
        ):
            result = t.run(*[os.fsdecode(one) for one in arguments], apart=True)
            expectClean(result.err, f"{arguments[1:]!r}"[:300])


def test_errors_about_tensors_name_the_file_first(folder):
    """`initializer 'a' has 3 values, expected 2` did not say in which model."""
    weights = {
        "float_data": dict(float_data=[1, 2, 3]),
        "int64_data": dict(int64_data=[1, 2, 3]),
        "raw_data": dict(raw_data=b"abc"),
        "none": {},
        "twice": dict(raw_data=bytes(8), float_data=[1, 2]),
        "external": dict(data_location=1),
        "segment": dict(raw_data=bytes(8), segment=onnx.TensorProto.Segment(begin=0, end=1)),
    }
    for label, fields in weights.items():
        kind = TensorProto.INT64 if label == "int64_data" else TensorProto.FLOAT
        tensor = onnx.TensorProto(name="a", dims=[2], data_type=kind, **fields)
        constant = node("Constant", [], ["k"], name="const", value=tensor)
        branch = m.graph([node("Identity", ["a"], ["r"])], [], [info("r", None)], [tensor], name="body")
        inner = [constant, node("Identity", ["k"], ["q"])]
        function = helper.make_function("f", "F", ["p"], ["q"], inner, [helper.make_opsetid("", 21)])
        X, Y = info("x", (), TensorProto.BOOL), info("y", None)
        for place, model in {
            "graph": m.model([node("Identity", ["a"], ["y"])], [X], [Y], [tensor]),
            "node": m.model([constant, node("Identity", ["k"], ["y"])], [X], [Y]),
            "body": m.model([node("If", ["x"], ["y"], then_branch=branch, else_branch=branch)], [X], [Y]),
            "function": m.model([node("F", ["x"], ["y"], domain="f")], [X], [Y], domains=[("f", 1)], functions=[function]),
        }.items():
            path = folder / "model.onnx"
            path.write_bytes(model.SerializeToString())
            result = t.run("-o", folder / "out.onnx", path)
            if result.code == 0:
                continue  # it is a node that is kept, or there is data
            assert result.err.startswith(f"onnx-fold: error: {path}: "), f"{label} in a {place}: {result}"
