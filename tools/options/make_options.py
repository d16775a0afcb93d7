#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes of the table of options (options/Options.td) what is not the parser itself.

    make_options.py headers TABLE FOLDER       C++: help, rules, members of FoldOptions (the build runs this)
    make_options.py shell TABLE FOLDER         shell completion and manual pages (the build runs this)
    make_options.py [TABLE]                    docs/reference.md and python/onnx_fold/_arguments.py, which a test keeps true

TABLE is a .td, or what `llvm-tblgen -dump-json` makes of it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import option_headers
import option_pages
import option_python
import option_shell
import option_table


def write(folder: Path, files: dict[str, str]) -> None:
    """A file that has the text already is not written: Ninja then rebuilds nothing that includes it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).is_file() or (folder / name).read_text() != text:
            (folder / name).write_text(text)


def main(arguments: list[str]) -> None:
    what, *rest = arguments if arguments[:1] in (["headers"], ["shell"]) else ["pages", *arguments]
    table = option_table.load(Path(rest[0]) if rest else None)
    if what == "headers":
        write(Path(rest[1]), {name: make(table) for name, make in option_headers.FILES.items()})
    elif what == "shell":
        write(Path(rest[1]), option_shell.files(table))
    else:
        option_pages.REFERENCE.write_text(option_pages.reference(table))
        option_python.MODULE.write_text(option_python.module(table))


if __name__ == "__main__":
    main(sys.argv[1:])
