# SPDX-License-Identifier: Apache-2.0
"""The report as a page and as node data, and differences of two models, through the module."""

import copy
import json
import sys
import types

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnx_fold
from python_cases import save, simple


def test_report_as_a_page(folder):
    report = onnx_fold.fold(simple()).report
    page = report.to_html()
    data = page.partition('id="report">')[2].partition("</script>")[0]
    assert json.loads(data) == report.as_dict()
    assert report.to_html(folder / "page.html") == (folder / "page.html").read_text() == page
    assert report.groups == report.as_dict()["groups"]
    nodes = json.loads(report.to_model_explorer())
    assert any(one["results"] for one in nodes.values())
    with pytest.raises(onnx_fold.FoldError, match="missing"):
        report.to_html(folder / "missing/page.html")


def other():
    model = copy.deepcopy(simple())
    weight = next(one for one in model.graph.initializer if numpy_helper.to_array(one).dtype == np.float32)
    values = numpy_helper.to_array(weight).copy()
    values.flat[0] += 1
    weight.CopyFrom(numpy_helper.from_array(values, weight.name))
    return model


def test_truth():
    """`if onnx_fold.diff(a, b)` was always true."""
    assert onnx_fold.verify(simple(), simple()) and not onnx_fold.verify(simple(), other()), "verify: equal"
    assert onnx_fold.diff(simple(), other()) and not onnx_fold.diff(simple(), simple()), "diff: different"
    assert onnx_fold.examine(simple()), "a report is no question"


def test_nodes_are_records():
    node = onnx_fold.fold(simple()).report.nodes[0]
    assert node["op"] == node.op == "Add" and dict(node)["action"] == "folded" and "graph" in node, f"{dict(node)}"
    assert list(node) == list(node.COLUMNS) and node.get("nothing") is None and len({node, node}) == 1, f"{node!r}"
    with pytest.raises(KeyError):
        node["_fields"]


def test_pandas(monkeypatch):
    """The table, and what is said without the package."""
    report = onnx_fold.fold(simple()).report
    made = types.SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    monkeypatch.setitem(sys.modules, "pandas", made)
    rows, columns = report.to_pandas()
    assert [row["op"] for row in rows] == ["Add", "Mul"] and set(columns) == set(rows[0]), f"{rows}"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_pandas needs the package pandas"):
        report.to_pandas()


def test_objects_explain_themselves(folder):
    """The numbers and the largest groups, as text and in notebooks; names of a model are no HTML."""
    model = simple()
    model.graph.node[1].name = "<b>mul</b>"
    result = onnx_fold.fold(save(folder, model))
    assert "2 nodes before, 1 after" in repr(result) and "model.folded.onnx" in repr(result) and "bytes" in repr(result.report)
    for shown in (result._repr_html_(), result.report._repr_html_()):
        assert "<td>Add</td><td>1</td><td>0</td>" in shown and "input-not-constant" in shown, f"{shown}"
    difference = onnx_fold.diff(model, other())
    assert "1 changed" in repr(difference) and "1 constants differ" in repr(difference), f"{difference!r}"
    assert "<td>changed</td>" in difference._repr_html_() and "<b>mul" not in difference._repr_html_(), "HTML"
    assert repr(onnx_fold.diff(model, model)) == "<Difference: equal>"
    found = onnx_fold.verify(model, other())
    assert "output &#x27;y&#x27;" in found._repr_html_() and "<memory> and <memory 2>" in repr(found), f"{found!r}"


def test_one_name_for_each_model(folder):
    """Models in memory go through files; no message names these."""
    path = save(folder, simple())
    broken = copy.deepcopy(simple())
    broken.graph.node[0].input[0] = "nowhere"
    for call in (
        lambda: onnx_fold.fold(broken),
        lambda: onnx_fold.fold(broken.SerializeToString()),
        lambda: onnx_fold.check(broken),
        lambda: onnx_fold.diff(broken, path),
        lambda: onnx_fold.verify(path, broken),
    ):
        with pytest.raises(onnx_fold.FoldError, match="^<memory>: .*nowhere") as caught:
            call()
        assert caught.value.file == "<memory>", f"{vars(caught.value)}"
    for call in (lambda: onnx_fold.diff(simple(), broken), lambda: onnx_fold.verify(simple(), broken)):
        with pytest.raises(onnx_fold.FoldError, match="^<memory 2>: .*nowhere"):
            call()
    found = onnx_fold.diff(simple(), path)
    assert found.as_dict()["input"] == "<memory>" and found.as_dict()["output"] == str(path), f"{found.as_dict()}"


def test_difference(folder):
    assert onnx_fold.diff(simple(), simple()).equal
    a, b = save(folder, simple()), other()
    found = onnx_fold.diff(a, b)
    assert isinstance(found, onnx_fold.Difference) and not found.equal
    (constant,) = found.constants
    assert constant["action"] == "changed" and "elements differ, by at most 1" in constant["difference"]
    assert len(found.changed_nodes) == 1 and found.counts["changed"] == 1 and not found.models
    assert constant["difference"] in str(found) and "1 changed" in repr(found)
    assert "difference" in found.to_html()
    with pytest.raises(TypeError):
        found.to_model_explorer()
    bigger = copy.deepcopy(simple())
    bigger.graph.node.append(onnx.helper.make_node("Neg", [bigger.graph.output[0].name], ["more"], name="more"))
    assert [one.name for one in onnx_fold.diff(a.read_bytes(), bigger).added_nodes] == ["more"]
    with pytest.raises(onnx_fold.FoldError, match="missing.onnx"):
        onnx_fold.diff(a, "missing.onnx")
