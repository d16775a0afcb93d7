//===- Operands.h - Checks of operands and attributes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect has no verifier, so that kernels check what they read. Element by
// element, operands of rank 0 broadcast: that is what a scalar of a body is
// whose other values are tensors (constprop/RunOnTensors.h).
//
//   registry.add("add", {1}, alike<foldAdd>).mapsElements();
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_SUPPORT_OPERANDS_H
#define ONNXFOLD_STABLEHLO_SUPPORT_OPERANDS_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold::hlo {

/// A reason unless the inputs from number `first` on, `count` in all, have one
/// type, and all inputs have one shape or rank 0.
Reason checkAlike(FoldContext &cx, unsigned first, unsigned count);

/// `f` for `count` inputs of one type and shape.
template <FoldFunction f, unsigned count = 2>
FoldResult alike(FoldContext &cx) {
  if (Reason wrong = checkAlike(cx, 0, count))
    return wrong;
  return f(cx);
}

/// The number of inputs must be this.
Reason checkCount(FoldContext &cx, unsigned count);

/// `f` for `count` inputs.
template <FoldFunction f, unsigned count> FoldResult counted(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, count))
    return wrong;
  return f(cx);
}

/// `f` for `least` inputs or more.
template <FoldFunction f, unsigned least>
FoldResult countedFrom(FoldContext &cx) {
  if (cx.numInputs() < least)
    return invalid("it has " + llvm::Twine(cx.numInputs()) +
                   " operands, expected " + llvm::Twine(least) + " or more");
  return f(cx);
}

/// The shape of a result, where its type has one.
ReasonOr<Shape> resultShape(FoldContext &cx, unsigned result = 0);

/// An attribute that is a list of `count` integers (any number if it is
/// negative). A list that is left out has `otherwise` at each place.
ReasonOr<Shape> listOf(FoldContext &cx, llvm::StringRef name, int64_t count,
                       std::optional<int64_t> otherwise = std::nullopt);

/// An attribute that is a dimension of a tensor of this rank.
ReasonOr<int64_t> dimensionOf(FoldContext &cx, llvm::StringRef name,
                              int64_t rank);

/// A reason unless `dims` are different dimensions of a tensor of this rank.
Reason checkDimensions(ShapeRef dims, int64_t rank, llvm::StringRef name);

/// Numbers on which the library has no arithmetic in a type that holds them:
/// integers narrower than a byte as bytes, floats of 8 bits as f32. Others as
/// they are, those of 4 and 6 bits too: a NaN is none of their numbers.
Elements computable(const Elements &x);

/// A result of computable operands in their type. What is beyond a float type
/// is infinite, or NaN.
Elements narrowed(const Elements &result, DataType type);

/// f of each number: of integers of any width, and of floats.
template <class F> Elements mapNumbers(const Elements &x, F f) {
  return narrowed(ops::map(computable(x), f), x.type());
}
template <class F>
Elements zipNumbers(const Elements &x, const Elements &y, F f) {
  return narrowed(ops::zip(computable(x), computable(y), f), x.type());
}

/// f of each float.
template <class F> Elements mapFloats(const Elements &x, F f) {
  return narrowed(ops::mapFloat(computable(x), f), x.type());
}

template <class F>
Elements zipBools(const Elements &x, const Elements &y, F f) {
  return ops::zipAs<bool, bool, bool>(x, y, f);
}

/// A function of blocks of doubles (elements/ops/Math.h), rounded once.
Elements mapWide(const Elements &x, ops::WideFunction f);
Elements zipWide(const Elements &x, const Elements &y, ops::WideFunction2 f);

template <ops::WideFunction f> FoldResult foldWide(FoldContext &cx) {
  return mapWide(cx.input(0), f);
}

/// A fresh tensor of zeros.
inline Elements zerosOf(DataType type, ShapeRef shape) {
  return Elements::splat(type, shape, WideNum::widen(int64_t(0)));
}

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_SUPPORT_OPERANDS_H
