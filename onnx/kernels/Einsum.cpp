//===- Einsum.cpp - Constant kernel of onnx.Einsum ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Einstein summation: dimensions of one letter are multiplied element by
// element, and summed unless the letter stands on the right of "->". Spec: onnx
// Einsum, versions 12, 28 (bf16). Upper and lower case are different letters; a
// letter that comes twice in a term takes the diagonal; "..." stands for the
// same number of dimensions everywhere, which broadcast; spaces mean nothing.
// Without "->" the result has the ellipsis, then the letters that come once, in
// ASCII order. As the reference evaluator has it, a dimension of 1 broadcasts
// under a letter too, and an ellipsis that is not on the right is summed.
// Operands are contracted from left to right, in double, rounded once at the
// end; integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/EinsumEquation.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/RoundedResults.h"
#include "onnxfold/widenum/Dispatch.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if the product of two operands is over the limits.
static Reason checkProduct(FoldContext &cx, const Labelled &a,
                           const Labelled &b, LabelsRef kept) {
  double work = 1;
  Shape shape;
  auto count = [&](int label, int64_t dim) {
    work *= dim;
    if (llvm::is_contained(kept, label))
      shape.push_back(dim);
  };
  for (int label : a.labels)
    count(label, llvm::is_contained(b.labels, label)
                     ? std::max(a.dim(label), b.dim(label))
                     : a.dim(label));
  for (int label : b.labels)
    if (!llvm::is_contained(a.labels, label))
      count(label, b.dim(label));
  if (auto limit = cx.checkResult(a.value.type(), shape))
    return limit;
  return cx.checkWork(work);
}

static FoldResult foldEinsum(FoldContext &cx) {
  if (auto mismatch = checkSameType(cx))
    return mismatch;
  auto equation = parseEinsumEquation(cx.string("equation").value_or(""));
  if (!equation || equation->terms.size() != cx.numInputs())
    return invalid("attribute 'equation' is '" +
                   cx.string("equation").value_or("") + "' for " +
                   llvm::Twine(cx.numInputs()) + " inputs");
  if (auto wrong = labelInputs(cx, *equation))
    return wrong;
  DataType type = cx.input(0).type();
  bool isFloat = typeClass(type) == TypeClass::Float;
  if (!visitArithmetic(type, [](auto) {}))
    return Elements();
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    if (auto limit = cx.checkWork(cx.input(i).size()))
      return limit;
  auto operand = [&](unsigned i) {
    const Elements &x = cx.input(i);
    return diagonals({isFloat ? x.unrounded() : x, equation->terms[i]});
  };
  Labelled product = operand(0);
  for (unsigned i = 1; i < cx.numInputs(); ++i) {
    Labels later = equation->result;
    for (const Labels &term : llvm::drop_begin(equation->terms, i + 1))
      llvm::append_range(later, term);
    Labelled next = operand(i);
    auto need = [&](const Labels &other) {
      Labels labels = later;
      llvm::append_range(labels, other);
      return labels;
    };
    product = summed(product, need(next.labels));
    next = summed(next, need(product.labels));
    if (auto limit = checkProduct(cx, product, next, later))
      return limit;
    product = contract(product, next, later);
  }
  product = summed(product, equation->result);
  Elements result = arranged(product, equation->result);
  return isFloat ? rounded(cx, result, type) : result;
}

namespace onnxfold {
void registerEinsum(KernelRegistry &registry) {
  registry.add("Einsum", {12, 28}, foldEinsum);
}
} // namespace onnxfold
