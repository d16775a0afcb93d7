//===- DenseScalars.cpp - Resources that hold one number ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace onnxfold {
#define GEN_PASS_DEF_DENSESCALARSPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

/// The number of little-endian bytes, or null if `type` is no number of as
/// many. A float is its bits.
static TypedAttr readNumber(Type type, ArrayRef<char> bytes) {
  unsigned width = isa<IndexType>(type)  ? 64
                   : type.isIntOrFloat() ? type.getIntOrFloatBitWidth()
                                         : 0;
  if (width == 0 || bytes.size() != llvm::divideCeil(width, 8u))
    return nullptr;
  APInt bits(8 * unsigned(bytes.size()), 0);
  for (char byte : llvm::reverse(bytes))
    bits = bits.shl(8) | APInt(bits.getBitWidth(), uint8_t(byte));
  bits = bits.trunc(width);
  if (auto element = dyn_cast<FloatType>(type))
    return FloatAttr::get(element, APFloat(element.getFloatSemantics(), bits));
  return IntegerAttr::get(type, bits);
}

/// `value` with its number in it, or the attribute itself if it is none of rank
/// 0 in a resource; null, with an error at `op`, if there is no such number.
static Attribute makeDense(Operation *op, Attribute value) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource || resource.getType().getRank() != 0)
    return value;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  TypedAttr number;
  if (blob)
    number = readNumber(resource.getElementType(), blob->getData());
  if (!number) {
    op->emitOpError() << "has the resource '"
                      << resource.getRawHandle().getKey() << "' of "
                      << (blob ? llvm::utostr(blob->getData().size()) : "no")
                      << " bytes, expected one " << resource.getElementType();
    return nullptr;
  }
  return DenseElementsAttr::get(resource.getType(), Attribute(number));
}

static LogicalResult makeDense(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Attribute value = makeDense(op, constant.getValue());
    if (value)
      constant.setValueAttr(cast<TypedAttr>(value));
    return success(value != nullptr);
  }
  auto global = dyn_cast<memref::GlobalOp>(op);
  if (!global || !global.getInitialValueAttr())
    return success();
  Attribute value = makeDense(op, global.getInitialValueAttr());
  if (value)
    global.setInitialValueAttr(value);
  return success(value != nullptr);
}

namespace {

struct DenseScalarsPass
    : onnxfold::impl::DenseScalarsPassBase<DenseScalarsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto refused = getOperation()->walk([](Operation *op) {
      return failed(makeDense(op)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
    });
    if (refused.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
