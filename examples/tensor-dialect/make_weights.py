#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes weights.bin for model.mlir into a folder: 64 x 64 and 32 x 64 float32, small whole numbers."""

import pathlib
import struct
import sys


def weights():
    """Both matrices, row-major."""
    return [[(7 * i + 3) % 11 - 5 for i in range(64 * 64)], [(5 * i + 1) % 13 - 6 for i in range(32 * 64)]]


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    with open(folder / "weights.bin", "wb") as file:
        for matrix in weights():
            file.write(struct.pack(f"<{len(matrix)}f", *matrix))
