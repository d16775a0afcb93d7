//===- Indices.cpp - What gathering and scattering kernels check ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Indices.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static Reason outOfRange(const Elements &indices, int64_t bad, int64_t n) {
  return undefined("index " + toString(indexOf(bad, indices.shape())) + " is " +
                   llvm::Twine(indices.number(bad).to<int64_t>()) +
                   ", the dimension is " + llvm::Twine(n));
}

Reason onnxfold::checkIndices(const Elements &indices, int64_t n) {
  if (std::optional<int64_t> bad = firstOutOfRange(indices, n))
    return outOfRange(indices, *bad, n);
  return {};
}

Reason onnxfold::checkNotNegative(const Elements &indices) {
  Elements wide = cast(indices, DataType::Int64);
  auto bad = firstWhere<int64_t>(wide, [](int64_t i) { return i < 0; });
  if (!bad)
    return {};
  return undefined("index " + toString(indexOf(*bad, indices.shape())) +
                   " is " + llvm::Twine(wide.value<int64_t>(*bad)) +
                   ", and this version has no negative ones");
}

Reason onnxfold::checkExtent(const Elements &indices, const Elements &x,
                             int64_t axis) {
  bool fits = indices.rank() == x.rank();
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = d == axis || indices.dim(d) <= x.dim(d);
  if (fits)
    return {};
  return invalid("the indices have shape " + toString(indices.shape()) +
                 ", more than " + toString(x.shape()) + " beside axis " +
                 llvm::Twine(axis));
}

Reason onnxfold::checkIndexTuples(const Elements &indices, ShapeRef shape,
                                  int64_t firstAxis) {
  std::optional<int64_t> bad = firstTupleOutOfRange(indices, shape, firstAxis);
  if (!bad)
    return {};
  int64_t position = *bad % indices.dim(indices.rank() - 1);
  return outOfRange(indices, *bad, shape[firstAxis + position]);
}

std::optional<ScatterReduction> onnxfold::scatterReductionOf(FoldContext &cx) {
  std::string name = cx.string("reduction").value_or("none");
  int version = cx.version();
  if (name == "none" || version < 16)
    return ScatterReduction::None;
  if (name == "add")
    return ScatterReduction::Add;
  if (name == "mul")
    return ScatterReduction::Mul;
  if (name == "min" && version >= 18)
    return ScatterReduction::Min;
  if (name == "max" && version >= 18)
    return ScatterReduction::Max;
  return std::nullopt;
}

Reason onnxfold::checkComparable(FoldContext &cx, ScatterReduction reduction) {
  if (reduction != ScatterReduction::Min && reduction != ScatterReduction::Max)
    return {};
  Reason nan = checkNoNaN(cx, 0);
  return nan ? std::move(nan) : checkNoNaN(cx, 2);
}

Reason onnxfold::unknownReduction(FoldContext &cx) {
  return invalid("attribute 'reduction' is '" + *cx.string("reduction") +
                 "', expected none, add, mul" +
                 (cx.version() >= 18 ? ", min or max" : ""));
}

Reason onnxfold::repeatedIndex(int64_t repeated, ShapeRef updates) {
  return undefined("update " + toString(indexOf(repeated, updates)) +
                   " writes what an earlier one has written, and there is no "
                   "reduction");
}

Reason onnxfold::checkUpdates(const Elements &updates, ShapeRef expected) {
  if (updates.shape() == expected)
    return {};
  return invalid("updates have shape " + toString(updates.shape()) +
                 ", expected " + toString(expected));
}
