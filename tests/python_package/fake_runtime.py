# SPDX-License-Identifier: Apache-2.0
"""A runtime with planted faults: fake_runtime.py FAULT MODEL exits with 0 if the model has that fault.

A fault is a list of nodes that must all be there, each with an operator, and conditions on its attributes, on the shape or the
elements of an initializer that it reads, and on the node in the list that makes one of its operands:

    [{"op": "MatMul"}, {"op": "Softmax", "attributes": {"axis": -1}, "reads": 0}]     a Softmax of a MatMul
    [{"op": "Gather", "shape": [30522, 32]}]            reads a constant of that shape; `rank`: of that rank; `value`: has the element
"""

import json
import sys

import onnx
from onnx import numpy_helper


def allNodes(model):
    def walk(nodes):
        for node in nodes:
            yield node
            for attribute in node.attribute:
                for graph in [attribute.g, *attribute.graphs]:
                    yield from walk(graph.node)

    yield from walk(model.graph.node)
    for function in model.functions:
        yield from walk(function.node)


class Runtime:
    def __init__(self, path):
        self.model = onnx.load(path, load_external_data=False)
        self.nodes = list(allNodes(self.model))
        self.constants = {one.name: one for one in self.model.graph.initializer}
        for node in self.nodes:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
                self.constants[node.output[0]] = node.attribute[0].t

    def _fits(self, node, part, found):
        if node.op_type != part["op"]:
            return False
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        for name, value in part.get("attributes", {}).items():
            if attributes.get(name) != value:
                return False
        if "reads" in part and not set(found[part["reads"]].output) & set(node.input):
            return False
        constants = [self.constants[name] for name in node.input if name in self.constants]
        if "shape" in part and not any(list(one.dims) == part["shape"] for one in constants):
            return False
        if "rank" in part and not any(len(one.dims) == part["rank"] for one in constants):
            return False
        if "operands" in part and len([name for name in node.input if name]) < part["operands"]:
            return False
        if "value" in part and not any(self._holds(one, part["value"]) for one in constants):
            return False
        return True

    @staticmethod
    def _holds(tensor, value):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            return False
        array = numpy_helper.to_array(tensor)
        return array.size > 0 and bool((array == value).any())

    def fails(self, fault, found=()):
        if len(found) == len(fault):
            return True
        return any(
            self.fails(fault, (*found, node)) for node in self.nodes if node not in found and self._fits(node, fault[len(found)], found)
        )


if __name__ == "__main__":
    fault, path = sys.argv[1:]
    sys.exit(0 if Runtime(path).fails(json.loads(fault)) else 1)
