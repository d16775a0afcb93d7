//===- VerifyLowerable.cpp - What would end MLIR's lowerings --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace onnxfold {
#define GEN_PASS_DEF_VERIFYLOWERABLEPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

/// A reduction starts with the neutral element, which lower-affine asks for
/// without looking whether there is one.
static LogicalResult verifyReductions(affine::AffineParallelOp loop) {
  for (auto [number, kind] : llvm::enumerate(loop.getReductions()))
    if (cast<arith::AtomicRMWKindAttr>(kind).getValue() ==
        arith::AtomicRMWKind::assign)
      return loop.emitOpError()
             << "reduction #" << number << " 'assign' of "
             << loop.getResult(unsigned(number)).getType()
             << " has no neutral element, and cannot be lowered";
  return success();
}

/// No verifier asks whether there is an operand for each open padding, and
/// canonicalize takes the operand.
static LogicalResult verifyPadding(tensor::PadOp pad) {
  for (auto [side, sizes, operands] :
       {std::tuple("low", pad.getStaticLow(), pad.getLow()),
        std::tuple("high", pad.getStaticHigh(), pad.getHigh())}) {
    size_t open = llvm::count_if(sizes, ShapedType::isDynamic);
    if (open != operands.size())
      return pad.emitOpError()
             << "has " << operands.size() << " operands for its '" << side
             << "' padding, expected " << open;
  }
  return success();
}

/// canonicalize takes the tensor for a ranked one; so does getType().
static LogicalResult verifyAllocation(bufferization::AllocTensorOp alloc) {
  Type type = alloc.getResult().getType();
  if (isa<RankedTensorType>(type))
    return success();
  return alloc.emitOpError()
         << "allocates " << type << ", expected a ranked tensor";
}

/// Conversions of memrefs have no type for a layout that is no strides, and use
/// what they get.
static LogicalResult verifyLayouts(Operation *op, TypeRange types) {
  for (Type type : types)
    if (auto memref = dyn_cast<MemRefType>(type); memref && !memref.isStrided())
      return op->emitOpError() << "has a value of " << type
                               << ", whose layout is no strides, and cannot be "
                                  "lowered to the LLVM dialect";
  return success();
}

static LogicalResult verify(Operation *op) {
  if (!op->isRegistered())
    return op->emitOpError() << "is of no registered dialect, and cannot be "
                                "lowered to the LLVM dialect";
  LogicalResult special =
      TypeSwitch<Operation *, LogicalResult>(op)
          .Case<affine::AffineParallelOp>(verifyReductions)
          .Case<tensor::PadOp>(verifyPadding)
          .Case<bufferization::AllocTensorOp>(verifyAllocation)
          .Default(success());
  if (failed(special))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verifyLayouts(op, block.getArgumentTypes())))
        return failure();
  return verifyLayouts(op, op->getResultTypes());
}

namespace {

struct VerifyLowerablePass
    : onnxfold::impl::VerifyLowerablePassBase<VerifyLowerablePass> {
  using Base::Base;

  void runOnOperation() override {
    auto found = getOperation()->walk([](Operation *op) {
      return failed(verify(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (found.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
