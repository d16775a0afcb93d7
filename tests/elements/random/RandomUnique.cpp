//===- RandomUnique.cpp - Unique, each compared with all others -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/Sort.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
/// The result of unique, and what it compares: the elements, or the slices
/// along an axis.
class NaiveUnique {
public:
  std::vector<std::vector<Cell>> items;
  std::vector<int64_t> found; // the items that differ, in the asked order
  AnyTensor first, inverse, counts;

  NaiveUnique(const AnyTensor &x, const UniqueOptions &options)
      : type(x.type), options(options) {
    if (options.axis)
      items.resize(x.shape[*options.axis]);
    forEachIndex(x.shape, [&](ShapeRef i) {
      if (options.axis)
        items[i[*options.axis]].push_back(x.at(i));
      else
        items.push_back({x.at(i)});
    });
    compute();
  }

private:
  DataType type;
  const UniqueOptions &options;

  int order(int64_t i, int64_t j) const {
    for (size_t k = 0; k < items[i].size(); ++k)
      if (int sign = orderOfCells(type, items[i][k], items[j][k]))
        return sign;
    return 0;
  }
  bool equal(int64_t i, int64_t j) const {
    bool isAlone = !options.nansAreEqual &&
                   std::any_of(items[i].begin(), items[i].end(),
                               [&](const Cell &c) { return isNaN(type, c); });
    return !isAlone && order(i, j) == 0;
  }
  void compute();
};
} // namespace

void NaiveUnique::compute() {
  int64_t n = items.size();
  std::vector<int64_t> sameAs(n);
  for (int64_t i = 0; i < n; ++i) {
    size_t j = 0;
    while (j < found.size() && !equal(found[j], i))
      ++j;
    if (j == found.size())
      found.push_back(i);
    sameAs[i] = found[j];
  }
  if (options.sorted)
    std::stable_sort(found.begin(), found.end(),
                     [&](int64_t i, int64_t j) { return order(i, j) < 0; });
  first = counts = {DataType::Int64, {int64_t(found.size())}, {}};
  inverse = {DataType::Int64, {n}, std::vector<Cell>(n)};
  for (size_t j = 0; j < found.size(); ++j) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i)
      if (sameAs[i] == found[j]) {
        inverse.cells[i] = cellOf(int64_t(j));
        ++count;
      }
    first.cells.push_back(cellOf(found[j]));
    counts.cells.push_back(cellOf(count));
  }
}

static bool uniqueOf(Case &c) {
  Pair x = c.operand(anyType);
  UniqueOptions options;
  if (x.naive.rank() > 0 && c.chance(50))
    options.axis = c.random.integer(0, x.naive.rank() - 1);
  options.sorted = c.chance(50);
  options.nansAreEqual = c.chance(50);
  if (x.naive.size() > 5000)
    return false; // the naive side compares all with all
  Unique actual = unique(x.actual, options);
  std::string what =
      "unique " +
      (options.axis ? "along " + std::to_string(*options.axis) : "elements") +
      (options.sorted ? " sorted" : "") +
      (options.nansAreEqual ? "" : ", each NaN alone");
  if (x.naive.type == DataType::Opaque) {
    c.expectNull(what, actual.values);
    return true;
  }
  NaiveUnique u(x.naive, options);
  Shape shape = {int64_t(u.found.size())};
  if (options.axis) {
    shape = x.naive.shape;
    shape[*options.axis] = u.found.size();
  }
  c.add(what + ", values", actual.values,
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          if (!options.axis)
            return u.items[u.found[i[0]]][0];
          Shape source(i);
          source[*options.axis] = u.found[i[*options.axis]];
          return x.naive.at(source);
        }));
  c.add(what + ", first", actual.first, u.first);
  c.add(what + ", inverse", actual.inverse, u.inverse);
  c.add(what + ", counts", actual.counts, u.counts);
  return true;
}

void onnxfold::addUniqueOperations(OperationList &list) {
  list.push_back({"unique", uniqueOf});
}
