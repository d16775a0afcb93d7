//===- Preconditions.cpp - What deallocate accepts ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Preconditions.h"

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ownership/internal/Aliases.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxfold::deallocation;

Passing onnxfold::deallocation::passingOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Passing>(op)
      .Case<scf::ForOp, scf::WhileOp, affine::AffineForOp>(
          [](Operation *) { return Passing::Operands; })
      .Case<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
            affine::AffineIfOp, memref::AllocaScopeOp>(
          [](Operation *) { return Passing::Inherit; })
      .Default([](Operation *) { return Passing::None; });
}

namespace {

bool isMemRef(Type type) { return isa<BaseMemRefType>(type); }

bool usesMemRefs(Operation *op) {
  return op->getNumRegions() != 0 ||
         llvm::any_of(op->getOperandTypes(), isMemRef);
}

/// Operations that are still running when the next one begins.
bool isAsynchronous(Operation *op) {
  auto isToken = [](Type type) {
    StringRef dialect = type.getDialect().getNamespace();
    return dialect == "async" || dialect == "gpu";
  };
  return op->getDialect() && (op->getName().getDialectNamespace() == "async" ||
                              llvm::any_of(op->getResultTypes(), isToken));
}

/// scf.parallel with memrefs as reductions, async.execute and others whose
/// regions pass memrefs in a way that is not known.
bool passesMemRefsUnseen(Operation *op) {
  if (!isa<RegionBranchOpInterface>(op) || passingOf(op) != Passing::None)
    return false;
  return llvm::any_of(op->getResultTypes(), isMemRef) ||
         llvm::any_of(op->getRegions(), [](Region &region) {
           return llvm::any_of(region.getArgumentTypes(), isMemRef);
         });
}

LogicalResult checkMemory(Operation *op, ModuleOp module) {
  for (OpResult result : op->getResults()) {
    if (!isAllocated(result))
      continue;
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function || function->getParentOp() != module)
      return op->emitOpError("allocates outside of the functions of the module "
                             "that deallocate runs on");
    if (!isa<memref::MemRefDialect, bufferization::BufferizationDialect>(
            op->getDialect()) &&
        !op->hasAttr("deallocation.freeable"))
      return op->emitOpError("allocates memory that deallocation.free cannot "
                             "free, expected memref.alloc");
  }
  Value stored = llvm::TypeSwitch<Operation *, Value>(op)
                     .Case<memref::StoreOp, affine::AffineStoreOp>(
                         [](auto store) { return store.getValueToStore(); })
                     .Default([](Operation *) { return Value(); });
  if (stored && isMemRef(stored.getType()))
    return op->emitOpError("stores a memref in another memref: its owner "
                           "cannot be known any more");
  return success();
}

LogicalResult checkOperation(Operation *op, ModuleOp module) {
  if (isa_and_nonnull<DeallocationDialect>(op->getDialect()))
    return op->emitOpError("is there already: deallocate must run once");
  if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp,
          bufferization::AllocTensorOp, bufferization::DeallocOp>(op))
    return op->emitOpError(
        "is not accepted by deallocate, expected IR that is bufferised "
        "completely and does not free");
  if (isAsynchronous(op) && usesMemRefs(op))
    return op->emitOpError("is not supported by deallocate: it may use memrefs "
                           "after the operations that follow it");
  if (passesMemRefsUnseen(op))
    return op->emitOpError("is not supported by deallocate: it passes memrefs "
                           "through its regions");
  if (isa<CallOpInterface>(op) &&
      !isa<func::CallOp, func::CallIndirectOp>(op) &&
      llvm::any_of(op->getResultTypes(), isMemRef))
    return op->emitOpError("is not supported by deallocate: it is a call that "
                           "returns memrefs, expected func.call or "
                           "func.call_indirect");
  if (op->getNumSuccessors() != 0) {
    auto branch = dyn_cast<BranchOpInterface>(op);
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
      if (llvm::any_of(op->getSuccessor(i)->getArgumentTypes(), isMemRef) &&
          (!branch || branch.getSuccessorOperands(i).getProducedOperandCount()))
        return op->emitOpError("is not supported by deallocate: it is a branch "
                               "that does not forward its operands");
  }
  return checkMemory(op, module);
}

} // namespace

LogicalResult onnxfold::deallocation::checkPreconditions(ModuleOp module) {
  bool failedAny = false;
  module.walk(
      [&](Operation *op) { failedAny |= failed(checkOperation(op, module)); });
  return failure(failedAny);
}
