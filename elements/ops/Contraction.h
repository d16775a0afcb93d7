//===- Contraction.h - Products of tensors with named dimensions *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parts of an Einstein summation. The dimensions of a tensor have labels.
// Tensors are multiplied where their labels are the same, and summed over
// labels that are not kept.
//
//   Labelled a = diagonals({x, {'i', 'j', 'j'}});         // {'i', 'j'}
//   Labelled c = contract(a, {y, {'j', 'k'}}, {'i', 'k'}); // the product a * y
//   Elements e = arranged(c, {'k', 'i'});                  // transposed
//
// A dimension of 1 broadcasts. The precision is that of matmul and reduce;
// integers wrap. Labels are any integers. Results are deferred.
// Thread safety: pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_CONTRACTION_H
#define ONNXFOLD_ELEMENTS_OPS_CONTRACTION_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

using Labels = llvm::SmallVector<int, 6>;
using LabelsRef = llvm::ArrayRef<int>;

struct Labelled {
  Elements value;
  Labels labels; // one for each dimension

  /// The size of the dimension with this label. REQUIRES: the tensor has it.
  int64_t dim(int label) const;
};

/// The elements whose indices of each repeated label are equal; the result has
/// each label once. REQUIRES: dimensions of the same label are equal.
Labelled diagonals(Labelled x);

/// The sum over all labels that are not kept. REQUIRES: x has each label once.
Labelled summed(const Labelled &x, LabelsRef kept);

/// a * b, summed over the labels of both that are not kept.
/// REQUIRES: one element type; each operand has each label once; `kept` has all
/// labels that only one operand has; the dimensions of a label that both have
/// are equal or 1.
Labelled contract(const Labelled &a, const Labelled &b, LabelsRef kept);

/// The tensor with its dimensions in this order. REQUIRES: `order` is a
/// permutation of the labels.
Elements arranged(const Labelled &x, LabelsRef order);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_CONTRACTION_H
