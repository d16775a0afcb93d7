//===- main.cpp - Folds a module of MLIR's own dialects -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints a function that returns the transposed and narrowed columns of a
// matrix, as one constant.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/Scrub.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

static constexpr const char *text = R"(
func.func @f() -> tensor<2x2xf16> {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %s = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<3x2xf32> to tensor<2x2xf32>
  %r = arith.truncf %s : tensor<2x2xf32> to tensor<2x2xf16>
  return %r : tensor<2x2xf16>
})";

int main() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect,
                  onnxfold::ElementsDialect>();
  onnxfold::registerUpstreamKernels(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  mlir::PassManager passes(&context);
  passes.addPass(onnxfold::createConstantPropagationPass());
  onnxfold::addCollector(passes, {.registerRoot = true});
  if (!module || failed(passes.run(*module)))
    return 1;
  onnxfold::scrub(*module);
  module->print(llvm::outs());
}
