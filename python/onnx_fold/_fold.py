# SPDX-License-Identifier: Apache-2.0
"""fold, check, examine, verify and diff."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import Any, Generic, TypeVar

from . import _check, _models, _options, _tool, progress
from ._arguments import FLAGS
from ._arguments import fold as fold
from ._changes import Changes
from .errors import FoldError, FoldWarning, OptionError, VerificationError, fileError
from .report import Difference, Report, Verification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO, Literal

    from typing_extensions import Unpack

    from ._arguments import Options
    from ._options import Paths, Sizes
    from .progress import ProgressArgument


Model = TypeVar("Model")
Engine = str


class Result(Generic[Model]):
    """What fold returns.

    changed   the result is another model than the input
    path      the file that was written; None for a model in memory
    model     the folded model, of the same kind as the argument: the path that was written, bytes (for an open file too),
              ModelProto, onnx_ir.Model, ONNXProgram
    report    operators before and after, the outcome of every node (report.Report)
    """

    def __init__(
        self,
        changed: bool,
        report: Report,
        given: Model,
        path: str | None,
        data: bytes | None,
        folder: str | None,
        model: Model | None = None,
    ) -> None:
        self.changed = changed
        self.report = report
        self.path = path
        self._given = given
        self._data = data
        self._folder = folder
        self._model = model

    @property
    def model(self) -> Model:
        if self._model is None:
            self._model = self._load()
        return self._model

    def _load(self) -> Model:
        if _models.isPath(self._given):
            given: Any = self._given
            path: Any = self.path
            return path if isinstance(given, str) else type(given)(path)  # type: ignore[no-any-return]
        data, folder = self._data, self._folder
        if data is None:
            assert self.path is not None
            with open(self.path, "rb") as file:
                data = file.read()
            folder = os.path.dirname(os.path.abspath(self.path))
        model: Model = _models.restored(data, self._given, folder)
        return model

    def _said(self) -> str:
        what = "changed" if self.changed else "not changed"
        return f"{what}{'' if self.path is None else ', ' + repr(self.path)}"

    def __repr__(self) -> str:
        return f"<Result: {self._said()}, {self.report.counted()}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return self.report.asHtml(f"Result: {self._said()}")


def foldGiven(given: dict[str, Any]) -> Result[Any]:
    """`fold` (_arguments.py) with these arguments."""
    given = _check.checked(fold, given)
    model, verify_with = given["model"], given["verify_with"]
    target = None if given["output"] is None else os.fspath(given["output"])
    if verify_with not in ("onnx-fold", "onnxruntime"):
        raise _check.wrongValue("verify_with", verify_with, "'onnx-fold' or 'onnxruntime'")
    _checkEngine(given["engine"])
    if given["in_place"] and (not _models.isPath(model) or target is not None):
        text = "in_place is given with a model in memory or an output, expected a path alone"
        raise OptionError(text, "usage", argument="in_place")
    real = None if target is None else os.path.realpath(target)
    real = real if real is not None and os.path.isdir(os.path.dirname(real)) else None
    with _models.sourceOf(model, given["folder"], real) as source, Changes() as changes:
        return _folded(given, source, target, Call(source, given["progress"], changes, engine=given["engine"]))


def _checkEngine(engine: Any) -> None:
    if engine not in ("program", "library"):
        raise _check.wrongValue("engine", engine, "'program' or 'library'")


def _folded(given: dict[str, Any], source: _models.Source, target: str | None, call: Call) -> Result[Any]:
    model, verify, verify_inputs = given["model"], given["verify"], given["verify_inputs"]
    flags = _options.flags({name: given[name] for name in FLAGS})
    if given["once_output"] is not None:
        flags.append(f"--once-output={os.fspath(given['once_output'])}")
    trials = 3 if verify is True or verify_inputs is not None else int(verify or 0)
    byTool = given["verify_with"] == "onnx-fold"
    if trials and byTool:
        flags.append(f"--verify={trials}")
    if given["in_place"]:
        target = source.path
    elif target is None and not source.isMemory:
        assert source.path is not None
        target = source.path.removesuffix(".onnx") + ".folded.onnx"
    inFiles = source.stored is not None and target is not None and given["external_data"] is None
    with _options.Files() as files:
        flags += _options.bindings(given["bind"] or {}, files)
        if trials and not byTool:
            values = _options.loadedSets(verify_inputs)
            shapes = given["input_shapes"] or {}
            _verifyFirst(call, flags, target, trials, given["bind"] or {}, given["dims"] or {}, shapes, values)
        elif verify_inputs is not None:
            flags.append(f"--verify-inputs={files.saveSets(verify_inputs)}")
        if inFiles:
            run, data = call.runInFiles(flags, str(target), bool(given["nodes"])), None
        else:
            run, data = call.run(flags, target, bool(given["nodes"]), bool(given["in_place"]))
    report = _reportOf(run, source)
    made = _models.restoredFrom(source.stored, model) if source.stored is not None and target is None else None
    progress.noteEnd(source.name, run.changed, report)
    return Result(run.changed, report, model, target, data, source.folder, made)


def examine(
    model: Any,
    *,
    bind: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    engine: Literal["program", "library"] = "program",
    **options: Unpack[Options],
) -> Report:
    """What folding would do, node by node. Nothing is written."""
    return _examined(model, bind, folder, engine, options, nodes=True)[1]


def check(
    model: Any,
    *,
    bind: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    engine: Literal["program", "library"] = "program",
    **options: Unpack[Options],
) -> bool:
    """Whether folding with these options would change the model. Nothing is written."""
    return _examined(model, bind, folder, engine, options, nodes=False)[0].changed


def verify(
    model: str | os.PathLike[str] | Any,
    other: str | os.PathLike[str] | Any,
    *,
    inputs: Mapping[str, Any] | None = None,
    engine: Literal["onnx-fold", "onnxruntime"] = "onnx-fold",
    trials: int = 3,
    exact: bool = False,
    dims: Mapping[str, int] | None = None,
    input_shapes: Sizes | None = None,
    data_root: Paths = (),
    threads: int = 0,
    progress: ProgressArgument = None,
) -> Verification:
    """Runs two models on the same inputs and compares what they compute.

        inputs   values by name, arrays or array-likes; inputs that are left out are random
        engine   "onnx-fold": our own kernels; "onnxruntime": ONNX Runtime, without its optimisations
        trials   how many random inputs
        exact    all bits must be equal; else floats may differ by rounding (1e-5 of the largest value of a tensor)

    A difference does not raise, nor does an output that could not be compared: look at `.equal` of the result.
    """
    given = _check.checked(verify, dict(locals()))
    if engine not in ("onnx-fold", "onnxruntime"):
        raise _check.wrongValue("engine", engine, "'onnx-fold' or 'onnxruntime'")
    if given["trials"] < 1:
        raise _check.wrongValue("trials", trials, "at least 1")
    inputs, dims, input_shapes = (given[name] or {} for name in ("inputs", "dims", "input_shapes"))
    if engine == "onnxruntime":
        from . import _onnxruntime

        return _onnxruntime.compare(model, other, inputs, given["trials"], bool(exact), dims, input_shapes)
    flags = ["-O1" if exact else "-O2", f"--verify={given['trials']}", f"--threads={given['threads']}"]
    flags += _options.dimensions("dim", dims) + _options.sizes("input-shape", input_shapes)
    flags += _options.names("data-root", given["data_root"])
    with _options.Files() as files, _twoSources(model, other) as (first, second):
        flags += _options.bindings(inputs, files)
        call = Call(first, given["progress"], others=(second,))
        run = call.start(["compare", *flags], None, second.arguments())
        if run.status not in (3, 4):
            call.expectSuccess(run)
        found = _reportOf(run, first, second).verification
    assert found is not None
    found.models = (first.name, second.name)
    return found


def diff(
    model: str | os.PathLike[str] | Any,
    other: str | os.PathLike[str] | Any,
    *,
    dims: Mapping[str, int] | None = None,
    input_shapes: Sizes | None = None,
    data_root: Paths = (),
    threads: int = 0,
) -> Difference:
    """How two models differ: in which nodes, and in which constants by how much. The models are not run; `verify` does that.

    Nodes are matched by name, then by structure: what they compute from what. So two exports of one model are equal although
    their nodes have other names. A difference does not raise: look at `.equal` of the result.
    """
    given = _check.checked(diff, dict(locals()))
    flags = [f"--threads={given['threads']}", *_options.dimensions("dim", given["dims"] or {})]
    flags += _options.sizes("input-shape", given["input_shapes"] or {}) + _options.names("data-root", given["data_root"])
    with _twoSources(model, other) as (first, second):
        call = Call(first, None, others=(second,))
        run = _tool.run(["diff", "--report=json", *flags, *first.arguments(), *second.arguments()])
        call.expectSuccess(run)
        assert run.report is not None
        return Difference(_renamed(run.report, first, second))


@contextmanager
def _twoSources(model: Any, other: Any) -> Iterator[tuple[_models.Source, _models.Source]]:
    """Both as files; a model in memory gets a temporary one, and each has a name of its own in messages."""
    with _models.sourceOf(model, needsFile=True) as first, _models.sourceOf(other, needsFile=True) as second:
        if first.isMemory and second.isMemory:
            second.name = "<memory 2>"
        yield first, second


class Call:
    """Runs of the tool on one model, with the call-backs of the caller."""

    def __init__(
        self,
        source: _models.Source,
        progress: ProgressArgument,
        changes: Changes | None = None,
        others: tuple[_models.Source, ...] = (),
        engine: str = "program",
    ) -> None:
        self.source = source
        self._engine = engine
        self._changes = changes
        self._sources = (source, *others)
        self._progress: Any = progress
        self.warned: set[str] = set()

    def run(
        self, flags: list[str], target: str | None, nodes: bool, in_place: bool = False
    ) -> tuple[_tool.Run, bytes | None]:
        """Folds the model into the file `target`, or into memory."""
        if nodes:
            flags = [*flags, "--report=json"]
        if target is None and self.source.stored is not None:
            target = self.source.stored.result
        output = ["--in-place"] if in_place else []
        run = self._inProcess([*flags, *output], target)
        if run is not None:
            return run, run.data
        with ExitStack() as stack:
            out = None if target is not None else stack.enter_context(_tool.openMemory("onnx-fold-output"))
            output = output or ["-o", "-" if target is None else target]
            run = self.start([*flags, *output], out)
            self.expectSuccess(run)
            if out is None:
                return run, None
            out.seek(0)
            return run, out.read()

    def runInFiles(self, flags: list[str], target: str, nodes: bool) -> _tool.Run:
        """Folds a model whose tensors are in a data file, which becomes that of the output."""
        stored = self.source.stored
        assert stored is not None and self._changes is not None
        movable = stored.target is not None and os.path.isfile(stored.target) | (not os.path.lexists(stored.target))
        if movable and not any(flag.startswith("--run-once") for flag in flags):
            own = Call(self.source, self._progress)
            own.warned = self.warned
            run, _ = own.run(flags, stored.result, nodes)
            if stored.moveTo(self._changes):
                return run
            os.unlink(stored.result)
        return self.run([*flags, "--external-data"], target, nodes)[0]  # where the tensors are is removed

    def checked(self, flags: list[str]) -> _tool.Run:
        """What folding would do: flags with --check."""
        run = self._inProcess(flags, None)
        if run is None:
            run = self.start(flags, None)
            self.expectSuccess(run)
        return run

    def _inProcess(self, flags: list[str], target: str | None) -> _tool.Run | None:
        """By the library; None: that is not asked for, or it left the model to the program."""
        if self._engine != "library" or self._progress is not None:
            return None
        from . import _library

        run = _library.run(flags, self.source, target)
        for text in run.warnings if run is not None else ():
            self.warn(text)
        return run

    def start(self, flags: list[str], out: BinaryIO | None, more: list[str] | None = None) -> _tool.Run:
        with ExitStack() as stack:
            given = self.source.open()
            if given is not None:
                stack.enter_context(given)
            read = progress.readerOf(self._progress, self.source.name, stack)
            if read is not None:
                flags = [*flags, "--progress"]
            arguments = [*flags, *self.source.arguments(), *(more or ())]
            # Several models, and what writes no file, have nothing to take back.
            changes = None if more or "--check" in flags else self._changes
            return _tool.run(arguments, given, out, self.warn, read, changes=changes)

    def _named(self, text: str) -> str:
        for source in self._sources:
            text = source.named(text)
        return text

    def warn(self, text: str) -> None:
        """Once, at the line of the caller."""
        if text in self.warned:
            return
        self.warned.add(text)
        import sys
        import warnings

        frame, level = sys._getframe(), 1
        here = os.path.dirname(__file__)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(here + os.sep):
            frame, level = frame.f_back, level + 1
        text = self._named(text)
        progress.logger().warning("%s", text)
        warnings.warn(text, FoldWarning, stacklevel=level)

    def expectSuccess(self, run: _tool.Run) -> None:
        """Raises what a run ended with, if that was no success."""
        if run.status in (0, 2):
            return
        message: dict[str, Any] = run.error or {}
        text = str(
            message.get("text") or "\n".join(run.other) or f"onnx-fold ended with status {run.status}, and said nothing"
        )
        if run.status < 0:
            raise _killed(-run.status, text if message or run.other else "")
        fields = {name: self._named(value) if isinstance(value, str) else value for name, value in message.items()}
        text = self._named(text)
        if "more than the 2 GB" in text and self.source.isMemory:
            text += "; give a path"
        raise self._error(text, fields, run)

    def _error(self, text: str, fields: dict[str, Any], run: _tool.Run) -> FoldError:
        code = str(fields.get("code", "failed"))
        if code in ("differs", "not-verified"):
            error = VerificationError(text, code, run.status, fields)
            error.report = _reportOf(run, *self._sources)
            error.verification = error.report.verification
            return error
        if code == "usage" or fields.get("option"):
            argument = _options.argumentOf(str(fields.get("option") or ""))
            return OptionError(_options.withArguments(text), code, run.status, fields, argument)
        return fileError(text, run.status, fields) or FoldError(text, code, run.status, fields)


def _killed(number: int, text: str) -> BaseException:
    import signal
    import threading

    if number == signal.SIGINT and threading.current_thread() is threading.main_thread():
        return KeyboardInterrupt()
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    return FoldError(f"onnx-fold was ended by {name}" + (f": {text}" if text else ""), "killed", -number)


def _renamed(report: bytes, *sources: _models.Source) -> bytes:
    """Temporary files and pipes have no names in reports. Most reports have none of them: they are not decoded."""
    for source in sources:
        if source.stored is not None:
            if source.stored.folder.encode() in report:
                report = source.named(report.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        elif source.isMemory:
            # The library knows the name of such a model, the program reads a pipe.
            import re

            name = source.name.encode()
            report = re.sub(rb'"input":\s*"-"', b'"input":"%s"' % name, report, count=1)
            report = re.sub(rb'"output":\s*"-"', b'"output":""', report, count=1).replace(b"<stdin>", name)
    return report


def _reportOf(run: _tool.Run, *sources: _models.Source) -> Report:
    return Report(_renamed(run.report, *sources) if run.report is not None else b"{}")


def flagsOf(options: Any) -> list[str]:
    """The options that decide about the result, those that are left out by their defaults."""
    unknown = options.keys() - FLAGS.keys()
    if unknown:
        raise _check.unknown(sorted(unknown)[0], FLAGS)
    return _options.flags(_check.checked(fold, options))


def _examined(
    model: Any, bind: Mapping[str, Any] | None, folder: str | os.PathLike[str] | None, engine: str, options: Any, nodes: bool
) -> tuple[_tool.Run, Report]:
    flags = flagsOf(options)
    own = _check.checked(examine, {"bind": bind, "folder": folder, "engine": engine})
    _checkEngine(engine)
    with _models.sourceOf(model, folder) as source, _options.Files() as files:
        call = Call(source, None, engine=engine)
        flags += ["--check", *_options.bindings(own["bind"] or {}, files), *(["--report=json"] if nodes else [])]
        run = call.checked(flags)
        return run, _reportOf(run, source)


def _verifyFirst(
    call: Call,
    flags: list[str],
    target: str | None,
    trials: int,
    bind: Any,
    dims: Any,
    input_shapes: Any,
    given_inputs: list[Mapping[str, Any]],
) -> None:
    """Folds the model into a temporary place and compares it there: the same input and options give the same bytes, so what is
    written afterwards is what was compared. Floats may differ by rounding: ONNX Runtime multiplies by a constant, which it
    packs, in another order than by a value that is computed."""
    import tempfile

    from . import _onnxruntime

    source = call.source
    given: Any = source.path if source.path is not None else source.data
    place = None if target is None else os.path.dirname(os.path.abspath(target))
    with tempfile.TemporaryDirectory(prefix=".onnx-fold-", dir=place) as temporary:
        result = os.path.join(temporary, "model.onnx")
        Call(source, None).run(flags, result, nodes=False)
        for values in given_inputs or [{}]:
            fixed = {**values, **{name: value for name, value in bind.items() if value is not None}}
            found = _onnxruntime.compare(given, result, fixed, trials, False, dims, input_shapes, folder=source.folder)
            if not found.equal:
                break
    if not found.equal:
        name = source.name
        if found.differences():
            error = VerificationError(f"{name}: the result computes something else than the model", "differs", 3)
        else:
            error = VerificationError(f"{name}: not verified: {found.not_run[0]['text']}", "not-verified", 4)
        error.verification = found
        raise error
