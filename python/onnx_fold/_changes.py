# SPDX-License-Identifier: Apache-2.0
"""The files that a call changes, as they were before: a call that is cancelled leaves them so.

The tool says which files are about to get their names (`ready`), and waits (--confirm). Here the old files get second names
first. If something is raised afterwards, before the call has returned, the new files are removed and the old ones put back.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Changes:
    """A context manager around a call: what is raised within undoes what `run` has committed."""

    def __init__(self) -> None:
        self._before: list[tuple[str, str | None]] = []  # a file, and the second name of what it was
        self.isDecided = False  # the tool may be naming files

    def keep(self, files: Iterable[str]) -> None:
        for path in files:
            self._before.append((path, _secondName(path) if os.path.lexists(path) else None))

    def __enter__(self) -> Changes:
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        before, self._before = self._before, []
        for path, second in reversed(before):
            if kind is not None and self.isDecided:
                _restore(path, second)
            if second:
                _remove(second)


def _secondName(path: str) -> str:
    """A hard link beside the file: no byte is copied. Empty where there are no links: such a file cannot be put back."""
    import secrets

    folder, name = os.path.split(path)
    second = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.before")
    try:
        os.link(path, second, follow_symlinks=False)
    except OSError:
        return ""
    return second


def _restore(path: str, second: str | None) -> None:
    if second is None:
        _remove(path)
    elif second:
        os.replace(second, path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
