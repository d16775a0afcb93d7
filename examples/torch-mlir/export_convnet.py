#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the modules of this folder with torch-mlir: a convolution, a batch normalisation, a linear layer.

    python3 -m venv venv && venv/bin/pip install torch torch-mlir numpy
    venv/bin/python3 export_convnet.py .

convnet.linalg.mlir, convnet.tosa.mlir and convnet.stablehlo.mlir are what torch-mlir prints, x.npy an input, y.npy what PyTorch
computes of it.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch_mlir import fx


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution, self.norm, self.linear = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Linear(4, 3)
        self.norm.running_mean.uniform_(-1, 1)
        self.norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        return self.linear(torch.relu(self.norm(self.convolution(x))).mean((2, 3)))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    torch.manual_seed(0)
    model, x = ConvNet().eval(), torch.randn(1, 1, 5, 5)
    with torch.no_grad():
        np.save(folder / "y.npy", model(x).numpy())
    np.save(folder / "x.npy", x.numpy())
    for name in "linalg", "tosa", "stablehlo":
        form = {"linalg": "linalg-on-tensors"}.get(name, name)
        module = fx.export_and_import(model, x, output_type=form, func_name="main")
        (folder / f"convnet.{name}.mlir").write_text(str(module))
