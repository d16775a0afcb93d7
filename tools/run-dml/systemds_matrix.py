# SPDX-License-Identifier: Apache-2.0
"""Matrices in the binary format of SystemDS: a Hadoop sequence file of blocks of 1000 x 1000 values.

    writeMatrix("x.bin", array)              # also x.bin.mtd, from which SystemDS has the sizes
    rows, columns = sizeOf("y.bin")
    readMatrix("y.bin", target)              # a file, or the folder of parts that SystemDS writes

One block is in memory at a time, so arrays may be mapped files.
"""

import json
import mmap
import struct
from pathlib import Path

import numpy as np

BLOCK = 1000
SYNC = bytes(range(16))
CLASSES = [b"org.apache.sysds.runtime.matrix.data.MatrixIndexes", b"org.apache.sysds.runtime.matrix.data.MatrixBlock"]
HEADER = b"SEQ\x06" + b"".join(bytes([len(name)]) + name for name in CLASSES) + bytes(6) + SYNC
EMPTY, ULTRA_SPARSE, SPARSE, DENSE = range(4)  # the kinds of a block
CELL = np.dtype([("row", ">i4"), ("column", ">i4"), ("value", ">f8")])
CELL_OF_COLUMN = np.dtype([("row", ">i4"), ("value", ">f8")])  # of a block of one column
CELL_OF_ROW = np.dtype([("column", ">i4"), ("value", ">f8")])


def writeMatrix(path, matrix):
    """`matrix`: two dimensions, of any type that doubles can hold."""
    rows, columns = matrix.shape
    with open(path, "wb") as file:
        file.write(HEADER)
        for top in range(0, rows, BLOCK):
            for left in range(0, columns, BLOCK):
                block = matrix[top : top + BLOCK, left : left + BLOCK]
                values = np.ascontiguousarray(block, dtype=">f8")
                index = struct.pack(">qq", top // BLOCK + 1, left // BLOCK + 1)
                sizes = struct.pack(">iib", *block.shape, DENSE)
                length = len(index) + len(sizes) + values.nbytes
                file.write(struct.pack(">i", -1) + SYNC + struct.pack(">ii", length, len(index)) + index + sizes)
                file.write(values)
    about = {"data_type": "matrix", "value_type": "double", "rows": rows, "cols": columns, "format": "binary"}
    about |= {"rows_in_block": BLOCK, "cols_in_block": BLOCK}  # else Spark takes it for single cells
    Path(f"{path}.mtd").write_text(json.dumps(about))


def sizeOf(path):
    """Rows and columns of what SystemDS wrote."""
    about = json.loads(Path(f"{path}.mtd").read_text())
    return about["rows"], about["cols"]


def readMatrix(path, target):
    """Fills the array `target` of two dimensions, converting to its type."""
    path = Path(path)
    parts = sorted(one for one in path.iterdir() if one.name[0] not in "._") if path.is_dir() else [path]
    target[...] = 0  # blocks of zeros may be left out
    for part in parts:
        if part.stat().st_size:
            with open(part, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                for row, column, value in recordsOf(content):
                    top, left = (row - 1) * BLOCK, (column - 1) * BLOCK
                    readBlock(value, target[top : top + BLOCK, left : left + BLOCK])


def recordsOf(content):
    """(block row, block column, bytes) of each record of a sequence file."""
    if content[:4] != b"SEQ\x06":
        raise ValueError("no sequence file")
    at = 4
    for _ in CLASSES:
        at += 1 + content[at]
    if content[at : at + 6] != bytes(6):
        raise ValueError("a compressed sequence file")
    at += 6 + len(SYNC)
    while at < len(content):
        length, keyLength = struct.unpack_from(">ii", content, at)
        if length == -1:
            at += 4 + len(SYNC)
            continue
        at += 8
        row, column = struct.unpack_from(">qq", content, at)
        yield row, column, content[at + keyLength : at + length]
        at += length


def readBlock(value, target):
    rows, columns, kind = struct.unpack_from(">iib", value)
    if (rows, columns) != target.shape:
        raise ValueError(f"a block of {rows} x {columns} where {target.shape} is left")
    if kind == DENSE:
        target[...] = np.frombuffer(value, ">f8", rows * columns, 9).reshape(rows, columns)
    elif kind == ULTRA_SPARSE:
        (count,) = struct.unpack_from(">i", value, 9)
        cells = np.frombuffer(value, CELL if columns > 1 else CELL_OF_COLUMN, count, 13)
        target[cells["row"], cells["column"] if columns > 1 else 0] = cells["value"]
    elif kind == SPARSE:
        at = 13
        for row in range(rows):
            (count,) = struct.unpack_from(">i", value, at)
            cells = np.frombuffer(value, CELL_OF_ROW, count, at + 4)
            target[row, cells["column"]] = cells["value"]
            at += 4 + cells.nbytes
    elif kind != EMPTY:
        raise ValueError(f"a block of the unknown kind {kind}")
