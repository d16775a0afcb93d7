//===- RandomDisguise.cpp - One tensor in many forms ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every form reads as the same values: what a form takes apart with AnyTensor,
// the library puts together again.
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/widenum/Dispatch.h"

using namespace onnxfold;
using namespace onnxfold::ops;

Elements Case::disguise(const AnyTensor &values, int depth) {
  if (depth == 0)
    return asBuffer(values);
  switch (random.integer(0, 6)) {
  case 0:
    return asBuffer(values);
  case 1:
    return asTransposition(values, depth - 1);
  case 2:
    return asSlice(values, depth - 1);
  case 3:
    return asReshape(values, depth - 1);
  case 4:
    return asExpansion(values, depth - 1);
  default:
    return asProgram(values, depth - 1);
  }
}

/// The inverse of a permutation.
static Shape inverseOf(ShapeRef perm) {
  Shape inverse(perm.size());
  for (size_t d = 0; d < perm.size(); ++d)
    inverse[perm[d]] = d;
  return inverse;
}

Elements Case::asTransposition(const AnyTensor &values, int depth) {
  // The stored tensor's dimension k is dimension perm[k] of the values.
  Shape perm = random.permutation(values.rank()), shape;
  for (int64_t p : perm)
    shape.push_back(values.shape[p]);
  auto stored = AnyTensor::make(values.type, shape, [&](ShapeRef i) {
    Shape index(i.size());
    for (size_t d = 0; d < i.size(); ++d)
      index[perm[d]] = i[d];
    return values.at(index);
  });
  return disguise(stored, depth).transpose(inverseOf(perm));
}

/// The values among others, to be picked out with any steps but 0.
Elements Case::asSlice(const AnyTensor &values, int depth) {
  Shape starts, steps, shape;
  for (int64_t n : values.shape) {
    int64_t step = random.integer(1, 2) * (chance(50) ? 1 : -1);
    int64_t before = random.integer(0, 2), after = random.integer(0, 2);
    int64_t extent = n == 0 ? 0 : (n - 1) * std::abs(step) + 1;
    shape.push_back(before + extent + after);
    starts.push_back(step > 0 || n == 0 ? before : before + extent - 1);
    steps.push_back(step);
  }
  if (!fits(shape))
    return disguise(values, depth);
  Cell filler = cell(values.type);
  AnyTensor stored =
      AnyTensor::make(values.type, shape, [&](ShapeRef) { return filler; });
  forEachIndex(values.shape, [&](ShapeRef i) {
    Shape index(i);
    for (size_t d = 0; d < i.size(); ++d)
      index[d] = starts[d] + i[d] * steps[d];
    stored.at(index) = values.at(i);
  });
  return disguise(stored, depth).slice(starts, values.shape, steps);
}

Elements Case::asReshape(const AnyTensor &values, int depth) {
  AnyTensor stored = values;
  stored.shape.clear();
  int64_t left = values.size();
  for (int64_t n : {2, 3, 5})
    if (left != 0 && left % n == 0 && chance(60)) {
      stored.shape.push_back(n);
      left /= n;
    }
  stored.shape.insert(
      stored.shape.begin() + random.integer(0, stored.shape.size()), left);
  return disguise(stored, depth).reshape(values.shape);
}

/// Along the axes where the values repeat themselves only the first is stored.
Elements Case::asExpansion(const AnyTensor &values, int depth) {
  Shape shape(values.shape);
  for (int64_t d = 0; d < values.rank(); ++d) {
    bool repeats = values.size() != 0;
    forEachIndex(values.shape, [&](ShapeRef i) {
      Shape first(i);
      first[d] = 0;
      repeats = repeats && std::memcmp(values.at(i).bytes,
                                       values.at(first).bytes, 16) == 0;
    });
    if (repeats)
      shape[d] = 1;
  }
  while (!shape.empty() && shape[0] == 1 && chance(50))
    shape.erase(shape.begin());
  int64_t lead = values.rank() - shape.size();
  auto stored = AnyTensor::make(values.type, shape, [&](ShapeRef i) {
    Shape index(lead, 0);
    index.append(i.begin(), i.end());
    return values.at(index);
  });
  return disguise(stored, depth).expand(values.shape);
}

Elements Case::asProgram(const AnyTensor &values, int depth) {
  Elements e = disguise(values, depth);
  unsigned width = byteWidth(values.type);
  switch (random.integer(0, 5)) {
  case 0: { // one of two
    AnyTensor garbage = values;
    for (Cell &other : garbage.cells)
      other = cell(values.type);
    bool first = chance(50);
    Elements condition = Elements::splat<bool>({}, first);
    Elements other = disguise(garbage, 0);
    return first ? select(condition, e, other) : select(condition, other, e);
  }
  case 1:
    return mapBlocks(e, values.type,
                     [width](const void *in, void *out, size_t count) {
                       std::memcpy(out, in, count * width);
                     });
  case 2: // integers: there and back
    if (isInteger(values.type) && bitWidth(values.type) < 64)
      return cast(cast(e, DataType::Int64), values.type);
    return e;
  case 3: // bit by bit: -(-x) wraps for the smallest integer too
    if (isFullInteger(values.type)) {
      Elements negative = map(e, [](auto v) { return negate(v); });
      return map(negative, [](auto v) { return negate(v); });
    }
    return e;
  case 4:
    return Elements::deferred(values.type, values.shape, {e},
                              [e](char *out) { e.read(out); });
  default: {
    if (values.type == DataType::String)
      return e;
    Elements kept = e.materialize();
    return Elements::fromReader(values.type, values.shape,
                                [kept](int64_t first, int64_t n, void *out) {
                                  kept.read(first, n, out);
                                });
  }
  }
}

/// Bytes in memory, perhaps at an odd address and behind others.
Elements Case::asBuffer(const AnyTensor &values) {
  if (values.type == DataType::String || chance(60))
    return values.elements();
  int64_t width = byteWidth(values.type), skipped = random.integer(0, 3);
  int64_t odd = random.integer(0, 1);
  int64_t size = (skipped + values.size()) * width;
  auto bytes = std::make_shared<std::vector<char>>(odd + size, 1);
  for (int64_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes->data() + odd + (skipped + i) * width,
                values.cells[i].bytes, width);
  BufferRef buffer =
      foreignBuffer({bytes->data() + odd, size_t(size)}, [bytes] {});
  return Elements::fromBuffer(values.type, values.shape, buffer, skipped);
}
