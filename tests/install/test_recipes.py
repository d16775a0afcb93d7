# SPDX-License-Identifier: Apache-2.0
"""The recipes of packaging/ say what the build has: its options, its version, and the libraries that it looks for.

`conan graph info` runs where the program conan of PyPI is (ONNXFOLD_CONAN names it otherwise).
"""

import os
import re
import shutil
import subprocess

import onnxfold_testing as t

CONAN = t.ROOT / "packaging/conan/conanfile.py"
SPACK = next((t.ROOT / "packaging/spack").glob("packages/*/package.py"))
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
