//===- TosaNumbers.cpp - Arithmetic as TOSA specifies it ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/elements/ops/ReduceWith.h"

using namespace onnxfold;
using namespace onnxfold::ops;

FoldResult upstream::narrowed(const Elements &x, DataType type) {
  if (!x)
    return Elements();
  if (auto bad = firstNotConvertible(x, type))
    return undefined("element " + toString(ops::indexOf(*bad, x.shape())) +
                     " is " + llvm::Twine(x.value<int64_t>(*bad)) + ", which " +
                     name(type) + " cannot hold");
  return cast(x, type);
}

template <class T>
static Elements extremeOf(const Elements &x, int64_t axis, bool wantsLarger,
                          bool ignoresNan) {
  using Limits = std::numeric_limits<T>;
  T identity = wantsLarger ? Limits::lowest() : Limits::max();
  if (Limits::has_infinity)
    identity = wantsLarger ? -Limits::infinity() : Limits::infinity();
  // The result of nothing but NaN is NaN.
  if (ignoresNan && Limits::has_quiet_NaN)
    identity = Limits::quiet_NaN();
  return reduceWith<T>(x, {axis}, /*keepDims=*/true, identity, [=](T a, T b) {
    return upstream::tosaExtreme(a, b, wantsLarger, ignoresNan);
  });
}

FoldResult upstream::reduceToExtreme(FoldContext &cx, bool wantsLarger,
                                     bool ignoresNan) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> known = axisOf(cx);
  if (!known)
    return known.reason();
  int64_t axis = *known;
  DataType type = x.type();
  if (type == DataType::Float64)
    return extremeOf<double>(x, axis, wantsLarger, ignoresNan);
  if (typeClass(type) == TypeClass::Float)
    return cast(extremeOf<float>(cast(x, DataType::Float32), axis, wantsLarger,
                                 ignoresNan),
                type);
  if (!isInteger(type))
    return Elements();
  return cast(extremeOf<int64_t>(toInt64(x), axis, wantsLarger, ignoresNan),
              type);
}

ReasonOr<int64_t> upstream::axisOf(FoldContext &cx) {
  int64_t axis = cx.integer("axis").value_or(0), rank = cx.input(0).rank();
  if (axis < 0 || axis >= rank)
    return invalid("attribute 'axis' is " + llvm::Twine(axis) +
                   ", expected less than " + llvm::Twine(rank));
  return axis;
}

Reason upstream::checkShifts(const Elements &x, const Elements &by) {
  int64_t width = bitWidth(x.type());
  auto bad = firstWhere<int64_t>(
      toInt64(by), [=](int64_t n) { return n < 0 || n >= width; });
  if (!bad)
    return {};
  return undefined("element " + toString(ops::indexOf(*bad, by.shape())) +
                   " shifts by " +
                   llvm::Twine(toInt64(by).value<int64_t>(*bad)) + " of " +
                   llvm::Twine(width) + " bits");
}

Reason upstream::checkIndices(const Elements &indices, int64_t size) {
  auto bad = firstWhere<int64_t>(indices,
                                 [=](int64_t i) { return i < 0 || i >= size; });
  if (!bad)
    return {};
  return undefined("index " + toString(ops::indexOf(*bad, indices.shape())) +
                   " is " + llvm::Twine(indices.value<int64_t>(*bad)) + " of " +
                   llvm::Twine(size));
}

ReasonOr<int64_t> upstream::zeroPoint(FoldContext &cx, unsigned input,
                                      bool isUnsigned) {
  const Elements &x = cx.input(input);
  if (x.size() != 1 || !isInteger(x.type()))
    return invalid("input #" + llvm::Twine(input) + " has " +
                   llvm::Twine(x.size()) + " elements, expected 1 integer");
  int64_t value = x.ints()[0];
  if (isUnsigned && bitWidth(x.type()) < 64)
    value &= (int64_t(1) << bitWidth(x.type())) - 1;
  return value;
}

ReasonOr<Elements> upstream::withoutZeroPoint(FoldContext &cx, unsigned input,
                                              unsigned zeroPointInput) {
  const Elements &x = cx.input(input);
  if (isFloat(x.type()))
    return x;
  if (!isSmallInteger(x.type()))
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for this element type");
  ReasonOr<int64_t> zero = zeroPoint(cx, zeroPointInput);
  if (!zero)
    return zero.reason();
  return mapInt64(x, [zero = *zero](int64_t a) { return a - zero; });
}

/// [begin, end] of each dimension, one after the other.
ReasonOr<upstream::Pads> upstream::padsOf(FoldContext &cx,
                                          llvm::StringRef name) {
  Shape counts = cx.ints(name).value_or(Shape());
  Pads pads;
  for (size_t d = 0; d + 1 < counts.size(); d += 2) {
    pads.begins.push_back(counts[d]);
    pads.ends.push_back(counts[d + 1]);
  }
  for (int64_t count : counts)
    if (count < 0 || count > (int64_t(1) << 31))
      return invalid("attribute '" + name + "' is " + toString(counts) +
                     ", expected no negative numbers");
  return pads;
}
