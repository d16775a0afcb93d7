//===- VerifyLowerable.cpp - What would end MLIR's lowerings --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
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

/// The verifier takes a buffer without rank for a scalar, and
/// convert-linalg-to-loops loads from it.
static LogicalResult verifyRanks(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<UnrankedMemRefType>(operand.get().getType()))
      return op->emitOpError()
             << "operand #" << operand.getOperandNumber() << " is "
             << operand.get().getType() << ", expected a buffer with a rank";
  return success();
}

/// finalize-memref-to-llvm asks a source without rank for its strides.
template <class Reshape> static LogicalResult verifyReshape(Reshape reshape) {
  auto hasRank = [](Value value) {
    return cast<ShapedType>(value.getType()).hasRank();
  };
  if (hasRank(reshape.getSource()) || hasRank(reshape.getResult()))
    return success();
  return reshape.emitOpError()
         << "makes " << reshape.getResult().getType() << " of "
         << reshape.getSource().getType() << ", expected one with a rank";
}

/// Lowerings make an operation of each element or row of a vector.
static bool isTooLong(VectorType vector) {
  constexpr int64_t mostElements = 1 << 16;
  int64_t elements = 1;
  for (int64_t size : vector.getShape()) {
    if (size > mostElements / std::max<int64_t>(elements, 1))
      return true;
    elements *= size;
  }
  return false;
}

/// Conversions use what they get for a type, also where it is none: for memrefs
/// whose layout is no strides, and for pairs of a float that LLVM lacks.
static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types) {
    if (auto memref = dyn_cast<MemRefType>(type); memref && !memref.isStrided())
      return op->emitOpError() << "has a value of " << type
                               << ", whose layout is no strides, and cannot be "
                                  "lowered to the LLVM dialect";
    if (auto vector = dyn_cast<VectorType>(type); vector && isTooLong(vector))
      return op->emitOpError() << "has a value of " << type
                               << ", expected at most 65536 elements";
    auto pair = dyn_cast<ComplexType>(getElementTypeOrSelf(type));
    if (pair && isa<FloatTF32Type>(pair.getElementType()))
      return op->emitOpError() << "has a value of " << type
                               << ", for which the LLVM dialect has no type";
  }
  return success();
}

/// Bufferization refuses them without their names; what arith-expand makes of
/// those of arith has types that LLVM lacks.
static LogicalResult refuse(Operation *op) {
  return op->emitOpError("is not lowered to the LLVM dialect by MLIR 22");
}

static LogicalResult verifySignature(func::FuncOp function) {
  return success(
      succeeded(verifyTypes(function, function.getArgumentTypes())) &&
      succeeded(verifyTypes(function, function.getResultTypes())));
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
          .Case<linalg::LinalgOp>(verifyRanks)
          .Case<arith::ScalingExtFOp, arith::ScalingTruncFOp, tensor::BitcastOp,
                tensor::GatherOp, tensor::ScatterOp,
                linalg::WinogradFilterTransformOp,
                linalg::WinogradInputTransformOp,
                linalg::WinogradOutputTransformOp>(refuse)
          .Case<tensor::ReshapeOp>(verifyReshape<tensor::ReshapeOp>)
          .Case<memref::ReshapeOp>(verifyReshape<memref::ReshapeOp>)
          .Case<func::FuncOp>(verifySignature)
          .Default(success());
  if (failed(special))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verifyTypes(op, block.getArgumentTypes())))
        return failure();
  return verifyTypes(op, op->getResultTypes());
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
