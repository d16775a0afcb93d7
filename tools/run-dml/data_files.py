# SPDX-License-Identifier: Apache-2.0
"""Data that SystemDS reads and writes itself: CSV, its binary blocks (a file or a folder), and files of HDFS. No value goes through
NumPy. A CSV file of this machine that has no `.mtd` beside it gets one in the temporary folder, beside a link to it."""

import csv
import json
import math
import os
import re
import shlex
import shutil
from pathlib import Path

from systemds_process import TRIMMED, Failure, fieldCount

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")  # of Hadoop's file systems: hdfs://host/x, file:/x
WRITTEN = re.compile(r"part-.*|\d+-.*|_SUCCESS|\..*\.crc")  # what SystemDS, Hadoop and Spark write into a folder


class DataFile:
    """`place`: as SystemDS gets it. A name that ends with `/` is a folder."""

    def __init__(self, text):
        self.text = text
        self.isRemote = bool(ADDRESS.match(text))
        self.isFolder = text.endswith("/")
        bare = text.rstrip("/")
        self.isCsv, self.isBinary = bare.endswith(".csv"), bare.endswith(".bin")
        self.place = bare if self.isRemote else str(Path(text).resolve())

    def __str__(self):
        return self.text

    def description(self):
        """The name of the file that says what it is, as the user would write it."""
        return self.text.rstrip("/") + ".mtd"

    def metadata(self):
        """What the .mtd file of this machine says; None without one."""
        path = Path(f"{self.place}.mtd")
        if not path.exists():
            return None
        try:
            about = json.loads(path.read_text())
        except ValueError:
            raise Failure(f"{self.description()} is not JSON")
        if not isinstance(about, dict):
            raise Failure(f"{self.description()} is not an object of JSON")
        return about


def nameAndFile(text):
    """("x", "data/day=1/x.csv") of an option. Both may have `=`: the file begins behind the first one where it is an address,
    is there, or is in a folder that is there and is written (`./` is not), else behind the last one."""
    for i, character in enumerate(text):
        path = Path(text[i + 1 :])
        if character == "=" and (ADDRESS.match(text[i + 1 :]) or path.exists() or path.parent != Path(".") and path.parent.is_dir()):
            return text[:i], text[i + 1 :]
    name, _, file = text.rpartition("=")
    return name, file


def fileOf(text, isInput):
    """A DataFile, or the Path of an array. Any other file is data of SystemDS if it is a folder or has a .mtd beside it."""
    path = Path(text)
    isDescribed = Path(f"{path}.mtd").exists()
    isData = ADDRESS.match(text) or text.endswith("/") or path.suffix in (".csv", ".bin")
    isData = isData or (path.is_dir() or isDescribed if isInput else path.is_dir() and isDescribed)
    return DataFile(text) if isData else path


def expectPlace(data):
    """Where an output may be written. What stands there is replaced, a folder only if all in it is what SystemDS writes."""
    path = Path(data.place)
    if data.isRemote:
        return
    if not path.parent.is_dir():
        raise Failure(f"{data}: its folder does not exist")
    entries = sorted(path.iterdir()) if path.is_dir() else []
    if entries and not Path(f"{path}.mtd").exists():
        raise Failure(f"{data}: is a folder that SystemDS has not written ({path.name}.mtd is missing)")
    for entry in entries:
        if entry.is_dir() or not WRITTEN.fullmatch(entry.name):
            raise Failure(f"{data}: is a folder that SystemDS has not written (it has '{entry.name}')")


def isFrame(about):
    return str(about.get("data_type", "matrix")).lower() == "frame"


def readable(data, port, folder, header, separator):
    """The path that the script reads."""
    if data.isRemote:
        return data.place
    if not Path(data.place).exists():
        raise Failure(f"{data}: No such file or directory")
    about, isText = data.metadata(), "words" in port
    if about is None:
        if not data.isCsv:
            raise Failure(f"{data.description()} is missing, which says what {data} is (a CSV file needs none)")
        expectFields(data, port, bool(header), separator or ",")
        about = {"data_type": "frame" if isText else "matrix", "format": "csv", "header": bool(header), "sep": separator or ","}
        return linked(data, port, folder, about)
    if header or separator:
        raise Failure(f"--header and --sep are given, but {data.description()} says what {data} is")
    if isText and not isFrame(about):
        raise Failure(f"{data} is a matrix, expected a frame of strings for input '{port['name']}'")
    if not isFrame(about) or isText:
        return data.place
    if str(about.get("format", "")).lower() != "csv":
        raise Failure(f"{data} is a frame of the format {about.get('format')}, expected a matrix for input '{port['name']}'")
    # The numbers of a frame of text are those of a matrix.
    return linked(data, port, folder, {key: value for key, value in about.items() if key != "schema"} | {"data_type": "matrix"})


def linked(data, port, folder, about):
    """A link to a CSV file, or to a folder of such, beside other metadata."""
    if about["data_type"] == "matrix":
        empty = {} if {"default", "fill"} & about.keys() else {"default": "NaN"} if mayBeEmpty(port) else {"fill": False}
        about = empty | about | {"value_type": "double"}
    link = folder / f"{port['parameter']}.input.csv"
    os.symlink(data.place, link)
    Path(f"{link}.mtd").write_text(json.dumps(about))
    return link


def mayBeEmpty(port):
    """Whether an empty field, which SystemDS takes for 0, is NaN. No integer or bool is, and they are refused."""
    return "float" in port["type"]


# What Double.parseDouble() of Java takes between blanks.
NUMBER = re.compile(
    r"[-+]?(NaN|Infinity|(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
    r"|0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+)[fFdD]?)"
)


def expectFields(data, port, hasHeader, separator):
    """Raises Failure where the first line of a CSV file is not one of the input, which SystemDS says in the words of its own program."""
    if Path(data.place).is_dir():
        return
    with open(data.place, newline="", errors="replace") as file:
        lines = [file.readline() for _ in range(1 + hasHeader)]
    line, number, isText = lines[-1].rstrip("\r\n"), len(lines), "words" in port
    wanted = f"input '{port['name']}', {port['type']} ({', '.join(map(str, port['shape']))})"
    if not lines[-1]:
        raise Failure(f"{data} has no rows{' behind its line of names' if hasHeader and lines[0] else ''}, expected those of {wanted}")
    fields, count = fieldsOf(line, separator, isText), fieldsWanted(port)
    if not line and (isText or count != 1 and len(port["shape"]) != 1):  # otherwise it is an empty field
        raise Failure(f"{data}: line {number} is empty, expected a row of {wanted}")
    if count is not None and len(fields) != count:
        others = [one for one in (",", ";", "\t") if one != separator and len(fieldsOf(line, one, isText)) == count]
        help = f" (--sep={shlex.quote(others[0])} says that '{others[0]}' is between them)" if others else ""
        raise Failure(f"{data}: line {number} has {fieldCount(len(fields))}, expected {count} of {wanted}{help}")
    if not isText and (wrong := wrongFields(fields, port)):
        what = f"'{wrong[0]}'" if wrong[0] else "an empty field"
        mayBeNames = not hasHeader and any(wrong) and len(wrong) == len(fields)
        help = " (--header says that the first line has names)" if mayBeNames else ""
        if port["type"] == "bool" and {field.lower() for field in wrong} <= {"true", "false"}:
            help = " (1 stands for true, 0 for false)"
        raise Failure(f"{data}: line {number} has {what}, which is not a number of {wanted}{help}")


def fieldsWanted(port):
    """How many fields a line of an input has; None if the model does not say it."""
    sizes = list(port["shape"])
    if sizes:
        sizes.pop(port.get("batch_axis", 0))
    isKnown = len(port["shape"]) != 1 and not any(isinstance(size, str) for size in sizes)  # a list may be a row too
    return math.prod(sizes) if isKnown else None


def wrongFields(fields, port):
    """Those that are not numbers, without the blanks around them."""
    stripped = [field.strip(TRIMMED) for field in fields]
    return [field for field in stripped if not (NUMBER.fullmatch(field) if field else mayBeEmpty(port))]


def fieldsOf(line, separator, mayBeQuoted):
    if mayBeQuoted and len(separator) == 1 and separator != '"':
        return next(csv.reader([line], delimiter=separator))
    return line.split(separator)


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


def expectSeparator(text):
    """Raises Failure for what SystemDS does not take as it is written."""
    if text == "" or text and re.search(r"[\\\r\n\0]", text):
        raise Failure("--sep is empty, or has a backslash or the end of a line, which SystemDS does not take (a tab is $'\\t' in a shell)")


def adapt(script, reads, outputHeader):
    """Makes a script of onnx-to-dml read CSV files that have no metadata (`reads`: {parameter: (header, separator, whether a
    field may be empty)}), and write lines of names."""
    text = script.read_text()
    for parameter, (header, separator, isFloat) in reads.items():
        variable = re.search(rf"^(\w+) = ifdef\(\${parameter},", text, re.MULTILINE)[1]
        between = (separator or ",").replace('"', r'\"')
        empty = "default=NaN" if isFloat else "fill=FALSE"
        more = f', format="csv", header={str(bool(header)).upper()}, sep="{between}"'
        read = lambda match: f"read({variable}{match[1]}{more}{'' if 'frame' in match[1] else f', {empty}'})"
        text, count = re.subn(rf"\bread\({variable}((, data_type=\"\w+\")?)\)", read, text)
        assert count, parameter
    if outputHeader:
        text = text.replace(", format=format)", ", format=format, header=TRUE)")
    script.write_text(text)


def passable(script, parameters):
    """The parameters without those that have `=` in their values, which SystemDS does not take: they become defaults of the script."""
    text = script.read_text()
    for name, value in parameters.items():
        if "=" in str(value):
            default = json.dumps(str(value), ensure_ascii=False)
            text = re.sub(rf'(ifdef\(\${name}, )"[^"]*"', lambda match: match[1] + default, text)
    script.write_text(text)
    return {name: value for name, value in parameters.items() if "=" not in str(value)}


# ---- outputs -----------------------------------------------------------------------------------------------------------


def beside(data):
    """Where an output is written first."""
    path = Path(data.place)
    return data.place if data.isRemote else path.with_name(f".{path.name}.{os.getpid()}")


def remove(path):
    path = Path(path)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def forget(written):
    """Removes what is left of an output that did not appear, and checksums of Hadoop."""
    path = Path(written)
    for name in (path.name, f"{path.name}.mtd", f".{path.name}.crc", f".{path.name}.mtd.crc"):
        remove(path.with_name(name))


def appear(written, data):
    """Moves an output, and what says what it is, to its place."""
    if data.isRemote:
        return
    written, place = Path(written), Path(data.place)
    if data.isFolder and not written.is_dir():
        part = written.with_name(f"{written.name}.part")
        os.replace(written, part)
        written.mkdir()
        os.replace(part, written / "part-00000")
    expectPlace(data)  # which may have become another one since
    if place.is_dir() or written.is_dir():  # neither replaces the other at once
        remove(place)
    os.replace(written, place)
    os.replace(f"{written}.mtd", f"{place}.mtd")
