# SPDX-License-Identifier: Apache-2.0
"""tools/check_changed.sh: which files it checks, and with which commands. clang-format and clang-tidy are stand-ins, since
continuous integration installs them after the tests."""

import json
import os
import shutil
import subprocess

import pytest

import onnxfold_testing as t

FORMAT = """#!/bin/bash
! grep -q "wrong format" "${@: -1}"
"""
# The source is the last argument, the folder of the commands the second.
TIDY = """#!/usr/bin/env python3
import json, pathlib, sys
folder, source = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[-1]).resolve()
commands = [one["command"] for one in json.loads((folder / "compile_commands.json").read_text()) if one["file"] == str(source)]
if len(commands) != 1 or "cost-model" in commands[0] or commands[0].split()[-1] != str(source):
    print("no command of", source, commands)
    sys.exit(1)
sys.exit("bug" in source.read_text())
"""


def git(root, *arguments):
    who = ["-c", "user.name=test", "-c", "user.email=test"]
    done = subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def root(folder):
    """A repository of ten sources in one batch, all of one commit."""
    root = folder / "root"
    (root / "tools").mkdir(parents=True)
    (root / "build/Unity").mkdir(parents=True)
    for name in ("check_changed.sh", "common.sh"):
        shutil.copy(t.ROOT / "tools" / name, root / "tools")
    for name, text in (("clang-format", FORMAT), ("clang-tidy", TIDY)):
        (root / "build" / name).write_text(text)
        (root / "build" / name).chmod(0o755)
    sources = [root / f"Source{number}.cpp" for number in range(10)]
    for source in sources:
        source.write_text(f"int {source.stem};\n" * 20)
    batch = root / "build/Unity/unity_0_cxx.cxx"
    batch.write_text("".join(f'#include "{source}"\n' for source in sources))
    command = f"g++ -O2 -fvect-cost-model=dynamic -o x.o -c {batch}"
    entry = {"directory": str(root / "build"), "file": str(batch), "command": command}
    (root / "build/compile_commands.json").write_text(json.dumps([entry]))
    (root / ".gitignore").write_text("build/\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    return root


def check(root, *arguments):
    environment = {**os.environ, "PATH": f"{root / 'build'}:{os.environ['PATH']}"}
    done = subprocess.run([root / "tools/check_changed.sh", *arguments], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout.splitlines(), done.stderr


def change(root, number, text):
    with open(root / f"Source{number}.cpp", "a") as file:
        file.write(text)


def test_nothing_changed(root):
    """An empty list was one file without a name."""
    status, lines, _ = check(root, "HEAD")
    assert (status, lines[-2:]) == (0, ["clang-tidy: 0 of 0 changed sources", "0 passed, 0 failed"])


def test_sources_of_a_batch(root):
    """Each has a command of its own, without the option of g++ that clang refuses: every changed kernel failed with it."""
    for number in (3, 8):
        change(root, number, "int more;\n")
    status, lines, _ = check(root, "HEAD")
    assert (status, lines[-2:]) == (0, ["clang-tidy: 2 of 2 changed sources", "4 passed, 0 failed"])


def test_findings(root):
    change(root, 1, "// wrong format\n")
    change(root, 2, "// bug\n")
    status, lines, _ = check(root, "HEAD")
    assert status == 1
    assert "not as clang-format has it: Source1.cpp" in lines
    assert "clang-tidy: Source2.cpp" in lines
    assert lines[-1] == "2 passed, 2 failed"


def test_most_changed_sources(root):
    """Six are read; with --long all."""
    for number in range(10):
        change(root, number, "int more;\n" * (1 + number))
    change(root, 0, "// bug\n")
    status, lines, _ = check(root, "HEAD")
    assert (status, lines[-2:]) == (0, ["clang-tidy: 6 of 10 changed sources", "16 passed, 0 failed"])
    status, lines, _ = check(root, "--long", "HEAD")
    assert (status, lines[-2:]) == (1, ["clang-tidy: 10 of 10 changed sources", "19 passed, 1 failed"])


def test_files_that_moved_or_are_gone(root):
    (root / "Source4.cpp").unlink()
    git(root, "mv", "Source5.cpp", "Moved.cpp")
    status, lines, _ = check(root, "HEAD")
    assert (status, lines[-1]) == (0, "0 passed, 0 failed")


def test_unknown_base(root):
    status, _, error = check(root, "nowhere")
    assert status != 0 and "there is no commit 'nowhere'" in error


def test_help(root):
    status, lines, _ = check(root, "--help")
    assert status == 0 and lines[0].startswith("check_changed.sh [--long] [BASE]: ") and not lines[-1].startswith("set")
