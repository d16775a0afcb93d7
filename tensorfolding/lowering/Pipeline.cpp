//===- Pipeline.cpp - From tensors to the LLVM dialect --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/dealloc/lowering/Passes.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace onnxfold;

static void addToFunctions(OpPassManager &pm, std::unique_ptr<Pass> pass) {
  pm.addNestedPass<func::FuncOp>(std::move(pass));
}

static void addTensorsToBuffers(OpPassManager &pm) {
  addToFunctions(pm, createLowerPacksPass());
  pm.addPass(createCanonicalizerPass());
  addToFunctions(pm, createConvertElementwiseToLinalgPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConstantTensorsMetadataPass());
  pm.addPass(createPrepareCallsPass());
  addToFunctions(pm, createSplitAllocTensorsPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(sequence::createRowMajorCastsPass());
  pm.addPass(createStaticResultsToOutParamsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void onnxfold::addLowerConstantTensorsToLLVM(OpPassManager &pm) {
  pm.addPass(createVerifyLowerablePass());
  addTensorsToBuffers(pm);
  BufferDeallocationOptions deallocation;
  deallocation.deallocate.publicResults = PublicResults::Clone;
  addBufferDeallocationAndReuse(pm, deallocation);
  addToFunctions(pm, createStridedCopiesToLoopsPass());
  pm.addPass(sequence::createVerifyLayoutsPass());
  addLowerDeallocationToLLVM(pm);
}

namespace {

/// The options of constant-tensor-folding, which has their descriptions.
struct FoldingPipelineOptions : PassPipelineOptions<FoldingPipelineOptions> {
  ConstantTensorFoldingPassOptions defaults;
  ListOption<std::string> entries{*this, "entries",
                                  llvm::cl::desc("functions to fold")};
  Option<TensorFoldingMode> mode{
      *this, "mode", llvm::cl::desc("what is folded, and where"),
      llvm::cl::init(defaults.mode), tensorFoldingModeValues()};
  Option<double> maxGrowthRatio{
      *this, "max-growth-ratio",
      llvm::cl::desc("bytes of a folded tensor over those it is made of"),
      llvm::cl::init(defaults.maxGrowthRatio)};
  Option<int64_t> maxGrowth{
      *this, "max-growth",
      llvm::cl::desc("bytes that a folded tensor may grow"),
      llvm::cl::init(defaults.maxGrowth)};
  Option<int64_t> minBytes{*this, "min-bytes",
                           llvm::cl::desc("smaller tensors are not kept"),
                           llvm::cl::init(defaults.minBytes)};
  Option<bool> postponeBroadcasts{
      *this, "postpone-broadcasts",
      llvm::cl::desc("element-wise operations before broadcasts"),
      llvm::cl::init(defaults.postponeBroadcasts)};
  Option<std::string> symbolPrefix{*this, "symbol-prefix",
                                   llvm::cl::desc("of new functions"),
                                   llvm::cl::init(defaults.symbolPrefix)};
  Option<bool> compatibilityGlobals{
      *this, "compatibility-globals",
      llvm::cl::desc("also write the globals of graph-compiler"),
      llvm::cl::init(defaults.compatibilityGlobals)};

  ConstantTensorFoldingPassOptions get() const {
    ConstantTensorFoldingPassOptions options;
    options.entries.assign(entries.begin(), entries.end());
    options.mode = mode;
    options.maxGrowthRatio = maxGrowthRatio;
    options.maxGrowth = maxGrowth;
    options.minBytes = minBytes;
    options.postponeBroadcasts = postponeBroadcasts;
    options.symbolPrefix = symbolPrefix;
    options.compatibilityGlobals = compatibilityGlobals;
    return options;
  }
};

} // namespace

void onnxfold::registerConstantTensorLowering() {
  registerTensorFoldingLoweringPasses();
  PassPipelineRegistration<FoldingPipelineOptions>(
      "constant-tensor-folding-pipeline",
      "constant-tensor-folding, and all functions down to the LLVM dialect",
      [](OpPassManager &pm, const FoldingPipelineOptions &options) {
        pm.addPass(createConstantTensorFoldingPass(options.get()));
        addLowerConstantTensorsToLLVM(pm);
      });
  PassPipelineRegistration<>(
      "lower-constant-tensors-to-llvm",
      "functions on tensors, linalg.pack included, down to the LLVM dialect, "
      "with the calling convention of folded modules",
      addLowerConstantTensorsToLLVM);
}

void onnxfold::registerConstantTensorDialects(DialectRegistry &registry) {
  registerDeallocationDialects(registry);
}
