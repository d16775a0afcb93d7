//===- Einsum.cpp - Lowering of onnx.Einsum ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands are multiplied one after the other, each time after what neither the
// result nor a later operand has is summed: by matrix products over labels that
// both have and that are summed, else element by element.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/support/Products.h"
#include "onnxfold/onnx/kernels/support/EinsumEquation.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::dml;
using onnxfold::ops::Labels;
using onnxfold::ops::LabelsRef;

namespace {

/// A tensor whose dimensions have labels, each one once.
struct LabelledView {
  View view;
  Shape dims;
  Labels labels;

  bool has(int label) const { return llvm::is_contained(labels, label); }
  int64_t at(int label) const {
    return llvm::find(labels, label) - labels.begin();
  }
};

/// The lowering of one node. A step returns false if the free batch size would
/// have to move.
class EinsumLowering {
public:
  EinsumLowering(LoweringContext &cx, const EinsumEquation &equation)
      : cx(cx), equation(equation) {}
  Lowered lower();

private:
  bool arrange(LabelledView &x, LabelsRef order);
  bool takeDiagonals(LabelledView &x);
  bool sumOut(LabelledView &x, LabelsRef kept);
  void dropOnes(LabelledView &x, const LabelledView &other);
  bool multiply(LabelledView &x, LabelledView y, LabelsRef kept);
  bool contract(LabelledView &x, LabelledView &y, LabelsRef shared,
                LabelsRef summed);
  bool scale(LabelledView &x, LabelledView &y);
  llvm::SmallVector<unsigned> batchFirst();

  LoweringContext &cx;
  const EinsumEquation &equation;
};

} // namespace

static Labels joinedLabels(LabelsRef a, LabelsRef b) {
  Labels result(a);
  for (int label : b)
    if (!llvm::is_contained(result, label))
      result.push_back(label);
  return result;
}

bool EinsumLowering::arrange(LabelledView &x, LabelsRef order) {
  Shape perm;
  for (int label : order)
    perm.push_back(x.at(label));
  if (!x.dims.empty() && x.dims[0] == batchDim && perm[0] != 0)
    return false;
  Moved moved = transposed(cx, x.view, x.dims, perm);
  x = {moved.view, moved.dims, Labels(order)};
  return true;
}

/// (..., n, ..., n) -> (..., n): every (n + 1)-th value of n * n.
bool EinsumLowering::takeDiagonals(LabelledView &x) {
  for (size_t i = 0; i < x.labels.size(); ++i) {
    size_t j = i + 1;
    while (j < x.labels.size() && x.labels[j] != x.labels[i])
      ++j;
    if (j == x.labels.size())
      continue;
    int64_t n = x.dims[i];
    std::optional<Moved> moved =
        axesLast(cx, x.view, x.dims, {int64_t(i), int64_t(j)});
    if (!moved || n == batchDim)
      return false;
    Shape dims(moved->dims.begin(), moved->dims.end() - 2), places;
    for (int64_t k = 0; k < n; ++k)
      places.push_back(k * (n + 1));
    dims.push_back(n * n);
    int label = x.labels[i];
    x.view = taken(cx, moved->view, dims, dims.size() - 1, places);
    dims.back() = n;
    x.dims = dims;
    x.labels.erase(x.labels.begin() + j);
    x.labels.erase(x.labels.begin() + i);
    x.labels.push_back(label);
    return takeDiagonals(x);
  }
  return true;
}

bool EinsumLowering::sumOut(LabelledView &x, LabelsRef kept) {
  Shape axes;
  Labels labels;
  for (auto [i, label] : llvm::enumerate(x.labels)) {
    if (llvm::is_contained(kept, label))
      labels.push_back(label);
    else
      axes.push_back(i);
  }
  if (axes.empty())
    return true;
  std::optional<Moved> moved = axesLast(cx, x.view, x.dims, axes);
  if (!moved || x.dims[axes[0]] == batchDim)
    return false;
  View rows = cx.splitAt(moved->view, moved->dims, labels.size());
  x.view = cx.local(
      "sums",
      View{call("rowSums", {cx.local("rows", rows.expr)}), rows.rows, {}});
  x.dims = Shape(moved->dims.begin(), moved->dims.begin() + labels.size());
  x.labels = labels;
  return true;
}

/// Dimensions of 1 that stand for more in the other operand.
void EinsumLowering::dropOnes(LabelledView &x, const LabelledView &other) {
  for (int64_t i = x.labels.size() - 1; i >= 0; --i) {
    if (x.dims[i] != 1 || !other.has(x.labels[i]))
      continue;
    x.dims.erase(x.dims.begin() + i);
    x.labels.erase(x.labels.begin() + i);
  }
}

/// (shared, left, summed) times (shared, summed, right).
bool EinsumLowering::contract(LabelledView &x, LabelledView &y,
                              LabelsRef shared, LabelsRef summed) {
  auto rest = [&](const LabelledView &one) {
    Labels labels;
    for (int label : one.labels)
      if (!llvm::is_contained(shared, label) &&
          !llvm::is_contained(summed, label))
        labels.push_back(label);
    return labels;
  };
  Labels left = rest(x), right = rest(y);
  Labels first = joinedLabels(joinedLabels(shared, left), summed),
         second = joinedLabels(joinedLabels(shared, summed), right);
  if (!arrange(x, first) || !arrange(y, second))
    return false;
  llvm::ArrayRef<int64_t> a(x.dims), b(y.dims);
  Size batch = sizeOf(a.take_front(shared.size())),
       rows = sizeOf(a.slice(shared.size(), left.size())),
       inner = sizeOf(a.take_back(summed.size())),
       columns = sizeOf(b.take_back(right.size()));
  if (inner.perBatch || columns.perBatch || (rows.perBatch && !shared.empty()))
    return false;
  View product = batchedProduct(cx, x.view, y.view, batch, rows, inner.count,
                                columns.count);
  Shape dims(a.drop_back(summed.size()));
  dims.append(b.end() - right.size(), b.end());
  x = {cx.local("product", product), dims,
       joinedLabels(joinedLabels(shared, left), right)};
  return true;
}

/// Element by element.
bool EinsumLowering::scale(LabelledView &x, LabelledView &y) {
  Labels all = joinedLabels(x.labels, y.labels), own;
  for (int label : all)
    if (y.has(label))
      own.push_back(label);
  if (!arrange(y, own))
    return false;
  Operand a{x.view, {}, std::nullopt}, b{y.view, {}, std::nullopt};
  Shape dims;
  for (int label : all) {
    a.dims.push_back(x.has(label) ? x.dims[x.at(label)] : 1);
    b.dims.push_back(y.has(label) ? y.dims[y.at(label)] : 1);
    dims.push_back(a.dims.back() == 1 ? b.dims.back() : a.dims.back());
  }
  if (!dims.empty() && llvm::is_contained(llvm::drop_begin(dims), batchDim))
    return false;
  auto times = [](const Expr &p, const Expr &q) { return p * q; };
  x = {cx.local("product", broadcastBinary(cx, a, b, dims, times, times)), dims,
       all};
  return true;
}

bool EinsumLowering::multiply(LabelledView &x, LabelledView y, LabelsRef kept) {
  if (!sumOut(x, joinedLabels(kept, y.labels)) ||
      !sumOut(y, joinedLabels(kept, x.labels)))
    return false;
  LabelledView before = x;
  dropOnes(x, y);
  dropOnes(y, before);
  Labels shared, summed;
  for (int label : x.labels)
    if (y.has(label))
      (llvm::is_contained(kept, label) ? shared : summed).push_back(label);
  return summed.empty() ? scale(x, y) : contract(x, y, shared, summed);
}

/// The operands. Those with the batch are the first factors, so that the batch
/// stands first in all products, too.
llvm::SmallVector<unsigned> EinsumLowering::batchFirst() {
  auto order = llvm::to_vector(llvm::seq(0u, cx.numInputs()));
  std::stable_partition(order.begin(), order.end(),
                        [&](unsigned i) { return !cx.input(i).isStatic(); });
  return order;
}

Lowered EinsumLowering::lower() {
  Lowered moves = Lowered::refusedBatch("moves the free batch size");
  LabelledView x;
  llvm::SmallVector<unsigned> order = batchFirst();
  for (size_t k = 0; k < order.size(); ++k) {
    unsigned i = order[k];
    LabelledView y{cx.natural(i), cx.input(i).dims, equation.terms[i]};
    if (!takeDiagonals(y))
      return moves;
    Labels kept = equation.result;
    for (size_t later = k + 1; later < order.size(); ++later)
      kept = joinedLabels(kept, equation.terms[order[later]]);
    if (k == 0)
      x = y;
    else if (!multiply(x, y, kept))
      return moves;
  }
  if (!sumOut(x, equation.result) || !arrange(x, equation.result))
    return moves;
  cx.define(0, View{wrapped(cx, x.view.expr, cx.result().type), x.view.rows,
                    x.view.columns});
  return Lowered::done();
}

static Lowered lowerEinsum(LoweringContext &cx) {
  std::optional<EinsumEquation> equation =
      parseEinsumEquation(cx.op().getString("equation", "").str());
  if (!equation || equation->terms.size() != cx.numInputs())
    return Lowered::refused("the equation is not understood");
  llvm::SmallVector<Shape, 3> shapes;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    shapes.push_back(cx.input(i).dims);
    if (Elements value = cx.constant(i);
        value && isFloat(value.type()) && hasZero(value))
      return Lowered::refused("a constant factor has zeros, and SystemDS takes "
                              "the product of zero and NaN or infinity for 0");
  }
  if (Reason wrong = labelShapes(shapes, *equation))
    return Lowered::refused(wrong.text);
  return EinsumLowering(cx, *equation).lower();
}

namespace onnxfold::dml {
void registerEinsumLowering(LoweringRegistry &registry) {
  registry.add("Einsum", {12}, lowerEinsum);
}
} // namespace onnxfold::dml
