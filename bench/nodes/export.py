#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes bench/nodes/graphs: what exporters write for large models, without the weights.

    export.py [NAME ...]       needs torch, torchvision, transformers, onnx, onnxruntime, numpy (10 GB; made with torch 2.15,
                               torchvision 0.29.2, transformers 5.23)

Real architectures with as many layers as the published models and narrower weights, exported with the exporter's own constant
folding switched off. Weights are random, biases and scales too: in a model that was never trained they are 0 and 1, and tools
would leave out nodes that a trained model keeps. models.py fills the weights in again; nobody needs this script for that.
"""

import json
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
import torchvision
import transformers

import models as store

warnings.filterwarnings("ignore")
EXPORTS = {}
BATCH_AND_SEQUENCE = {0: "batch", 1: "seq"}
WIDTH, HEADS, VOCABULARY = 128, 4, 1000


def export(function):
    EXPORTS[function.__name__.replace("_", "-")] = function
    return function


def randomize(module):
    """Biases, scales and statistics as after a training."""
    for name, parameter in [*module.named_parameters(), *module.named_buffers()]:
        if not parameter.is_floating_point() or parameter.dim() > 1 or "inv_freq" in name:
            continue
        with torch.no_grad():
            if name.endswith(("weight", "running_var", "gamma", "layer_scale")):
                parameter.uniform_(0.8, 1.2)
            else:
                parameter.normal_(0, 0.05)
    return module.eval()


def legacy(module, arguments, out, opset, names, dynamic=None):
    torch.onnx.export(randomize(module), arguments, out, opset_version=opset, dynamo=False, do_constant_folding=False,
                      training=torch.onnx.TrainingMode.PRESERVE, input_names=names, dynamic_axes=dynamic)


def dynamo(module, arguments, out, opset, names, shapes):
    torch.onnx.export(randomize(module), arguments, out, opset_version=opset, dynamo=True, optimize=False, verbose=False,
                      input_names=names, dynamic_shapes=shapes, external_data=False)


class Picked(torch.nn.Module):
    """A transformers model with positional inputs and one output."""

    def __init__(self, module, names, pick="last_hidden_state", **fixed):
        super().__init__()
        self.module, self.names, self.pick, self.fixed = module, names, pick, fixed

    def forward(self, *inputs):
        return getattr(self.module(**dict(zip(self.names, inputs)), **self.fixed), self.pick)


def ids(*shape):
    return torch.randint(0, VOCABULARY, shape)


def integers(name, shape, hi=VOCABULARY, lo=0):
    return {"name": name, "dtype": "int64", "shape": shape, "lo": lo, "hi": hi}


def floats(name, shape):
    return {"name": name, "dtype": "float32", "shape": shape, "lo": -1, "hi": 1}


def dynamicText(*names):
    return dict.fromkeys(names, BATCH_AND_SEQUENCE)


@export
def bert_12(out):
    names = ["input_ids", "attention_mask", "token_type_ids"]
    config = transformers.BertConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=12, num_attention_heads=HEADS,
                                     intermediate_size=4 * WIDTH, attn_implementation="eager")
    x = ids(2, 7)
    legacy(Picked(transformers.BertModel(config), names), (x, x * 0 + 1, x * 0), out, 14, names, dynamicText(*names))
    return [integers(names[0], [3, 11]), integers(names[1], [3, 11], 2, 1), integers(names[2], [3, 11], 2)]


@export
def bert_12_opset17(out):
    """LayerNormalization is an operator here."""
    names = ["input_ids", "attention_mask"]
    config = transformers.BertConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=12, num_attention_heads=HEADS,
                                     intermediate_size=4 * WIDTH, attn_implementation="sdpa")
    x = ids(2, 7)
    legacy(Picked(transformers.BertModel(config), names), (x, x * 0 + 1), out, 17, names, dynamicText(*names))
    return [integers(names[0], [3, 11]), integers(names[1], [3, 11], 2, 1)]


def gpt2(**more):
    return transformers.GPT2Config(vocab_size=VOCABULARY, n_positions=128, n_embd=WIDTH, n_layer=12, n_head=HEADS, use_cache=False,
                                   attn_implementation="eager", **more)


@export
def gpt2_12(out):
    names = ["input_ids", "attention_mask"]
    x = ids(2, 7)
    module = Picked(transformers.GPT2LMHeadModel(gpt2()), names, "logits", use_cache=False)
    legacy(module, (x, x * 0 + 1), out, 14, names, dynamicText(*names))
    return [integers(names[0], [3, 11]), integers(names[1], [3, 11], 2, 1)]


@export
def llama_12(out):
    names = ["input_ids", "attention_mask"]
    config = transformers.LlamaConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=12, num_attention_heads=HEADS,
                                      num_key_value_heads=2, intermediate_size=3 * WIDTH, use_cache=False,
                                      max_position_embeddings=128, attn_implementation="eager")
    x, dynamic = ids(2, 7), torch.export.Dim.DYNAMIC
    module = Picked(transformers.LlamaForCausalLM(config), names, "logits", use_cache=False)
    dynamo(module, (x, x * 0 + 1), out, 18, names, (({0: dynamic, 1: dynamic}, {0: dynamic, 1: dynamic}),))
    return [integers(names[0], [3, 11]), integers(names[1], [3, 11], 2, 1)]


@export
def llama_12_legacy(out):
    names = ["input_ids", "attention_mask"]
    config = transformers.LlamaConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=12, num_attention_heads=HEADS,
                                      num_key_value_heads=2, intermediate_size=3 * WIDTH, use_cache=False,
                                      max_position_embeddings=128, attn_implementation="eager")
    x = ids(2, 7)
    module = Picked(transformers.LlamaForCausalLM(config), names, "logits", use_cache=False)
    legacy(module, (x, x * 0 + 1), out, 17, names, dynamicText(*names))
    return [integers(names[0], [3, 11]), integers(names[1], [3, 11], 2, 1)]


def t5():
    return transformers.T5Config(vocab_size=VOCABULARY, d_model=WIDTH, d_kv=WIDTH // HEADS, d_ff=4 * WIDTH, num_layers=6,
                                 num_heads=HEADS, use_cache=False, attn_implementation="eager", decoder_start_token_id=0)


@export
def t5_encoder_6(out):
    legacy(Picked(transformers.T5EncoderModel(t5()), ["input_ids"]), (ids(2, 7),), out, 13, ["input_ids"], dynamicText("input_ids"))
    return [integers("input_ids", [3, 11])]


@export
def t5_6(out):
    names = ["input_ids", "decoder_input_ids"]
    module = Picked(transformers.T5ForConditionalGeneration(t5()), names, "logits", use_cache=False)
    legacy(module, (ids(2, 7), ids(2, 5)), out, 14, names,
           {names[0]: {0: "batch", 1: "seq"}, names[1]: {0: "batch", 1: "target"}})
    return [integers(names[0], [3, 11]), integers(names[1], [3, 9])]


@export
def vit_12(out):
    torch.backends.mha.set_fastpath_enabled(False)
    module = torchvision.models.VisionTransformer(32, 8, 12, HEADS, WIDTH, 4 * WIDTH, num_classes=100)
    torch.nn.init.normal_(module.heads.head.weight)
    legacy(module, (torch.randn(1, 3, 32, 32),), out, 14, ["x"], {"x": {0: "batch"}})
    return [floats("x", [3, 3, 32, 32])]


@export
def vit_12_fp16(out):
    class Half(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.module = torchvision.models.VisionTransformer(32, 8, 12, HEADS, WIDTH, 4 * WIDTH, num_classes=100).half()
            torch.nn.init.normal_(self.module.heads.head.weight)

        def forward(self, x):
            return self.module(x.half()).float()

    torch.backends.mha.set_fastpath_enabled(False)
    legacy(Half(), (torch.randn(1, 3, 32, 32),), out, 17, ["x"], {"x": {0: "batch"}})
    return [floats("x", [3, 3, 32, 32])]


@export
def swin_s(out):
    module = torchvision.models.SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2, 18, 2], num_heads=[2, 2, 4, 4],
                                                window_size=[4, 4], num_classes=100)
    legacy(module, (torch.randn(1, 3, 128, 128),), out, 13, ["x"])
    return [floats("x", [1, 3, 128, 128])]


@export
def swin_v2_dynamic(out):
    module = torchvision.models.SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2], num_heads=[2, 2], window_size=[4, 4],
                                                num_classes=100, block=torchvision.models.swin_transformer.SwinTransformerBlockV2,
                                                downsample_layer=torchvision.models.swin_transformer.PatchMergingV2)
    legacy(module, (torch.randn(1, 3, 64, 64),), out, 17, ["x"], {"x": {0: "batch"}})
    return [floats("x", [3, 3, 64, 64])]


@export
def xlnet_12(out):
    config = transformers.XLNetConfig(vocab_size=VOCABULARY, d_model=WIDTH, n_layer=12, n_head=HEADS, d_inner=4 * WIDTH)
    legacy(Picked(transformers.XLNetModel(config), ["input_ids"]), (ids(2, 7),), out, 12, ["input_ids"], dynamicText("input_ids"))
    return [integers("input_ids", [3, 11])]


def whisper():
    return transformers.WhisperConfig(vocab_size=VOCABULARY, d_model=WIDTH, encoder_layers=4, decoder_layers=4,
                                      encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=4 * WIDTH,
                                      decoder_ffn_dim=4 * WIDTH, max_source_positions=50, max_target_positions=32, num_mel_bins=20,
                                      use_cache=False, attn_implementation="eager", pad_token_id=0, bos_token_id=1, eos_token_id=2,
                                      decoder_start_token_id=1, begin_suppress_tokens=[1, 2])


@export
def whisper_encoder(out):
    module = Picked(transformers.WhisperModel(whisper()).encoder, ["input_features"])
    legacy(module, (torch.randn(2, 20, 100),), out, 17, ["input_features"], {"input_features": {0: "batch"}})
    return [floats("input_features", [3, 20, 100])]


@export
def whisper_decoder(out):
    names = ["input_ids", "encoder_hidden_states"]
    module, dynamic = Picked(transformers.WhisperModel(whisper()).decoder, names, use_cache=False), torch.export.Dim.DYNAMIC
    dynamo(module, (ids(2, 7), torch.randn(2, 50, WIDTH)), out, 20, names, (({0: dynamic, 1: dynamic}, {0: dynamic}),))
    return [integers(names[0], [3, 11]), floats(names[1], [3, 50, WIDTH])]


@export
def lstm_tagger(out):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(VOCABULARY, 64)
            self.lstm = nn.LSTM(64, 96, 4, bidirectional=True, batch_first=True)
            self.gru = nn.GRU(192, 64, 2, batch_first=True)
            self.linear = nn.Linear(64, 20)

        def forward(self, x):
            return self.linear(self.gru(self.lstm(self.embedding(x))[0])[0]).log_softmax(-1)

    legacy(Net(), (ids(2, 7),), out, 14, ["tokens"], dynamicText("tokens"))
    return [integers("tokens", [3, 11])]


@export
def ssdlite(out):
    """torchvision's detector with anchors, box decoding and NonMaxSuppression per class."""
    module = torchvision.models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=8,
                                                                       score_thresh=0.05, topk_candidates=20, detections_per_img=10)
    legacy(module, ([torch.rand(3, 96, 128)],), out, 13, ["image"], {"image": {1: "height", 2: "width"}})
    return [floats("image", [3, 96, 128])]


@export
def resnet_50(out):
    module = torchvision.models.resnet50(width_per_group=16, num_classes=100)
    legacy(module, (torch.randn(1, 3, 64, 64),), out, 13, ["x"], {"x": {0: "batch"}})
    return [floats("x", [2, 3, 64, 64])]


@export
def mobilenet_v3_qdq(out):
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Data(CalibrationDataReader):
        left = 2

        def get_next(self):
            self.left -= 1
            return {"x": np.random.default_rng(1).random((1, 3, 64, 64), np.float32)} if self.left >= 0 else None

    module = torchvision.models.mobilenet_v3_small(num_classes=50, width_mult=0.5)
    legacy(module, (torch.randn(1, 3, 64, 64),), out, 13, ["x"], {"x": {0: "batch"}})
    quantize_static(out, out, Data(), quant_format=QuantFormat.QDQ, per_channel=True, weight_type=QuantType.QInt8)
    return [floats("x", [2, 3, 64, 64])]


@export
def gpt2_12_int8(out):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    specs = gpt2_12(out)
    quantize_dynamic(out, out, weight_type=QuantType.QInt8)
    return specs


def main():
    inputs = json.loads(store.INPUTS.read_text()) if store.INPUTS.exists() else {}
    store.GRAPHS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or EXPORTS:
        torch.manual_seed(7)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.onnx")
            try:
                inputs[name] = EXPORTS[name](str(path))
                size = store.put(name, onnx.load(path))
                print(f"{name}: {path.stat().st_size} bytes, {size} without weights", flush=True)
            except Exception as error:
                print(f"{name}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    store.INPUTS.write_text(json.dumps(inputs, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
