//===- Optimizer.cpp - What the training operators share ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Optimizer.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/RoundedResults.h"

using namespace onnxfold;

ReasonOr<UpdateCount> onnxfold::readUpdateCount(FoldContext &cx) {
  for (unsigned i : {0, 1}) {
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
    if (Reason several = checkOneElement(cx, i))
      return several;
  }
  if (typeClass(cx.input(0).type()) != TypeClass::Float ||
      cx.input(1).type() != DataType::Int64)
    return invalid("R has element type " + name(cx.input(0).type()) + ", T " +
                   name(cx.input(1).type()));
  return UpdateCount{cx.input(0).unrounded().value<double>(),
                     cx.input(1).value<int64_t>()};
}

Elements onnxfold::regularized(FoldContext &cx, const OptimizedTensor &tensor) {
  double norm = cx.real("norm_coefficient").value_or(0);
  return combine(tensor.x, tensor.g,
                 [norm](double x, double g) { return norm * x + g; });
}

/// The number of the input `part` of a tensor, of `count` tensors.
static unsigned inputOf(unsigned part, unsigned count, unsigned tensor) {
  return 2 + part * count + tensor;
}

static Reason checkTensor(FoldContext &cx, unsigned parts, unsigned count,
                          unsigned tensor) {
  unsigned first = inputOf(0, count, tensor);
  for (unsigned part = 0; part < parts; ++part) {
    unsigned i = inputOf(part, count, tensor);
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
    const Elements &x = cx.input(first), &value = cx.input(i);
    if (typeClass(value.type()) != TypeClass::Float)
      return notFolded(ReasonCode::UnsupportedType,
                       "element type " + name(value.type()));
    bool fits = part == 1
                    ? broadcastShapes(x.shape(), value.shape()) == x.shape()
                    : value.shape() == x.shape();
    if (!fits)
      return invalid("input #" + llvm::Twine(i) + " has shape " +
                     toString(value.shape()) + ", expected " +
                     toString(x.shape()) + " as input #" + llvm::Twine(first));
  }
  return cx.checkResult(cx.input(first).type(), cx.input(first).shape());
}

FoldResult
onnxfold::foldOptimizer(FoldContext &cx, unsigned states,
                        llvm::function_ref<void(OptimizedTensor &)> update) {
  unsigned parts = 2 + states, inputs = cx.numInputs();
  unsigned count = inputs < 2 ? 0 : (inputs - 2) / parts;
  if (count == 0 || 2 + count * parts != inputs ||
      cx.numResults() != count * (1 + states))
    return invalid(
        llvm::Twine(inputs) + " inputs and " + llvm::Twine(cx.numResults()) +
        " results are not tensors of " + llvm::Twine(parts) + " inputs each");
  llvm::SmallVector<Elements, 1> results(cx.numResults());
  for (unsigned i = 0; i < count; ++i) {
    if (Reason wrong = checkTensor(cx, parts, count, i))
      return wrong;
    auto input = [&](unsigned part) {
      return cx.input(inputOf(part, count, i)).unrounded();
    };
    OptimizedTensor tensor{input(0), input(1), {}};
    for (unsigned s = 0; s < states; ++s)
      tensor.states.push_back(input(2 + s));
    update(tensor);
    results[i] = rounded(cx, tensor.x, cx.input(inputOf(0, count, i)).type());
    for (unsigned s = 0; s < states; ++s)
      results[(1 + s) * count + i] = rounded(
          cx, tensor.states[s], cx.input(inputOf(2 + s, count, i)).type());
  }
  return results;
}
