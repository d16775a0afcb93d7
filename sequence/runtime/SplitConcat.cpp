//===- SplitConcat.cpp - Slices of buffers, and buffers of slices ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/runtime/internal/Support.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace onnxfold::sequence;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
struct RankedDescriptor { // as MLIR lays it out
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};
} // namespace

BufferView::BufferView(const void *descriptor, int64_t rank,
                       int64_t elementBytes)
    : rank(rank), elementBytes(elementBytes) {
  auto *ranked = static_cast<const RankedDescriptor *>(descriptor);
  data = ranked->aligned + ranked->offset * elementBytes;
  sizes = ranked->sizesAndStrides;
  strides = sizes + rank;
}

BufferView::BufferView(SequenceRecord &record)
    : BufferView(&record.allocated, record.rank, record.elementBytes) {}

BufferView BufferView::withShape(const std::vector<int64_t> &newSizes,
                                 const std::vector<int64_t> &newStrides) const {
  BufferView view = *this;
  view.rank = newSizes.size();
  view.sizes = newSizes.data();
  view.strides = newStrides.data();
  return view;
}

/// Copies all axes from `axis` on; those from `run` on are one run of bytes.
static void copyAxes(char *to, const int64_t *toStrides, const char *from,
                     const int64_t *fromStrides, const int64_t *sizes,
                     int64_t axis, int64_t run, size_t bytes,
                     int64_t elementBytes) {
  if (axis == run) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (int64_t i = 0; i < sizes[axis]; ++i)
    copyAxes(to + i * toStrides[axis] * elementBytes, toStrides,
             from + i * fromStrides[axis] * elementBytes, fromStrides, sizes,
             axis + 1, run, bytes, elementBytes);
}

static void copyBox(char *to, const int64_t *toStrides,
                    const BufferView &source) {
  for (int64_t axis = 0; axis < source.rank; ++axis)
    if (source.sizes[axis] == 0)
      return;
  int64_t run = source.rank, elements = 1;
  while (run > 0 && toStrides[run - 1] == elements &&
         source.strides[run - 1] == elements)
    elements *= source.sizes[--run];
  copyAxes(to, toStrides, source.data, source.strides, source.sizes, 0, run,
           elements * source.elementBytes, source.elementBytes);
}

void onnxfold::sequence::copyStrided(const BufferView &target,
                                     const BufferView &source) {
  copyBox(target.data, target.strides, source);
}

void onnxfold::sequence::copyInto(const BufferView &target, int64_t axis,
                                  int64_t offset, const BufferView &source) {
  copyBox(target.data + offset * target.strides[axis] * target.elementBytes,
          target.strides, source);
}

/// Counts an axis from the front; stops where there is none.
static int64_t checkedAxis(const char *operation, int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    stopProgram("%s: axis %lld is not in [%lld, %lld]", operation,
                (long long)axis, (long long)-rank, (long long)(rank - 1));
  return axis < 0 ? axis + rank : axis;
}

//===----------------------------------------------------------------------===//
// Split
//===----------------------------------------------------------------------===//

namespace {
/// The slices of an axis: of `chunk`, or of the sizes in a buffer. They are not
/// listed, since a tensor without elements can have 2^62 of them.
class Slices {
public:
  Slices(const char *caller, int64_t dim, int64_t chunk,
         const void *descriptor);

  int64_t count() const { return number; }
  int64_t extent(int64_t i) const {
    return data ? given(i) : std::min(chunk, dim - i * chunk);
  }

private:
  int64_t given(int64_t i) const {
    int64_t extent;
    std::memcpy(&extent, data + i * stride * sizeof(int64_t), sizeof(extent));
    return extent;
  }
  void checkGiven(const char *caller) const;

  int64_t dim, chunk, number, stride = 0;
  const char *data = nullptr; // null: chunks
};
} // namespace

Slices::Slices(const char *caller, int64_t dim, int64_t chunk,
               const void *descriptor)
    : dim(dim), chunk(chunk) {
  if (descriptor) {
    BufferView sizes(descriptor, /*rank=*/1, sizeof(int64_t));
    number = sizes.sizes[0];
    stride = sizes.strides[0];
    static const int64_t none = 0; // sizes of no elements may have no data
    data = number ? sizes.data : reinterpret_cast<const char *>(&none);
    checkGiven(caller);
    return;
  }
  if (chunk <= 0)
    stopProgram("%s: chunk %lld is not above 0", caller, (long long)chunk);
  number = dim / chunk + (dim % chunk != 0);
}

void Slices::checkGiven(const char *caller) const {
  int64_t left = dim;
  for (int64_t i = 0; i < number; left -= given(i++))
    if (given(i) < 0 || given(i) > left)
      stopProgram("%s: size %lld at position %lld, where %lld are left of "
                  "dimension %lld",
                  caller, (long long)given(i), (long long)i, (long long)left,
                  (long long)dim);
  if (left)
    stopProgram("%s: the sizes leave %lld of dimension %lld", caller,
                (long long)left, (long long)dim);
}

SequenceValue onnxfoldSequenceSplit(uint32_t elementCode, int64_t elementBytes,
                                    int64_t rank, const void *descriptor,
                                    int64_t axis, int64_t squeeze,
                                    int64_t chunk, const void *extents,
                                    const char *caller) {
  BufferView input(descriptor, rank, elementBytes);
  axis = checkedAxis(caller, axis, rank);
  Slices slices(caller, input.sizes[axis], chunk, extents);
  SequenceStorage *storage = onnxfoldSequenceAlloc(slices.count());
  std::vector<int64_t> sizes(input.sizes, input.sizes + rank);
  std::vector<int64_t> strides(input.strides, input.strides + rank);
  if (squeeze) { // of slices of extent 1
    sizes.erase(sizes.begin() + axis);
    strides.erase(strides.begin() + axis);
  }
  BufferView slice = input.withShape(sizes, strides);
  for (int64_t i = 0; i < slices.count(); ++i) {
    if (!squeeze)
      sizes[axis] = slices.extent(i);
    SequenceRecord *record = onnxfoldSequenceRecordAlloc(
        elementCode, elementBytes, slice.rank, slice.sizes);
    copyStrided(*record, slice);
    storage->slots()[i] = record;
    slice.data += slices.extent(i) * input.strides[axis] * elementBytes;
  }
  return {storage, slices.count()};
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

/// Stops unless the element at `position` fits beside the first one.
static void checkElement(const char *caller, const SequenceRecord &first,
                         const SequenceRecord &element, int64_t position,
                         int64_t free) {
  if (element.elementCode != first.elementCode || element.rank != first.rank)
    stopProgram("%s: the element at position %lld has rank %lld and the first "
                "one %lld, or another element type",
                caller, (long long)position, (long long)element.rank,
                (long long)first.rank);
  for (int64_t i = 0; i < first.rank; ++i)
    if (i != free && element.sizes()[i] != first.sizes()[i])
      stopProgram("%s: dimension %lld of the element at position %lld is %lld, "
                  "that of the first one %lld",
                  caller, (long long)i, (long long)position,
                  (long long)element.sizes()[i], (long long)first.sizes()[i]);
}

SequenceRecord *onnxfoldSequenceConcat(SequenceStorage *storage, int64_t length,
                                       int64_t axis, int64_t stack,
                                       const char *caller) {
  if (length == 0)
    stopProgram("%s: of a sequence of length 0", caller);
  SequenceRecord **elements = storage->slots();
  SequenceRecord &first = *elements[0];
  axis = checkedAxis(caller, axis, first.rank + (stack ? 1 : 0));
  std::vector<int64_t> sizes(first.sizes(), first.sizes() + first.rank);
  int64_t extent = 0;
  for (int64_t i = 0; i < length; ++i) {
    checkElement(caller, first, *elements[i], i, stack ? -1 : axis);
    if (__builtin_add_overflow(extent, stack ? 1 : elements[i]->sizes()[axis],
                               &extent))
      stopProgram("%s: the result is too large in dimension %lld", caller,
                  (long long)axis);
  }
  if (stack)
    sizes.insert(sizes.begin() + axis, extent);
  else
    sizes[axis] = extent;
  SequenceRecord *result = onnxfoldSequenceRecordAlloc(
      uint32_t(first.elementCode), first.elementBytes, sizes.size(),
      sizes.data());
  int64_t offset = 0;
  for (int64_t i = 0; i < length; ++i) {
    BufferView source = *elements[i];
    std::vector<int64_t> shape(source.sizes, source.sizes + source.rank);
    std::vector<int64_t> strides(source.strides, source.strides + source.rank);
    if (stack) {
      shape.insert(shape.begin() + axis, 1);
      strides.insert(strides.begin() + axis, 1);
      source = source.withShape(shape, strides);
    }
    copyInto(*result, axis, offset, source);
    offset += stack ? 1 : source.sizes[axis];
  }
  return result;
}
