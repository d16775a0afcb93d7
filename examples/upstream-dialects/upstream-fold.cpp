//===- upstream-fold.cpp - mlir-opt that folds arith and tosa -------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   upstream-fold arith.mlir                           .mlir in, .mlir out
//   upstream-fold arith.mlir --remarks-filter-missed=constprop    why not
//
// MLIR's own driver with a fixed pipeline. It makes the modules itself, so the
// collector registers each as a root for the time of the passes.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

/// A pass cannot load dialects while others run. What materialisation makes
/// operations of is loaded here, and not where the kernels are added: there the
/// a dialect is still being loaded.
static llvm::LogicalResult setUp(mlir::PassManager &passes) {
  passes.getContext()->loadDialect<mlir::tensor::TensorDialect>();
  onnxfold::addCollector(passes, {.registerRoot = true});
  passes.addPass(onnxfold::createConstantPropagationPass());
  passes.addPass(onnxfold::createScrubPass());
  return llvm::success();
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::tosa::TosaDialect>();
  addArithFolding(registry);
  addTosaFolding(registry);

  auto [inputName, outputName] = mlir::registerAndParseCLIOptions(
      argc, argv, "folds arith and tosa\n", registry);
  std::string error;
  auto input = mlir::openInputFile(inputName, &error);
  auto output = input ? mlir::openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return 1;
  }
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  config.setPassPipelineSetupFn(setUp);
  if (failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}
