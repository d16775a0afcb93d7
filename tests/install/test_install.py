#!/usr/bin/env python3
"""`cmake --install` and find_package: a project outside the tree builds with the installed package and runs.

ONNXFOLD_TOOL tells which build is installed (its bin/onnx-fold).
"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_testing as t

BUILD = t.TOOL.parents[1]
CONSUMER = Path(__file__).resolve().parent / "consumer"


def command(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    t.expect(done.returncode == 0, f"{arguments[0]} failed: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


suite = t.Suite(__doc__)


@suite.case
def package_builds_a_consumer(folder):
    command("cmake", "--install", BUILD, "--prefix", folder / "installed")
    command("cmake", "-S", CONSUMER, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={folder}/installed")
    command("cmake", "--build", folder / "build")
    t.expectEqual(command(folder / "build/consumer").split(), ["2", "6", "4", "8"], "the consumer's output")


@suite.case
def installed_files_do_not_name_the_tree(folder):
    command("cmake", "--install", BUILD, "--prefix", folder)
    for path in folder.rglob("*.cmake"):
        t.expect(str(t.ROOT) not in path.read_text(), f"{path.relative_to(folder)} names the source tree")
    t.expectEqual(sorted(path.name for path in (folder / "bin").iterdir()), ["fold-opt", "onnx-fold"], "the tools installed")


if __name__ == "__main__":
    sys.exit(suite.main())
