//===- Probe.cpp - The values of a node for chosen inputs -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Probe.h"
#include "onnxfold/onnx/kernels/AllKernels.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static const KernelRegistry &foldingKernels() {
  static const KernelRegistry registry = [] {
    KernelRegistry made("onnx");
    registerAllKernels(made);
    return made;
  }();
  return registry;
}

static ReasonOr<const Kernel *> kernelOf(Operator op) {
  return foldingKernels().lookup(op->getName().getStringRef(), op.since());
}

Reason dml::readAsKernel(Operator op, llvm::ArrayRef<Elements> inputs,
                         llvm::function_ref<Reason(FoldContext &)> read) {
  auto kernel = kernelOf(op);
  if (!kernel)
    return kernel.reason();
  DimExprs exprs;
  std::vector<ValueState> values(inputs.size() + op.numOutputs());
  for (auto [state, value] : llvm::zip(values, inputs)) {
    state.absent = !value;
    if (!value)
      continue;
    state.type = value.type();
    state.shape.emplace();
    for (int64_t d : value.shape())
      state.shape->push_back(exprs.constant(d));
    state.value = value;
  }
  llvm::SmallVector<ValueState *> pointers;
  for (ValueState &state : values)
    pointers.push_back(&state);
  FoldLimits limits;
  llvm::ArrayRef<ValueState *> all(pointers);
  FoldContext context(op.getOperation(), **kernel, op.since(),
                      all.take_front(inputs.size()),
                      all.drop_front(inputs.size()), exprs, limits);
  return read(context);
}

ReasonOr<Elements> dml::probed(Operator op, llvm::ArrayRef<Elements> inputs) {
  Elements first;
  Reason wrong = readAsKernel(op, inputs, [&](FoldContext &context) -> Reason {
    FoldResult result = context.call(**kernelOf(op));
    if (!result)
      return result.reason();
    first = result.values()[0].tensor;
    return {};
  });
  if (wrong)
    return wrong;
  return first;
}
