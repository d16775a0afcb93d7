//===- fold-opt.cpp - All our passes on textual IR ------------------------===//
//
// mlir-opt with the dialects and passes of this project, for lit tests.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  onnxfold::registerOnnxDialect(registry, onnxfold::OperatorSet::All);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "onnx-fold's passes\n", registry));
}
