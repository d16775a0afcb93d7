# SPDX-License-Identifier: Apache-2.0
"""How far a run is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Union

    ProgressArgument = Union[bool, "Callable[[Progress], object]", None]


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


class Bar:
    """`progress=True`: bars of tqdm, one for each step; nothing if tqdm is not there."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._step = ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm: Any = tqdm

    def __call__(self, progress: Progress) -> None:
        if self._tqdm is None:
            return
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
