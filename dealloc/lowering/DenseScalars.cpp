//===- DenseScalars.cpp - Resources that hold one number ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <complex>

namespace onnxfold {
#define GEN_PASS_DEF_DENSESCALARSPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

/// 0 if `type` is no number.
static unsigned widthOf(Type type) {
  if (isa<IndexType>(type))
    return 64;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

/// Of little-endian bytes.
static APInt readBits(unsigned width, ArrayRef<char> bytes) {
  APInt bits(8 * unsigned(bytes.size()), 0);
  for (char byte : llvm::reverse(bytes))
    bits = bits.shl(8) | APInt(bits.getBitWidth(), uint8_t(byte));
  return bits.trunc(width);
}

/// Of a number, or of a complex one, whose real part is the first half. A float
/// is its bits. Null if it has not as many bytes.
static DenseElementsAttr readNumber(ShapedType type, ArrayRef<char> bytes) {
  Type element = type.getElementType();
  auto pair = dyn_cast<ComplexType>(element);
  Type part = pair ? pair.getElementType() : element;
  unsigned width = widthOf(part);
  size_t size = llvm::divideCeil(width, 8u);
  if (bytes.size() != (pair ? 2 * size : size))
    return nullptr;
  APInt real = readBits(width, bytes.take_front(size));
  APInt imaginary = readBits(width, bytes.take_back(size));
  if (auto numbers = dyn_cast<FloatType>(part)) {
    const llvm::fltSemantics &semantics = numbers.getFloatSemantics();
    std::complex<APFloat> both(APFloat(semantics, real),
                               APFloat(semantics, imaginary));
    return pair ? DenseElementsAttr::get(type, ArrayRef(both))
                : DenseElementsAttr::get(type, ArrayRef(both.real()));
  }
  std::complex<APInt> both(real, imaginary);
  return pair ? DenseElementsAttr::get(type, ArrayRef(both))
              : DenseElementsAttr::get(type, ArrayRef(both.real()));
}

static bool isNumber(Type type) {
  auto pair = dyn_cast<ComplexType>(type);
  return widthOf(pair ? pair.getElementType() : type) != 0;
}

/// `value` with its number in it, or the attribute itself if it is none of rank
/// 0 in a resource; null, with an error at `op`, if there is no such number.
static Attribute makeDense(Operation *op, Attribute value) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource || resource.getType().getRank() != 0)
    return value;
  StringRef name = resource.getRawHandle().getKey();
  Type element = resource.getElementType();
  if (!isNumber(element)) {
    op->emitOpError() << "has the resource '" << name << "' of " << element
                      << ", which is no number";
    return nullptr;
  }
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  DenseElementsAttr number;
  if (blob)
    number = readNumber(resource.getType(), blob->getData());
  if (!number)
    op->emitOpError() << "has the resource '" << name << "' of "
                      << (blob ? llvm::utostr(blob->getData().size()) : "no")
                      << " bytes, expected one " << element;
  return number;
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
