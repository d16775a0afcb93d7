# SPDX-License-Identifier: Apache-2.0
"""libonnxfold.so: installed, and called from C and from Rust by examples/c-abi, and by several threads."""

import json
import os
import re
import shutil
import subprocess

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

BUILD = t.TOOL.parents[1]
EXAMPLES = t.ROOT / "examples/c-abi"
SAMPLE = t.ROOT / "examples/sample.onnx"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    if "fsanitize" in t.cmakeCache(BUILD, "CMAKE_CXX_FLAGS") or t.cmakeCache(BUILD, "ONNXFOLD_SANITIZE") not in ("", "OFF"):
        pytest.skip("the programs are not built with sanitizers, but the library is")
    place = tmp_path_factory.mktemp("c-abi")
    output("cmake", "--install", BUILD, "--prefix", place, "--component", "capi")
    return place


def run(*arguments, place=None):
    library = str(place / "lib") if place else ""
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": library})


def output(*arguments, place=None):
    done = run(*arguments, place=place)
    assert done.returncode == 0, f"{arguments[0]} failed: {done.stdout[-500:]}{done.stderr[-2000:]}"
    return done.stdout


def libraryOf(installed):
    [library] = [path for path in (installed / "lib").rglob("libonnxfold.so.*.*") if not path.is_symlink()]
    return library


def compileC(installed, folder, source, *flags):
    program = folder / source.stem
    library = libraryOf(installed).parent
    output("cc", "-std=c99", "-D_POSIX_C_SOURCE=200112L", "-Wall", "-Wextra", "-Werror", "-o", program, source,
           f"-I{installed}/include", f"-L{library}", f"-Wl,-rpath,{library}", "-lonnxfold", *flags)  # fmt: skip
    return program


def checkFolded(folder, stdout):
    """What the program wrote is what the tool writes, and it printed the report."""
    report = json.loads(stdout)
    assert report["changed"] is True
    wanted = t.fold(SAMPLE, folder / "wanted.onnx", "--max-growth=10%")
    t.expectSameBytes(folder / "out.onnx", wanted, "of libonnxfold.so and of onnx-fold")


def test_c(installed, folder):
    program = compileC(installed, folder, EXAMPLES / "fold.c")
    checkFolded(folder, output(program, SAMPLE, folder / "out.onnx"))
    size = (folder / "out.onnx").stat().st_size
    assert f": {size} bytes in memory" in run(program, SAMPLE, folder / "again.onnx").stderr
    failed = run(program, folder / "none.onnx", folder / "no.onnx")
    assert failed.returncode == 1 and "none.onnx" in failed.stderr and not (folder / "no.onnx").exists()


def test_rust(installed, folder):
    rustc = shutil.which("rustc")
    if not rustc or run(rustc, "--version").returncode != 0:
        pytest.skip("no rustc: tools/setup-tests.sh installs it")
    library = libraryOf(installed).parent
    output(rustc, "--edition=2018", "-D", "warnings", "-o", folder / "fold", EXAMPLES / "fold.rs", "-L", library, "-l", "onnxfold",
           "-C", f"link-arg=-Wl,-rpath,{library}")  # fmt: skip
    checkFolded(folder, output(folder / "fold", SAMPLE, folder / "out.onnx"))
    failed = run(folder / "fold", folder / "none.onnx", folder / "no.onnx")
    assert failed.returncode == 1 and failed.stderr.startswith("fold: ") and "none.onnx" in failed.stderr


def test_threads(installed, folder):
    program = compileC(installed, folder, t.ROOT / "tests/install/threads.c", "-pthread")
    (folder / "wrong.onnx").write_bytes(b"no model")
    size = t.fold(SAMPLE, folder / "wanted.onnx").stat().st_size
    assert int(output(program, SAMPLE, folder / "wrong.onnx")) == size


def weights():
    """Three additions of weights that fold, each of 200 KB."""
    constants = [const(name, np.full((50, 1000), i, np.float32)) for i, name in enumerate("abcd")]
    nodes = [node("Add", [one, other], [f"s{i}"]) for i, (one, other) in enumerate(("ab", "bc", "cd"))]
    nodes += [node("Sum", ["s0", "s1", "s2"], ["s"]), node("MatMul", ["x", "s"], ["y"])]
    return m.model(nodes, [info("x", (2, 50))], [info("y", (2, 1000))], constants)


def test_an_input_that_is_cut(installed, folder):
    """Its host program ended with SIGBUS. It is an error that names the file, and there is no output."""
    program = compileC(installed, folder, t.ROOT / "tests/install/truncated.c")
    for when in (1, 2, 3, 5, 8):
        onnx.save(weights(), folder / "model.onnx")
        done = run(program, folder / "model.onnx", folder / "out.onnx", when)
        assert done.returncode in ((0,) if when == 1 else (0, 2)), f"call {when}: status {done.returncode}, {done.stdout}"
        if done.returncode == 0:
            assert f"{folder / 'model.onnx'}: " in done.stdout and not (folder / "out.onnx").exists(), done.stdout
        (folder / "out.onnx").unlink(missing_ok=True)


def test_exports_are_versioned(installed):
    """What the header declares, and nothing else."""
    header = (installed / "include/onnx_fold.h").read_text()
    declared = set(re.findall(r"\b(onnx_fold_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
    symbols = [line.split() for line in output("nm", "-D", "--defined-only", libraryOf(installed)).splitlines()]
    exported = {name for _, kind, name in symbols if kind != "A"}
    assert exported == {f"{name}@@ONNX_FOLD_1" for name in declared}
    assert "SONAME" in output("readelf", "-d", libraryOf(installed)) and "libonnxfold.so.1" in output("readelf", "-d", libraryOf(installed))


def test_debian_package(folder):
    """It has the library with its links, and the header; a C program compiles and folds with what is unpacked."""
    if t.cmakeCache(BUILD, "ONNXFOLD_STATIC") in ("", "OFF") or not shutil.which("dpkg-deb"):
        pytest.skip("no Debian package is made of this build")
    config = ("--config", BUILD / "CPackConfig.cmake", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
    output("cpack", "-G", "DEB", "-B", folder / "package", *config)
    [package] = (folder / "package").glob("onnx-fold_*.deb")
    listed = output("dpkg-deb", "-c", package)
    for name in ("./usr/bin/onnx-fold\n", "./usr/include/onnx_fold.h\n", "/libonnxfold.so -> libonnxfold.so.1\n", "/libonnxfold.so.1 -> libonnxfold.so.0."):
        assert name in listed, f"no {name} in the package: {listed}"
    assert "libprotobuf" in output("dpkg-deb", "-f", package, "Recommends")
    output("dpkg-deb", "-x", package, folder / "root")
    program = compileC(folder / "root/usr", folder, EXAMPLES / "fold.c")
    checkFolded(folder, output(program, SAMPLE, folder / "out.onnx"))
