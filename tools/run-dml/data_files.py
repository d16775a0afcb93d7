# SPDX-License-Identifier: Apache-2.0
"""Data that SystemDS reads and writes itself: CSV, its binary blocks (a file or a folder), and files of HDFS. No value goes through
NumPy. A CSV file of this machine that has no `.mtd` beside it gets one in the temporary folder, beside a link to it."""

import json
import os
from pathlib import Path

from systemds_process import Failure


class DataFile:
    """`place`: as SystemDS gets it."""

    def __init__(self, text):
        self.text = text
        self.isRemote = "://" in text
        self.isCsv = text.endswith(".csv")
        self.place = text if self.isRemote else str(Path(text).resolve())

    def __str__(self):
        return self.text


def fileOf(text, isInput):
    """A DataFile, or the Path of an array. Any other input is data of SystemDS if it is a folder or has a .mtd beside it."""
    path = Path(text)
    isData = "://" in text or path.suffix in (".csv", ".bin") or (isInput and (path.is_dir() or Path(f"{text}.mtd").exists()))
    return DataFile(text) if isData else path


def readable(data, port, folder, header, separator):
    """The path that the script reads."""
    if data.isRemote:
        return data.place
    if not Path(data.place).exists():
        raise Failure(f"{data}: No such file or directory")
    if Path(f"{data.place}.mtd").exists():
        if header or separator:
            raise Failure(f"--header and --sep are given, but {data}.mtd says what {data} is")
        return data.place
    if not data.isCsv:
        raise Failure(f"{data}.mtd is missing, which says what {data} is (a CSV file needs none)")
    link = folder / f"{port['parameter']}.input.csv"
    os.symlink(data.place, link)
    isText = "words" in port
    about = {"data_type": "frame" if isText else "matrix", "format": "csv", "header": bool(header), "sep": separator or ","}
    if not isText:
        about["value_type"] = "double"
    Path(f"{link}.mtd").write_text(json.dumps(about))
    return link


def formatOf(outputs):
    """The format of all outputs, for the script has one."""
    data = {isinstance(one, DataFile) and (".csv" if one.isCsv else ".bin") for one in outputs}
    if len(data) > 1:
        raise Failure("outputs are of different kinds, expected all as .npy, all as .csv, or all as binary files of SystemDS")
    return "csv" if data == {".csv"} else "binary"


def readsFrames(pairs):
    """Whether the files of strings have words; `pairs`: of a port and its file."""
    kinds = {isinstance(file, DataFile) for port, file in pairs if "words" in port}
    if len(kinds) > 1:
        raise Failure("inputs and outputs of strings are of different kinds, expected all as .npy, or all as files of SystemDS")
    return kinds == {True}


def beside(data):
    """Where an output is written first."""
    path = Path(data.place)
    return data.place if data.isRemote else path.with_name(f".{path.name}.{os.getpid()}")


def appear(written, data):
    """Moves an output, and what says what it is, to its place."""
    if data.isRemote:
        return
    os.replace(written, data.place)
    os.replace(f"{written}.mtd", f"{data.place}.mtd")
    Path(written).with_name(f".{Path(written).name}.crc").unlink(missing_ok=True)
    Path(written).with_name(f".{Path(written).name}.mtd.crc").unlink(missing_ok=True)
