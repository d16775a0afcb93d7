# SPDX-License-Identifier: Apache-2.0
"""doc_string and metadata_props of nodes that are fused, merged, replaced, copied or converted.

Gemm of a MatMul and an Add had none of the texts that both said.
"""

import numpy as np
import pytest
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_references as r
from onnxfold_models import const, info, node
from onnxfold_placed import SAME_Y, THREE, folded, loop, metadata, model, placed, spec, told, warnings


def test_texts_of_a_fused_node(folder):
    """What both nodes say, key by key; the rest is lost with a warning that names it."""

    def source(first, second):
        return model([first(node("MatMul", ["x", "w"], ["mm"], "mm")), second(node("Add", ["mm", "b"], ["y"], "add"))])

    same = dict(namespace="m/linear", pkg="torch")
    out = folded(folder, source(lambda one: told(one, "d", **same, line="1"), lambda one: told(one, "d", **same, line="2")), "-O2")
    assert m.operators(out) == ["Gemm"] and out.graph.node[0].doc_string == "d" and metadata(out.graph.node[0]) == same
    unlike = source(lambda one: told(one, "d", only="1"), lambda one: told(one, "e"))
    out = folded(folder, unlike, "-O2")
    assert not out.graph.node[0].doc_string and not metadata(out.graph.node[0])
    assert "1 node stands for several nodes, and has only the texts that all of these have; lost is doc_string of node 'add' (Gemm)" in warnings(folder, unlike, "-O2")
    alike = source(lambda one: told(one, "d", **same), lambda one: told(one, "d", **same))
    assert "lost" not in warnings(folder, alike, "-O2")


def test_texts_of_a_replaced_node(folder):
    """One node for one: it has its texts."""
    source = model([told(node("CastLike", ["x", "w"], ["c"], "cast"), "as w", of="c"), node("Sin", ["c"], ["y"])], [SAME_Y], [info("x", ("n", 3), TensorProto.INT32)])
    one = folded(folder, source).graph.node[0]
    assert (one.op_type, one.doc_string, metadata(one)) == ("Cast", "as w", {"of": "c"})


def test_texts_of_a_computed_shape_do_not_count(folder):
    """A Reshape to a computed shape is a Reshape: what says where the shape came from is not about it."""
    nodes = [
        told(node("Shape", ["x"], ["s"]), by="shape"),
        told(node("Gather", ["s", "zero"], ["n"]), by="gather"),
        told(node("Concat", ["n", "rest"], ["t"], axis=0), by="concat"),
        told(node("Reshape", ["x", "t"], ["y"], "view"), "a view", by="view"),
    ]
    constants = [const("zero", [0], np.int64), const("rest", [3, 1], np.int64)]
    out = folded(folder, model(nodes, [info("y", ("n", 3, 1))], constants=constants))
    one = out.graph.node[-1]
    assert len(out.graph.node) == 1 and (one.doc_string, metadata(one)) == ("a view", {"by": "view"})


@pytest.mark.parametrize("others", [1, 3])
def test_texts_of_merged_nodes(folder, others):
    """One of several equal nodes is left, with what all of them say."""
    nodes = [told(node("Sin", ["x"], [f"s{i}"]), "sine", all="yes", number=str(i)) for i in range(others + 1)]
    names = [one.output[0] for one in nodes]
    out = folded(folder, model([*nodes, node("Sum", names, ["y"])], [SAME_Y], constants=[]))
    sine = [one for one in out.graph.node if one.op_type == "Sin"]
    assert len(sine) == 1 and sine[0].doc_string == "sine" and metadata(sine[0]) == {"all": "yes"}


def test_texts_of_copies(folder):
    """Each copy of a node has its texts; those of the loop are on what stacks its outputs."""
    out = folded(folder, model([told(loop([told(node("Sin", ["s"], ["a"]), "inner", at="body")]), "outer"), node("Neg", ["l"], ["y"])], [SAME_Y], constants=[THREE]), "--unroll=4")
    assert [(one.op_type, one.doc_string, metadata(one)) for one in out.graph.node] == [("Sin", "inner", {"at": "body"})] * 3 + [("Neg", "", {})]


def test_texts_of_a_converted_node(folder):
    """--target-opset replaces a node by several, which have its texts and its configuration."""
    made = placed(told(node("ReduceMean", ["x"], ["y"], "mean", axes=[1], keepdims=1), "mean", at="here"), spec("x", 0), spec("y", 1))
    out = folded(folder, model([made], [info("y", ("n", 1))], constants=[], opset=17), "--target-opset=21")
    [one] = [one for one in out.graph.node if one.op_type == "ReduceMean"]
    assert (one.doc_string, metadata(one)) == ("mean", {"at": "here"}) and r.roles(out) == {0: {("ReduceMean", 0)}, 1: {("ReduceMean", -1)}}
