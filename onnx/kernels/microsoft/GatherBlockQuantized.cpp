//===- GatherBlockQuantized.cpp - Kernel of com.microsoft.GatherBlockQuantized ===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices of a tensor of 4-bit integers, or of bytes that hold 2, 4 or 8 bits a
// number, along `gather_axis`, as floats: (x - zero) * scale, each for a block
// of `quantize_axis`. In double, rounded once. Without zero points: 0, for
// bytes the middle of the range. Floats of 8 and 4 bits are kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr TypeSet gathered = {DataType::Int4, DataType::UInt4,
                                     DataType::UInt8};

/// Each element of scales or zero points for all of its block.
static ReasonOr<Elements> spread(unsigned input, const Elements &x,
                                 ShapeRef shape, int64_t axis,
                                 int64_t blockSize) {
  Shape wanted(shape), blocks(shape);
  wanted[axis] = (shape[axis] + blockSize - 1) / blockSize;
  if (x.shape() != ShapeRef(wanted))
    return invalid("input #" + llvm::Twine(input) + " has shape " +
                   toString(x.shape()) + ", expected " + toString(wanted));
  blocks[axis] = wanted[axis] * blockSize;
  Shape each(wanted);
  each.insert(each.begin() + axis + 1, blockSize);
  return cast(x, DataType::Float64)
      .unsqueeze({axis + 1})
      .expand(each)
      .reshape(blocks)
      .slice(axis, 0, shape[axis]);
}

/// (x - zero) * scale of the whole tensor in f64, deferred.
static ReasonOr<Elements> dequantizedBlocks(FoldContext &cx, int64_t bits) {
  Elements x = cx.input(0);
  bool isPacked = x.type() == DataType::UInt8;
  if (isPacked)
    x = unpacked(x, bits);
  ReasonOr<Shape> axes =
      normalizedAxes(Shape{cx.integer("quantize_axis").value_or(1)}, x.rank());
  if (!axes)
    return axes.reason();
  int64_t axis = axes->front();
  int64_t blockSize = cx.integer("block_size").value_or(128);
  if (blockSize < 16 || (blockSize & (blockSize - 1)) != 0 ||
      blockSize > int64_t(1) << 31)
    return invalid("attribute 'block_size' is " + llvm::Twine(blockSize));
  ReasonOr<Elements> scale = spread(2, cx.input(2), x.shape(), axis, blockSize);
  if (!scale)
    return scale;
  ReasonOr<Elements> zero = Elements::splat<double>(
      {}, isPacked ? double(int64_t(1) << (bits - 1)) : 0);
  if (cx.hasInput(3)) {
    Elements zeros = cx.input(3);
    int64_t blocks = (x.dim(axis) + blockSize - 1) / blockSize;
    if (isPacked && zeros.rank() == x.rank()) {
      zeros = unpacked(zeros, bits);
      if (axis == x.rank() - 1 && zeros.dim(axis) > blocks)
        zeros = zeros.slice(axis, 0, blocks);
    }
    zero = spread(3, zeros, x.shape(), axis, blockSize);
  }
  if (!zero)
    return zero;
  return scaledBy(lessened(cast(x, DataType::Float64), *zero), *scale);
}

static FoldResult foldMicrosoftGatherBlockQuantized(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{gathered},
                                      {ints32And64},
                                      {floats},
                                      {gathered, 0, InputRule::Optional}}))
    return wrong;
  int64_t bits = cx.integer("bits").value_or(4);
  if ((bits != 2 && bits != 4 && bits != 8) || cx.input(0).rank() == 0)
    return invalid("attribute 'bits' is " + llvm::Twine(bits) +
                   ", input #0 has shape " + toString(cx.input(0).shape()));
  ReasonOr<Elements> x = dequantizedBlocks(cx, bits);
  if (!x)
    return x.reason();
  ReasonOr<Shape> axes =
      normalizedAxes(Shape{cx.integer("gather_axis").value_or(0)}, x->rank());
  if (!axes)
    return axes.reason();
  int64_t axis = axes->front();
  Shape shape(x->shape());
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, cx.input(1).shape().begin(),
               cx.input(1).shape().end());
  if (Reason large = cx.checkResult(cx.input(2).type(), shape))
    return large;
  if (auto outside = firstOutOfRange(cx.input(1), x->dim(axis)))
    return undefined("index " +
                     toString(indexOf(*outside, cx.input(1).shape())) +
                     " is outside of the tensor");
  return roundedResult(cx, gather(*x, cx.input(1), axis), cx.input(2).type());
}

namespace onnxfold {
void registerMicrosoftGatherBlockQuantized(KernelRegistry &registry) {
  registry.add("microsoft.GatherBlockQuantized", {1},
               foldMicrosoftGatherBlockQuantized);
}
} // namespace onnxfold
