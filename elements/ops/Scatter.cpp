//===- Scatter.cpp - Writing elements at given indices --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/internal/NegativeIndex.h"
#include "llvm/ADT/BitVector.h"
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Combining an element with an update
//===----------------------------------------------------------------------===//

/// Combines `count` updates with the elements at `to`.
using Combine = void (*)(char *to, const char *update, int64_t count);

template <class T, ScatterReduction reduction>
static void combine(char *to, const char *update, int64_t count) {
  using C = ComputeType<T>;
  T *out = reinterpret_cast<T *>(to);
  const T *in = reinterpret_cast<const T *>(update);
  for (int64_t i = 0; i < count; ++i) {
    C a = convert<C>(out[i]), b = convert<C>(in[i]), r;
    if constexpr (reduction == ScatterReduction::Add)
      r = add(a, b);
    else if constexpr (reduction == ScatterReduction::Mul)
      r = multiply(a, b);
    else if constexpr (reduction == ScatterReduction::Min)
      r = minimum(a, b);
    else
      r = maximum(a, b);
    out[i] = convert<T>(r);
  }
}

template <class T>
static void copyElements(char *to, const char *update, int64_t count) {
  std::memcpy(to, update, count * sizeof(T));
}

template <class T> static Combine combineOf(ScatterReduction reduction) {
  switch (reduction) {
  case ScatterReduction::Add:
    return combine<T, ScatterReduction::Add>;
  case ScatterReduction::Mul:
    return combine<T, ScatterReduction::Mul>;
  case ScatterReduction::Min:
    return combine<T, ScatterReduction::Min>;
  case ScatterReduction::Max:
    return combine<T, ScatterReduction::Max>;
  case ScatterReduction::None:
    break;
  }
  return copyElements<T>;
}

/// Null if the type does not have the reduction.
static Combine combineOf(DataType type, ScatterReduction reduction) {
  Combine result = nullptr;
  if (reduction == ScatterReduction::None) {
    visitBytes(type, [&](auto tag) {
      result = copyElements<typename decltype(tag)::type>;
    });
  } else if (type == DataType::Bool) {
    // Bools are bytes of 0 and 1: or is the maximum, and the minimum.
    bool isOr = reduction == ScatterReduction::Add ||
                reduction == ScatterReduction::Max;
    result = combineOf<uint8_t>(isOr ? ScatterReduction::Max
                                     : ScatterReduction::Min);
  } else {
    visitArithmetic(type, [&](auto tag) {
      result = combineOf<typename decltype(tag)::type>(reduction);
    });
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Where updates are written
//===----------------------------------------------------------------------===//

/// Calls visit(number of the update, row-major number of its element of x)
/// until it returns false; x has this shape. REQUIRES: indices are i64.
template <class F>
static void visitElements(ShapeRef shape, const Elements &indices, int64_t axis,
                          F visit) {
  if (indices.size() == 0)
    return;
  ElementsArray<int64_t> at(indices);
  Shape strides = rowMajorStrides(shape);
  int64_t axisStride = strides[axis], n = shape[axis];
  strides[axis] = 0; // the index takes its place
  Odometer rest(indices.shape(), strides, 0);
  for (int64_t i = 0; i < indices.size(); ++i, rest.next())
    if (!visit(i, rest.offset() + fromStart(at[i], n) * axisStride))
      return;
}

/// visitElements for the first element of each slice of `unit` elements.
template <class F>
static void visitSlices(ShapeRef shape, const Elements &indices, F visit) {
  int64_t length = indices.dim(indices.rank() - 1);
  int64_t count = numElements(indices.shape().drop_back());
  ElementsArray<int64_t> at(indices);
  Shape strides = rowMajorStrides(shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    for (int64_t d = 0; d < length; ++d)
      offset += fromStart(at[i * length + d], shape[d]) * strides[d];
    if (!visit(i, offset))
      return;
  }
}

std::optional<int64_t> ops::firstRepeatedElement(const Elements &x,
                                                 const Elements &indices,
                                                 int64_t axis) {
  std::optional<int64_t> repeated;
  llvm::BitVector seen(x.size());
  visitElements(x.shape(), cast(indices, DataType::Int64), axis,
                [&](int64_t i, int64_t offset) {
                  if (seen[offset])
                    repeated = i;
                  seen.set(offset);
                  return !repeated;
                });
  return repeated;
}

std::optional<int64_t> ops::firstRepeatedSlice(const Elements &x,
                                               const Elements &indices) {
  std::optional<int64_t> repeated;
  ShapeRef slice = x.shape().drop_front(indices.dim(indices.rank() - 1));
  int64_t unit = numElements(slice);
  if (unit == 0)
    return repeated;
  llvm::BitVector seen(x.size() / unit);
  visitSlices(x.shape(), cast(indices, DataType::Int64),
              [&](int64_t i, int64_t offset) {
                if (seen[offset / unit])
                  repeated = i;
                seen.set(offset / unit);
                return !repeated;
              });
  return repeated;
}

//===----------------------------------------------------------------------===//
// The two operations
//===----------------------------------------------------------------------===//

static decltype(&inWide) liftOf(ScatterReduction reduction) {
  return reduction == ScatterReduction::None ? movedInWide : inWide;
}

/// Updates what `change` writes over: x itself, now, where x dies and lies in
/// memory (that costs what the updates cost), else a copy of it, on demand.
static Elements changed(Elements x, llvm::ArrayRef<Elements> operands,
                        std::function<void(char *out)> change) {
  if (char *bytes = x.writableBytes()) {
    change(bytes);
    return x;
  }
  llvm::SmallVector<Elements, 3> all(operands);
  all.push_back(x);
  return Elements::deferred(x.type(), x.shape(), all,
                            [x, change = std::move(change)](char *out) {
                              x.read(out);
                              change(out);
                            });
}

Elements ops::scatterElements(Elements x, const Elements &indices,
                              const Elements &updates, int64_t axis,
                              ScatterReduction reduction) {
  if (!x || !indices || !updates)
    return {};
  assert(x.type() == updates.type() && indices.shape() == updates.shape());
  auto lift = liftOf(reduction);
  if (Elements r = lift({x, updates}, [&](auto e) {
        return scatterElements(e[0], indices, e[1], axis, reduction);
      }))
    return r;
  Combine write = combineOf(x.type(), reduction);
  if (!write)
    return {};
  Elements wide = cast(indices, DataType::Int64);
  Shape shape(x.shape());
  int64_t w = byteWidth(x.type());
  return changed(std::move(x), {wide, updates},
                 [shape, wide, updates, axis, write, w](char *out) {
                   ElementsBytes from(updates, /*aligned=*/true);
                   visitElements(
                       shape, wide, axis, [&](int64_t i, int64_t offset) {
                         write(out + offset * w, from.data() + i * w, 1);
                         return true;
                       });
                 });
}

Elements ops::scatterND(Elements x, const Elements &indices,
                        const Elements &updates, ScatterReduction reduction) {
  if (!x || !indices || !updates)
    return {};
  assert(x.type() == updates.type() && indices.rank() >= 1);
  auto lift = liftOf(reduction);
  if (Elements r = lift({x, updates}, [&](auto e) {
        return scatterND(e[0], indices, e[1], reduction);
      }))
    return r;
  Combine write = combineOf(x.type(), reduction);
  if (!write)
    return {};
  Elements wide = cast(indices, DataType::Int64);
  Shape shape(x.shape());
  int64_t w = byteWidth(x.type());
  auto change = [shape, wide, updates, write, w](char *out) {
    if (updates.size() == 0)
      return;
    int64_t unit =
        numElements(ShapeRef(shape).drop_front(wide.dim(wide.rank() - 1)));
    ElementsBytes from(updates, /*aligned=*/true);
    visitSlices(shape, wide, [&](int64_t i, int64_t offset) {
      write(out + offset * w, from.data() + i * unit * w, unit);
      return true;
    });
  };
  return changed(std::move(x), {wide, updates}, change);
}
