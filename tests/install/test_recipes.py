# SPDX-License-Identifier: Apache-2.0
"""The recipes of packaging/ say what the build has: its options, its version, and the libraries that it looks for.

`conan graph info` runs where the program conan of PyPI is (ONNXFOLD_CONAN names it otherwise).
"""

import os
import re
import shutil
import subprocess
import sys
import types
import unittest.mock

import onnxfold_testing as t

CONAN = t.ROOT / "packaging/conan/conanfile.py"
# Spack takes a repository of its package API 2 only where the folder above it has this name.
SPACK_REPOSITORY = t.ROOT / "packaging/spack/spack_repo/onnx_fold"
SPACK = SPACK_REPOSITORY / "packages/onnx_fold/package.py"
# Headers and packages that the build looks for, as Spack calls them.
PACKAGES = {
    "sleef.h": "sleef",
    "protozero/pbf_reader.hpp": "protozero",
    "ffi.h": "libffi",
    "xxhash.h": "xxhash",
    "zlib.h": "zlib-api",
    "re2/re2.h": "re2",
    "LLVM": "llvm",
    "MLIR": "llvm",
    "Protobuf": "protobuf",
    "Eigen3": "eigen",
}
# What Spack's own repository, of July 2026, has of what the recipes ask for; c and cxx are languages.
SPACKS_OWN = set(PACKAGES.values()) - {"protozero"} | {"c", "cxx", "cmake", "ninja", "python", "py-pip"}


def cmakeText(*names):
    return "\n".join((t.ROOT / name).read_text() for name in names)


def testOptions():
    """A misspelled option would be ignored by CMake."""
    text = cmakeText("CMakeLists.txt", *(str(path.relative_to(t.ROOT)) for path in (t.ROOT / "cmake").glob("*.cmake")))
    for recipe in CONAN, SPACK:
        names = set(re.findall(r'"(ONNXFOLD_\w+)"', recipe.read_text()))
        assert names and all(re.search(rf"option\({name}\b", text) for name in names), (recipe, names)


def testLibraries():
    """Spack takes nothing from the system."""
    text = cmakeText("CMakeLists.txt", "cmake/OnnxfoldDependencies.cmake")
    found = set(re.findall(r"find_path\(\w+ ([\w./]+)\)", text)) | set(re.findall(r"find_package\((\w+)", text)) - {"Threads"}
    assert found == set(PACKAGES), found ^ set(PACKAGES)
    wanted = set(re.findall(r'depends_on\("([a-z0-9-]+)', SPACK.read_text()))
    assert not set(PACKAGES.values()) - wanted, set(PACKAGES.values()) - wanted
    [version] = re.findall(r"find_package\(MLIR (\d+)", text)
    assert f'"llvm@{version} +mlir' in SPACK.read_text() and f"llvm-{version}" in CONAN.read_text()


def testSpackFindsWhatItReads():
    """No protozero is in Spack's own repository, and `generator` comes with the build system: Spack 1 read no recipe here."""
    recipes = {path.parent.name.replace("_", "-"): path for path in SPACK_REPOSITORY.glob("packages/*/package.py")}
    for path in recipes.values():
        wanted = {re.match("[a-z0-9-]+", spec)[0] for spec in re.findall(r'depends_on\("([^"]+)"', path.read_text())}
        assert not wanted - SPACKS_OWN - set(recipes), (path, wanted)
        with unittest.mock.patch.dict(sys.modules, spackModules()):
            exec(compile(path.read_text(), path, "exec"), {"__name__": "recipe"})


def spackModules():
    """Spack's modules with the names that each has, and that the recipes use."""
    names = "spack", "spack.package", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems", "spack_repo.builtin.build_systems.cmake"
    modules = {name: types.ModuleType(name) for name in names}
    for directive in "license", "version", "variant", "depends_on":
        setattr(modules["spack.package"], directive, lambda *_, **__: None)
    modules[names[-1]].CMakePackage = object
    modules[names[-1]].generator = lambda *_: None
    return modules


def testConan(folder):
    if not (conan := os.environ.get("ONNXFOLD_CONAN", shutil.which("conan"))):
        return
    environment = {**os.environ, "CONAN_HOME": str(folder)}

    def run(*arguments):
        done = subprocess.run([conan, *arguments], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("profile", "detect")
    version = re.search(r"project\(onnxfold VERSION ([0-9.]+)", (t.ROOT / "CMakeLists.txt").read_text())[1]
    assert f"version: {version}" in run("graph", "info", CONAN.parent)
