# SPDX-License-Identifier: Apache-2.0
"""How far a run is: for a function, a bar of tqdm, or the logger "onnx_fold".

The logger has warnings (WARNING), one line for each model (INFO), and steps and progress (DEBUG). It prints nothing unless the
program sets up `logging`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging
    from contextlib import ExitStack
    from typing import Any, Callable, Union

    from .report import Report

    ProgressArgument = Union[bool, "Callable[[Progress], object]", "logging.Logger", None]


class Progress:
    """What a call-back gets, several times a second.

    step    "fold" (nodes are evaluated), "verify" or "write"
    done    how many `unit`s of this step
    total   how many there are in all; None if nobody knows
    unit    "nodes" or "bytes"
    """

    __slots__ = ("step", "done", "total", "unit")

    def __init__(self, step: str, done: int, total: int | None, unit: str) -> None:
        self.step = step
        self.done = done
        self.total = total
        self.unit = unit

    def __repr__(self) -> str:
        of = "" if self.total is None else f" of {self.total}"
        return f"<Progress {self.step}: {self.done}{of} {self.unit}>"


class Reader:
    """Turns the tool's lines of progress into calls of a function."""

    def __init__(self, call: Callable[[Progress], object]) -> None:
        self._call = call
        self._isFolded = False  # what is evaluated after that is evaluated to verify

    def read(self, message: dict[str, Any]) -> None:
        if "ended" in message:
            self._isFolded |= message["ended"] == "evaluate"
        elif "bytes" in message:
            self._call(Progress("write", message["bytes"], message["total"], "bytes"))
        elif "nodes" in message:
            self._call(Progress("verify" if self._isFolded else "fold", message["nodes"], None, "nodes"))


_logger: Any = None


def logger() -> logging.Logger:
    """The one of this package."""
    global _logger
    if _logger is None:
        import logging

        _logger = logging.getLogger("onnx_fold")
        _logger.addHandler(logging.NullHandler())
    return _logger  # type: ignore[no-any-return]


class Log:
    """Progress as lines of a logger."""

    def __init__(self, to: logging.Logger, model: str, level: int) -> None:
        self._to, self._model, self._level = to, model, level

    def __call__(self, progress: Progress) -> None:
        of = "" if progress.total is None else f" of {progress.total}"
        self._to.log(self._level, "%s: %s: %s%s %s", self._model, progress.step, progress.done, of, progress.unit)


def readerOf(given: Any, model: str, stack: ExitStack) -> Callable[[dict[str, Any]], None] | None:
    """What reads the tool's lines of progress, if anybody wants them: the argument `progress`, or the logger."""
    calls: list[Callable[[Progress], object]] = []
    if given is True:
        bar = Bar(model)
        stack.callback(bar.close)
        calls.append(bar)
    elif hasattr(given, "isEnabledFor"):
        calls.append(Log(given, model, 20))
    elif callable(given):
        calls.append(given)
    if logger().isEnabledFor(10):
        calls.append(Log(logger(), model, 10))
    if not calls:
        return None

    def call(progress: Progress) -> None:
        for one in calls:
            one(progress)

    return Reader(call).read


def noteEnd(model: str, changed: bool, report: Report) -> None:
    """One line for each model; the report is not parsed unless somebody reads it."""
    if logger().isEnabledFor(20):
        logger().info("%s: %s, %s in %.3f s", model, "changed" if changed else "not changed", report.counted(), report.seconds)


class Bar:
    """`progress=True`: bars of tqdm, one for each step; lines of the logger if tqdm is not there."""

    def __init__(self, model: str = "") -> None:
        self._model = model
        self._bar: Any = None
        self._step = ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm: Any = tqdm

    def __call__(self, progress: Progress) -> None:
        if self._tqdm is None:
            return Log(logger(), self._model, 20)(progress)
        if progress.step != self._step:
            self.close()
            self._step = progress.step
            self._bar = self._tqdm(
                desc=progress.step, total=progress.total, unit=progress.unit[:-1], unit_scale=progress.unit == "bytes"
            )
        self._bar.update(progress.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
