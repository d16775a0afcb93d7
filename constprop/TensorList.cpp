//===- TensorList.cpp - The tensors of a sequence -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tree balanced by weight, of which a change copies the path from the root.
// Adams, Efficient sets: a balancing act (1993), with the parameters 3 and 2 of
// Hirai and Yamamoto (2011), who proved them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/TensorList.h"

using namespace onnxfold;

struct TensorList::Node {
  Elements tensor;
  Link left, right;
  size_t count; ///< of tensors in this tree
};

size_t TensorList::count(const Link &tree) { return tree ? tree->count : 0; }

size_t TensorList::size() const { return count(root); }

TensorList::Link TensorList::join(Link left, Elements tensor, Link right) {
  size_t sum = count(left) + count(right) + 1;
  return std::make_shared<const Node>(
      Node{std::move(tensor), std::move(left), std::move(right), sum});
}

TensorList::Link TensorList::built(llvm::ArrayRef<Elements> tensors) {
  if (tensors.empty())
    return nullptr;
  size_t middle = tensors.size() / 2;
  Link left = built(tensors.take_front(middle));
  Link right = built(tensors.drop_front(middle + 1));
  return join(std::move(left), tensors[middle], std::move(right));
}

TensorList::TensorList(llvm::ArrayRef<Elements> tensors)
    : root(built(tensors)) {}

/// join() of two trees that were balanced before one of them got a tensor more
/// or less.
TensorList::Link TensorList::balanced(const Link &left, const Elements &tensor,
                                      const Link &right) {
  constexpr size_t delta = 3, ratio = 2;
  size_t numLeft = count(left), numRight = count(right);
  if (numLeft + numRight <= 1)
    return join(left, tensor, right);
  if (numRight > delta * numLeft) {
    const Link &inner = right->left, &outer = right->right;
    if (count(inner) < ratio * count(outer))
      return join(join(left, tensor, inner), right->tensor, outer);
    return join(join(left, tensor, inner->left), inner->tensor,
                join(inner->right, right->tensor, outer));
  }
  if (numLeft > delta * numRight) {
    const Link &outer = left->left, &inner = left->right;
    if (count(inner) < ratio * count(outer))
      return join(outer, left->tensor, join(inner, tensor, right));
    return join(join(outer, left->tensor, inner->left), inner->tensor,
                join(inner->right, tensor, right));
  }
  return join(left, tensor, right);
}

const Elements &TensorList::operator[](size_t i) const {
  const Node *tree = root.get();
  for (;;) {
    size_t before = count(tree->left);
    if (i == before)
      return tree->tensor;
    tree = (i < before ? tree->left : tree->right).get();
    i -= i < before ? 0 : before + 1;
  }
}

bool TensorList::isTrueOfAll(
    llvm::function_ref<bool(const Elements &)> ask) const {
  llvm::SmallVector<const Node *> above; // whose left trees are done or next
  const Node *tree = root.get();
  while (tree || !above.empty()) {
    for (; tree; tree = tree->left.get())
      above.push_back(tree);
    tree = above.pop_back_val();
    if (!ask(tree->tensor))
      return false;
    tree = tree->right.get();
  }
  return true;
}

std::vector<Elements> TensorList::tensors() const {
  std::vector<Elements> all;
  all.reserve(size());
  isTrueOfAll([&](const Elements &tensor) {
    all.push_back(tensor);
    return true;
  });
  return all;
}

TensorList::Link TensorList::insert(const Link &tree, size_t i,
                                    Elements tensor) {
  if (!tree)
    return join(nullptr, std::move(tensor), nullptr);
  size_t before = count(tree->left);
  if (i <= before)
    return balanced(insert(tree->left, i, std::move(tensor)), tree->tensor,
                    tree->right);
  return balanced(tree->left, tree->tensor,
                  insert(tree->right, i - before - 1, std::move(tensor)));
}

TensorList TensorList::inserted(size_t i, Elements tensor) const {
  return TensorList(insert(root, i, std::move(tensor)));
}

TensorList::Link TensorList::erase(const Link &tree, size_t i) {
  size_t before = count(tree->left);
  if (i < before)
    return balanced(erase(tree->left, i), tree->tensor, tree->right);
  if (i > before)
    return balanced(tree->left, tree->tensor,
                    erase(tree->right, i - before - 1));
  if (!tree->left || !tree->right)
    return tree->left ? tree->left : tree->right;
  const Node *next = tree->right.get();
  while (next->left)
    next = next->left.get();
  return balanced(tree->left, next->tensor, erase(tree->right, 0));
}

TensorList TensorList::erased(size_t i) const {
  return TensorList(erase(root, i));
}
