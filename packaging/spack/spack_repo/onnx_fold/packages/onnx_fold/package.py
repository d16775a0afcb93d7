# SPDX-License-Identifier: Apache-2.0
# spack repo add packaging/spack/spack_repo/onnx_fold
# spack dev-build -d "$PWD" onnx-fold@main                      from a checkout
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class OnnxFold(CMakePackage):
    """Constant folding of ONNX models and of MLIR: libraries, programs, and a plugin for mlir-opt."""

    license("Apache-2.0")

    version("main")

    variant("shared", default=False, description="libraries that link libMLIR.so")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("py-pip", type="build")  # fetches the pinned sources of the ONNX library
    depends_on("llvm@22 +mlir +llvm_dylib")
    depends_on("protobuf@21 ~shared", when="~shared")  # Debian's 3.21, the only one that was tried
    depends_on("protobuf@21 +shared", when="+shared")
    depends_on("eigen@3.4")
    depends_on("sleef")
    depends_on("re2@:2021")  # later ones need Abseil, which the build does not link
    depends_on("protozero")
    depends_on("libffi")
    depends_on("xxhash")
    depends_on("zlib-api")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("MLIR_DIR", join_path(self.spec["llvm"].prefix, "lib", "cmake", "mlir")),
            self.define("ONNXFOLD_BUILD_TESTS", False),
            self.define("ONNXFOLD_BUILD_BENCH", False),
        ]
