//===- TensorList.h - The tensors of a sequence -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An immutable list: inserting or erasing a tensor makes another list, which
// shares all but a few nodes with the first. So a chain of SequenceInsert takes
// memory and time for the inserted tensors, and not for each intermediate list.
//
//   TensorList list = TensorList(tensors).inserted(0, first);
//   for (const Elements &tensor : list.tensors()) ...
//
// Cost: logarithmic; tensors() is linear. Thread safety: that of handles.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_TENSORLIST_H
#define ONNXFOLD_CONSTPROP_TENSORLIST_H

#include "onnxfold/elements/Elements.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace onnxfold {

class TensorList {
public:
  TensorList() = default;
  explicit TensorList(llvm::ArrayRef<Elements> tensors);

  size_t size() const;
  bool empty() const { return !root; }
  /// REQUIRES: i < size().
  const Elements &operator[](size_t i) const;
  const Elements &front() const { return (*this)[0]; }
  /// The tensors, in their order.
  std::vector<Elements> tensors() const;
  /// Calls `ask` with one tensor after the other until it returns false.
  bool isTrueOfAll(llvm::function_ref<bool(const Elements &)> ask) const;

  /// The list with `tensor` inserted at position `i`. REQUIRES: i <= size().
  TensorList inserted(size_t i, Elements tensor) const;
  /// The list without the tensor at position `i`. REQUIRES: i < size().
  TensorList erased(size_t i) const;

private:
  struct Node;
  using Link = std::shared_ptr<const Node>;

  explicit TensorList(Link root) : root(std::move(root)) {}
  static size_t count(const Link &tree);
  static Link join(Link left, Elements tensor, Link right);
  static Link balanced(const Link &left, const Elements &tensor,
                       const Link &right);
  static Link built(llvm::ArrayRef<Elements> tensors);
  static Link insert(const Link &tree, size_t i, Elements tensor);
  static Link erase(const Link &tree, size_t i);

  Link root;
};

/// The tensors of a sequence that is all known. Shared, and never changed.
using Sequence = std::shared_ptr<const TensorList>;

inline Sequence makeSequence(llvm::ArrayRef<Elements> tensors) {
  return std::make_shared<const TensorList>(tensors);
}

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_TENSORLIST_H
