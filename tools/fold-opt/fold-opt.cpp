//===- fold-opt.cpp - All our passes on textual IR ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with the dialects and passes of this project, for lit tests. What
// nobody refers to any more is freed between passes, so that every test of a
// pass is also one of gc.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/Passes.h"
#include "onnxfold/onnx/driver/Passes.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/kernels/AllKernels.h"
#include "onnxfold/onnx/tosequence/Passes.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/stablehlo/StablehloKernels.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "onnxfold/upstream/MlirText.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

static llvm::cl::opt<bool> foldQuantization(
    "fold-quantization",
    llvm::cl::desc("also fold QuantizeLinear and DequantizeLinear"));

static llvm::cl::opt<bool> denseResources(
    "dense-resources",
    llvm::cl::desc("print the values of large onnx.Constants as resources"));

static llvm::cl::opt<bool> gcStatistics(
    "gc-statistics",
    llvm::cl::desc("print how many constants were made and freed"));

static llvm::cl::opt<uint64_t>
    gcPressure("gc-pressure",
               llvm::cl::desc("bytes that a pass makes before it collects"),
               llvm::cl::init(CollectorOptions().pressureBytes));

static llvm::cl::opt<bool> listKernels(
    "list-kernels",
    llvm::cl::desc("print every operator that has a kernel, with a line "
                   "`onnx.Abs 13` for each of its versions"));

/// The onnx dialect comes with its kernels, and its constants print and parse
/// without becoming immortal attributes.
static void extendOnnx(mlir::MLIRContext *context, OnnxDialect *) {
  context->getOrLoadDialect<ElementsDialect>();
  addOnnxFolding(*context, {foldQuantization ? FoldQuantization::All
                                             : FoldQuantization::None});
  setConstantAsm(*context, {printDense, parseDense});
}

static void printKernels() {
  KernelRegistry registry("onnx");
  registerAllKernels(registry);
  for (const auto &[operation, version] : registry.entries())
    llvm::outs() << operation << " " << version << "\n";
}

static constexpr llvm::StringLiteral overview =
    "onnx-fold's passes; of MLIR's own: canonicalize, cse, inline, symbol-dce, "
    "lower-affine,\nconvert-scf-to-cf and all of bufferization. For others "
    "load onnx-fold's plugin into mlir-opt\n(docs/linking-elements.md).\n";

/// Dialects that only passes load. An operation that the parser does not know
/// would become one of theirs, with properties of another kind, when the pass
/// loads its dialect.
static void addDialectsOfPasses(const mlir::MlirOptMainConfig &config,
                                mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::PassManager manager(&context);
  if (mlir::succeeded(config.setupPassPipeline(manager)))
    manager.getDependentDialects(registry);
}

/// Does what mlir::MlirOptMain does, which has no hook for the collector.
static mlir::LogicalResult run(int argc, char **argv,
                               mlir::DialectRegistry &registry) {
  auto [inputName, outputName] =
      mlir::registerAndParseCLIOptions(argc, argv, overview, registry);
  if (listKernels) {
    printKernels();
    return mlir::success();
  }
  auto commandLine = mlir::MlirOptMainConfig::createFromCLOptions();
  if (commandLine.shouldShowDialects() || commandLine.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, inputName, outputName, registry);

  addDialectsOfPasses(commandLine, registry);
  mlir::MlirOptMainConfig config = commandLine;
  config.setPassPipelineSetupFn([&](mlir::PassManager &pm) {
    addCollector(pm, {.registerRoot = true,
                      .pressureBytes = gcPressure,
                      .statistics = gcStatistics ? &llvm::errs() : nullptr});
    return commandLine.setupPassPipeline(pm);
  });
  std::string error;
  auto input = mlir::openInputFile(inputName, &error);
  if (!input) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (llvm::Error refused = checkMlirText(input->getBuffer())) {
    llvm::errs() << "fold-opt: error: " << inputName << ": "
                 << llvm::toString(std::move(refused)) << "\n";
    return mlir::failure();
  }
  ElementsBytecodeScope bytecode;
  ElementsPrintingScope printing(mlir::OpPrintingFlags(), denseResources);
  // The output may be the input, which is mapped: it takes the name when it is
  // complete.
  bool isTold = false;
  llvm::Error failed =
      llvm::writeToOutput(outputName, [&](llvm::raw_ostream &out) {
        isTold = mlir::failed(
            mlir::MlirOptMain(out, std::move(input), registry, config));
        return isTold ? llvm::createStringError("") : llvm::Error::success();
      });
  if (!failed)
    return mlir::success();
  std::string text = llvm::toString(std::move(failed));
  if (!isTold)
    llvm::errs() << "fold-opt: error: " << outputName << ": " << text << "\n";
  return mlir::failure();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                  mlir::ml_program::MLProgramDialect, mlir::quant::QuantDialect,
                  mlir::tensor::TensorDialect, mlir::tosa::TosaDialect,
                  ElementsDialect>();
  registerOnnxDialect(registry, OperatorSet::All);
  registry.addExtension(+extendOnnx);
  registerUpstreamKernels(registry);
  registerStablehlo(registry);
  mlir::func::registerInlinerExtension(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
  registerConstantPropagationPass();
  registerOnnxCleanUpPass();
  registerConvertOnnxToSequencePass();
  registerCollectionPasses();
  registerDeallocationDialects(registry);
  registerDeallocationPasses();
  sequence::registerSequenceDialects(registry);
  sequence::registerSequencePasses();
  sequence::registerSequencePipelines();
  registerTensorFoldingPasses();
  registerConstantTensorLowering();
  mlir::bufferization::registerBufferizationPasses();
  mlir::registerPass([] { return mlir::createLowerAffinePass(); });
  mlir::registerPass([] { return mlir::createSCFToControlFlowPass(); });
  mlir::bufferization::registerBufferizationPipelines();
  return mlir::asMainReturnCode(run(argc, argv, registry));
}
