# SPDX-License-Identifier: Apache-2.0
"""The report as a page and as node data, and differences of two models, through the module."""

import copy
import json

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
