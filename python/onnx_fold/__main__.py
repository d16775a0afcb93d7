# SPDX-License-Identifier: Apache-2.0
"""`python -m onnx_fold` is the program onnx-fold, and `python -m onnx_fold verify` compares two models by ONNX Runtime."""

from __future__ import annotations

import os
import sys

from ._tool import binary


def main() -> None:
    if sys.argv[1:2] == ["verify"]:
        from . import _verify

        sys.exit(_verify.main(sys.argv[2:]))
    arguments = [binary(), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(arguments[0], arguments)
    import subprocess

    sys.exit(subprocess.run(arguments).returncode)


if __name__ == "__main__":
    main()
