# SPDX-License-Identifier: Apache-2.0
"""Help and wrong command lines of all programs: one screen, subjects, nearest spellings, fields of a bad flag."""

import json
import re
import subprocess

import numpy as np
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node
from test_cli import W, left, save, several, simple

PROGRAMS = {"onnx-fold": [], "onnx-run": [], "fold-run": [], "onnx-to-dml": [], "dml-to-onnx": []}
COMMANDS = [["onnx-fold", name] for name in ("fold", "cut", "diff", "compare", "stats", "reduce", "report", "check-rules")] + [[name] for name in PROGRAMS]


def called(command, *arguments, cwd=None):
    """A program of the build, called; skips where it is not built."""
    program = t.TOOL.parent / command[0]
    if not program.exists():
        pytest.skip(f"{command[0]} is not built")
    return subprocess.run([program, *command[1:], *arguments], cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_is_one_screen(command):
    """It had no example and no exit status, and -h was not known."""
    done = called(command, "--help")
    lines = done.stdout.splitlines()
    most = 49 if len(command) == 1 or "fold" in command else 64  # a subcommand has all of its options
    assert done.returncode == 0 and done.stderr == "" and len(lines) <= most and max(map(len, lines)) <= 80, done
    examples = done.stdout.partition("\nExamples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) == (2 if "report" in command else 3) and all(line.startswith(f"  {' '.join(command[:1])} ") for line in examples)
    assert "\nExit status: 0 " in done.stdout and re.search(r"^[A-Z][a-z ]+:$", done.stdout, re.M), done.stdout
    assert called(command, "-h").stdout == done.stdout, "-h"
    everything = called(command, "--help=all").stdout
    assert len(everything.splitlines()) >= len(lines) and max(map(len, everything.splitlines())) <= 80, everything


def test_examples_of_help_run(folder):
    """Each example of onnx-fold can be typed where there are models."""
    for name in ("model.onnx", "a.onnx", "b.onnx"):
        nodes = [node("Add", ["x", "w"], ["h"], name="add"), node("Neg", ["h"], ["y"])]
        save(folder, m.model(nodes, [info("x", ("batch", 3))], [info("y", ("batch", 3))], [const("w", W)]), name)
    np.savez(folder / "x.npz", x=np.ones((2, 3), np.float32))
    t.runOk("--quiet", "--report=json:r.json", "model.onnx", cwd=folder)
    for command in COMMANDS[:5]:
        text = called(command, "--help").stdout.partition("\nExamples:\n")[2].partition("\n\n")[0]
        for line in text.splitlines():
            words = re.split("  +", line.strip())[0].split()
            assert called(words[:1], *words[1:], cwd=folder).returncode == 0, line
    assert (folder / "small.onnx").is_file() and (folder / "model.cut.onnx").is_file() and (folder / "page.html").is_file()


def test_help_about_a_subject():
    def about(*flags):
        done = called(["onnx-fold"], *flags)
        assert done.returncode == 0 and done.stderr == "", done
        return re.findall(r"^  (--?[a-zA-Z][a-z-]*)", done.stdout, re.M), done.stdout

    assert about("--help=cache")[0] == ["--cache", "--cache-size"], "an option, and those that have its name as a word"
    assert about("--help=--max_growth")[0] == ["--max-growth"], "as it is typed"
    assert about("--help=O2")[0] == ["-O"] and about("--help", "--help=only")[0] == ["--only"]
    limits, text = about("--help=limits")
    assert "--max-growth" in limits and "--max-time" in limits and "--only" not in limits and "\nLimits:\n" in text, "a group"
    assert about("--help=diff")[1] == about("diff", "--help")[1], "a subcommand"
    assert "not with --output-dir" in about("--help=beside")[1] and "only with --run-once" in about("--help=once-output")[1], "rules"
    assert about("--help=report")[1].startswith("onnx-fold report"), "a subcommand and an option"
    wrong = called(["onnx-fold"], "--help=chache")
    assert wrong.returncode == 1 and wrong.stdout == "" and "--help is 'chache', expected an option, or " in wrong.stderr, wrong
    assert "did you mean cache?" in wrong.stderr
    assert called(["onnx-run"], "--help=print-limit").stdout.count("--print-limit") == 1, "rare options too"
    assert "expected" in called(["onnx-to-dml"], "--help=unroll").stderr, "a near miss: an option of another program"


@pytest.mark.parametrize("command", [[name] for name in PROGRAMS], ids=" ".join)
def test_a_misspelled_help_is_no_help(command):
    for word, meant in (("--hlep", "--help"), ("--versoin", "--version"), ("--vers", "--version")):
        done = called(command, word)
        assert done.returncode == 1 and done.stdout == "", done
        assert f"{command[0]}: error: '{word}' is not known, did you mean {meant}? (see {command[0]} --help)" in done.stderr, done
    done = called(command, "help")
    assert done.returncode == 1 and "did you mean '--help'?" in done.stderr, done


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["dif", "a.onnx", "b.onnx"], "'dif' is no file and no subcommand, did you mean 'onnx-fold diff'?"),
        (["comapre", "a.onnx", "b.onnx"], "did you mean 'onnx-fold compare'?"),
        (["--precision=exakt"], "expected exact or wide; did you mean exact?"),
        (["--messages=jsno"], "expected text or json; did you mean json?"),
        (["--fold-quantization=weight"], "did you mean weights?"),
        (["--max_growth=1M"], "did you mean --max-growth=1M?"),
        (["--output", "x.onnx"], "'--output' is not known, did you mean -o FILE?"),
        (["--overwrite-input-shape", "x:1,3"], "did you mean --input-shape=NAME:SIZES?"),
        (["--skip-fuse-bn"], "did you mean -O1?"),
        (["--overwrite-input-shpae", "x:1,3"], "did you mean --input-shape=NAME:SIZES?"),
        (["--only=blok/add"], "--only=blok/add: matches no node, such as 'block/add'"),
        (["--disable=identty"], "such as 'identity'"),
        (["--outputs=unamed"], "such as 'unnamed'"),
        (["--keep-initializer=ww"], "such as 'w'"),
    ],
)
def test_the_nearest_spelling(folder, arguments, words):
    save(folder, several())
    inputs = [] if arguments[-1] == "b.onnx" else ["model.onnx"]
    done = called(["onnx-fold"], *arguments, *inputs, cwd=folder)
    assert words in done.stderr, done
    assert done.returncode == (0 if "warning" in done.stderr else 1)


def test_what_is_called_like_a_subcommand(folder):
    """A near miss: a file is a file."""
    save(folder, simple(), "dif")
    t.runOk("-o", "out.onnx", "dif", cwd=folder)
    assert left(folder / "out.onnx") == ["Mul"]


@pytest.mark.parametrize("program, files, words", [
    ("onnx-fold", ["in.onnx", "out.onnx"], "'out.onnx' is given too, expected 'onnx-fold -o out.onnx in.onnx'"),
    ("onnx-run", ["in.onnx", "out"], "'out' is given too, expected one model; '--result-dir=out' names an output"),
    ("fold-run", ["in.mlir", "out.npy"], "'out.npy' is given too, expected one file; '--output=out.npy' names an output"),
    ("onnx-to-dml", ["in.onnx", "out.dml"], "'out.dml' is given too, expected one model; '-o out.dml' names an output"),
    ("dml-to-onnx", ["in.dml", "out.onnx"], "'out.onnx' is given too, expected one script; '-o out.onnx' names an output"),
])
@pytest.mark.parametrize("isThere", [False, True])
def test_a_second_file_is_never_read(folder, program, files, words, isThere):
    """`onnx-fold in.onnx out.onnx`, which other tools take, folded an out.onnx that was there."""
    for name in files if isThere else files[:1]:
        save(folder, simple(), name)
    before = t.folderState(folder)
    done = called([program], *files, cwd=folder)
    assert done.returncode == 1 and done.stdout == "" and words in done.stderr, done
    t.expectUnchanged(before, folder, program)


def test_help_of_subcommands(folder):
    for name, own, foreign in (("diff", "--dim", "--unroll"), ("cut", "--outputs", "--max-growth"), ("compare", "--verify", "-o")):
        text = t.runOk(name, "--help").out.decode()
        assert f"onnx-fold {name} [options]" in text and f"  {own}" in text and f"  {foreign} " not in text, text


@pytest.mark.parametrize(
    "arguments, option, has, expected",
    [
        (["--max-growht=1"], "--max-growht=1", "'--max-growht=1'", "--max-growth=1"),
        (["--quiet=true"], "--quiet=true", "'--quiet=true'", "--quiet without a value"),
        (["--max-growth"], "--max-growth", "no value", "one"),
        (["--precision=half"], "--precision", "'half'", "exact or wide"),
        (["--max-work=x"], "--max-work", "'x'", "a number from 0 to 18446744073709551615"),
        (["--unroll=2", "--unroll=3"], "--unroll", "'2' and '3'", "one value"),
        (["--compare"], "--compare", "'--compare'", "'onnx-fold compare'"),
        (["--max-growth=all"], "--max-growth", "'all'", "SIZE[K|M|G], N% or unlimited"),
        (["--zzzzzz"], "--zzzzzz", "'--zzzzzz'", "an option"),
    ],
)
def test_fields_of_a_bad_flag(folder, arguments, option, has, expected):
    """What LLVM's parser printed past --messages=json was plain text."""
    path = save(folder, simple())
    result = t.run("--messages=json", path, *arguments)
    error, end = (json.loads(line) for line in result.err.splitlines())
    assert result.code == 1 and end == {"kind": "end", "status": 1, "changed": False}, str(result)
    found = {name: error.get(name) for name in ("kind", "code", "option", "has", "expected")}
    assert found == {"kind": "error", "code": "usage", "option": option, "has": has, "expected": expected}, error
    text = t.run(path, *arguments).err
    assert text == f"onnx-fold: error: {error['text']}\n" and "(see onnx-fold --help)" in text, text
