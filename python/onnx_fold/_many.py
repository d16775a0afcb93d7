# SPDX-License-Identifier: Apache-2.0
"""fold_all: several models in one call."""

from __future__ import annotations

import os
from typing import Any

from . import _check, _fold, _models, _options
from .errors import FoldError, OptionError
from .report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Unpack

    from ._arguments import Options
    from ._options import Inputs, Size
    from .progress import ProgressArgument


class Outcome:
    """The outcome of one of several models.

    model     its path
    path      the file that was written; None after an error
    changed   the result is another model than the input
    report    operators before and after (report.Report)
    error     the FoldError of a failed model, or None
    """

    def __init__(self, model: str, path: str | None, changed: bool, report: Report, error: FoldError | None) -> None:
        self.model = model
        self.path = path
        self.changed = changed
        self.report = report
        self.error = error

    def __repr__(self) -> str:
        what = f"failed: {self.error}" if self.error else "changed" if self.changed else "not changed"
        return f"<Outcome: {self.model!r} {what}>"


def fold_all(
    models: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output_dir: str | os.PathLike[str] | None = None,
    *,
    in_place: bool = False,
    batch_memory: Size | None = None,
    bind: Mapping[str, Any] | None = None,
    verify: bool | int = False,
    verify_inputs: Inputs | None = None,
    progress: ProgressArgument = None,
    nodes: bool = False,
    **options: Unpack[Options],
) -> list[Outcome]:
    """Folds several models, as many at once as `batch_memory` (bytes, "8G"; None: the free memory) and threads allow.

    A folder stands for the models in it. Outputs have the names of their inputs in `output_dir`, or are `model.folded.onnx` beside
    them; with `in_place` they replace them. The other arguments are those of `fold`, and are the same for all models.

    A model that fails does not raise: look at `error` of its outcome; the others are still folded. Raises OptionError if
    nothing can be done, such as two inputs with one output.
    """
    paths = [models] if isinstance(models, (str, os.PathLike)) else _check.names("models", models)
    if not paths:
        return []
    if in_place and output_dir is not None:
        raise OptionError("in_place and output_dir are given, expected one of them", "usage", argument="in_place")
    given = _check.checked(fold_all, {name: value for name, value in locals().items() if name not in ("models", "options")})
    flags = _fold.flagsOf(options)
    bind, verify, verify_inputs, batch_memory = (given[name] for name in ("bind", "verify", "verify_inputs", "batch_memory"))
    trials = 3 if verify is True else int(verify or 0)
    flags += [f"--verify={trials}"] if trials else []
    flags += [f"--batch-memory={batch_memory}"] if batch_memory is not None else []
    if output_dir is not None:
        flags.append(f"--output-dir={os.fspath(output_dir)}")
    if in_place:
        flags.append("--in-place")
    if nodes:
        flags.append("--report=json")
    sources = [_models.Source(os.fsdecode(path)) for path in paths]
    if output_dir is None and not in_place:
        flags.append("--beside")
    if len(sources) == 1 and in_place and not os.path.isdir(str(sources[0].path)):
        sources *= 2  # one file in two ways is one model, and still several
    call = _fold.Call(sources[0], progress)
    with _options.Files() as files:
        flags += _options.bindings(bind or {}, files)
        if verify_inputs is not None:
            flags.append(f"--verify-inputs={files.saveSets(verify_inputs)}")
        more = [argument for source in sources[1:] for argument in source.arguments()]
        run = call.start(flags, None, more)
    if not run.table:
        call.expectSuccess(run)
    return [_outcome(call, run.each, row) for row in run.table]


def _outcome(call: _fold.Call, each: dict[str, Any], row: dict[str, Any]) -> Outcome:
    one = each.get(row["model"])
    report = Report(one.report if one is not None and one.report is not None else b"{}")
    error = None
    if row["status"] not in (0, 2):
        try:
            assert one is not None
            one.status = row["status"]
            call.expectSuccess(one)
        except FoldError as caught:
            error = caught
    return Outcome(row["model"], None if error else row.get("output"), row["changed"] and not error, report, error)
