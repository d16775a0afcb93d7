//===- FeatureVectorizer.cpp - Kernel of onnx.ml.FeatureVectorizer --------===//
// SPDX-License-Identifier: Apache-2.0
//
// All inputs as f32, side by side; a vector is a matrix of one row. Spec:
// onnx.ml FeatureVectorizer, version 1. An input with more columns than
// `inputdimensions` says is cut off, one with fewer gets columns of zeros, as
// in the reference evaluator and ONNX Runtime. In programs all elements of a row
// of more than two dimensions are its columns, as in ONNX Runtime.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// An input as a matrix, if it can be one.
static Elements asMatrix(FoldContext &cx, const Elements &x) {
  if (x.rank() == 1)
    return x.unsqueeze({0});
  if (x.rank() > 2 && mustDecide(cx))
    return x.reshape({x.dim(0), numElements(x.shape().drop_front())});
  return x;
}

/// The columns that each input gets; of another number if some are wrong.
static Shape widths(FoldContext &cx) {
  if (std::optional<Shape> given = cx.ints("inputdimensions"))
    return *given;
  Shape result;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    if (cx.input(i).rank() > 0)
      result.push_back(cx.input(i).dim(cx.input(i).rank() - 1));
  return result;
}

static FoldResult foldFeatureVectorizer(FoldContext &cx) {
  if (auto mismatch = checkSameType(cx))
    return mismatch;
  Shape columns = widths(cx);
  std::vector<Elements> parts;
  int64_t total = 0;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    Elements x = asMatrix(cx, cx.input(i));
    if (x.rank() != 2 || (i != 0 && x.dim(0) != parts[0].dim(0)))
      return invalid("input #" + llvm::Twine(i) + " has shape " +
                     toString(cx.input(i).shape()) +
                     ", expected a matrix of the rows of input #0");
    if (columns.size() != cx.numInputs() || columns[i] < 0 ||
        llvm::AddOverflow(total, columns[i], total))
      return invalid("attribute 'inputdimensions' is " + toString(columns) +
                     ", expected a size for each of " +
                     llvm::Twine(cx.numInputs()) + " inputs");
    if (auto limit = cx.checkResult(DataType::Float32, {x.dim(0), total}))
      return limit;
    parts.push_back(
        pad(cast(x, DataType::Float32), {0, 0}, {0, columns[i] - x.dim(1)}));
  }
  return concat(parts, 1);
}

namespace onnxfold {
void registerFeatureVectorizer(KernelRegistry &registry) {
  registry.add("ml.FeatureVectorizer", {1}, foldFeatureVectorizer);
}
} // namespace onnxfold
