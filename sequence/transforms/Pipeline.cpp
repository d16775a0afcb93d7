//===- Pipeline.cpp - From sequences to the LLVM dialect ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/sequence/transforms/internal/Bufferization.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace onnxfold::sequence;

// MLIR exports neither the class of the pattern nor a function that adds the
// other ones of scf.for, so the pattern is named by its debug name, which
// differs with the compiler of MLIR.
std::unique_ptr<Pass>
onnxfold::sequence::createCarriedShapesCanonicalizerPass() {
  return createCanonicalizerPass(
      GreedyRewriteConfig(), {"(anonymous namespace)::ForOpTensorCastFolder",
                              "{anonymous}::ForOpTensorCastFolder"});
}

static void addBufferization(OpPassManager &manager) {
  manager.addPass(createProtectArgumentsPass());
  manager.addPass(createEaseBufferizationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true; // tensors of any shape are carried
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  manager.addPass(createRowMajorCastsPass());
  manager.addPass(createCarriedShapesCanonicalizerPass());
}

static void addLLVM(OpPassManager &manager) {
  manager.addPass(onnxfold::createVerifyScalarsPass());
  manager.addPass(createConvertLinalgToLoopsPass());
  manager.addPass(onnxfold::createReinterpretExpandShapesPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  onnxfold::addScalarsToLLVM(manager);
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void onnxfold::sequence::buildLowerSequenceToLLVM(OpPassManager &manager) {
  manager.addPass(onnxfold::createVerifyLowerablePass());
  manager.addPass(onnxfold::createDenseScalarsPass());
  manager.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  manager.addPass(createCarriedShapesCanonicalizerPass());
  manager.addPass(createCSEPass());
  addBufferization(manager);
  manager.addPass(createSequenceOwnershipPass());
  manager.addPass(createConvertSequencePass());
  bufferization::buildBufferDeallocationPipeline(manager);
  manager.addPass(createRowMajorCastsPass());
  manager.addPass(createConvertBufferizationToMemRefPass());
  manager.addPass(createConvertSeqToMemRefPass());
  manager.addPass(createVerifyLayoutsPass());
  addLLVM(manager);
}

void onnxfold::sequence::registerSequencePipelines() {
  PassPipelineRegistration<>(
      "lower-sequence-to-llvm",
      "sequences, tensors and what is around them, down to the LLVM dialect",
      buildLowerSequenceToLLVM);
}

void onnxfold::sequence::registerSequenceDialects(DialectRegistry &registry) {
  registry.insert<SequenceDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
  registerSequenceBufferization(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
}
