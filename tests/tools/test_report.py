# SPDX-License-Identifier: Apache-2.0
"""The JSON report, version 1: every node is in it, with what happened to it and why."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
TOP = {
    "version": int,
    "input": str,
    "output": str,
    "run": dict,
    "bytes_before": int,
    "bytes_after": int,
    "peak_bytes": int,
    "seconds": (int, float),
    "nodes": list,
    "ops": dict,
}
NODE = {"graph": str, "name": str, "op": str, "domain": str, "since": int, "outputs": list, "action": str, "bytes": int}
ACTIONS = {"folded", "kept", "changed", "removed"}


def reportOf(folder, model, *flags):
    path = folder / "model.onnx"
    if isinstance(model, Path):
        path = model
    else:
        onnx.save(model, path)
    return t.foldWithReport(path, folder / "out.onnx", *flags)


def actions(report):
    """{first output: (action, reason code)}"""
    return {
        (one["outputs"] or [""])[0]: (one["action"], (one.get("reason") or {}).get("code")) for one in report["nodes"]
    }


def expectContract(report, before, after, what):
    """What must hold of any report on folding the model file `before` into `after`."""
    for key, kind in TOP.items():
        assert isinstance(report.get(key), kind), f"{what}: '{key}' is {report.get(key)!r}"
    assert report["version"] == 1, f"{what}: version"
    assert (report["bytes_before"], report["bytes_after"]) == (
        before.stat().st_size,
        after.stat().st_size,
    ), f"{what}: bytes before and after"
    assert 0 < report["peak_bytes"] < 1 << 36, f"{what}: peak_bytes is {report['peak_bytes']}"
    assert report["seconds"] >= 0, f"{what}: seconds is {report['seconds']}"
    for one in report["nodes"]:
        for key, kind in NODE.items():
            assert isinstance(one.get(key), kind), f"{what}: '{key}' of a node is {one.get(key)!r}: {one}"
        assert one["action"] in ACTIONS, f"{what}: action is {one['action']!r}"
        if one["action"] == "kept":
            reason = one.get("reason") or {}
            assert reason.get("code") and reason.get("text"), f"{what}: a kept node without a reason: {one}"
            assert reason["code"] == reason["code"].lower() and " " not in reason["code"], f"{what}: code {reason['code']!r}"
    source, result = onnx.load(before, load_external_data=False), onnx.load(after, load_external_data=False)
    every = sorted(tuple(one.output) for nodes in bodies(source) for one in nodes)
    reported = sorted(tuple(one["outputs"]) for one in report["nodes"])
    assert reported == every, f"{what}: outputs of the nodes in the report"
    wanted = {}
    for position, counts in enumerate((t.operatorCounts(source, True), t.operatorCounts(result, True))):
        for operator, count in counts.items():
            wanted.setdefault(operator, [0, 0])[position] = count
    assert {operator: list(pair) for operator, pair in report["ops"].items()} == wanted, f"{what}: ops"


def bodies(model):
    yield from (graph.node for graph in t.allGraphs(model.graph))
    yield from (function.node for function in model.functions)


def test_contract_on_real_models(folder):
    for path in t.shippedModels() + t.lightModels()[:1]:
        for flags in ([], ["-O0"], ["--max-growth=unlimited"]):
            report = reportOf(folder, path, *flags)
            expectContract(report, path, folder / "out.onnx", f"{path.name} {flags}")


def test_actions_and_reasons(folder):
    nodes = [
        node("Add", ["w", "w"], ["folded"], name="first"),
        node("Mul", ["x", "folded"], ["y"], name="second"),
        node("Div", ["i", "zero"], ["quotient"]),
        node("RandomNormal", [], ["random"], shape=[2], seed=1.0),
        node("Thing", ["w"], ["thing"], domain="com.example"),
        node("ImageDecoder", ["bytes"], ["image"]),
    ]
    outputs = [
        info("y"),
        info("quotient", (2,), TensorProto.INT32),
        info("random", (2,)),
        info("thing"),
        info("image", (None, None, 3), TensorProto.UINT8),
    ]
    model = m.model(
        nodes,
        [info("x")],
        outputs,
        [
            const("w", W),
            const("i", [1, 2], np.int32),
            const("zero", [1, 0], np.int32),
            const("bytes", [1, 2], np.uint8),
        ],
        domains=[("com.example", 1)],
    )
    report = reportOf(folder, model, "-O0")
    expectContract(report, folder / "model.onnx", folder / "out.onnx", "actions")
    found = actions(report)
    assert found["folded"][0] == "folded", "action of Add of constants"
    assert found["y"] == ("kept", "input-not-constant"), "outcome of a Mul with a dynamic input"
    codes = {name: found[name][1] for name in ("quotient", "random", "thing", "image")}
    for name in codes:
        assert found[name][0] == "kept", f"action of '{name}'"
    assert len({codes[name] for name in ("quotient", "random", "image")} | {"input-not-constant"}) == 4, f"codes in {codes}"
    first = next(one for one in report["nodes"] if one["name"] == "first")
    assert (first["op"], first["domain"], first["since"], first["outputs"]) == ("Add", "", 14, ["folded"]), "the first node"
    text = next(one["reason"]["text"] for one in report["nodes"] if one["outputs"] == ["quotient"])
    assert "0" in text and "1" in text, f"the reason of Div does not say which element of the divisor is 0: {text!r}"


def test_since_is_the_resolved_version(folder):
    for opset, since in ((7, 7), (12, 7), (13, 13), (14, 14), (21, 14)):
        report = reportOf(
            folder,
            m.model([node("Add", ["w", "x"], ["y"])], [info("x")], [info("y")], [const("w", W)], opset=opset, ir=4),
        )
        assert report["nodes"][0]["since"] == since, f"since of Add at opset {opset}"


def test_reasons_of_limits_and_filters(folder):
    """Each way of being kept has its own code."""
    model = m.model(
        [node("ConstantOfShape", ["s"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", (1000, 1000))],
        [info("y", (1000, 1000))],
        [const("s", [1000, 1000], np.int64)],
    )
    codes = {}
    for flags in (("--skip=op:ConstantOfShape",), ("--max-growth=0",), ("--max-growth=unlimited", "--max-result=1K")):
        action, codes[flags] = actions(reportOf(folder, model, *flags))["v"]
        assert action == "kept", f"action with {flags}"
    assert len(set(codes.values())) == 3, f"number of different codes in {codes}"


def test_bodies_are_in_the_report(folder):
    """Nodes of subgraphs and functions are there, under the name of their graph."""
    then = m.graph(
        [node("Add", ["w", "w"], ["s"], name="inner"), node("Add", ["x", "s"], ["t"])], [], [info("t")], name="then"
    )
    other = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")], name="else")
    function = onnx.helper.make_function(
        "com.example", "F", ["a"], ["b"], [node("Neg", ["a"], ["b"])], [onnx.helper.make_opsetid("", 21)]
    )
    nodes = [
        node("F", ["x"], ["f"], domain="com.example"),
        node("If", ["c"], ["y"], name="choice", then_branch=then, else_branch=other),
    ]
    model = m.model(
        nodes,
        [info("x"), info("c", (), TensorProto.BOOL)],
        [info("f"), info("y")],
        [const("w", W)],
        domains=[("com.example", 1)],
        functions=[function],
    )
    report = reportOf(folder, model)
    expectContract(report, folder / "model.onnx", folder / "out.onnx", "bodies")
    graphs = {one["outputs"][0]: one["graph"] for one in report["nodes"]}
    assert len({graphs["y"], graphs["s"], graphs["e"], graphs["b"]}) >= 3, f"graphs of nodes in different bodies are {graphs}"
    assert actions(report)["s"][0] == "folded", "action of an Add of outer constants in a branch"


def test_functions_that_go_are_gone(folder):
    """The body of an inlined function was counted twice: where its only call stood, and in the function, which is not written.
    So was one that nothing calls any more, or never did."""

    def function(name, nodes, inputs="a"):
        return onnx.helper.make_function("own", name, list(inputs), ["b"], nodes, [onnx.helper.make_opsetid("", 21)])

    functions = [
        function("Inlined", [node("Neg", ["k"], ["m"]), node("Add", ["a", "m"], ["b"])], "ak"),
        function("Unread", [node("Exp", ["a"], ["h"]), node("Abs", ["h"], ["b"])]),
        function("Dead", [node("Sin", ["a"], ["b"])]),
        function("Kept", [node("Mul", ["a", "a"], ["b"])]),
    ]
    nodes = [
        node("Inlined", ["x", "w"], ["i"], domain="own"),
        node("Unread", ["x"], ["f"], domain="own"),
        node("Shape", ["f"], ["s"]),
        node("Kept", ["i"], ["k"], domain="own"),
        node("Kept", ["k"], ["y"], domain="own"),
    ]
    model = m.model(nodes, [info("x")], [info("y")], [const("w", W)], domains=[("own", 1)], functions=functions)
    for flags, names in (([], ["Kept"]), (["--disable=unused-node"], ["Inlined", "Unread", "Dead", "Kept"])):
        report = reportOf(folder, model, *flags)
        out = onnx.load(folder / "out.onnx")
        assert [one.name for one in out.functions] == names, f"functions {flags}"
        expectContract(report, folder / "model.onnx", folder / "out.onnx", f"functions {flags}")
        outcomes = {one["graph"]: (one["action"], one["reason"]["text"]) for one in report["nodes"] if one["op"] != "Mul"}
        for name in ("Inlined", "Unread", "Dead"):
            isErased = outcomes[f"own::{name}"] == ("removed", "unused-node")
            assert isErased == (not flags), f"'{name}' is erased ({outcomes}) {flags}"


def test_text_report_goes_to_standard_error(folder):
    onnx.save(
        m.model(
            [node("Add", ["w", "w"], ["v"], name="adder"), node("Mul", ["x", "v"], ["y"])],
            [info("x")],
            [info("y")],
            [const("w", W)],
        ),
        folder / "model.onnx",
    )
    result = t.runOk("--report", "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.out == b"", "standard output"
    assert "adder" in result.err and "folded" in result.err, f"--report prints {result.err!r}"
    assert "\nnot listed: 1 kept node that depends on inputs; --report=json has all\n" in result.err, "Mul"
    assert (
        t.runOk("--report=text", "-o", folder / "out.onnx", folder / "model.onnx").err.count("\n") > 3
    ) == True, "lines of --report=text"
    t.runOk(f"--report=text:{folder}/report.txt", "-o", folder / "out.onnx", folder / "model.onnx")
    assert "adder" in (folder / "report.txt").read_text(), "the report in a file does not name the node that folded"


def test_json_without_a_file_goes_to_standard_error(folder):
    onnx.save(m.model([node("Neg", ["x"], ["y"])], [info("x")], [info("y")]), folder / "model.onnx")
    result = t.runOk("--quiet", "--report=json", "-o", folder / "out.onnx", folder / "model.onnx")
    assert json.loads(result.err)["version"] == 1, "version in the report on standard error"


def test_check_makes_a_report_too(folder):
    onnx.save(
        m.model(
            [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"])], [info("x")], [info("y")], [const("w", W)]
        ),
        folder / "model.onnx",
    )
    result = t.run("--check", f"--report=json:{folder}/r.json", folder / "model.onnx")
    assert result.code == 2, "exit status"
    assert actions(json.loads((folder / "r.json").read_text()))["v"][0] == "folded", "action in the report of --check"


def test_names_that_need_escaping(folder):
    """Quotes, control characters and text that is not UTF-8 in names: the report is JSON all the same."""
    name = 'a "quoted"\\name\n\t\u00e4\x01'
    model = m.model(
        [node("Add", ["w", "w"], ["v"], name=name), node("Mul", ["x", "v"], ["y"])],
        [info("x")],
        [info("y")],
        [const("w", W)],
    )
    report = reportOf(folder, model)
    assert report["nodes"][0]["name"] == name, "name in the report"
    data = (folder / "model.onnx").read_bytes().replace("\u00e4".encode(), b"\xff\xfe")
    (folder / "bad.onnx").write_bytes(data)
    t.runOk("--quiet", f"--report=json:{folder}/r.json", "-o", folder / "bad_out.onnx", folder / "bad.onnx")
    json.loads((folder / "r.json").read_bytes().decode("utf-8"))


def test_what_ran_when_and_how(folder):
    """A saved report did not say which version and which options it is of."""
    onnx.save(m.model([node("Add", ["w", "w"], ["y"])], [], [info("y")], [const("w", W)]), folder / "model.onnx")

    def runOf(epoch):
        command = [t.TOOL, "--quiet", "--report=json:r.json", "--max-growth=1M", "-o", "out.onnx", "model.onnx"]
        subprocess.run(command, cwd=folder, env={**os.environ, "SOURCE_DATE_EPOCH": epoch}, check=True)
        return json.loads((folder / "r.json").read_text())["run"]

    record = runOf("86399")
    assert record["date"] == "1970-01-01T23:59:59Z" and record["version"] == t.runOk("--version").out.decode().split()[1]
    assert record["arguments"] == ["--max-growth=1M", "-o", "out.onnx", "model.onnx"]
    first = (folder / "out.onnx").read_bytes()
    now = runOf("no number")["date"]
    assert now > "2024" and len(now) == 20, now
    assert (folder / "out.onnx").read_bytes() == first, "the model has no date"


def test_peak_is_the_tools_own(folder):
    """peak_bytes is the high-water mark of resident memory: between the program itself and what a small model may need."""
    report = reportOf(folder, m.model([node("Add", ["w", "w"], ["y"])], [], [info("y")], [const("w", W)]))
    assert 1 << 20 < report["peak_bytes"] < 64 << 20, f"peak_bytes of a tiny model is {report['peak_bytes']}"


def grown():
    """Expand of a small constant, over the default limit on growth; and a sum that depends on an open dimension."""
    nodes = [
        node("Expand", ["w", "shape"], ["wide"], name="expand"),
        node("Mul", ["x", "wide"], ["y"], name="product"),
        node("Add", ["w", "w"], ["w2"]),
        node("Add", ["y", "w2"], ["z"]),
    ]
    initializers = [const("w", [1.0, 2.0, 3.0], np.float32), const("shape", [1000000, 3], np.int64)]
    return m.model(nodes, [info("x", (None, 3))], [info("z", (None, 3))], initializers)


def test_groups_have_remedies(folder):
    report = reportOf(folder, grown(), "-O0")
    groups = {group["code"]: group for group in report["groups"]}
    assert sum(group["nodes"] for group in report["groups"]) == sum(one["action"] == "kept" for one in report["nodes"])
    growth = groups["growth"]
    assert growth["nodes"] == 1 and growth["bytes_left_out"] == 12_000_000
    assert report["growth"]["limit"] == 1 << 20
    (left,) = [one for one in report["nodes"] if one.get("bytes_left_out")]
    assert left["name"] == "expand" and left["bytes_left_out"] == 12_000_000
    # The command does what it says.
    option = growth["command"].split()[-1]
    assert option.startswith("--max-growth=") and growth["command"].startswith("onnx-fold "), growth
    assert "growth" not in {group["code"] for group in reportOf(folder, grown(), "-O0", option)["groups"]}
    assert not groups["input-not-constant"]["command"], "nothing is computed from the open dimension of x"


def test_commands_replace_options_and_quote(folder):
    file = folder / "it's a model.onnx"
    onnx.save(grown(), file)
    report = t.foldWithReport(file, folder / "out.onnx", "-O0", "--max-growth=2M")
    (growth,) = [group for group in report["groups"] if group["code"] == "growth"]
    words = shlex.split(growth["command"])
    assert str(file) in words and sum(word.startswith("--max-growth") for word in words) == 1, words
    assert not any(word.startswith(("--report", "--quiet")) for word in words)


def test_inputs_constants_and_graphs(folder):
    report = reportOf(folder, grown())
    by = {one["outputs"][0]: one for one in report["nodes"]}
    assert by["y"]["inputs"] == ["x", "wide"] and by["w2"]["inputs"] == ["w", "w"]
    constants = {one["name"]: one for one in report["constants"]}
    assert constants["w"] == {"graph": "main_graph", "name": "w", "type": "f32", "shape": [3], "bytes": 12, "action": "kept"}
    assert constants["w2"]["action"] == "added" and constants["w2"]["bytes"] == 12
    (graph,) = report["graphs"]
    assert graph["inputs"] == ["x"] and graph["outputs"] == ["z"] and graph["name"] == "main_graph"
    assert all("peak_bytes" in step for step in report["steps"])


def test_short_form(folder):
    """At a terminal or with a report, not with --quiet."""
    onnx.save(grown(), folder / "m.onnx")
    fold = [folder / "m.onnx", "-o", folder / "out.onnx"]
    assert "largest gains" not in t.runOk(*fold).err
    assert "largest gains" not in t.runOk(*fold, "--quiet", f"--report=json:{folder / 'r.json'}").err
    text = t.runOk(*fold, f"--report=html:{folder / 'page.html'}").err
    assert "largest gains: 1 Add fewer" in text and f"{folder / 'page.html'} shows more" in text, text
    assert "kept: " in text and "growth: raise the limit on growth: --max-growth=" in text, text
    terminal, other = os.openpty()
    done = subprocess.run([t.TOOL, *fold], stdin=subprocess.DEVNULL, stderr=other)
    os.close(other)
    shown = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    assert done.returncode == 0 and "--report=html:FILE shows more" in shown, shown
