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
        argument     the argument of the function
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
    argument: str | None

    def __init__(
        self,
        text: str,
        code: str = "failed",
        status: int = 1,
        fields: Mapping[str, object] | None = None,
        argument: str | None = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.status = status
        self.argument = argument
        for name in FIELDS:
            value = (fields or {}).get(name)
            setattr(self, name, value if isinstance(value, str) else None)

    def __reduce__(self) -> tuple[object, ...]:
        fields = dict(self.__dict__)
        if isinstance(self, OSError):
            fields.update(errno=self.errno, strerror=self.strerror, filename=self.filename)
        return (_restored, (type(self), fields, self.args))


class OptionError(FoldError, ValueError):
    """An argument has a value that cannot be taken; `argument` is its name."""


class OptionTypeError(FoldError, TypeError):
    """An argument is of a wrong type, or there is none of that name; `argument` is its name."""


class FileError(FoldError, OSError):
    """A file cannot be opened, read or written. `errno`, `strerror` and `filename` are set as in any OSError."""

    def __str__(self) -> str:
        return str(self.args[0])


class MissingFileError(FileError, FileNotFoundError):
    """A file or its folder is not there."""


class ForbiddenFileError(FileError, PermissionError):
    """A file may not be read or written."""


class FolderError(FileError, IsADirectoryError):
    """A folder was given, expected a file."""


class VerificationError(FoldError):
    """The folded model computes something else than the model, or an output could not be compared. Nothing was written.

    `code` is "differs" or "not-verified".
    `report` is the report of the run, `verification` what was compared.
    """

    report: Report | None = None
    verification: Verification | None = None


def fileError(text: str, status: int, fields: Mapping[str, object]) -> FileError | None:
    """The error of a message that ends with what the system says; nothing for others."""
    import errno
    import os

    said = text.rpartition(": ")[2].lower()
    number = next((number for number in errno.errorcode if os.strerror(number).lower() == said), None)
    if number is None and ("there is no such file" in text or "there is no folder" in text):
        number = errno.ENOENT
    if number is None and ": is a folder, expected a file" in text:
        number = errno.EISDIR
    if number is None:
        return None
    kinds: dict[int, type[FileError]] = {
        errno.ENOENT: MissingFileError,
        errno.EACCES: ForbiddenFileError,
        errno.EPERM: ForbiddenFileError,
        errno.EISDIR: FolderError,
    }
    error = kinds.get(number, FileError)(text, "failed", status, fields)
    error.errno, error.strerror, error.filename = number, os.strerror(number), error.file
    return error


def _restored(kind: type[FoldError], fields: dict[str, object], args: tuple[object, ...]) -> FoldError:
    """For pickle, which process pools use."""
    error = kind.__new__(kind, *args)
    error.args = args
    for name, value in fields.items():
        setattr(error, name, value)
    return error
