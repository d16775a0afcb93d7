# SPDX-License-Identifier: Apache-2.0
"""fold, check, examine, verify and diff."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import Any, Generic, TypeVar

from . import _models, _options, _tool
from ._arguments import FLAGS
from ._arguments import fold as fold
from .errors import FoldError, FoldWarning, OptionError, VerificationError
from .report import Difference, Report, Verification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
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
    model     the folded model, of the same kind as the argument: the path that was written, bytes, ModelProto, onnx_ir.Model
    report    operators before and after, the outcome of every node (report.Report)
    """

    def __init__(
        self, changed: bool, report: Report, given: Model, path: str | None, data: bytes | None, folder: str | None
    ) -> None:
        self.changed = changed
        self.report = report
        self.path = path
        self._given = given
        self._data = data
        self._folder = folder
        self._model: Model | None = None

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

    def __repr__(self) -> str:
        what = "changed" if self.changed else "not changed"
        return f"<Result: {what}{'' if self.path is None else ', ' + repr(self.path)}>"


def foldGiven(given: dict[str, Any]) -> Result[Any]:
    """`fold` (_arguments.py) with these arguments."""
    model, output, folder = given["model"], given["output"], given["folder"]
    verify, verify_with, verify_inputs = given["verify"], given["verify_with"], given["verify_inputs"]
    bind, in_place = given["bind"] or {}, given["in_place"]
    flags = _options.flags({name: given[name] for name in FLAGS})
    if given["once_output"] is not None:
        flags.append(f"--once-output={os.fspath(given['once_output'])}")
    trials = 3 if verify is True or verify_inputs is not None else int(verify)
    if verify_with not in ("onnx-fold", "onnxruntime"):
        raise OptionError(f"verify_with is {verify_with!r}, expected 'onnx-fold' or 'onnxruntime'", "usage")
    if trials and verify_with == "onnx-fold":
        flags.append(f"--verify={trials}")
    source = _models.sourceOf(model, folder)
    target = None if output is None else os.fspath(output)
    if in_place and (source.path is None or target is not None):
        raise OptionError("in_place is given with a model in memory or an output, expected a path alone", "usage")
    if in_place:
        target = source.path
    elif target is None and source.path is not None:
        target = source.path.removesuffix(".onnx") + ".folded.onnx"
    call = Call(source, given["progress"])
    with _options.Files() as files:
        flags += _options.bindings(bind, files)
        if trials and verify_with == "onnxruntime":
            values = _options.loadedSets(verify_inputs)
            _verifyFirst(call, flags, target, trials, bind, given["dims"] or {}, given["input_shapes"] or {}, values)
        elif verify_inputs is not None:
            flags.append(f"--verify-inputs={files.saveSets(verify_inputs)}")
        run, data = call.run(flags, target, given["nodes"], in_place)
    return Result(run.changed, _reportOf(run), model, target, data, source.folder)


def examine(
    model: Any,
    *,
    bind: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Unpack[Options],
) -> Report:
    """What folding would do, node by node. Nothing is written."""
    return _reportOf(_examined(model, bind, folder, options, nodes=True))


def check(
    model: Any,
    *,
    bind: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Unpack[Options],
) -> bool:
    """Whether folding with these options would change the model. Nothing is written."""
    return _examined(model, bind, folder, options, nodes=False).changed


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
    if engine == "onnxruntime":
        from . import _onnxruntime

        return _onnxruntime.compare(model, other, inputs or {}, trials, exact, dims or {}, input_shapes or {})
    if engine != "onnx-fold":
        raise OptionError(f"engine is {engine!r}, expected 'onnx-fold' or 'onnxruntime'", "usage")
    flags = ["-O1" if exact else "-O2", f"--verify={trials}", f"--threads={threads}"]
    flags += _options.dimensions("dim", dims or {}) + _options.sizes("input-shape", input_shapes or {})
    flags += _options.names("data-root", data_root)
    with ExitStack() as stack:
        files = stack.enter_context(_options.Files())
        flags += _options.bindings(inputs or {}, files)
        paths = [stack.enter_context(_onDisk(one)) for one in (model, other)]
        call = Call(_models.Source(paths[0]), progress)
        run = call.start(["compare", *flags], None, _models.Source(paths[1]).arguments())
        if run.status not in (3, 4):
            call.expectSuccess(run)
    found = _reportOf(run).verification
    assert found is not None
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
    flags = [f"--threads={threads}", *_options.dimensions("dim", dims or {}), *_options.sizes("input-shape", input_shapes or {})]
    flags += _options.names("data-root", data_root)
    with ExitStack() as stack:
        paths = [stack.enter_context(_onDisk(one)) for one in (model, other)]
        call = Call(_models.Source(paths[0]), None)
        run = _tool.run(["diff", "--report=json", *flags, *(call.source.arguments()), *_models.Source(paths[1]).arguments()])
        call.expectSuccess(run)
    assert run.report is not None
    return Difference(run.report)


class _onDisk:
    """A model as a path; one in memory gets a temporary file."""

    def __init__(self, model: Any) -> None:
        self._source = _models.sourceOf(model)
        self._file: Any = None

    def __enter__(self) -> str:
        if self._source.path is not None:
            return self._source.path
        if self._source.folder is not None:
            raise FoldError("<memory>: the model has external data, expected a path to compare it")
        import tempfile

        self._file = tempfile.NamedTemporaryFile(suffix=".onnx")
        self._file.write(self._source.data)
        self._file.flush()
        return str(self._file.name)

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()


class Call:
    """Runs of the tool on one model, with the call-backs of the caller."""

    def __init__(self, source: _models.Source, progress: ProgressArgument) -> None:
        self.source = source
        self._progress: Any = progress
        self.warned: set[str] = set()

    def run(
        self, flags: list[str], target: str | None, nodes: bool, in_place: bool = False
    ) -> tuple[_tool.Run, bytes | None]:
        """Folds the model into the file `target`, or into memory."""
        if nodes:
            flags = [*flags, "--report=json"]
        with ExitStack() as stack:
            out = None if target is not None else stack.enter_context(_tool.openMemory("onnx-fold-output"))
            output = ["--in-place"] if in_place else ["-o", "-" if target is None else target]
            run = self.start([*flags, *output], out)
            self.expectSuccess(run)
            if out is None:
                return run, None
            out.seek(0)
            return run, out.read()

    def start(self, flags: list[str], out: BinaryIO | None, more: list[str] | None = None) -> _tool.Run:
        with ExitStack() as stack:
            given = self.source.open()
            if given is not None:
                stack.enter_context(given)
            progress = None
            if self._progress is not None and self._progress is not False:
                from . import progress as module

                call = self._progress
                if call is True:
                    call = module.Bar()
                    stack.callback(call.close)
                progress = module.Reader(call).read
                flags = [*flags, "--progress"]
            arguments = [*flags, *self.source.arguments(), *(more or ())]
            return _tool.run(arguments, given, out, self.warn, progress)

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
        warnings.warn(_inMemory(text, self.source), FoldWarning, stacklevel=level)

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
        fields = {name: _inMemory(value, self.source) if isinstance(value, str) else value for name, value in message.items()}
        text = _inMemory(text, self.source)
        if "more than the 2 GB" in text and self.source.path is None:
            text += "; give a path"
        kinds = {"usage": OptionError, "differs": VerificationError, "not-verified": VerificationError}
        error = kinds.get(str(message.get("code")), FoldError)(text, str(message.get("code", "failed")), run.status, fields)
        if isinstance(error, VerificationError):
            error.report = _reportOf(run)
            error.verification = error.report.verification
        raise error


def _inMemory(text: str, source: _models.Source) -> str:
    """The tool calls a model in memory its standard input."""
    return text if source.path is not None else text.replace("<stdin>", "<memory>").replace("<stdout>", "<memory>")


def _killed(number: int, text: str) -> BaseException:
    import signal
    import threading

    if number == signal.SIGINT and threading.current_thread() is threading.main_thread():
        return KeyboardInterrupt()
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    return FoldError(f"onnx-fold was ended by {name}" + (f": {text}" if text else ""), "killed", -number)


def _reportOf(run: _tool.Run) -> Report:
    return Report(run.report if run.report is not None else b"{}")


def flagsOf(options: Any) -> list[str]:
    """The options that decide about the result, those that are left out by their defaults."""
    unknown = options.keys() - FLAGS.keys()
    if unknown:
        raise TypeError(f"unexpected argument {sorted(unknown)[0]!r}")
    return _options.flags(options)


def _examined(
    model: Any, bind: Mapping[str, Any] | None, folder: str | os.PathLike[str] | None, options: Any, nodes: bool
) -> _tool.Run:
    flags = flagsOf(options)
    call = Call(_models.sourceOf(model, folder), None)
    with _options.Files() as files:
        flags += ["--check", *_options.bindings(bind or {}, files), *(["--report=json"] if nodes else [])]
        run = call.start(flags, None)
    call.expectSuccess(run)
    return run


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
        call.run(flags, result, nodes=False)
        for values in given_inputs or [{}]:
            fixed = {**values, **{name: value for name, value in bind.items() if value is not None}}
            found = _onnxruntime.compare(given, result, fixed, trials, False, dims, input_shapes, folder=source.folder)
            if not found.equal:
                break
    if not found.equal:
        name = source.path or "<memory>"
        if found.differences():
            error = VerificationError(f"{name}: the result computes something else than the model", "differs", 3)
        else:
            error = VerificationError(f"{name}: not verified: {found.not_run[0]['text']}", "not-verified", 4)
        error.verification = found
        raise error
