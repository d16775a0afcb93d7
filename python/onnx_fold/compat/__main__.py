# SPDX-License-Identifier: Apache-2.0
"""python -m onnx_fold.compat -- COMMAND: runs a command in which onnxsim and OnnxSlim are those of onnx-fold.

    python -m onnx_fold.compat -- python export.py --format onnx
    python -m onnx_fold.compat -- python -m package.export
    python -m onnx_fold.compat -- yolo export model=yolo11n.pt format=onnx
    python -m onnx_fold.compat -- onnxsim in.onnx out.onnx

In every Python process that the command starts, `import onnxsim` and `import onnxslim` give modules whose functions are those
of onnx-fold; the programs onnxsim and onnxslim are replaced too. Neither package need be installed, and nothing is changed on
the machine. A Python that is started with -I, -E or -S ignores this. The exit status is that of the command.
"""

from __future__ import annotations

import os
import shlex
import signal
import stat
import subprocess
import sys
import tempfile

from .. import _tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# The folder is searched first; what else is called sitecustomize in the process (of Debian, of a test tool) runs after it.
SITE = '''"""Of `python -m onnx_fold.compat`."""
import os
import sys

if sys.version_info >= (3, 9):
    from onnx_fold.compat._modules import prepare

    prepare()
if sys.version_info >= (3, 5):
    import importlib.machinery
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)
'''


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    command = words[1:] if words[:1] == ["--"] else words
    if not command:
        print(
            "onnx_fold.compat: no command is given, expected: python -m onnx_fold.compat -- python export.py", file=sys.stderr
        )
        return 2
    if command[0] in ("-m", "-c") or (command[0].endswith(".py") and not os.access(command[0], os.X_OK)):
        command = [sys.executable, *command]
    elif command[0].startswith("-"):
        print(f"onnx_fold.compat: {command[0]!r} is no command, expected -- before it, or -m MODULE", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="onnx-fold-compat-") as folder:
        return run(command, prepared(folder))


def prepared(folder: str) -> dict[str, str]:
    """Makes the files of the folder, and returns the environment of the command."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.symlink(package, os.path.join(folder, "onnx_fold"))
    with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
        file.write(SITE)
    programs = os.path.join(folder, "bin")
    os.mkdir(programs)
    for name in ("onnxsim", "onnxslim"):
        path = os.path.join(programs, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m onnx_fold.compat._command_{name} "$@"\n')
        os.chmod(path, stat.S_IRWXU)
    result = {**os.environ, "ONNXFOLD_BINARY": os.path.abspath(_tool.binary())}
    for name, first in (("PYTHONPATH", folder), ("PATH", programs)):
        result[name] = os.pathsep.join([first, *filter(None, [os.environ.get(name)])])
    return result


def run(command: Sequence[str], environment: dict[str, str]) -> int:
    """Ctrl-C reaches the command by itself; a request to end is passed on."""
    import shutil

    program = shutil.which(command[0], path=environment["PATH"])
    if program is None and os.path.basename(command[0]) == "python":
        program = sys.executable
    if program is None:
        print(f"onnx_fold.compat: there is no program {command[0]!r}, expected one of PATH", file=sys.stderr)
        return 127
    with subprocess.Popen([program, *command[1:]], env=environment) as process:
        old = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda number, frame: process.send_signal(number))
        try:
            status = process.wait()
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
