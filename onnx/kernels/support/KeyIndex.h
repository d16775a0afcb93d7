//===- KeyIndex.h - Where a key stands in a list ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For kernels that map values by two lists (labels, categories): finds elements
// in the first list. The keys are sorted once, and each element is found by
// bisection.
//
//   KeyIndex index(keys);
//   Elements y = gather(concat({values, byDefault}, 0), index.find(x), 0);
//
// Keys are strings, integers of 8 to 64 bits or floats. All NaN are one key,
// and -0 equals 0, unless floats are compared bit by bit. If a key is repeated,
// the last one is found.
//
// Thread safety: an index is immutable after construction, so any thread may
// use it; find uses several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_KEYINDEX_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_KEYINDEX_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold {

class KeyIndex {
public:
  /// Whether `keys` have a type that can be looked up.
  static bool accepts(const Elements &keys);

  /// REQUIRES: accepts(keys).
  explicit KeyIndex(const Elements &keys, bool bitwise = false);

  /// The number of keys.
  int64_t size() const { return count; }

  /// For each element of x the number of its key (i64), or size() where there
  /// is none. REQUIRES: x has the type of the keys.
  Elements find(const Elements &x) const;

  /// A reason if a key occurs twice in the list called `name`: the text does
  /// not say which one holds.
  Reason checkUnique(llvm::StringRef name) const;

private:
  int64_t findCode(uint64_t code) const;

  int64_t count;
  bool bitwise;
  /// The number of a key that repeats another one.
  std::optional<int64_t> repeated;
  llvm::StringMap<int64_t> strings;
  std::vector<std::pair<uint64_t, int64_t>> codes; // sorted, without repeats
};

/// find(x) as the elements of `values` (one for each key) or, where there is no
/// key, of `byDefault` (one element). REQUIRES: one type, sizes as said.
Elements mapByKeys(const KeyIndex &index, const Elements &x,
                   const Elements &values, const Elements &byDefault);

/// A list as a one-dimensional tensor.
Elements tensorOf(llvm::ArrayRef<int64_t> values);
Elements tensorOf(llvm::ArrayRef<std::string> values);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_KEYINDEX_H
