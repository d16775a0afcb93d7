# SPDX-License-Identifier: Apache-2.0
"""ONNXFOLD_COMPONENTS: a build without the parts that somebody does not need."""

import shutil
import subprocess

import pytest

import onnxfold_testing as t

BUILD = t.TOOL.parents[1]
needsCMake = pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("ninja")), reason="no cmake")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One for all: CMake looks for the compilers once."""
    place = tmp_path_factory.mktemp("components")
    (place / "build").mkdir()
    # What a build has fetched is the same for all.
    (place / "build/third-party").symlink_to(BUILD / "third-party")
    return place


def configure(folder, components):
    settings = {name: t.cmakeCache(BUILD, name) for name in ("CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER", "CMAKE_BUILD_TYPE")}
    settings["ONNXFOLD_COMPONENTS"] = components
    command = ["cmake", "-S", t.ROOT, "-B", folder / "build", "-G", "Ninja", *(f"-D{k}={v}" for k, v in settings.items())]
    return subprocess.run(command, capture_output=True, text=True)


@needsCMake
def test_without_any(folder):
    done = configure(folder, "dealloc")
    assert done.returncode == 0, done.stderr
    listing = subprocess.run(["ninja", "-C", folder / "build", "-t", "targets", "all"], capture_output=True, text=True).stdout
    programs = {line.split(":")[0] for line in listing.splitlines() if line.startswith("bin/")}
    assert programs == {"bin/onnx-fold"}, f"{programs}"
    assert "lib/libonnxfold_dealloc.a" in listing and "libonnxfold_dml" not in listing


@needsCMake
@pytest.mark.parametrize(
    "components, message",
    [
        ("dealloc;dlm", "ONNXFOLD_COMPONENTS names 'dlm', expected some of compile, dealloc, dml,"),
        ("tensorfolding", "ONNXFOLD_COMPONENTS names 'tensorfolding', expected 'dealloc' too"),
    ],
)
def test_refused(folder, components, message):
    done = configure(folder, components)
    assert done.returncode != 0 and message in " ".join(done.stderr.split()), done.stderr
