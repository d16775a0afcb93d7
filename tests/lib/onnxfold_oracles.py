# SPDX-License-Identifier: Apache-2.0
"""What other evaluators make of one operator: an operator that they do not know or refuse raises.

    runtimeResults(13, "Softmax", [x], {"axis": 1})
    referenceResults(13, "Softmax", [x], {"axis": 1})
"""

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator


def singleNode(opset, operator, inputs, attributes, results=1, constant=True):
    """A model of one node ("com.microsoft.Gelu" is Gelu of that domain); its inputs are initializers, or graph inputs. An input that is None is left out."""
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    given = [(name, x) for name, x in zip(names, inputs) if x is not None]
    domain, _, operator = operator.rpartition(".")
    node = helper.make_node(operator, names, [f"y{i}" for i in range(results)], domain=domain, **attributes)
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output]
    tensors = [numpy_helper.from_array(x, name) for name, x in given] if constant else []
    kinds = [(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for name, x in given]
    infos = [] if constant else [helper.make_tensor_value_info(*one) for one in kinds]
    graph = helper.make_graph([node], "one", infos, outputs, tensors)
    imports = [helper.make_opsetid("", 17), helper.make_opsetid(domain, opset)] if domain else [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=imports)
    model.ir_version = 10
    return model


def runModel(model, feed=None):
    """ONNX Runtime, without its optimisations, in one thread."""
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feed or {})


def runtimeResults(opset, operator, inputs, attributes, results=1):
    """What ONNX Runtime makes of one operator over constants."""
    return runModel(singleNode(opset, operator, inputs, attributes, results))


def referenceResults(opset, operator, inputs, attributes, results=1):
    """The onnx package's reference evaluator."""
    model = singleNode(opset, operator, inputs, attributes, results, constant=False)
    given = {f"x{i}": x for i, x in enumerate(inputs) if x is not None}
    with np.errstate(all="ignore"):
        return ReferenceEvaluator(model).run(None, given)
