# SPDX-License-Identifier: Apache-2.0
"""Weights and an input for mlp.mlir. numpy has no bfloat16: its bits are the upper half of a float's."""

import numpy as np


def bfloat16(values):
    return (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


np.save("x.npy", bfloat16([[1, 2, 3, 4], [5, 6, 7, 8]]))
np.save("w1.npy", bfloat16(np.eye(4)[::-1]))
np.save("w2.npy", bfloat16(np.eye(4) / 2))
