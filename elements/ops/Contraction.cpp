//===- Contraction.cpp - Products of tensors with named dimensions --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static int64_t positionOf(LabelsRef labels, int label) {
  const int *found = llvm::find(labels, label);
  assert(found != labels.end());
  return found - labels.begin();
}

int64_t Labelled::dim(int label) const {
  return value.dim(positionOf(labels, label));
}

/// The first dimension whose label comes again, and where.
static std::optional<std::pair<size_t, size_t>> repeated(LabelsRef labels) {
  for (size_t i = 0; i < labels.size(); ++i)
    for (size_t j = i + 1; j < labels.size(); ++j)
      if (labels[i] == labels[j])
        return std::pair(i, j);
  return std::nullopt;
}

Labelled ops::diagonals(Labelled x) {
  if (!x.value)
    return {};
  while (auto twice = repeated(x.labels)) {
    auto [i, j] = *twice;
    int64_t n = x.value.dim(i);
    assert(x.value.dim(j) == n);
    Shape perm, flat;
    Labels labels;
    for (size_t d = 0; d < x.labels.size(); ++d)
      if (d != i && d != j) {
        perm.push_back(d);
        flat.push_back(x.value.dim(d));
        labels.push_back(x.labels[d]);
      }
    Shape sizes = flat, starts(flat.size() + 1, 0), steps(flat.size() + 1, 1);
    perm.append({int64_t(i), int64_t(j)});
    flat.push_back(n * n);
    sizes.push_back(n);
    steps.back() = n + 1;
    labels.push_back(x.labels[i]);
    x = {x.value.transpose(perm).reshape(flat).slice(starts, sizes, steps),
         labels};
  }
  return x;
}

Labelled ops::summed(const Labelled &x, LabelsRef kept) {
  if (!x.value)
    return {};
  Shape axes;
  Labels labels;
  for (auto [axis, label] : llvm::enumerate(x.labels))
    if (llvm::is_contained(kept, label))
      labels.push_back(label);
    else
      axes.push_back(axis);
  if (axes.empty())
    return x;
  return {reduce(x.value, axes, /*keepDims=*/false, Reduction::Sum), labels};
}

Elements ops::arranged(const Labelled &x, LabelsRef order) {
  if (!x.value)
    return {};
  assert(order.size() == x.labels.size());
  Shape perm;
  for (int label : order)
    perm.push_back(positionOf(x.labels, label));
  return x.value.transpose(perm);
}

namespace {

/// Labels of two operands, by where they stand and what becomes of them; a
/// label of both has the larger of its dimensions.
struct Roles {
  Roles(const Labelled &a, const Labelled &b, LabelsRef kept) {
    for (int label : a.labels) {
      if (!llvm::is_contained(b.labels, label)) {
        left.push_back(label);
        leftShape.push_back(a.dim(label));
        continue;
      }
      int64_t dim = a.dim(label) == 1 ? b.dim(label) : a.dim(label);
      assert(b.dim(label) == dim || b.dim(label) == 1);
      bool isKept = llvm::is_contained(kept, label);
      (isKept ? batch : sums).push_back(label);
      (isKept ? batchShape : sumsShape).push_back(dim);
    }
    for (int label : b.labels)
      if (!llvm::is_contained(a.labels, label)) {
        right.push_back(label);
        rightShape.push_back(b.dim(label));
      }
  }

  Labels batch, left, right, sums;
  Shape batchShape, leftShape, rightShape, sumsShape;
};

} // namespace

template <class... T> static auto joined(T... lists) {
  auto all = std::get<0>(std::tuple(lists...));
  all.clear();
  (all.append(lists.begin(), lists.end()), ...);
  return all;
}

Labelled ops::contract(const Labelled &a, const Labelled &b, LabelsRef kept) {
  if (!a.value || !b.value)
    return {};
  assert(a.value.type() == b.value.type());
  Roles r(a, b, kept);
  Labels labels = joined(r.batch, r.left, r.right);
  Shape shape = joined(r.batchShape, r.leftShape, r.rightShape);
  Elements x = arranged(a, joined(r.batch, r.left, r.sums))
                   .expand(joined(r.batchShape, r.leftShape, r.sumsShape));
  Elements y = arranged(b, joined(r.batch, r.sums, r.right))
                   .expand(joined(r.batchShape, r.sumsShape, r.rightShape));
  int64_t batch = numElements(r.batchShape), sums = numElements(r.sumsShape);
  int64_t left = numElements(r.leftShape), right = numElements(r.rightShape);
  x = x.reshape({batch, left, sums});
  y = y.reshape({batch, sums, right});
  // Nothing is summed: a broadcast instead of many products of 1 x 1.
  Elements product =
      r.sums.empty() ? zip(x, y, [](auto v, auto w) { return multiply(v, w); })
                     : matmul(x, y);
  return {product.reshape(shape), labels};
}
