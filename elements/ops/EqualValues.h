//===- EqualValues.h - Which of many values are one -------------*- C++ -*-===//
//
// Finds among many values those that have the same type, shape and elements, so
// that they are stored once.
//
//   EqualValues equal(values);
//   for (size_t i = 0; i < values.size(); ++i)
//     if (equal.firstOf(i) == i) write(equal.movedValue(i) ? ... : values[i]);
//
// Cost: values whose type and shape no other one has are not looked at. Of the
// others a few elements are read, where it is possible without computing the
// rest, then, of those that look alike, everything. A large value that has to
// be computed as a whole for one of these is moved to the file of spilled
// results (Memory.h), so that it is computed no third time and takes no memory.
//
// Thread safety: none; the results may be read by several threads. No errors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_EQUALVALUES_H
#define ONNXFOLD_ELEMENTS_OPS_EQUALVALUES_H

#include "onnxfold/elements/Elements.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold::ops {

class EqualValues {
public:
  EqualValues() = default;
  /// A null value is equal to no other.
  explicit EqualValues(llvm::ArrayRef<Elements> values);

  /// The first value that is equal; `i` itself if there is none before it.
  size_t firstOf(size_t i) const {
    auto first = firsts.find(i);
    return first == firsts.end() ? i : first->second;
  }

  /// The value to read from now on; null if the one given is as good.
  Elements movedValue(size_t i) const { return moved.lookup(i); }

private:
  struct Candidate {
    size_t index;
    Elements value;
  };
  using Group = std::vector<Candidate>;
  void lookAt(Candidate &candidate, llvm::function_ref<void()> look);
  void compare(Group &group);
  void mergeEqual(llvm::ArrayRef<Candidate *> alike);

  llvm::DenseMap<size_t, size_t> firsts;
  llvm::DenseMap<size_t, Elements> moved;
};

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_EQUALVALUES_H
