//===- UpstreamKernels.cpp - Kernels for MLIR's own dialects --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/UpstreamKernels.h"
#include "onnxfold/upstream/internal/UpstreamFolding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace onnxfold::upstream {
#define KERNEL(dialect, Name) void register##Name(KernelRegistry &);
#include "onnxfold/upstream/UpstreamKernels.def"
#undef KERNEL
} // namespace onnxfold::upstream

using namespace onnxfold;

void onnxfold::addUpstreamKernels(llvm::StringRef dialect,
                                  KernelRegistry &registry) {
  using AddKernels = void (*)(KernelRegistry &);
  static constexpr std::pair<llvm::StringLiteral, AddKernels> kernels[] = {
#define KERNEL(dialect, Name) {#dialect, upstream::register##Name},
#include "onnxfold/upstream/UpstreamKernels.def"
#undef KERNEL
  };
  for (auto [of, addKernels] : kernels)
    if (of == dialect)
      addKernels(registry);
}

template <class Dialect> static void extend(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *, Dialect *dialect) {
    dialect->template addInterfaces<UpstreamFolding>();
  });
}

void onnxfold::registerUpstreamKernels(mlir::DialectRegistry &registry) {
  extend<mlir::arith::ArithDialect>(registry);
  extend<mlir::linalg::LinalgDialect>(registry);
  extend<mlir::math::MathDialect>(registry);
  extend<mlir::ml_program::MLProgramDialect>(registry);
  extend<mlir::tensor::TensorDialect>(registry);
  extend<mlir::tosa::TosaDialect>(registry);
}
