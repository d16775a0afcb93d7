# SPDX-License-Identifier: Apache-2.0
"""reduce: the smallest model for which a test holds."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from . import _check, _models, _tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Asks the process of the caller, and ends with its answer.
_CLIENT = (
    "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\n"
    "s.sendall('\\n'.join(sys.argv[2:]).encode())\ns.shutdown(1)\nsys.exit(int(s.recv(9) or 2))"
)


class Reduced:
    """What `onnx_fold.reduce` found. `model` is the small model, `path` its file, or None if it has none; `inputs` are values for
    its inputs by name, `nodes` how many nodes it has, `runs` how often the test was run. `as_dict()` is all of the report."""

    def __init__(self, path: str | None, model: Any, inputs: dict[str, Any], fields: dict[str, Any]) -> None:
        self.path = path
        self.model = model
        self.inputs = inputs
        self._fields = fields

    def as_dict(self) -> dict[str, Any]:
        return self._fields

    @property
    def nodes(self) -> int:
        return int(self._fields["nodes_after"])

    @property
    def runs(self) -> int:
        return int(self._fields["runs"])

    @property
    def stopped(self) -> str:
        """Why it ended early; empty if it did not."""
        return str(self._fields["stopped"])

    def __repr__(self) -> str:
        return f"<Reduced: {self.nodes} nodes instead of {self._fields['nodes_before']}, {self.runs} runs>"


class _Predicate:
    """A function of the caller as a command: what the tool starts asks through a socket. Calls come one after the other."""

    def __init__(self, predicate: Callable[..., Any], folder: str) -> None:
        import inspect
        import socket
        import threading

        self._predicate = predicate
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        names = inspect.signature(predicate).parameters.values()
        self._takesInputs = sum(one.kind in kinds and one.default is inspect.Parameter.empty for one in names) > 1
        self.error: BaseException | None = None
        self._isClosed = False
        self._address = os.path.join(folder, "ask")
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(self._address)
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def command(self) -> str:
        import shlex
        import sys

        words = [sys.executable, "-I", "-S", "-c", _CLIENT, self._address]
        return shlex.join(words) + " {}" + (" {inputs}" if self._takesInputs else "")

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            # A client that was ended, since it took too long, hears no answer.
            with connection, contextlib.suppress(OSError):
                asked = b""
                while part := connection.recv(65536):
                    asked += part
                if not asked and self._isClosed:
                    return
                connection.sendall(str(self._answer(asked.decode().split("\n"))).encode())

    def _answer(self, files: list[str]) -> int:
        if self.error is not None:
            return 2
        try:
            given: list[Any] = files[:1]
            if self._takesInputs:
                given.append(_arrays(files[1]))
            return 0 if self._predicate(*given) else 1
        except BaseException as error:  # SystemExit too: whoever asks waits for an answer
            self.error = error
            return 2

    def close(self) -> None:
        import socket

        self._isClosed = True
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(self._address)
        self._thread.join()
        self._socket.close()


def _arrays(path: str) -> dict[str, Any]:
    if not os.path.exists(path):
        return {}
    import numpy

    with numpy.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _flags(given: Mapping[str, Any]) -> list[str]:
    flags = [f"--repeat={given['repeat']}", f"--threads={given['threads']}"]
    for name in ("seed", "max_time", "max_runs"):
        if given[name] is not None:
            flags.append(f"--{name.replace('_', '-')}={given[name]}")
    if given["anonymise"]:
        flags.append("--anonymise")
    return flags


def _run(call: Any, flags: list[str]) -> dict[str, Any]:
    import json

    run = call.start(["reduce", *flags], None)
    call.expectSuccess(run)
    assert run.report is not None
    fields: dict[str, Any] = json.loads(run.report)["report"]
    return fields


def reduce(
    model: str | os.PathLike[str] | Any,
    predicate: str | Callable[..., Any],
    output: str | os.PathLike[str] | None = None,
    *,
    inputs: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    max_time: float | None = None,
    max_runs: int | None = None,
    repeat: int = 1,
    seed: int | None = None,
    anonymise: bool = False,
    threads: int = 0,
) -> Reduced:
    """The smallest model for which the predicate holds. docs/reduce.md is the manual.

    `predicate`: a function of the path of a model, or of the path and its inputs by name, that says whether the model is
    interesting; or a text as `--test` takes it. `output`: the file of the result, beside which its inputs and a script are written;
    by default model.reduced.onnx beside the model, and no file for a model in memory. What the function raises ends the run.
    `threads`: tests at once; 0 is one for each processor, and one alone for a function, which is called once at a time.
    """
    import tempfile

    from ._fold import Call

    given = _check.checked(reduce, dict(locals()))
    if os.name == "nt":
        raise _check.wrongValue("predicate", predicate, "a system that is not Windows")
    with tempfile.TemporaryDirectory(prefix="onnx-fold-") as folder, _models.sourceOf(model, needsFile=True) as source:
        assert source.path is not None
        stem = source.path.removesuffix(".onnx")
        isKept = output is not None or not source.isMemory
        target = os.path.join(folder, "small.onnx") if not isKept else os.fspath(output if output is not None else stem + ".reduced.onnx")
        if not isinstance(predicate, str):
            given["threads"] = threads or 1  # calls come one after the other: tests at once would only be more of them
        flags = [*_flags(given), "-o", target]
        if inputs is not None:
            flags.append(f"--inputs={_inputsFile(inputs, folder)}")
        asked = None if isinstance(predicate, str) else _Predicate(predicate, folder)
        try:
            flags.append(f"--test={predicate if asked is None else asked.command()}")
            fields = _run(Call(source, None), flags)
        except Exception:
            if asked is not None and asked.error is not None:
                raise asked.error from None
            raise
        finally:
            if asked is not None:
                asked.close()
        if asked is not None and asked.error is not None:
            raise asked.error
        return Reduced(target if isKept else None, _loaded(target), _arrays(target.removesuffix(".onnx") + ".npz"), fields)


def _inputsFile(inputs: Any, folder: str) -> str:
    if not hasattr(inputs, "keys"):
        return os.fsdecode(inputs)
    import numpy

    path = os.path.join(folder, "inputs.npz")
    arrays: Any = {name: numpy.asarray(inputs[name]) for name in inputs.keys()}
    numpy.savez(path, **arrays)
    return path


def _loaded(path: str) -> Any:
    import onnx

    return onnx.load(path)
