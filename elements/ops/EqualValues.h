//===- EqualValues.h - Finding equal tensors among many ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds among many values those that have the same type, shape and elements, so
// that they can be stored once.
//
//   EqualValues equal(values);
//   for (size_t i = 0; i < values.size(); ++i)
//     if (equal.firstOf(i) == i) write(equal.movedValue(i) ? ... : values[i]);
//
// Cost: a value whose type and shape no other value has is not read. Of each
// other value a few elements are read, if possible without computing the rest.
// Values whose samples are equal are read as a whole. If a large value has to
// be computed as a whole for one of these readings, it is moved to the file of
// spilled results (Memory.h), so that it is not computed a third time and takes
// no memory.
//
// Thread safety: several threads may read one object. The constructor resets
// MemoryStatistics::peakHeapBytes; other work in the process at that time only
// changes which values are moved. There are no errors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_EQUALVALUES_H
#define ONNXFOLD_ELEMENTS_OPS_EQUALVALUES_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold::ops {

class EqualValues {
public:
  EqualValues() = default;
  /// Compares the values. A null value is equal to no other.
  explicit EqualValues(llvm::ArrayRef<Elements> values);

  /// The number of the first value equal to value `i`: `i` itself if none
  /// before it is equal.
  size_t firstOf(size_t i) const {
    auto first = firsts.find(i);
    return first == firsts.end() ? i : first->second;
  }

  /// The same value in the file of spilled results, which callers should read
  /// instead; null if the value was not moved.
  Elements movedValue(size_t i) const { return moved.lookup(i); }

private:
  struct Candidate {
    size_t index;
    Elements value;
  };
  using Group = std::vector<Candidate>;
  void lookAt(Candidate &candidate, llvm::function_ref<void()> look);
  std::vector<std::vector<Candidate *>>
  findAlike(llvm::ArrayRef<Candidate *> candidates,
            ContentHash (*hashOf)(const Elements &));
  void compare(Group &group);
  void mergeEqual(llvm::ArrayRef<Candidate *> alike);

  llvm::DenseMap<size_t, size_t> firsts;
  llvm::DenseMap<size_t, Elements> moved;
};

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_EQUALVALUES_H
