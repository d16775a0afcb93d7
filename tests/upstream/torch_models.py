# SPDX-License-Identifier: Apache-2.0
"""Ten models of PyTorch as modules of torch-mlir; it runs where torch, torchvision and torch-mlir are.

    torch_models.py FOLDER FORM,... [NAME...]     writes NAME.FORM.mlir, NAME.x.npy, NAME.y.npy; forms: linalg, tosa, stablehlo
"""

import sys
from pathlib import Path

import numpy as np
import torch
import torchvision
from torch import nn
from torch_mlir import fx


class Recurrent(nn.Module):
    """Six steps of a cell, unrolled, as exporters of recurrent networks write them."""

    def __init__(self, cell):
        super().__init__()
        self.cell, self.linear = cell(32, 64), nn.Linear(64, 10)

    def forward(self, x):
        isLong = isinstance(self.cell, nn.LSTMCell)
        state = (torch.zeros(2, 64), torch.zeros(2, 64)) if isLong else torch.zeros(2, 64)
        for step in range(6):
            state = self.cell(x[:, step], state)
        return self.linear(state[0] if isLong else state)


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places, self.linear = nn.Embedding(1000, 64), nn.Embedding(16, 64), nn.Linear(64, 5)

    def forward(self, x):
        return self.linear((self.words(x) + self.places(torch.arange(16))).mean(1))


class Quantised(nn.Module):
    """Weights of int8 with a scale for each channel, dequantised in the graph."""

    def __init__(self):
        super().__init__()
        for i, (n, k) in enumerate([(64, 32), (64, 64), (10, 64)]):
            weight = torch.randn(n, k) / k**0.5
            scale = weight.abs().amax(1, keepdim=True) / 127
            self.register_buffer(f"weight{i}", torch.round(weight / scale).to(torch.int8))
            self.register_buffer(f"scale{i}", scale)

    def forward(self, x):
        for i in range(3):
            x = x @ (getattr(self, f"weight{i}").to(torch.float32) * getattr(self, f"scale{i}")).t()
            x = torch.relu(x) if i < 2 else x
        return x


class Decoder(nn.Module):
    """Causal attention, as in language models."""

    def __init__(self):
        super().__init__()
        self.words, self.norm, self.last = nn.Embedding(100, 32), nn.LayerNorm(32), nn.Linear(32, 100)
        self.joined, self.out = nn.Linear(32, 96), nn.Linear(32, 32)

    def forward(self, x):
        y = self.words(x) * 32**0.5
        q, k, v = self.joined(self.norm(y)).split(32, -1)
        mask = torch.triu(torch.full((12, 12), float("-inf")), 1)
        y = y + self.out(torch.softmax(q @ k.transpose(1, 2) / 32**0.5 + mask, -1) @ v)
        return self.last(self.norm(y))


def visionTransformer():
    model = torchvision.models.VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=2, hidden_dim=32, mlp_dim=64, num_classes=10)
    nn.init.normal_(model.heads.head.weight)  # zeros otherwise
    return model


MODELS = {
    "resnet18": lambda: (torchvision.models.resnet18(weights=None), torch.randn(1, 3, 64, 64)),
    "mobilenet_v3": lambda: (torchvision.models.mobilenet_v3_small(weights=None), torch.randn(1, 3, 64, 64)),
    "squeezenet": lambda: (torchvision.models.squeezenet1_1(weights=None), torch.randn(1, 3, 64, 64)),
    "encoder": lambda: (nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), torch.randn(2, 10, 32)),
    "vit": lambda: (visionTransformer(), torch.randn(1, 3, 32, 32)),
    "decoder": lambda: (Decoder(), torch.randint(0, 100, (1, 12))),
    "lstm": lambda: (Recurrent(nn.LSTMCell), torch.randn(2, 6, 32)),
    "gru": lambda: (Recurrent(nn.GRUCell), torch.randn(2, 6, 32)),
    "embedding": lambda: (Embedding(), torch.randint(0, 1000, (2, 16))),
    "quantised": lambda: (Quantised(), torch.randn(4, 32)),
}


def write(folder, forms, name):
    torch.manual_seed(0)
    model, x = MODELS[name]()
    model = model.eval()
    with torch.no_grad():
        np.save(folder / f"{name}.y.npy", model(x).numpy())
    np.save(folder / f"{name}.x.npy", x.numpy())
    for form in forms:
        kind = {"linalg": "linalg-on-tensors"}.get(form, form)
        module = fx.export_and_import(model, x, output_type=kind, func_name="main")
        (folder / f"{name}.{form}.mlir").write_text(str(module))


if __name__ == "__main__":
    for each in sys.argv[3:] or MODELS:
        write(Path(sys.argv[1]), sys.argv[2].split(","), each)
