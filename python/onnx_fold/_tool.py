# SPDX-License-Identifier: Apache-2.0
"""The program onnx-fold: where it is, and one run of it.

Models in memory go in and out as files without a name (memfd) that are the standard input and output of the process. What it
says comes line by line as JSON on its standard error (`--messages=json`, docs/report.md).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Sequence
    from typing import Any, BinaryIO

    from ._changes import Changes

_found: str | None = None
# After the name of one of several models. In a name the quotes would be escaped.
_REPORT_OF_ONE = b',"kind":"report","report":'


def binary() -> str:
    """The path of the program: ONNXFOLD_BINARY, else that which pip installed with this package, else that of PATH."""
    global _found
    given = os.environ.get("ONNXFOLD_BINARY")
    if given:
        return given
    if _found is None or not os.access(_found, os.X_OK):
        _found = _find()
    return _found


def _find() -> str:
    name = "onnx-fold.exe" if os.name == "nt" else "onnx-fold"
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # PREFIX/lib/python3.11/site-packages and PREFIX/bin: environments, users, --prefix. Then pip install --target.
    folders = [os.path.join(packages, *up, "Scripts" if os.name == "nt" else "bin") for up in ([".."] * 3, [".."] * 2, [])]
    found = _first(name, folders)
    if found is None:
        import shutil
        import sysconfig

        folders.append(sysconfig.get_path("scripts"))
        found = _first(name, folders[-1:]) or shutil.which(name)
    if found is None:
        places = ", ".join(map(os.path.normpath, folders))
        raise FileNotFoundError(f"the program {name} is in none of {places} and not in PATH; set ONNXFOLD_BINARY")
    return os.path.normpath(found)


def _first(name: str, folders: list[str]) -> str | None:
    paths = [os.path.join(folder, name) for folder in folders]
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def version() -> str:
    """That of the program, which is that of the package."""
    import subprocess

    done = subprocess.run([binary(), "--version"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
    return done.stdout.decode().split()[-1]


def openMemory(name: str) -> BinaryIO:
    """A file without a name, which exists until it is closed; in memory if the system supports that."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create(name), "w+b")
    import tempfile

    return tempfile.TemporaryFile()


class Run:
    """How one run of the tool ended."""

    def __init__(self) -> None:
        self.status = 0
        self.changed = False
        self.report: bytes | None = None  # as JSON
        self.error: dict[str, Any] | None = None
        self.each: dict[str, Run] = {}  # of several models, by their paths
        self.table: list[dict[str, Any]] = []
        self.data: bytes | None = None  # the model, of a run in this process (_library.py)
        self.warnings: list[str] = []  # of such a run
        self.other: list[str] = []  # lines that are no JSON: of a tool of another version, or of the system


def run(
    arguments: Sequence[str],
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
    warn: Callable[[str], None] | None = None,
    progress: Callable[[dict[str, Any]], None] | None = None,
    environment: dict[str, str] | None = None,
    changes: Changes | None = None,
) -> Run:
    """Runs the tool to its end. If something is raised meanwhile, Ctrl-C or by a call-back, the process is ended first, and
    with it what it had begun to write. `changes`: files get their names only after every call-back has returned."""
    import subprocess

    question = _Question(changes)
    try:
        process = subprocess.Popen(
            [binary(), "--messages=json", *question.arguments(), *arguments],
            stdin=stdin or subprocess.DEVNULL,
            stdout=stdout or subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=None if environment is None else {**os.environ, **environment},
            pass_fds=question.descriptors(),
        )
        try:
            question.begun()
            result = _read(process, warn, progress, question)
            result.status = process.wait()
            return result
        except BaseException:
            question.close()
            _end(process, isDecided=question.isAnswered)
            raise
        finally:
            assert process.stderr is not None
            process.stderr.close()
    finally:
        question.close()  # what was started without a caller ends there


class _Question:
    """The tool asks, before it changes a file, and goes on when it gets a byte (--confirm)."""

    def __init__(self, changes: Changes | None) -> None:
        self._changes = changes
        self._ends: list[int] = []  # of the pipe: where the tool reads, where it is answered
        if changes is not None and os.name != "nt":
            self._ends = list(os.pipe())
        self.isAnswered = False

    def arguments(self) -> list[str]:
        return [f"--confirm={self._ends[0]}"] if self._ends else []

    def descriptors(self) -> list[int]:
        return self._ends[:1]

    def begun(self) -> None:
        """The tool has its end."""
        if self._ends:
            os.close(self._ends.pop(0))

    def answer(self, files: list[str]) -> None:
        if self._changes is None or not self._ends:
            return
        self._changes.keep(files)
        self._changes.isDecided = self.isAnswered = True
        os.write(self._ends[0], b"\n")

    def close(self) -> None:
        while self._ends:
            os.close(self._ends.pop())


def _read(
    process: subprocess.Popen[bytes],
    warn: Callable[[str], None] | None,
    progress: Callable[[dict[str, Any]], None] | None,
    question: _Question,
) -> Run:
    import json

    result = Run()
    assert process.stderr is not None
    for line in process.stderr:
        # The report may be long, and not everybody looks at it: it is parsed when it is asked for.
        if line.startswith(b'{"kind":"report"'):
            result.report = line
            continue
        name, isReport, report = line.partition(_REPORT_OF_ONE)
        if isReport:
            one = json.loads(name[len(b'{"model":') :])
            result.each.setdefault(one, Run()).report = b'{"report":' + report
            continue
        try:
            message = json.loads(line)
            kind = message["kind"]
        except (ValueError, TypeError, KeyError):
            result.other.append(line.decode("utf-8", "replace").rstrip("\n"))
            continue
        if "model" in message:
            _readOne(result.each.setdefault(message["model"], Run()), message, warn, progress)
        elif kind == "table":
            result.table = message["models"]
        elif kind == "error":
            result.error = message
        elif kind == "end":
            result.changed = message["changed"]
        elif kind == "ready":
            question.answer(message["files"])
        elif kind == "warning" and warn is not None:
            warn(message["text"])
        elif kind == "progress" and progress is not None:
            progress(message)
    return result


def _readOne(
    run: Run,
    message: dict[str, Any],
    warn: Callable[[str], None] | None,
    progress: Callable[[dict[str, Any]], None] | None,
) -> None:
    """A line about one of several models."""
    kind = message["kind"]
    if kind == "error":
        run.error = message
    elif kind == "end":
        run.status, run.changed = message["status"], message["changed"]
    elif kind == "warning" and warn is not None:
        warn(message["text"])
    elif kind == "progress" and progress is not None:
        progress(message)


def _end(process: subprocess.Popen[bytes], isDecided: bool) -> None:
    """Ends a run that nobody waits for. The tool removes its temporary files at SIGTERM. `isDecided`: it may be naming files,
    which takes no time."""
    import subprocess

    if isDecided:
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            pass
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
