//===- Calls.cpp - How compiled functions are called ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace onnxfold {
#define GEN_PASS_DEF_PREPARECALLSPASS
#define GEN_PASS_DEF_STATICRESULTSTOOUTPARAMSPASS
#define GEN_PASS_DEF_STRIDEDCOPIESTOLOOPSPASS
#include "onnxfold/tensorfolding/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using bufferization::BufferizationDialect;

namespace {

struct PrepareCallsPass
    : onnxfold::impl::PrepareCallsPassBase<PrepareCallsPass> {
  void runOnOperation() override {
    Builder builder(&getContext());
    StringRef writable = BufferizationDialect::kWritableAttrName;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.isPublic())
        continue;
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                        builder.getUnitAttr());
      for (BlockArgument argument : function.getArguments()) {
        unsigned number = argument.getArgNumber();
        function.removeArgAttr(number, "onnxfold.constant");
        if (isa<TensorType>(argument.getType()) &&
            !function.getArgAttr(number, writable))
          function.setArgAttr(number, writable, builder.getBoolAttr(false));
      }
    }
  }
};

/// MLIR 22 writes an allocation into the parameter of its result, and ends the
/// process where it is another result too (docs/upstream-bugs.md).
static void copyRepeatedResults(func::ReturnOp op) {
  OpBuilder builder(op);
  llvm::SmallPtrSet<Value, 4> before;
  for (OpOperand &result : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(result.get().getType());
    if (!type || !type.hasStaticShape() || before.insert(result.get()).second)
      continue;
    Value copy = memref::AllocOp::create(builder, op.getLoc(), type);
    memref::CopyOp::create(builder, op.getLoc(), result.get(), copy);
    result.set(copy);
  }
}

struct StaticResultsToOutParamsPass
    : onnxfold::impl::StaticResultsToOutParamsPassBase<
          StaticResultsToOutParamsPass> {
  void runOnOperation() override {
    bufferization::BufferResultsToOutParamsOpts options;
    options.filterFn = [](func::FuncOp *function) {
      return llvm::all_of(function->getResultTypes(), [](Type type) {
        auto memref = dyn_cast<MemRefType>(type);
        return !memref || memref.hasStaticShape(); // scalars are returned
      });
    };
    options.hoistStaticAllocs = true;
    options.modifyPublicFunctions = true;
    getOperation().walk(copyRepeatedResults);
    if (failed(bufferization::promoteBufferResultsToOutParams(getOperation(),
                                                              options)))
      signalPassFailure();
  }
};

struct StridedCopiesToLoopsPass
    : onnxfold::impl::StridedCopiesToLoopsPassBase<StridedCopiesToLoopsPass> {
  void runOnOperation() override {
    getOperation().walk([](memref::CopyOp copy) {
      auto from = dyn_cast<MemRefType>(copy.getSource().getType());
      auto to = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!from || !to ||
          (from.getLayout().isIdentity() && to.getLayout().isIdentity()))
        return;
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
    });
  }
};

} // namespace
