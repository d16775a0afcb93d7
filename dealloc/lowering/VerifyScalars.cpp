//===- VerifyScalars.cpp - Arithmetic that LLVM has no code for -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace onnxfold {
#define GEN_PASS_DEF_VERIFYSCALARSPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

static bool isFloatOfLLVM(FloatType type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float80Type,
             Float128Type>(type);
}

/// What all others do with a float is passing its bits on, which LLVM has as
/// integers.
static bool computes(Operation *op) {
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
    return update.getKind() != arith::AtomicRMWKind::assign;
  if (isa<affine::AffineParallelOp, vector::ContractionOp, vector::FMAOp,
          vector::MultiDimReductionOp, vector::OuterProductOp,
          vector::ReductionOp, vector::ScanOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op);
}

/// Those of operands, results, blocks and of a signature.
static SmallVector<Type> typesOf(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  if (auto function = dyn_cast<func::FuncOp>(op)) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
  }
  return types;
}

/// Also of a buffer of vectors. Null if it is none.
static FloatType findFloat(Type type) {
  while (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  return dyn_cast<FloatType>(type);
}

/// No integer stands for tf32.
static LogicalResult verifyFloats(Operation *op) {
  bool isComputed = computes(op);
  for (Type type : typesOf(op)) {
    FloatType element = findFloat(type);
    if (element &&
        (isComputed ? !isFloatOfLLVM(element) : isa<FloatTF32Type>(element)))
      return op->emitOpError() << "has a value of " << element
                               << ", with which the LLVM dialect does not "
                                  "compute";
  }
  return success();
}

/// MLIR calls a function for each element of the shortest vector that the type
/// stands for, and leaves the others as they are.
static LogicalResult verifyCalls(Operation *op) {
  if (!isa<math::AcoshOp, math::AsinhOp, math::AtanhOp, math::CbrtOp,
           math::ErfOp, math::ErfcOp, math::FPowIOp, math::IPowIOp>(op))
    return success();
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector || !vector.isScalable())
    return success();
  return op->emitOpError() << "has a value of " << vector
                           << ", expected a vector of a fixed size, for whose "
                              "elements a function is called";
}

namespace {

struct VerifyScalarsPass
    : onnxfold::impl::VerifyScalarsPassBase<VerifyScalarsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto found = getOperation()->walk([](Operation *op) {
      return failed(verifyFloats(op)) || failed(verifyCalls(op))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (found.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
