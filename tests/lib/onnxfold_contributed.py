"""Small models of ONNX Runtime's contributed operators, and the shapes that ONNX Runtime makes of them.

A case is an operator, its inputs and attributes; an input is None (left out), (type, shape), or an array. An int in place
of results is their number.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

F, H, U8, I8, I32, I64, B = (
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.UINT8,
    TensorProto.INT8,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.BOOL,
)


def ints(*values, kind=np.int32):
    return np.array(values, dtype=kind)


ONE, ZERO, ZERO8 = np.float32(0.1), np.uint8(0), np.int8(0)
_X = (F, (2, 3, 8))
_QX = (U8, (2, 3, 8))
_LENGTHS = {"num_heads": 2}

CASES = [
    ("Attention", [_X, (F, (8, 24)), (F, (24,))], _LENGTHS, 2),
    ("Attention", [_X, (F, (8, 20)), (F, (20,))], {"num_heads": 2, "qkv_hidden_sizes": [8, 8, 4]}, 1),
    ("Attention", [_X, (F, (8, 24)), (F, (24,)), None, (F, (2, 2, 2, 5, 4))], {"num_heads": 2, "unidirectional": 1}, 2),
    ("BiasGelu", [_X, (F, (8,))], {}, 1),
    ("BiasSoftmax", [_X, (F, (1, 3, 8))], {"axis": 2, "is_inner_broadcast": 0}, 1),
    ("CDist", [(F, (4, 3)), (F, (5, 3))], {"metric": "euclidean"}, 1),
    ("CropAndResize", [(F, (1, 2, 8, 8)), (F, (3, 4)), ints(0, 0, 0), ints(4, 5)], {}, 1),
    ("DequantizeLinear", [_QX, ONE, ZERO], {}, 1),
    ("DynamicQuantizeMatMul", [_X, (U8, (8, 5)), ONE, ZERO], {}, 1),
    ("DynamicQuantizeLSTM", [(F, (4, 2, 3)), (U8, (1, 3, 20)), (U8, (1, 5, 20)), None, None, None, None, None,
                             np.float32([0.1]), np.uint8([0]), np.float32([0.1]), np.uint8([0])], {"hidden_size": 5}, 3),
    ("EmbedLayerNormalization", [ints(1, 2, 3, 4, 0, 1).reshape(2, 3), None, (F, (9, 8)), (F, (7, 8)), None, (F, (8,)),
                                 (F, (8,))], {}, 3),
    ("ExpandDims", [_X, np.int32(1)], {}, 1),
    ("ExpandDims", [_X, np.int32(-1)], {}, 1),
    ("ExpandDims", [_X, np.int32(-3)], {}, 1),
    ("FastGelu", [_X, (F, (8,))], {}, 1),
    ("FusedConv", [(F, (1, 2, 9, 8)), (F, (4, 2, 3, 3)), (F, (4,))], {"activation": "Relu", "strides": [2, 1], "pads": [1, 0, 1, 0]}, 1),
    ("FusedGemm", [(F, (2, 3)), (F, (4, 3)), (F, (4,))], {"transB": 1, "activation": "Relu"}, 1),
    ("FusedMatMul", [_X, (F, (2, 8, 5))], {"alpha": 0.5}, 1),
    ("FusedMatMul", [(F, (2, 8, 3)), (F, (2, 5, 8))], {"transA": 1, "transB": 1}, 1),
    ("FusedMatMul", [(F, (4, 1, 2, 3)), (F, (7, 3, 5))], {}, 1),
    ("FusedMatMul", [(F, (3, 2, 8)), (F, (2, 8, 5))], {"transBatchA": 1}, 1),
    ("FusedMatMul", [(F, (8, 2, 3)), (F, (5, 2, 8))], {"transA": 1, "transB": 1, "transBatchA": 1, "transBatchB": 1}, 1),
    ("GatherBlockQuantized", [(U8, (6, 16)), ints(1, 3), (F, (6, 2)), (U8, (6, 1))], {"bits": 4, "block_size": 16, "quantize_axis": 1}, 1),
    ("GatherBlockQuantized", [(U8, (6, 16)), ints(1, 3, 5, 0).reshape(2, 2), (F, (6, 1))], {"bits": 8, "block_size": 16, "quantize_axis": 1}, 1),
    ("GatherND", [_X, ints(0, 1, kind=np.int64).reshape(1, 2)], {}, 1),
    ("Gelu", [_X], {}, 1),
    ("GridSample", [(F, (1, 2, 4, 4)), (F, (1, 5, 6, 2))], {}, 1),
    ("GroupQueryAttention", [_X, (F, (2, 3, 4)), (F, (2, 3, 4)), (F, (2, 1, 5, 4)), (F, (2, 1, 5, 4)), ints(7, 7), ints(8)],
     {"num_heads": 2, "kv_num_heads": 1}, 3),
    ("GroupQueryAttention", [(F, (2, 3, 16)), None, None, None, None, ints(2, 2), ints(3)], {"num_heads": 2, "kv_num_heads": 1}, 3),
    ("Inverse", [(F, (2, 3, 3))], {}, 1),
    ("MatMulBnb4", [_X, (U8, (20,)), (F, (3,))], {"K": 8, "N": 5, "block_size": 16, "quant_type": 1}, 1),
    ("MatMulIntegerToFloat", [_QX, (U8, (8, 5)), ONE, ONE], {}, 1),
    ("MatMulNBits", [(F, (2, 3, 32)), (U8, (5, 1, 16)), (F, (5,))], {"K": 32, "N": 5, "bits": 4, "block_size": 32}, 1),
    ("MaxpoolWithMask", [(F, (1, 2, 8, 8)), (I32, (1, 2, 8, 8))], {"kernel_shape": [2, 2], "strides": [2, 2]}, 1),
    ("MoE", [(F, (3, 8)), (F, (3, 4)), (F, (4, 6, 8)), None, (F, (4, 8, 6))], {"k": 1}, 1),
    ("MultiHeadAttention", [_X, (F, (2, 5, 8)), (F, (2, 5, 4))], _LENGTHS, 3),
    ("MultiHeadAttention", [_X, (F, (2, 3, 8)), (F, (2, 3, 8)), None, None, None, (F, (2, 2, 6, 4)), (F, (2, 2, 6, 4))], _LENGTHS, 3),
    ("MultiHeadAttention", [(F, (2, 3, 2, 3, 4))], _LENGTHS, 1),
    ("MultiHeadAttention", [_X, (F, (2, 5, 2, 2, 4))], _LENGTHS, 1),
    ("MultiHeadAttention", [_X, (F, (2, 2, 5, 4)), (F, (2, 2, 5, 4))], _LENGTHS, 1),
    ("MurmurHash3", [(I32, (2, 3))], {}, 1),
    ("MurmurHash3", [(I32, (2, 3))], {"positive": 0}, 1),
    ("NhwcMaxPool", [(I8, (1, 8, 7, 2))], {"kernel_shape": [2, 2]}, 1),
    ("NhwcFusedConv", [(H, (1, 8, 7, 2)), (H, (4, 2, 3, 3))], {}, 1),
    ("Pad", [_X, ints(0, 1, 0, 0, 2, 0, kind=np.int64)], {}, 1),
    ("QAttention", [_QX, (U8, (8, 24)), (F, (24,)), ONE, ONE, None, ZERO, ZERO], _LENGTHS, 1),
    ("QGemm", [(U8, (2, 3)), ONE, ZERO, (U8, (3, 4)), ONE, ZERO], {}, 1),
    ("QGemm", [(U8, (2, 3)), ONE, ZERO, (U8, (4, 3)), ONE, ZERO, None, ONE, ZERO], {"transB": 1}, 1),
    ("QLinearAdd", [_QX, ONE, ZERO, (U8, (3, 1)), ONE, ZERO, ONE, ZERO], {}, 1),
    ("QLinearMul", [_QX, ONE, ZERO, (U8, (8,)), ONE, ZERO, ONE, ZERO], {}, 1),
    ("QLinearAveragePool", [(U8, (1, 2, 8, 8)), ONE, ZERO, ONE, ZERO], {"kernel_shape": [3, 2], "strides": [2, 2]}, 1),
    ("QLinearAveragePool", [(U8, (1, 8, 8, 2)), ONE, ZERO, ONE, ZERO], {"kernel_shape": [3, 2], "channels_last": 1}, 1),
    ("QLinearConcat", [ONE, ZERO, _QX, ONE, ZERO, (U8, (2, 4, 8)), ONE, ZERO], {"axis": 1}, 1),
    ("QLinearConv", [(U8, (1, 2, 8, 8)), ONE, ZERO, (U8, (4, 2, 3, 3)), ONE, ZERO, ONE, ZERO], {"pads": [1, 1, 1, 1]}, 1),
    ("QLinearConv", [(U8, (1, 8, 7, 2)), ONE, ZERO, (U8, (4, 2, 3, 3)), ONE, ZERO, ONE, ZERO], {"channels_last": 1}, 1),
    ("QLinearGlobalAveragePool", [(U8, (1, 2, 8, 8)), ONE, ZERO, ONE, ZERO], {}, 1),
    ("QLinearGlobalAveragePool", [(U8, (1, 8, 8, 2)), ONE, ZERO, ONE, ZERO], {"channels_last": 1}, 1),
    ("QLinearLeakyRelu", [_QX, ONE, ZERO, ONE, ZERO], {}, 1),
    ("QLinearReduceMean", [_QX, ONE, ZERO, ONE, ZERO], {"axes": [1], "keepdims": 0}, 1),
    ("QLinearReduceMean", [_QX, ONE, ZERO, ONE, ZERO], {"axes": [-1], "keepdims": 1}, 1),
    ("QLinearSigmoid", [_QX, ONE, ZERO, ONE, ZERO], {}, 1),
    ("QLinearSoftmax", [_QX, ONE, ZERO, ONE, ZERO], {"opset": 13}, 1),
    ("QLinearWhere", [(B, (2, 1, 8)), _QX, ONE, ZERO, (U8, (1, 3, 1)), ONE, ZERO, ONE, ZERO], {}, 1),
    ("QMoE", [(F, (3, 16)), (F, (3, 4)), (U8, (4, 6, 8)), (F, (4, 6)), None, (U8, (4, 16, 3)), (F, (4, 16))], {"k": 1}, 1),
    ("QuantizeLinear", [_X, ONE, ZERO8], {}, 1),
    ("QuickGelu", [_X], {}, 1),
    ("Range", [np.int64(2), np.int64(9), np.int64(3)], {}, 1),
    ("Range", [np.int64(2), np.int64(9)], {}, 1),
    ("RotaryEmbedding", [(F, (2, 3, 8)), ints(0, kind=np.int64), (F, (9, 2)), (F, (9, 2))], {"num_heads": 2, "rotary_embedding_dim": 4}, 1),
    ("SampleOp", [_X], {}, 1),
    ("SkipLayerNormalization", [_X, _X, (F, (8,)), (F, (8,)), (F, (8,))], {}, 4),
    ("SkipSimplifiedLayerNormalization", [_X, _X, (F, (8,))], {}, 4),
    ("Tokenizer", [(TensorProto.STRING, (3,))], {"mark": 0, "mincharnum": 1, "pad_value": "#", "separators": [" "]}, 1),
    ("TransposeMatMul", [(F, (8, 3)), (F, (8, 5))], {"transA": 1}, 1),
    ("Trilu", [(F, (3, 4))], {}, 1),
    ("UnfoldTensor", [(F, (2, 9, 3))], {"dim": 1, "size": 4, "step": 2}, 1),
    ("UnfoldTensor", [(F, (2, 9))], {"size": 4}, 1),
    ("Unique", [(F, (3,))], {}, 3),
]


def makeModel(case):
    """The operator, and a Shape of each result."""
    op, inputs, attributes, count = case
    names, infos, constants = [], [], []
    for i, given in enumerate(inputs):
        if given is None:
            names.append("")
            continue
        names.append(f"i{i}")
        if isinstance(given, tuple):
            kind, shape = given
            infos.append(helper.make_tensor_value_info(f"i{i}", kind, shape))
        else:
            constants.append(onnx.numpy_helper.from_array(np.asarray(given), f"i{i}"))
    results = [f"r{i}" for i in range(count)]
    shapes = [f"s{i}" for i in range(count)]
    nodes = [helper.make_node(op, names, results, name="it", domain="com.microsoft", **attributes)]
    nodes += [helper.make_node("Shape", [r], [s]) for r, s in zip(results, shapes)]
    graph = helper.make_graph(nodes, "g", infos, [helper.make_tensor_value_info(s, I64, [None]) for s in shapes], constants)
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9)


def feeds(case, random):
    result = {}
    for i, given in enumerate(case[1]):
        if not isinstance(given, tuple):
            continue
        kind, shape = given
        if kind == TensorProto.STRING:
            value = np.full(shape, "a b c", dtype=object)
        else:
            value = random.integers(0, 2, shape).astype(helper.tensor_dtype_to_np_dtype(kind))
            if kind == F and len(shape) >= 2 and shape[-1] == shape[-2]:
                value = value + 3 * np.eye(shape[-1], dtype=np.float32)
        result[f"i{i}"] = value
    return result


def shapesOfRuntime(case, random):
    """The shapes that ONNX Runtime's CPU provider makes; None if it does not run the operator."""
    import onnxruntime as ort

    settings = ort.SessionOptions()
    settings.log_severity_level = 4
    try:
        session = ort.InferenceSession(makeModel(case).SerializeToString(), settings, ["CPUExecutionProvider"])
    except ort.capi.onnxruntime_pybind11_state.NotImplemented:
        return None
    return [tuple(int(d) for d in shape) for shape in session.run(None, feeds(case, random))]
