//===- Pipelines.cpp - The passes in their order --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/dealloc/ir/Dialect.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace onnxfold;

void onnxfold::addBufferDeallocationAndReuse(
    OpPassManager &pm, const BufferDeallocationOptions &options) {
  pm.addPass(createDeallocatePass(options.deallocate));
  auto addOnFunctions = [&pm](std::unique_ptr<Pass> pass) {
    pm.addNestedPass<func::FuncOp>(std::move(pass));
  };
  addOnFunctions(createDeallocationSimplificationPass());
  if (options.bufferReuse) {
    pm.addPass(createBufferReusePass(options.reuse));
    addOnFunctions(createDeallocationSimplificationPass());
  }
  addOnFunctions(createDeallocationToScfPass());
}

void onnxfold::addLowerDeallocationToLLVM(
    OpPassManager &pm, const ConvertDeallocationOpsToLLVMPassOptions &options) {
  auto addOnFunctions = [&pm](std::unique_ptr<Pass> pass) {
    pm.addNestedPass<func::FuncOp>(std::move(pass));
  };
  pm.addPass(createVerifyLowerablePass());
  pm.addPass(createVerifyScalarsPass()); // by the names that were given
  pm.addPass(createDenseScalarsPass());
  addOnFunctions(createDeallocationToScfPass());
  addOnFunctions(createInlineAllocaScopesPass());
  pm.addPass(createConvertBufferizationToMemRefPass());
  addOnFunctions(createConvertLinalgToLoopsPass());
  // The generic functions have none that grows.
  pm.addPass(createReallocInPlacePass(
      {/*callRealloc=*/!options.genericAllocFunctions}));
  pm.addPass(memref::createExpandReallocPass({/*emitDeallocs=*/true}));
  pm.addPass(createReinterpretExpandShapesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  // Before memrefs become structures: it takes the allocated pointers of them.
  pm.addPass(createConvertDeallocationOpsToLLVMPass(options));
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useGenericFunctions = options.genericAllocFunctions;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  addScalarsToLLVM(pm);
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

namespace {

struct DeallocationPipelineOptions
    : PassPipelineOptions<DeallocationPipelineOptions> {
  Option<PublicResults> publicResults{
      *this, "public-results",
      llvm::cl::desc("results of functions that others can call"),
      llvm::cl::init(PublicResults::Ownership), publicResultsValues()};
  Option<bool> reuse{*this, "reuse", llvm::cl::desc("run buffer-reuse"),
                     llvm::cl::init(true)};
  Option<int64_t> stackBytes{
      *this, "stack-bytes",
      llvm::cl::desc("bytes of stack that a function may use for buffers"),
      llvm::cl::init(BufferReusePassOptions().stackBytes)};
};

struct LoweringPipelineOptions : PassPipelineOptions<LoweringPipelineOptions> {
  Option<bool> genericAllocFunctions{
      *this, "generic-alloc-functions",
      llvm::cl::desc("allocate and free by MLIR's generic functions"),
      llvm::cl::init(false)};
};

} // namespace

void onnxfold::registerDeallocationPasses() {
  registerDeallocationOwnershipPasses();
  registerDeallocationReusePasses();
  registerDeallocationLoweringPasses();
  PassPipelineRegistration<DeallocationPipelineOptions>(
      "buffer-deallocation-and-reuse",
      "frees every allocation exactly once, and early, with few allocations",
      [](OpPassManager &pm, const DeallocationPipelineOptions &options) {
        addBufferDeallocationAndReuse(
            pm, {.deallocate = {.publicResults = options.publicResults},
                 .reuse = {.stackBytes = options.stackBytes},
                 .bufferReuse = options.reuse});
      });
  PassPipelineRegistration<LoweringPipelineOptions>(
      "lower-deallocation-to-llvm",
      "memref, scf, cf, func, arith, math, affine, linalg and deallocation to "
      "the LLVM dialect",
      [](OpPassManager &pm, const LoweringPipelineOptions &options) {
        addLowerDeallocationToLLVM(pm, {options.genericAllocFunctions});
      });
}

void onnxfold::registerDeallocationDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  deallocation::DeallocationDialect, func::FuncDialect,
                  index::IndexDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
}
