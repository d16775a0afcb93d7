//===- Main.cpp - stablehlo-fold: fold the constants of a program ---------===//
// SPDX-License-Identifier: Apache-2.0
//
//   stablehlo-fold model.mlir -o folded.mlir
//
// Reads a StableHLO program as JAX and torch-mlir write it (text, bytecode, or
// what jax.export serialises), inlines its private functions, folds what depends
// on constants alone, and writes it in the generic form. docs/stablehlo.md is
// the manual.
//
//===----------------------------------------------------------------------===//

#include "Bools.h"
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/Passes.h"
#include "onnxfold/stablehlo/StablehloKernels.h"
#include "onnxfold/stablehlo/ir/Dialect.h"
#include "onnxfold/stablehlo/vhlo/Dialect.h"
#include "onnxfold/upstream/MlirText.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace onnxfold;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of stablehlo-fold");
static cl::opt<std::string> input(cl::Positional, cl::desc("<file, or ->"),
                                  cl::init("-"), cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("where the program goes"),
                                   cl::value_desc("file"), cl::init("-"),
                                   cl::cat(category));
static cl::opt<std::string>
    passes("passes", cl::desc("the passes that run, as mlir-opt takes them"),
           cl::init("inline,constprop{max-growth=65536},cse,symbol-dce,scrub"),
           cl::cat(category));
static cl::opt<bool> bytecode("emit-bytecode",
                              cl::desc("write MLIR's bytecode"),
                              cl::cat(category));

static void registerPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
  registerConstantPropagationPass();
  registerCollectionPasses();
}

static mlir::LogicalResult fold(mlir::ModuleOp module) {
  mlir::PassManager pm(module.getContext());
  addCollector(pm, {.registerRoot = true});
  std::string wrong;
  llvm::raw_string_ostream message(wrong);
  if (mlir::failed(mlir::parsePassPipeline(passes, pm, message))) {
    llvm::errs() << "stablehlo-fold: error: --passes: " << wrong;
    return mlir::failure();
  }
  return pm.run(module);
}

static mlir::OwningOpRef<mlir::ModuleOp> read(mlir::MLIRContext &context) {
  std::string error;
  auto file = mlir::openInputFile(input, &error);
  if (!file) {
    llvm::errs() << "stablehlo-fold: error: " << error << "\n";
    return nullptr;
  }
  llvm::MemoryBufferRef given = file->getMemBufferRef();
  if (llvm::Error refused = checkMlirText(given.getBuffer())) {
    llvm::errs() << "stablehlo-fold: error: " << input << ": "
                 << llvm::toString(std::move(refused)) << "\n";
    return nullptr;
  }
  std::string text;
  if (!mlir::isBytecode(given))
    text = withPackedBools(given.getBuffer());
  auto source = llvm::SourceMgr();
  source.AddNewSourceBuffer(
      text.empty() ? std::move(file)
                   : llvm::MemoryBuffer::getMemBufferCopy(text, input),
      llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler messages(source, &context);
  return mlir::parseSourceFile<mlir::ModuleOp>(source,
                                               mlir::ParserConfig(&context));
}

/// Constants of `arith`, such as the results of calls, print many bools as
/// digits that other versions of MLIR misread (Bools.h).
static void listBools(mlir::ModuleOp module) {
  constexpr int64_t mostInList = 100; // of MLIR's printer
  module.walk([](mlir::arith::ConstantOp constant) {
    auto value = llvm::dyn_cast<mlir::ElementsAttr>(constant.getValue());
    if (!value || !llvm::isa<mlir::RankedTensorType>(constant.getType()) ||
        !value.getElementType().isInteger(1) ||
        value.getNumElements() <= mostInList)
      return;
    mlir::OpBuilder builder(constant);
    mlir::Operation *listed =
        builder.getContext()
            ->getLoadedDialect<hlo::StablehloDialect>()
            ->materializeConstant(builder, value, constant.getType(),
                                  constant.getLoc());
    if (!listed)
      return;
    constant.replaceAllUsesWith(listed->getResult(0));
    constant.erase();
  });
}

static mlir::LogicalResult write(mlir::ModuleOp module) {
  std::string error;
  auto file = mlir::openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << "stablehlo-fold: error: " << error << "\n";
    return mlir::failure();
  }
  if (bytecode) {
    if (mlir::failed(mlir::writeBytecodeToFile(module, file->os())))
      return mlir::failure();
  } else {
    listBools(module);
    module.print(file->os());
  }
  file->keep();
  return mlir::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Folds the constants of a StableHLO program.\n");
  registerPasses();
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, mlir::quant::QuantDialect,
                  ElementsDialect, vhlo::VhloDialect, vhlo::SdyDialect>();
  registerStablehlo(registry);
  mlir::func::registerInlinerExtension(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  // Quantised types, and much that JAX notes, belong to other dialects.
  context.allowUnregisteredDialects();
  auto module = read(context);
  if (!module || mlir::failed(vhlo::toStablehlo(*module)))
    return 1;
  mlir::LogicalResult result = fold(*module);
  if (mlir::succeeded(result))
    result = write(*module);
  return mlir::succeeded(result) ? 0 : 1;
}
