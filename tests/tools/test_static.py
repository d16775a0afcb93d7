# SPDX-License-Identifier: Apache-2.0
"""The tool needs nothing of the system that it runs on, and tools/static_object.py, which makes that possible."""

import os
import shutil
import struct
import subprocess
import sys

import pytest

import onnxfold_testing as t

BUILD = t.TOOL.parents[1]
PT_DYNAMIC, PT_INTERP, PT_GNU_EH_FRAME = 2, 3, 0x6474E550
isStatic = pytest.mark.skipif(t.cmakeCache(BUILD, "ONNXFOLD_STATIC") != "ON", reason="the build links shared libraries")


def segmentTypes(path):
    data = path.read_bytes()
    (offset,), (size, count) = struct.unpack_from("<Q", data, 0x20), struct.unpack_from("<2H", data, 0x36)
    return {struct.unpack_from("<I", data, offset + i * size)[0] for i in range(count)}


@isStatic
@pytest.mark.parametrize("tool", ["onnx-fold", "onnx-to-dml", "dml-to-onnx"])
def test_no_loader_and_no_shared_libraries(tool):
    assert not segmentTypes(t.TOOL.parent / tool) & {PT_DYNAMIC, PT_INTERP}


@isStatic
@pytest.mark.parametrize("tool", ["onnx-fold", "onnx-to-dml", "dml-to-onnx"])
def test_exceptions_sort_no_tables(tool):
    """The first one sorted the frames of the whole program: half the instructions of a model of 151 MB with functions."""
    path = t.TOOL.parent / tool
    assert PT_GNU_EH_FRAME in segmentTypes(path), "the sorted table"
    assert b"__wrap___register_frame_info" in path.read_bytes(), "what takes the place of its registration (cmake/static-frames.c)"


@isStatic
def test_in_a_root_without_anything(folder):
    """As on a distribution whose C library is another one, or none."""
    enter = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]
    if not shutil.which("chroot") or subprocess.run([*enter, "/", "true"], capture_output=True).returncode != 0:
        pytest.skip("this user cannot change the root")
    for source in (t.TOOL, t.ROOT / "examples/sample.onnx"):
        shutil.copy(source, folder)
    run = subprocess.run([*enter, folder, "/onnx-fold", "/sample.onnx"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    t.expectSameBytes(folder / "sample.folded.onnx", t.fold(folder / "sample.onnx", folder / "beside.onnx"), "in a bare root")


LIBRARY = """
static const double table[4] = {1, 2, 4, 8};
const double *const pointers[2] = {table + 1, table + 3};   // words that the dynamic linker writes
double lookUp(int i) { return *pointers[i]; }
double twice(int i) { return 2 * lookUp(i); }               // a call through the table of functions
double root(double x);                                      // of the program
double rootOfTwice(int i) { return root(twice(i)); }
"""
PROGRAM = """
#include <stdio.h>
double twice(int), rootOfTwice(int);
double root(double x) { return x / 4; }
int main() { printf("%g %g %g\\n", twice(0), twice(1), rootOfTwice(1)); }
"""


def test_object_of_a_shared_library(folder):
    (folder / "library.c").write_text(LIBRARY)
    (folder / "program.c").write_text(PROGRAM)
    compiler = t.cmakeCache(BUILD, "CMAKE_C_COMPILER")
    call = lambda *command: subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    call(compiler, "-O1", "-fPIC", "-shared", "library.c", "-o", "library.so")
    call(sys.executable, t.ROOT / "tools/static_object.py", "library.so", "", "library.s")
    call(compiler, "-no-pie", "program.c", "library.s", "-o", "program")
    assert call("./program") == "4 16 4\n"


def test_no_library(folder):
    (folder / "text").write_text("no library")
    tool = [sys.executable, t.ROOT / "tools/static_object.py", "text", "", "out.s"]
    run = subprocess.run(tool, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1 and "text: not a 64-bit little-endian ELF file" in run.stderr
    assert not (folder / "out.s").exists()
