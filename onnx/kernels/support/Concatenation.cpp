//===- Concatenation.cpp - Joining and splitting tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Concatenation.h"
#include "onnxfold/elements/ops/DataMovement.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Two parts have one shape but for the axis.
static bool fit(ShapeRef a, ShapeRef b, int64_t axis) {
  return a.size() == b.size() && a.take_front(axis) == b.take_front(axis) &&
         a.drop_front(axis + 1) == b.drop_front(axis + 1);
}

FoldResult onnxfold::joined(FoldContext &cx, llvm::ArrayRef<Elements> parts,
                            int64_t axis, llvm::StringRef what) {
  if (parts.empty())
    return invalid("there is no " + what + " to take the shape from");
  const Elements &first = parts.front();
  Shape shape(first.shape());
  shape[axis] = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (part.type() != first.type())
      return invalid(what + " #" + llvm::Twine(i) + " has type " +
                     name(part.type()) + ", expected that of " + what +
                     " #0, " + name(first.type()));
    if (!fit(first.shape(), part.shape(), axis))
      return invalid(what + " #" + llvm::Twine(i) + " has shape " +
                     toString(part.shape()) + ", expected that of " + what +
                     " #0, " + toString(first.shape()) + ", but for axis " +
                     llvm::Twine(axis));
    shape[axis] += part.dim(axis);
  }
  if (Reason limit = cx.checkResult(first.type(), shape))
    return limit;
  return concat(parts, axis);
}

FoldResult onnxfold::stacked(FoldContext &cx, llvm::ArrayRef<Elements> parts,
                             int64_t axis, llvm::StringRef what) {
  llvm::SmallVector<Elements, 0> rows;
  for (const Elements &part : parts) {
    if (axis > part.rank())
      return invalid(what + " of shape " + toString(part.shape()) +
                     " has no room for axis " + llvm::Twine(axis));
    rows.push_back(part.unsqueeze({axis}));
  }
  return joined(cx, rows, axis, what);
}

FoldResult onnxfold::cutInto(const Elements &x, int64_t axis, ShapeRef sizes) {
  int64_t left = x.dim(axis);
  auto wrong = [&] {
    return invalid("axis " + llvm::Twine(axis) + " has size " +
                   llvm::Twine(x.dim(axis)) + ", split is " + toString(sizes));
  };
  llvm::SmallVector<Elements, 1> parts;
  for (int64_t size : sizes) {
    if (size < 0 || size > left)
      return wrong();
    parts.push_back(x.slice(axis, x.dim(axis) - left, size));
    left -= size;
  }
  if (left != 0)
    return wrong();
  return parts;
}
