//===- TensorKernels.cpp - Shared by kernels of tensor --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/TensorKernels.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/upstream/support/Integers.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

Shape upstream::mixed(FoldContext &cx, ShapeRef values, unsigned &next) {
  Shape result(values);
  for (int64_t &value : result)
    if (mlir::ShapedType::isDynamic(value))
      value = upstream::indexOf(cx, next++);
  return result;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Slice upstream::sliceOf(FoldContext &cx, unsigned next) {
  auto op = mlir::cast<mlir::OffsetSizeAndStrideOpInterface>(cx.operation());
  Slice slice;
  slice.starts = mixed(cx, op.getStaticOffsets(), next);
  slice.sizes = mixed(cx, op.getStaticSizes(), next);
  slice.steps = mixed(cx, op.getStaticStrides(), next);
  return slice;
}

Reason upstream::checkSlice(const Slice &slice, ShapeRef shape) {
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t start = slice.starts[d], size = slice.sizes[d];
    int64_t step = slice.steps[d], last;
    bool isWrong = start < 0 || size < 0 || step < 0 ||
                   llvm::MulOverflow(size - 1, step, last) ||
                   llvm::AddOverflow(last, start, last);
    if (isWrong || (size > 0 && last >= shape[d]) || start > shape[d])
      return undefined("dimension " + llvm::Twine(d) + ", of " +
                       llvm::Twine(shape[d]) + " elements, is left");
  }
  return {};
}

/// `part` at every step-th place of one axis.
static Elements insertAlong(const Elements &x, const Elements &part,
                            int64_t axis, int64_t start, int64_t step) {
  int64_t size = part.dim(axis);
  if (step == 1 || size == 1) {
    int64_t rest = x.dim(axis) - start - size;
    std::vector<Elements> pieces = x.split(axis, {start, size, rest});
    return ops::concat({pieces[0], part, pieces[2]}, axis);
  }
  Shape first = permutationTo({axis}, x.rank());
  Elements indices = ops::range(DataType::Int64, WideNum::widen(start),
                                WideNum::widen(step), size)
                         .reshape({size, 1});
  return ops::scatterND(x.transpose(first), indices, part.transpose(first))
      .transpose(inverseOf(first));
}

static Elements insertFrom(int64_t axis, const Elements &x,
                           const Elements &part, const Slice &slice) {
  if (axis == x.rank())
    return part;
  int64_t start = slice.starts[axis], step = slice.steps[axis];
  Shape starts(x.rank(), 0), sizes(x.shape()), steps(x.rank(), 1);
  starts[axis] = start;
  sizes[axis] = slice.sizes[axis];
  steps[axis] = step;
  Elements inner =
      insertFrom(axis + 1, x.slice(starts, sizes, steps), part, slice);
  return insertAlong(x, inner, axis, start, step);
}

Elements upstream::insert(const Elements &x, const Elements &part,
                          const Slice &slice) {
  return part.size() == 0 ? x : insertFrom(0, x, part, slice);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

static mlir::Region &bodyOf(FoldContext &cx) {
  return cx.operation()->getRegion(0);
}

bool upstream::isUniform(FoldContext &cx) {
  return llvm::all_of(bodyOf(cx).getArguments(), [](mlir::Value argument) {
    return argument.use_empty();
  });
}

static FoldResult elementAt(FoldContext &cx, ShapeRef index) {
  llvm::SmallVector<FoldedValue, 4> arguments;
  for (int64_t i : index)
    arguments.push_back(Elements::fromValues<int64_t>({}, {i}));
  return cx.runBody(bodyOf(cx), arguments);
}

FoldResult upstream::uniformValue(FoldContext &cx, int64_t rank) {
  return elementAt(cx, Shape(rank, 0));
}

FoldResult upstream::generated(FoldContext &cx, DataType type, ShapeRef shape) {
  if (Reason large = cx.checkResult(type, shape))
    return large;
  if (numElements(shape) == 0)
    return Elements::splat(type, shape, WideNum::widen(int64_t(0)));
  if (isUniform(cx)) {
    FoldResult one = uniformValue(cx, shape.size());
    return one ? one.values()[0].tensor.expand(shape) : one;
  }
  if (Reason often = cx.checkTripCount(numElements(shape)))
    return often;
  std::vector<Elements> elements;
  for (int64_t i = 0, n = numElements(shape); i < n; ++i) {
    FoldResult one = elementAt(cx, ops::indexOf(i, shape));
    if (!one)
      return one;
    elements.push_back(one.values()[0].tensor.reshape({1}));
  }
  return ops::concat(elements, 0).reshape(shape);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

Reason upstream::checkCoordinates(const Elements &indices, ShapeRef dims,
                                  ShapeRef shape) {
  int64_t last = indices.rank() - 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t limit = shape[dims[i]];
    Elements column = indices.slice(last, int64_t(i), 1);
    auto isOutside = [limit](int64_t v) { return v < 0 || v >= limit; };
    if (auto where = ops::firstWhere<int64_t>(column, isOutside))
      return undefined("index " + llvm::Twine(column.value<int64_t>(*where)) +
                       " is outside of dimension " + llvm::Twine(dims[i]) +
                       ", of " + llvm::Twine(limit) + " elements");
  }
  return {};
}

Shape upstream::permutationTo(ShapeRef dims, int64_t rank) {
  Shape result(dims);
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(dims, d))
      result.push_back(d);
  return result;
}

Shape upstream::inverseOf(ShapeRef permutation) {
  Shape result(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    result[permutation[i]] = i;
  return result;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Elements upstream::sameBits(const Elements &x, DataType to) {
  DataType from = x.type();
  if (from == to)
    return x;
  if (numBits(from) != numBits(to))
    return {};
  if (numBits(from) >= 8)
    return ops::mapBlocks(x, to, [=](const void *in, void *out, size_t n) {
      std::memcpy(out, in, n * byteWidth(to));
    });
  // A byte each: numbers are extended with their sign, other bits with zeros.
  unsigned unused = 8 - numBits(to);
  bool isSigned = typeClass(to) == TypeClass::Signed;
  return ops::mapBlocks(x, to, [=](const void *in, void *out, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      uint8_t bits = uint8_t(static_cast<const uint8_t *>(in)[i] << unused);
      static_cast<uint8_t *>(out)[i] =
          isSigned ? uint8_t(int8_t(bits) >> unused) : uint8_t(bits >> unused);
    }
  });
}
