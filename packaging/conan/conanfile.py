# SPDX-License-Identifier: Apache-2.0
"""onnx-fold for Conan 2: the libraries, the programs and the plugin for mlir-opt, from this checkout.

    conan create packaging/conan                                 # builds and tests the package
    conan create packaging/conan -o "&:shared=True"              # libraries that link libMLIR.so

Conan Center has no MLIR, so MLIR 22 and the rest are packages of the system, which tools/setup.sh installs on Debian.
"""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class OnnxFold(ConanFile):
    name = "onnx-fold"
    license = "Apache-2.0"
    description = "Constant folding of ONNX models and of MLIR"
    topics = ("onnx", "mlir", "compiler")
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "prefix": ["ANY"]}
    default_options = {"shared": False, "prefix": "/usr/lib/llvm-22"}
    package_type = "library"

    @property
    def _root(self):
        return Path(self.recipe_folder).parents[1]

    def set_version(self):
        self.version = re.search(r"project\(onnxfold VERSION ([0-9.]+)", (self._root / "CMakeLists.txt").read_text())[1]

    def export_sources(self):
        unused = ("build*/*", ".git/*", "tests/*", "bench/*", "docs/*", "packaging/*")
        copy(self, "*", self._root, self.export_sources_folder, excludes=unused)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("onnx-fold is built for Linux only")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["MLIR_DIR"] = f"{self.options.prefix}/lib/cmake/mlir"
        toolchain.cache_variables["ONNXFOLD_BUILD_TESTS"] = "OFF"
        toolchain.cache_variables["ONNXFOLD_BUILD_BENCH"] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package has its own find_package(onnxfold), with a component for each library.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/onnxfold"]
        self.buildenv_info.append_path("PATH", f"{self.package_folder}/bin")
        self.runenv_info.append_path("PATH", f"{self.package_folder}/bin")
