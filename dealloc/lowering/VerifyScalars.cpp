//===- VerifyScalars.cpp - Floats that LLVM does not compute with ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace onnxfold {
#define GEN_PASS_DEF_VERIFYSCALARSPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

static bool isFloatOfLLVM(FloatType type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float80Type,
             Float128Type>(type);
}

/// The others of arith pass bits on, which LLVM has as integers.
static bool computes(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op);
}

/// Null if LLVM has what `op` needs. No integer stands for tf32.
static FloatType findForeignFloat(Operation *op) {
  bool isComputed = computes(op);
  auto isForeign = [&](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element &&
           (isComputed ? !isFloatOfLLVM(element) : isa<FloatTF32Type>(element));
  };
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isForeign(type))
        return cast<FloatType>(getElementTypeOrSelf(type));
  return nullptr;
}

namespace {

struct VerifyScalarsPass
    : onnxfold::impl::VerifyScalarsPassBase<VerifyScalarsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto found = getOperation()->walk([](Operation *op) {
      FloatType foreign = findForeignFloat(op);
      if (!foreign)
        return WalkResult::advance();
      op->emitOpError() << "has a value of " << foreign
                        << ", with which the LLVM dialect does not compute";
      return WalkResult::interrupt();
    });
    if (found.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
