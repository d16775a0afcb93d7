# SPDX-License-Identifier: Apache-2.0
"""Completion in the shells themselves, and the manual as man shows it."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time

import pytest

import onnxfold_testing as t

sys.path.insert(0, str(t.ROOT / "tools/options"))
import option_shell  # noqa: E402
import option_table  # noqa: E402

pytestmark = pytest.mark.skipif(not os.access(option_table.TABLEGEN, os.X_OK), reason="no llvm-tblgen")

@pytest.fixture(scope="module")
def share(tmp_path_factory):
    """What is installed below share/."""
    root = tmp_path_factory.mktemp("share")
    for name, text in option_shell.files(option_table.load()).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def needed(program):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


def inBash(share, line):
    script = """source "$0/bash-completion/completions/onnx-fold"; compopt() { :; }
    COMP_LINE=$1; COMP_POINT=${#1}; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _onnx_fold; echo "${COMPREPLY[@]}" """
    return subprocess.run(["bash", "-c", script, share, line], check=True, capture_output=True, text=True).stdout


def inFish(share, line):
    """fish loads a completion if the program is there."""
    script = f"set -p fish_complete_path {share}/fish/vendor_completions.d; complete -C {line!r}"
    environment = {**os.environ, "PATH": f"{t.TOOL.parent}:{os.environ['PATH']}", "HOME": str(share)}
    return subprocess.run(["fish", "-c", script], check=True, env=environment, capture_output=True, text=True).stdout


def inZsh(share, line):
    """Typed at a terminal: what zsh makes of the line and a Tab."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="dumb", HOME=str(share))
        os.execvp("zsh", ["zsh", "-f", "-i"])

    def readUntil(wanted):
        text, end = b"", time.monotonic() + 60
        while wanted not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                text += os.read(terminal, 65536)
        return text

    setUp = f"PS1=; fpath=({share}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; echo re''ady\n"
    os.write(terminal, setUp.encode())
    assert b"\nready" in readUntil(b"\nready"), "zsh"
    os.write(terminal, line.encode() + b"\t; echo do''ne\n")
    text = readUntil(b"\ndone").decode()
    os.close(terminal)
    os.waitpid(process, 0)
    return text.partition("\ndone")[0]


@pytest.mark.parametrize("shell", [inBash, inFish, inZsh], ids=["bash", "fish", "zsh"])
def test_completion(share, folder, monkeypatch, shell):
    needed(shell.__name__[2:].lower())
    monkeypatch.chdir(folder)
    (folder / "model-of-mine.onnx").touch()
    for line, wanted in (
        ("onnx-fold --max-gro", "--max-growth"),
        ("onnx-fold comp", "compare"),
        ("onnx-fold diff --input-sh", "--input-shape"),
        ("onnx-fold model-of", "model-of-mine.onnx"),
    ):
        assert wanted in shell(share, line), line
    assert "--max-growth" not in shell(share, "onnx-fold diff --max-gro"), "an option of another subcommand"


@pytest.mark.parametrize("program", ["onnx-fold", "onnx-run", "fold-run", "onnx-to-dml", "dml-to-onnx"])
def test_manual(share, program):
    needed("man")
    environment = {**os.environ, "MANWIDTH": "80", "LC_ALL": "C"}
    command = ["man", "--warnings=mac,tab", "-l", share / f"man/man1/{program}.1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, f"{done.stderr}"
    text = " ".join(done.stdout.split())
    assert f"{program} - " in text and " EXIT STATUS " in text, f"{done.stdout[:500]}"
