# SPDX-License-Identifier: Apache-2.0
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
    ("BranchwiseRMSNorm", [(F, (2, 3, 4, 8)), (F, (4, 8))], {}, 1),
    ("CausalConvWithState", [(F, (2, 4, 6)), (F, (4, 1, 3)), (F, (4,)), (F, (2, 4, 2))], {}, 2),
    ("CausalConvWithState", [(F, (2, 4, 6)), (F, (4, 1, 3))], {"dilation": 2, "activation": "silu"}, 2),
    ("CausalConvWithState", [(F, (2, 6, 4)), (F, (4, 1, 3))], {"channels_last": 1}, 2),
    ("CausalConvWithState", [(F, (2, 4, 6)), (F, (4, 1, 3)), None, (F, (3, 2, 4, 2))], {"state_window": 3}, 2),
    ("ConvTransposeWithDynamicPads", [(F, (1, 2, 5, 4)), (F, (2, 3, 3, 2)), ints(1, 0, 0, 1, kind=np.int64)], {"strides": [2, 3], "output_padding": [1, 0], "group": 1}, 1),
    ("ConvTransposeWithDynamicPads", [(F, (1, 4, 5, 4)), (F, (4, 3, 3, 2)), ints(0, 0, 0, 0, kind=np.int64), (F, (6,))], {"group": 2, "dilations": [2, 1]}, 1),
    ("DecoderMaskedMultiHeadAttention", [(F, (2, 1, 8)), (F, (2, 1, 8)), (F, (2, 1, 8)), None, None, (F, (2, 2, 5, 4)), (F, (2, 2, 5, 4))], _LENGTHS, 3),
    ("DecoderMaskedMultiHeadAttention", [(F, (2, 1, 8)), (F, (2, 1, 8)), (F, (2, 1, 8)), None, None, (F, (2, 2, 9, 4)), (F, (2, 2, 9, 4)), ints(4)], {"num_heads": 2, "past_present_share_buffer": 1}, 3),
    ("DecoderMaskedMultiHeadAttention", [(F, (2, 1, 8)), (F, (2, 2, 6, 4)), (F, (2, 2, 6, 4))], _LENGTHS, 1),
    ("DynamicTimeWarping", [(F, (3, 4))], {}, 1),
    ("EngramGate", [(F, (2, 3, 2, 8)), (F, (2, 3, 2, 8)), (F, (2, 3, 8)), (F, (2, 8)), (F, (2, 8)), (F, (2, 8))], {}, 2),
    ("GatedAdd", [_X, _X, (F, (2, 3, 8))], {}, 1),
    ("GatedRMSNorm", [_X, _X, (F, (8,))], {}, 1),
    ("GatherBlockQuantized", [(U8, (6, 16)), ints(1, 3), (F, (6, 1))], {"bits": 8, "block_size": 16, "quantize_axis": 1, "gather_axis": -2}, 1),
    ("HyperConnectionPostMix", [(F, (2, 3, 4, 8)), (F, (2, 3, 8)), (F, (2, 3, 4)), (F, (2, 3, 4, 4))], {}, 1),
    ("HyperConnectionPreMix", [(F, (2, 3, 4, 8)), (F, (2, 3, 4))], {}, 1),
    ("HyperConnectionPreMix", [(F, (2, 3, 32)), (F, (2, 3, 4))], {"num_branches": 4}, 1),
    ("LinearAttention", [(F, (2, 3, 8)), (F, (2, 3, 8)), (F, (2, 3, 12)), None, (F, (2, 3, 2)), (F, (2, 3, 2))], {"q_num_heads": 2, "kv_num_heads": 2}, 2),
    ("LinearAttention", [(F, (2, 3, 8)), (F, (2, 3, 4)), (F, (2, 3, 6)), (F, (2, 1, 4, 6))], {"q_num_heads": 2, "kv_num_heads": 1, "update_rule": "linear"}, 2),
    ("LinearAttentionGate", [(F, (2, 3, 4)), (F, (4,)), (F, (4,)), (F, (2, 3, 4))], {}, 2),
    ("MRotaryEmbedding", [(F, (2, 3, 8)), (I64, (3, 2, 3)), (F, (9, 2)), (F, (9, 2))], {"num_heads": 2, "rotary_embedding_dim": 4, "mrope_section": [1, 1, 0]}, 1),
    ("MatMulInteger16", [(TensorProto.INT16, (2, 3)), (TensorProto.INT16, (3, 4))], {}, 1),
    ("NGramHashMapping", [(I64, (2, 5)), ints(3, 5, 7, kind=np.int64), ints(11, 13, 17, 19, kind=np.int64)], {"max_ngram_size": 3, "n_head_per_ngram": 2, "pad_id": 0}, 2),
    ("NGramRepeatBlock", [(I64, (2, 4)), (F, (2, 9))], {"ngram_size": 2}, 1),
    ("ScaledSiLU", [_X], {}, 1),
    ("UnfoldTensor", [(F, (2, 9, 3))], {"dim": -2, "size": 4, "step": 2}, 1),
    ("VarlenNGramHashMapping", [(I64, (5,)), ints(3, 5, 7, kind=np.int64), ints(11, 13, 17, 19, kind=np.int64), ints(0, 2, 5)], {"max_ngram_size": 3, "n_head_per_ngram": 2, "pad_id": 0}, 3),
    ("WordConvEmbedding", [(I32, (3, 6)), (F, (5, 1, 2, 4)), (F, (5,)), (F, (9, 4))], {}, 1),
    ("Unique", [(F, (3,))], {}, 3),
]

_HX, F8 = (H, (2, 3, 8)), TensorProto.FLOAT8E4M3FN
_PAGES = (H, (7, 16, 1, 4))

# Operators that the CPU provider does not run, with the shapes that their documentation in ONNX Runtime states.
DOCUMENTED = [
    (("ComplexMul", [(F, (2, 3, 2)), (F, (3, 2))], {}, 1), [(2, 3, 2)]),
    (("DecoderAttention", [(F, (3, 2, 8)), (F, (5, 2, 8)), (F, (8, 8)), (F, (8, 16)), (F, (24,)), None, None, None, (B, (1,)), (B, (1,)), (B, (1,)), (B, (1,))], _LENGTHS, 3),
     [(3, 2, 8), None, None]),
    (("DequantizeBFP", [(U8, (64,)), ints(4, 8, kind=np.int64), ints(8, 1, kind=np.int64)], {"bfp_type": 0}, 1), [(4, 8)]),
    (("DynamicSparseAttention", [(H, (2, 3, 16)), None, None, (H, (2, 1, 9, 4)), (H, (2, 1, 9, 4)), None, None, ints(*[0] * 6).reshape(6, 1), ints(*[1] * 6), ints(2, 2), ints(3)],
      {"num_heads": 2, "kv_num_heads": 1}, 1), [(2, 3, 8)]),
    (("GatedDeltaNet", [(H, (5, 2, 4)), (H, (5, 2, 4)), (H, (5, 6, 3)), None, None, None, (F, (1, 6, 3, 4))], {"state_update_capacity": 2}, 3),
     [(5, 6, 3), (1, 6, 3, 4), (1, 2 * (6 + 2 * 4 + 6 * 3))]),
    (("GatedDeltaNet", [(H, (5, 34)), None, None, None, None, None, (F, (1, 6, 3, 4))], {}, 2), [(5, 6, 3), (1, 6, 3, 4)]),
    (("Irfft", [(F, (3, 5, 2))], {"signal_ndim": 1, "onesided": 0}, 1), [(3, 5)]),
    (("IsAllFinite", [_X, _X], {}, 1), [()]),
    (("MatMulBlockQuantizedFp4Weight", [_HX, (U8, (5, 4)), (U8, (5, 1)), np.float32(1)], {}, 1), [(2, 3, 5)]),
    (("MatMulBlockQuantizedFp8Weight", [_HX, (F8, (5, 8)), (F, (5, 1))], {}, 1), [(2, 3, 5)]),
    (("PackedSparseAttentionIndexer", [(H, (6, 8)), (H, (6, 4)), (H, (4,)), (H, (4,)), (H, (9, 2)), (H, (9, 2)), ints(0, 2, 6), ints(0, 0), None, None, None, None,
                                       (H, (2, 11, 4)), (H, (2, 7, 4)), None, ints(0, 0, 0, 0).reshape(2, 2)],
      {"policy_mode": "qsa", "compress_ratio": 4, "state_capacity": 11, "token_budget": 8}, 4), [None, (6,), (2, 11, 4), (2, 7, 4)]),
    (("PagedAttention", [(H, (6, 8)), (H, (6, 4)), (H, (6, 4)), _PAGES, _PAGES, ints(0, 6), ints(0), ints(0).reshape(1, 1)], {"num_heads": 2, "kv_num_heads": 1}, 3),
     [(6, 8), (7, 16, 1, 4), (7, 16, 1, 4)]),
    (("PagedAttention", [(H, (6, 16)), None, None, _PAGES, _PAGES, ints(0, 6), ints(0), ints(0).reshape(1, 1)], {"num_heads": 2, "kv_num_heads": 1}, 1), [(6, 8)]),
    (("PagedAttention", [(H, (6, 16)), (H, (6, 8)), None, (H, (7, 16, 1, 8)), None, ints(0, 6), ints(0), ints(0).reshape(1, 1)],
      {"num_heads": 2, "kv_num_heads": 1, "kv_cache_layout": "LATENT", "v_head_size": 6}, 1), [(6, 12)]),
    (("SparsePagedAttention", [(H, (6, 16)), None, None, _PAGES, _PAGES, ints(0, 6), ints(0), ints(0).reshape(1, 1)], {"num_heads": 2, "kv_num_heads": 1}, 3),
     [(6, 8), (7, 16, 1, 4), (7, 16, 1, 4)]),
    (("SparseAttentionIndexer", [_X, (F, (2, 3, 4)), (F, (4,)), (F, (4,)), (F, (9, 2)), (F, (9, 2)), None, (F, (2, 11, 4)), None, None, None, None, ints(0)],
      {"policy_mode": "qsa", "compress_ratio": 4, "token_budget": 8}, 2), [(2, 3, 11), (2, 11, 4)]),
    (("SparseAttentionIndexer", [_X, (F, (2, 3, 8)), (F, (4,)), (F, (4,)), (F, (9, 2)), (F, (9, 2)), None, (F, (2, 11, 4)), None, None, None, None, ints(0)],
      {"policy_mode": "csa", "compress_ratio": 4, "index_topk": 5}, 2), [(2, 3, 5), (2, 11, 4)]),
    (("QuantizeBFP", [(F, (2, 3, 8))], {"bfp_type": 0}, 3), [None, (3,), (3,)]),
    (("Rfft", [(F, (3, 8))], {"signal_ndim": 1}, 1), [(3, 5, 2)]),
    (("Rfft", [(F, (3, 8))], {"signal_ndim": 1, "onesided": 0}, 1), [(3, 8, 2)]),
    (("VarlenCausalConvWithState", [(F, (6, 4)), (F, (4, 1, 3)), ints(0, 2, 6), None, (F, (2, 4, 2)), ints(1, 1)], {"state_update_capacity": 5}, 3),
     [(6, 4), (2, 4, 2), (2, 5, 4)]),
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
