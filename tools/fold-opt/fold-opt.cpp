//===- fold-opt.cpp - All our passes on textual IR ------------------------===//
//
// mlir-opt with the dialects and passes of this project, for lit tests.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/ConstantPropagation.h"
#include "onnxfold/elements/ElementsDialect.h"
#include "onnxfold/elements/ElementsText.h"
#include "onnxfold/gc/Scrub.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/kernels/support/OnnxFolding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace onnxfold;

static llvm::cl::opt<bool> foldQuantization(
    "fold-quantization",
    llvm::cl::desc("also fold QuantizeLinear and DequantizeLinear"));

/// The onnx dialect comes with its kernels, and its constants print and parse
/// without becoming immortal attributes.
static void extendOnnx(mlir::MLIRContext *context, OnnxDialect *) {
  context->getOrLoadDialect<ElementsDialect>();
  addOnnxFolding(*context, {foldQuantization ? FoldQuantization::All
                                             : FoldQuantization::None});
  setConstantAsm(*context, {printDense, parseDense});
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  ElementsDialect>();
  registerOnnxDialect(registry, OperatorSet::All);
  registry.addExtension(+extendOnnx);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  registerConstantPropagationPass();
  registerScrubPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "onnx-fold's passes\n", registry));
}
