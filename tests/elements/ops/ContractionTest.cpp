//===- ContractionTest.cpp - Products of tensors with named dimensions ----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

using Sizes = std::map<int, int64_t>;

/// Element of x under an assignment of indices to labels.
int64_t elementAt(const Labelled &x, const Sizes &index) {
  int64_t at = 0;
  for (auto [d, label] : llvm::enumerate(x.labels)) {
    int64_t dim = x.value.dim(d);
    at = at * dim + (dim == 1 ? 0 : index.at(label));
  }
  return x.value.value<int64_t>(at);
}

/// Sum over all assignments of the product of the operands.
std::vector<int64_t> naive(llvm::ArrayRef<Labelled> operands, LabelsRef result,
                           const Sizes &sizes) {
  Labels all(result.begin(), result.end());
  for (auto [label, size] : sizes)
    if (!llvm::is_contained(result, label))
      all.push_back(label);
  int64_t count = 1, kept = 1;
  for (auto [i, label] : llvm::enumerate(all)) {
    count *= sizes.at(label);
    kept *= i < result.size() ? sizes.at(label) : 1;
  }
  std::vector<int64_t> sums(kept, 0);
  for (int64_t number = 0; number < count; ++number) {
    Sizes index;
    int64_t rest = number, product = 1;
    for (int label : llvm::reverse(all)) {
      index[label] = rest % sizes.at(label);
      rest /= sizes.at(label);
    }
    for (const Labelled &x : operands)
      product *= elementAt(x, index);
    sums[number / (count / kept)] += product;
  }
  return sums;
}

Labels someLabels(Random &random, LabelsRef from, double part) {
  Labels labels;
  for (int label : from)
    if (random.real(0, 1) < part)
      labels.insert(labels.begin() + random.integer(0, labels.size()), label);
  return labels;
}

TEST(Contraction, AsTheSumOfAllProducts) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    Sizes sizes;
    for (int label : {1, 2, 3, 4})
      sizes[label] = random.integer(1, 3);
    auto operand = [&](LabelsRef labels) {
      Shape shape;
      for (int label : labels)
        shape.push_back(random.integer(0, 5) ? sizes[label] : 1);
      return Labelled{Elements::build<int64_t>(shape,
                                               [&](auto out) {
                                                 for (int64_t &value : out)
                                                   value =
                                                       random.integer(-9, 9);
                                               }),
                      Labels(labels)};
    };
    Labelled a = operand(someLabels(random, {1, 2, 3, 4}, 0.6));
    Labelled b = operand(someLabels(random, {1, 2, 3, 4}, 0.6));
    Sizes seen;
    for (const Labelled &x : {a, b})
      for (int label : x.labels)
        seen[label] = std::max(seen[label], x.dim(label));
    Labels present;
    for (auto [label, size] : seen)
      present.push_back(label);
    Labels result = someLabels(random, present, 0.6), keptForA = result,
           keptForB = result;
    keptForA.append(b.labels);
    keptForB.append(a.labels);
    Labelled product =
        contract(summed(a, keptForA), summed(b, keptForB), result);
    EXPECT_EQ(arranged(product, result).values<int64_t>(),
              naive({a, b}, result, seen));
  }
}

TEST(Contraction, Diagonals) {
  Elements x = Elements::build<int64_t>({3, 2, 3, 3}, [](auto out) {
    for (auto [i, value] : llvm::enumerate(out))
      value = i;
  });
  Labelled d = diagonals({x, {7, 8, 7, 7}});
  EXPECT_EQ(arranged(d, {7, 8}).values<int64_t>(),
            (std::vector<int64_t>{0, 9, 22, 31, 44, 53}));
  Labelled none =
      diagonals({Elements::fromValues<int64_t>({0, 0}, {}), {1, 1}});
  EXPECT_EQ(none.value.shape(), ShapeRef({0}));
}

} // namespace
