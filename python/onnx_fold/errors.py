# SPDX-License-Identifier: Apache-2.0
"""What can go wrong: exceptions that carry the fields of the tool's message, and the warning class."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping

    from .report import Report, Verification


FIELDS = ("file", "node", "operator", "attribute", "initializer", "input", "option", "has", "expected")


class FoldWarning(UserWarning):
    """Something odd in a model that was passed through, such as nodes out of order."""


class FoldError(Exception):
    """A model cannot be read, understood or written. `str(error)` is the message of the tool.

    What the message names is in fields, each None where it names no such thing:

        file         the file with the mistake; "<memory>" for a model that was given as an object
        node         the node, by its name or its first output
        operator     the type of the node, such as "Conv"
        attribute    the attribute of the node
        initializer  the initializer
        input        the input of the model or of the node
        option       the option of the program
        has          what was found there
        expected     what was expected instead
        code         "failed", "usage" (an option), "differs" or "not-verified" (verification) or "killed" (the process was)
        status       the exit status of the tool; -n after signal n
    """

    file: str | None
    node: str | None
    operator: str | None
    attribute: str | None
    initializer: str | None
    input: str | None
    option: str | None
    has: str | None
    expected: str | None

    def __init__(self, text: str, code: str = "failed", status: int = 1, fields: Mapping[str, object] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.status = status
        for name in FIELDS:
            value = (fields or {}).get(name)
            setattr(self, name, value if isinstance(value, str) else None)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (type(self), dict(self.__dict__), self.args))


class OptionError(FoldError, ValueError):
    """An argument has a value that the tool does not take."""


class VerificationError(FoldError):
    """The folded model computes something else than the model, or an output could not be compared. Nothing was written.

    `code` is "differs" or "not-verified".
    `report` is the report of the run, `verification` what was compared.
    """

    report: Report | None = None
    verification: Verification | None = None


def _restored(kind: type[FoldError], fields: dict[str, object], args: tuple[object, ...]) -> FoldError:
    """For pickle, which process pools use."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error
