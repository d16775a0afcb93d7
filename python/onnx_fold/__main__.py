"""`python -m onnx_fold` is the program onnx-fold."""

from __future__ import annotations

import os
import sys

from ._tool import binary


def main() -> None:
    arguments = [binary(), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(arguments[0], arguments)
    import subprocess

    sys.exit(subprocess.run(arguments).returncode)


if __name__ == "__main__":
    main()
