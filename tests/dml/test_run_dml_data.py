# SPDX-License-Identifier: Apache-2.0
"""tools/onnx-run-dml: data where they are. CSV with lines of names, folders of parts, frames with a schema, binary blocks, and
addresses of Hadoop's file systems, of which file:/ is the one that every machine has; as inputs and as outputs."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

import data_files
import onnxfold_systemds as systemds
import systemds_matrix
import systemds_process
from systemds_process import Failure
from test_dml_sklearn import CLASSIFIER, ENCODERS, STRINGS, X, parsed, stored
from test_run_dml import needsSystemds
from test_run_dml import run as runTool

SOFTMAX = "y = Softmax (x)", "float[None,3] x", "float[None,3] y"


def expectedOf(made, x=X):
    return systemds.onnxRuntime(made, {"x": x})[0]


def lines(rows, separator=","):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def describe(path, **about):
    Path(f"{path}.mtd").write_text(json.dumps({"data_type": "matrix", "format": "csv", "header": False, "sep": ","} | about))


def parts(folder, rows, head=""):
    """As programs on a cluster leave them."""
    folder.mkdir()
    (folder / "part-00000").write_text(head + lines(rows[:4]))
    (folder / "part-00001").write_text(lines(rows[4:]))
    (folder / "_SUCCESS").touch()


def writeFrame(path):
    """Numbers of several types, with the names and the schema of a frame."""
    path.write_text("a;b;c\n" + lines([[f"{a:.6f}", int(10 * b), f"{c:.6f}"] for a, b, c in X], ";"))
    describe(path, data_type="frame", header=True, sep=";", schema="FP64,INT64,FP64", rows=6, cols=3)


def inputOf(folder, kind):
    """(what --input names, more options, the rows)"""
    rows = X.tolist()
    if kind == "folder":
        parts(folder / "data", rows)
        describe(folder / "data")
        return "data/", [], X
    if kind == "folder without .mtd":
        parts(folder / "data.csv", rows, "a,b,c\n")
        return "data.csv", ["--header"], X
    if kind == "binary folder":
        (folder / "data").mkdir()
        systemds_matrix.writeMatrix(folder / "data/part-0", X)
        (folder / "data/part-0.mtd").rename(folder / "data.mtd")
        return "data", [], X
    if kind == "frame":
        writeFrame(folder / "data.csv")
        return "data.csv", [], np.stack([X[:, 0].round(6), (10 * X[:, 1]).astype(int), X[:, 2].round(6)], 1).astype(np.float32)
    (folder / "day=1").mkdir()
    place = folder / ("day=1/data" if "and .csv" in kind else "day=1/data.csv")
    place.write_text(("" if kind == "address" else "a b c\n") + lines(rows, "," if kind == "address" else " "))
    if kind == "address":
        describe(place)
        return f"file://{place}", [], X
    if kind.startswith("address without"):
        return f"file:{place}", ["--header", "--sep= "], X
    return "day=1/data.csv", ["--header", "--sep= "], X


@needsSystemds
@pytest.mark.parametrize("kind", [
    "folder", "folder without .mtd", "binary folder", "frame", "address", "address without .mtd", "address without .mtd and .csv", "path with ="])
def test_inputs(folder, kind):
    made = parsed(*SOFTMAX)
    stored(folder, made)
    name, options, x = inputOf(folder, kind)
    runTool("model.onnx", f"--input=x={name}", *options, "--output=y=y.npy", cwd=folder)
    np.testing.assert_allclose(np.load(folder / "y.npy"), expectedOf(made, x), 1e-5)


@needsSystemds
def test_frames_with_a_schema(folder):
    """A frame of strings whose columns have types and whose file has names."""
    made = parsed(ENCODERS, "string[None,2] x", "float[None,4] y", "int64[1] k = {0}, int64[2] s = {-1, 2}")
    stored(folder, made)
    rows = [["red", "big"], ["green", "small"], ["blue", "huge"]]
    (folder / "people.csv").write_text("colour;size\n" + lines(rows, ";"))
    describe(folder / "people.csv", data_type="frame", header=True, sep=";", schema="STRING,STRING", rows=3, cols=2)
    runTool("model.onnx", f"--input=x=file:{folder}/people.csv", "--output=y=y.csv", cwd=folder)
    np.testing.assert_array_equal(systemds.readMatrix(folder / "y.csv"), expectedOf(made, np.array(rows, object)))


@needsSystemds
def test_csv_with_names(folder):
    made = parsed(*SOFTMAX)
    stored(folder, made)
    np.save(folder / "x.npy", X)
    runTool("model.onnx", "--input=x=x.npy", "--output=y=y.csv", "--output-header", cwd=folder)
    names, *rows = (folder / "y.csv").read_text().splitlines()
    assert names == "C1,C2,C3" and json.loads((folder / "y.csv.mtd").read_text())["header"] is True
    np.testing.assert_allclose(np.array([row.split(",") for row in rows], float), expectedOf(made), 1e-5)


@needsSystemds
@pytest.mark.parametrize("place", ["out/", "out.csv/", "file://{}/out/"])
def test_outputs(folder, place):
    """A folder of parts, or what an address names, which replaces what an earlier run wrote."""
    made = parsed(*SOFTMAX)
    stored(folder, made)
    np.save(folder / "x.npy", X)
    place = place.format(folder)
    name = place.rstrip("/").rpartition("/")[2]
    (folder / name).mkdir()
    for part in ("part-00007", "0-m-00000", "_SUCCESS", ".part-00007.crc"):
        (folder / name / part).write_text("of before")
    describe(folder / name)
    runTool("model.onnx", "--input=x=x.npy", f"--output=y={place}", cwd=folder)
    assert (folder / name).is_dir() == (place in ("out/", "out.csv/"))
    assert sorted(one.name for one in folder.iterdir() if one.name[0] != ".") == sorted(["model.onnx", "x.npy", name, f"{name}.mtd"])
    runTool("model.onnx", f"--input=x={place}", "--output=y=again.npy", cwd=folder)
    np.testing.assert_allclose(np.load(folder / "again.npy"), expectedOf(made, expectedOf(made)), 1e-5)


@needsSystemds
def test_binary_frames_of_words(folder):
    """Labels that one model writes as a frame are what another one reads."""
    made = parsed(CLASSIFIER.format(labels='classlabels_strings: strings = ["low", "mid", "high"]'), "float[None,3] x", STRINGS)
    stored(folder, made)
    np.save(folder / "x.npy", X)
    runTool("model.onnx", "--input=x=x.npy", "--output=label=l.bin", cwd=folder)
    words = 'y = ai.onnx.ml.LabelEncoder <keys_strings: strings = ["low", "mid", "high"], values_int64s: ints = [7, 8, 9]> (x)'
    stored(folder, parsed(words, "string[None,1] x", "int64[None,1] y"))
    runTool("model.onnx", "--input=x=l.bin", "--output=y=y.csv", cwd=folder)
    wanted = [{"low": 7, "mid": 8, "high": 9}[label] for label in expectedOf(made)]
    np.testing.assert_array_equal(systemds.readMatrix(folder / "y.csv").ravel(), wanted)


def refuse(folder, message, *arguments):
    """An error before SystemDS runs; nothing is removed or written."""
    before = sorted(folder.rglob("*"))
    _, said = runTool("model.onnx", *arguments, cwd=folder, status=1)
    assert message in said and "Traceback" not in said and sorted(folder.rglob("*")) == before, said


@pytest.mark.parametrize("names, first", [
    (["note"], "note"), (["part-00000", "part"], "part"), (["0-m-00000", "z.csv", "a.csv"], "a.csv"), ([".hidden"], ".hidden"),
    (["part-0/"], "part-0"), (["_SUCCESS", "1.csv"], "1.csv")])
def test_folders_that_are_kept(folder, names, first):
    """A user's folder of parts may have a .mtd beside it, so that SystemDS reads it."""
    stored(folder, parsed(*SOFTMAX))
    (folder / "x.csv").write_text(lines(X.tolist()))
    for name in names:
        (folder / "mine" / name).parent.mkdir(exist_ok=True)
        (folder / "mine" / name).mkdir() if name.endswith("/") else (folder / "mine" / name).touch()
    describe(folder / "mine")
    for place in ("mine", "mine/"):
        refuse(folder, f"{place}: is a folder that SystemDS has not written (it has '{first}')", "--input=x=x.csv", f"--output=y={place}")


def test_folder_that_changes_meanwhile(folder):
    """What is in the way is looked at again before it is removed."""
    (folder / "y").mkdir()
    describe(folder / "y")
    data = data_files.DataFile(str(folder / "y/"))
    data_files.expectPlace(data)
    (folder / "y/note").write_text("kept")
    (folder / ".y.1").write_text("new")
    with pytest.raises(Failure, match="it has 'note'"):
        data_files.appear(folder / ".y.1", data)
    assert (folder / "y/note").read_text() == "kept"


def test_options_that_do_not_fit(folder):
    stored(folder, parsed("a = Softmax (x) b = Neg (x)", "float[None,3] x", "float[None,3] a, float[None,3] b"))
    (folder / "x.csv").write_text(lines(X.tolist()))
    np.save(folder / "x.npy", X)
    (folder / "out.csv").mkdir()
    nested = "output out.csv/b.csv is in the folder of output out.csv/"
    refuse(folder, nested, "--input=x=x.csv", "--output=a=out.csv/", "--output=b=out.csv/b.csv")
    refuse(folder, nested, "--input=x=x.csv", "--output=b=out.csv/b.csv", "--output=a=out.csv/")
    inside = "output file:/t/out/sub/b is in the folder of output file:///t/out"
    refuse(folder, inside, "--input=x=x.csv", "--output=a=file:///t/out", "--output=b=file:/t/out/sub/b")
    unused = "--output-header is given, but no output is a CSV file"
    for place in ("a.npy", "a.bin", "a/"):
        refuse(folder, unused, "--input=x=x.csv", f"--output=a={place}", "--output-header")
    for option in ("--header", "--sep=;"):
        refuse(folder, "--header and --sep are given, but no input is a CSV file", "--input=x=x.npy", option, "--output=a=a.csv")
    for text in ("", "\\", "\\t", "\n"):
        refuse(folder, "--sep is empty, or has a backslash or the end of a line", "--input=x=x.csv", f"--sep={text}", "--output=a=a.csv")


@needsSystemds
@pytest.mark.parametrize("separator", ["\t", '"', "'", ";", '"); stop("'])
@pytest.mark.parametrize("address", ["", "file:{}/"])
def test_separators(folder, separator, address):
    """What stands between fields is a text of the script, or of a .mtd file, whatever it is."""
    made = parsed(*SOFTMAX)
    stored(folder, made)
    (folder / "x.csv").write_text(lines(X.tolist(), separator))
    runTool("model.onnx", f"--input=x={address.format(folder)}x.csv", f"--sep={separator}", "--output=y=y.csv", cwd=folder)
    np.testing.assert_allclose(systemds.readMatrix(folder / "y.csv"), expectedOf(made), 1e-5)


@needsSystemds
def test_empty_fields_are_missing(folder):
    """SystemDS takes them for 0, and an imputer had nothing to do."""
    made = parsed("y = ai.onnx.ml.Imputer <imputed_value_floats: floats = [1.0, 2.0, 3.0], replaced_value_float: float = nan> (x)", *SOFTMAX[1:])
    stored(folder, made)
    (folder / "x.csv").write_text("5,,7\n,8,\n")
    runTool("model.onnx", "--input=x=x.csv", "--output=y=y.npy", cwd=folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), [[5, 2, 7], [1, 8, 3]])


@needsSystemds
def test_different_numbers_of_rows(folder):
    """The line that fails is looked for among all instructions, of which those that read words have a tab: a traceback."""
    encoder = 'e = ai.onnx.ml.OneHotEncoder <cats_strings: strings = ["red", "blue"], zeros: int = 1> (x) f = Reshape (e, s)'
    made = parsed(encoder + " y = Concat <axis = 1> (f, a)", "string[None,2] x, float[None,1] a", "float[None,5] y", "int64[2] s = {-1, 4}")
    stored(folder, made)
    (folder / "x.csv").write_text("red,blue\nblue,red\n")
    (folder / "a.csv").write_text("1\n2\n3\n")
    _, said = runTool("model.onnx", "--input=x=x.csv", "--input=a=a.csv", "--output=y=y.csv", cwd=folder, status=1)
    assert "Concat 'y' (line " in said and "different number of rows: 2 vs 3" in said


@needsSystemds
@pytest.mark.parametrize("text, options, message", [
    ("1,2\n", [], "x.csv: line 1 has 2 fields, expected 3 of input 'x', float32 (batch, 3)"),
    ("1;2;3\n", [], "x.csv: line 1 has 1 field, expected 3 of input 'x', float32 (batch, 3) (--sep=';' says that ';' is between them)"),
    ("a,b,c\n1,2,3\n", [], "x.csv: line 1 has 'a', which is not a number of input 'x', float32 (batch, 3) (--header says that"),
    ("a,b,c\n1,x,3\n", ["--header"], "x.csv: line 2 has 'x', which is not a number of input 'x', float32 (batch, 3)\n"),
    ("", [], "x.csv has no rows, expected those of input 'x', float32 (batch, 3)"),
    ("a,b,c\n", ["--header"], "x.csv has no rows behind its line of names, expected those of"),
    ("\n1,2,3\n", [], "x.csv: line 1 is empty, expected a row of input 'x', float32 (batch, 3)"),
    ("1,2,3\n4,five,6\n", [], "error: x.csv: line 2 has 'five', which is not a number"),
    ("-1,2,3\n4, - ,6\n", [], "error: x.csv: line 2 has '-', which is not a number"),
    ("x,y,z\n1,2,3\n4,y,6\n", ["--header"], "error: x.csv: line 3 has 'y', which is not a number"),
    ("1;x;3\n", ["--sep=;"], "error: x.csv: line 1 has 'x', which is not a number"),
    ("-1;2;3\n4;5;6\n7;-;9\n", ["--sep=;"], "error: x.csv: line 3 has '-', which is not a number"),
    ("1,2,3\n4,5\n", [], "error: x.csv: line 2 has 2 fields, fewer than the first one")])
def test_wrong_csv_files(folder, text, options, message):
    """What SystemDS says of them are five exceptions that name a link in a folder that is gone."""
    stored(folder, parsed(*SOFTMAX))
    (folder / "x.csv").write_text(text)
    _, said = runTool("model.onnx", "--input=x=x.csv", "--output=y=y.npy", *options, cwd=folder, status=1)
    assert message in said and not (folder / "y.npy").exists()


@needsSystemds
@pytest.mark.parametrize("x, text, message", [
    ("int64[None,2]", "1,\n2,3\n", "line 1 has an empty field, which is not a number of input 'x', int64 (batch, 2)\n"),
    ("int64[None,2]", "1,2\n3, \n", "line 2 has an empty field, which is not a number\n"),
    ("bool[None,2]", "1,0\n1,0\n,1\n", "line 3 has an empty field, which is not a number\n"),
    ("bool[None,2]", "true,false\n", "line 1 has 'true', which is not a number of input 'x', bool (batch, 2) (1 stands for true, 0 for false)\n"),
    ("float[2,3]", "1,2\n3,4\n", "line 1 has 2 fields, expected 3 of input 'x', float32 (2, 3)\n")])
def test_csv_files_of_other_inputs(folder, x, text, message):
    """An empty field of an integer was -9223372036854775808, and true of a bool."""
    stored(folder, parsed("y = Identity (x)", f"{x} x", f"{x} y"))
    (folder / "x.csv").write_text(text)
    _, said = runTool("model.onnx", "--input=x=x.csv", "--output=y=y.npy", cwd=folder, status=1)
    assert f"error: x.csv: {message}" in said and not (folder / "y.npy").exists()


@pytest.mark.parametrize("shape, axis, wanted", [
    (["n", 2, 3], 0, 6), ([4, 2, 3], 0, 6), ([5, "n", 6], 1, 30), ([4, 5, 6], 2, 20),
    (["n", "m"], 0, None), (["n"], 0, None), ([3], 0, None), ([], 0, 1)])
def test_fields_that_are_wanted(shape, axis, wanted):
    port = {"shape": shape} | ({"batch_axis": axis} if axis else {})
    assert data_files.fieldsWanted(port) == wanted


@needsSystemds
def test_empty_fields_at_an_address(folder):
    stored(folder, parsed("y = Neg (x)", "int64[None,2] x", "int64[None,2] y"))
    (folder / "x.csv").write_text("1,2\n3,\n")
    address = f"file:{folder}/x.csv"
    _, said = runTool("model.onnx", f"--input=x={address}", "--sep=,", "--output=y=y.npy", cwd=folder, status=1)
    assert f"error: {address}: a line has an empty field, which is not a number\n" in said


@needsSystemds
def test_column_whose_first_field_is_empty(folder):
    """An empty line is one empty field there."""
    stored(folder, parsed("y = Neg (x)", "float[None,1] x", "float[None,1] y"))
    (folder / "x.csv").write_text("\n5\n\n6\n")
    runTool("model.onnx", "--input=x=x.csv", "--output=y=y.npy", cwd=folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy").ravel(), [np.nan, -5, np.nan, -6])


@needsSystemds
def test_temporary_folder_with_a_blank(folder):
    """SystemDS's message names a file in it."""
    stored(folder, parsed(*SOFTMAX))
    (folder / "x.csv").write_text("1,2,3\n4,x,6\n")
    (folder / "a b").mkdir()
    _, said = runTool("model.onnx", "--input=x=x.csv", "--output=y=y.npy", cwd=folder, status=1, TMPDIR=str(folder / "a b"))
    assert "error: x.csv: line 2 has 'x', which is not a number\n" in said


PARSE = """class Parse {
  public static void main(String[] texts) {
    for (String text : texts)
      try { Double.parseDouble(text); System.out.println(true); } catch (NumberFormatException error) { System.out.println(false); }
  }
}
"""
NUMBERS = "1 +1 -.5 1. . - + 1e5 1E-5 1e 1d 2f 1e+5D 1L --1 NaN -NaN +NaN nan NaNd Infinity -Infinity +Infinity inf Infinityf NA 1_0 0x1p3 0X.8P-1f"
NUMBERS = [*NUMBERS.split(), *"0x1.p1 0x1 0x1.8 0xp1 0x.p1 0x1p x".split()]
NUMBERS += [" 1 ", "1\u000b", "1\u001c", "1\u00a0", "1\u0085", "\u0661", "\ufeff1", "1 2"]


@needsSystemds
def test_numbers_are_those_of_java(folder):
    """1d, 0x1p3 and -NaN were refused, which SystemDS reads."""
    (folder / "Parse.java").write_text(PARSE)
    command = [systemds_process.javaOf17(), "-Dsun.jnu.encoding=UTF-8", folder / "Parse.java", *NUMBERS]
    answers = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout.split()
    port = {"type": "float32"}
    assert [str(not data_files.wrongFields([text], port)).lower() for text in NUMBERS] == answers


def test_outputs_of_unknown_endings(folder):
    """They were written as .npy."""
    stored(folder, parsed(*SOFTMAX))
    (folder / "x.csv").write_text(lines(X.tolist()))
    for name in ("y.txt", "y", "y.CSV", "y.npz"):
        refuse(folder, f"{name}: expected the name of an output: .npy, .csv, .bin, a folder/ or an address", "--input=x=x.csv", f"--output=y={name}")


@needsSystemds
def test_wrong_places(folder):
    stored(folder, parsed(*SOFTMAX))
    (folder / "mine").mkdir()
    (folder / "mine/note").write_text("kept")
    (folder / "x.csv").write_text(lines(X.tolist()))
    systemds_matrix.writeMatrix(folder / "f.bin", X)
    describe(folder / "f.bin", data_type="frame", format="binary", rows=6, cols=3)
    (folder / "broken.csv").write_text("1,2,3\n")
    (folder / "broken.csv.mtd").write_text("{")
    for name, text in (("list.csv", "[1, 2]"), ("text", '"matrix"')):
        (folder / name).write_text("1,2,3\n")
        (folder / f"{name}.mtd").write_text(text)
    (folder / "parts").mkdir()
    (folder / "parts.mtd").write_text("null")
    for arguments, message in [
            (["--input=x=x.csv", "--output=y=mine/"], "mine/: is a folder that SystemDS has not written (mine.mtd is missing)"),
            (["--input=x=x.csv", "--output=y=none/y.csv/"], "none/y.csv/: its folder does not exist"),
            (["--input=x=f.bin", "--output=y=y.csv"], "f.bin is a frame of the format binary, expected a matrix for input 'x'"),
            (["--input=x=broken.csv", "--output=y=y.csv"], "broken.csv.mtd is not JSON"),
            (["--input=x=list.csv", "--output=y=y.csv"], "error: list.csv.mtd is not an object of JSON"),
            (["--input=x=text", "--output=y=y.csv"], "error: text.mtd is not an object of JSON"),
            (["--input=x=parts/", "--output=y=y.csv"], "error: parts.mtd is not an object of JSON"),
            ([f"--input=x=file:{folder}/x.csv", "--output=y=y.csv"], "x.csv.mtd is missing or does not say rows and cols")]:
        _, said = runTool("model.onnx", *arguments, cwd=folder, status=1)
        assert message in said and not (folder / "y.csv").exists()
    assert (folder / "mine/note").read_text() == "kept" and not list(folder.glob(".*"))


@pytest.mark.parametrize("text, wanted", [
    ("x=x.npy", ("x", "x.npy")), ("a=b=y.npy", ("a=b", "y.npy")), ("x=hdfs://h/day=1/x", ("x", "hdfs://h/day=1/x")), ("x", ("", "x")),
    ("x=file:/tmp/a=b.csv", ("x", "file:/tmp/a=b.csv")), ("x=sub=1/new.csv", ("x", "sub=1/new.csv")), ("x=a=b.csv", ("x", "a=b.csv")),
    ("x=a=new.csv", ("x=a", "new.csv")), ("x=./a=new.csv", ("x=./a", "new.csv"))])
def test_names_and_files(folder, text, wanted, monkeypatch):
    """Folders of partitions have `=` in their names; so may values of a model."""
    (folder / "sub=1").mkdir()
    (folder / "a=b.csv").touch()
    monkeypatch.chdir(folder)
    assert data_files.nameAndFile(text) == wanted


def test_lines_that_are_adapted(folder):
    """The script reads a CSV file that has no metadata, and nothing else of it changes."""
    onnx.save(parsed(ENCODERS, "string[None,2] x", "float[None,4] y", "int64[1] k = {0}, int64[2] s = {-1, 2}"), folder / "model.onnx")
    script = systemds.export(folder, onnx.load(folder / "model.onnx"))
    before = script.read_text().splitlines()
    data_files.adapt(script, {"x": (True, ";", True)}, True)
    changed = [(a, b) for a, b in zip(before, script.read_text().splitlines()) if a != b]
    assert [(a.count("read(x_file"), b.count('format="csv", header=TRUE, sep=";"')) for a, b in changed] == [(1, 1), (1, 1), (0, 0)]
    assert ["default=NaN" in b for _, b in changed] == [False, True, False]  # the first is a frame
    assert changed[-1][1].endswith("format=format, header=TRUE)")
