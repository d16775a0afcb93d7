//===- Sorting.cpp - Constant kernels of sort and top_k -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A merge sort with any comparator, which runs on all elements at once: to merge
// blocks, each element looks for its place in the block beside its own by
// bisection.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/stablehlo/support/Body.h"
#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

namespace {

/// Rows that are sorted by their comparator, at once.
class RowSorter {
public:
  /// `keys`: each [rows, count].
  RowSorter(FoldContext &cx, mlir::Region &comparator, Values keys)
      : cx(cx), comparator(comparator), keys(std::move(keys)),
        rows(this->keys[0].dim(0)), count(this->keys[0].dim(1)) {}

  /// The places of the elements in order, [rows, count].
  ReasonOr<Elements> run();
  /// A reason if two elements that are equal to the comparator can be told
  /// apart, so that their order can be seen.
  Reason checkTies(const Elements &order) const;

private:
  ReasonOr<Elements> isLess(const Elements &a, const Elements &b) const;
  ReasonOr<Elements> merged(const Elements &order, int64_t width) const;

  FoldContext &cx;
  mlir::Region &comparator;
  Values keys;
  int64_t rows, count;
};

} // namespace

/// comparator(keys[a], keys[b]) for places a and b.
ReasonOr<Elements> RowSorter::isLess(const Elements &a,
                                     const Elements &b) const {
  llvm::SmallVector<Elements> arguments;
  for (const Elements &key : keys)
    for (const Elements &place : {a, b})
      arguments.push_back(ops::gatherElements(key, place, 1));
  ReasonOr<Values> results = runBody(cx, comparator, arguments);
  if (!results)
    return results.reason();
  if (results->size() != 1 || (*results)[0].type() != DataType::Bool)
    return invalid("its comparator does not return one bool");
  return (*results)[0].expand(a.shape());
}

template <class F>
static Elements zipIndices(const Elements &a, const Elements &b, F f) {
  return ops::zipAs<int64_t, int64_t, int64_t>(a, b, f);
}

/// Blocks of `width` places are in order; pairs of them are merged. Of equal
/// elements those of the left block are first.
ReasonOr<Elements> RowSorter::merged(const Elements &order,
                                     int64_t width) const {
  Elements place = counterAlong(1, count, 2).expand({rows, count});
  int64_t n = count;
  // The block beside that of the element: from `begin` up to `end`.
  Elements begin = ops::mapAs<int64_t, int64_t>(
      place, [=](int64_t i) { return std::min((i / width ^ 1) * width, n); });
  Elements low = begin,
           high = ops::mapAs<int64_t, int64_t>(
               begin, [=](int64_t b) { return std::min(b + width, n); });
  Elements isRight = ops::mapAs<bool, int64_t>(
      place, [=](int64_t i) { return (i / width & 1) != 0; });
  for (int64_t left = width; left > 0; left /= 2) {
    Elements middle = zipIndices(
        low, high, [](int64_t l, int64_t h) { return l + (h - l) / 2; });
    Elements probe = ops::mapAs<int64_t, int64_t>(
        middle, [=](int64_t m) { return std::min(m, n - 1); });
    Elements other = ops::gatherElements(order, probe, 1);
    // Elements on the right count those not after them, others those before.
    ReasonOr<Elements> isBefore = isLess(other, order),
                       isAfter = isLess(order, other);
    if (!isBefore || !isAfter)
      return isBefore ? isAfter : isBefore;
    Elements isOpen = ops::zipAs<bool, int64_t, int64_t>(
        low, high, [](int64_t l, int64_t h) { return l < h; });
    Elements notAfter =
        ops::mapAs<bool, bool>(*isAfter, [](bool after) { return !after; });
    Elements goesRight = ops::select(isRight, notAfter, *isBefore);
    Elements next =
        ops::mapAs<int64_t, int64_t>(middle, [](int64_t m) { return m + 1; });
    Elements newLow = ops::select(goesRight, next, low);
    Elements newHigh = ops::select(goesRight, high, middle);
    low = ops::select(isOpen, newLow, low).materialize();
    high = ops::select(isOpen, newHigh, high).materialize();
  }
  // Its rank in its own block and in the other one.
  Elements others =
      zipIndices(low, begin, [](int64_t l, int64_t b) { return l - b; });
  Elements target = zipIndices(place, others, [=](int64_t i, int64_t k) {
    return i / (2 * width) * (2 * width) + i % width + k;
  });
  return ops::scatterElements(zerosOf(DataType::Int64, {rows, count}), target,
                              order, 1)
      .materialize();
}

ReasonOr<Elements> RowSorter::run() {
  Elements order = counterAlong(1, count, 2).expand({rows, count});
  for (int64_t width = 1; width < count; width *= 2) {
    ReasonOr<Elements> next = merged(order, width);
    if (!next)
      return next;
    order = *next;
  }
  return order;
}

Reason RowSorter::checkTies(const Elements &order) const {
  Elements left = order.slice(1, 0, count - 1);
  Elements right = order.slice(1, 1, count - 1);
  ReasonOr<Elements> isLess = this->isLess(left, right);
  if (!isLess)
    return isLess.reason();
  for (const Elements &key : keys) {
    unsigned width = byteWidth(key.type());
    Elements a = ops::gatherElements(key, left, 1).materialize();
    Elements b = ops::gatherElements(key, right, 1).materialize();
    ElementsBytes ofA(a), ofB(b);
    ElementsArray<bool> less(*isLess);
    for (int64_t i = 0; i < a.size(); ++i)
      if (!less[i] && std::memcmp(ofA.data() + i * width,
                                  ofB.data() + i * width, width) != 0)
        return undefined("the order of equal elements is left open");
  }
  return {};
}

/// All inputs in the order that the comparator gives. Where it need not be
/// stable, equal elements whose order can be seen are kept.
static FoldResult foldSort(FoldContext &cx) {
  if (cx.numInputs() == 0 || cx.operation()->getNumRegions() != 1)
    return invalid("it has no operand or no comparator");
  const Elements &x = cx.input(0);
  int64_t rank = x.rank();
  int64_t dim = cx.integer("dimension").value_or(-1);
  auto axis = normalizeAxis(dim, rank);
  if (!axis)
    return invalid("attribute 'dimension' is " + llvm::Twine(dim));
  int64_t count = x.dim(*axis), rows = count == 0 ? 0 : x.size() / count;
  double levels = llvm::Log2_64_Ceil(std::max<uint64_t>(count, 2));
  if (Reason much =
          cx.checkWork(double(x.size()) * levels * levels, unitsOfComposite))
    return much;
  Shape first = upstream::permutationTo({*axis}, rank);
  std::rotate(first.begin(), first.begin() + 1, first.end()); // the axis last
  Shape moved;
  for (int64_t d : first)
    moved.push_back(x.dim(d));
  Values keys;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    if (cx.input(i).shape() != x.shape())
      return invalid("operand #" + llvm::Twine(i) + " has another shape");
    keys.push_back(cx.input(i).transpose(first).reshape({rows, count}));
  }
  llvm::SmallVector<Elements, 1> results;
  if (x.size() == 0) {
    for (unsigned i = 0; i < cx.numInputs(); ++i)
      results.push_back(cx.input(i));
    return results;
  }
  RowSorter sorter(cx, bodyOf(cx), keys);
  ReasonOr<Elements> order = sorter.run();
  if (!order)
    return order.reason();
  if (count > 1 && cx.integer("is_stable").value_or(0) == 0)
    if (Reason open = sorter.checkTies(*order))
      return open;
  for (const Elements &key : keys)
    results.push_back(ops::gatherElements(key, *order, 1)
                          .reshape(moved)
                          .transpose(upstream::inverseOf(first)));
  return results;
}

namespace onnxfold::hlo {
void registerSorting(KernelRegistry &registry) {
  registry.add("sort", {1}, foldSort);
}
} // namespace onnxfold::hlo
