//===- Probe.cpp - What a node makes of chosen values ---------------------===//

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

ReasonOr<Elements> dml::probed(LoweringContext &cx,
                               llvm::ArrayRef<Elements> inputs) {
  mlir::Operation *op = cx.op().operator->();
  int version = cx.op().since();
  auto kernel = foldingKernels().lookup(op->getName().getStringRef(), version);
  if (!kernel)
    return kernel.reason();
  DimExprs exprs;
  std::vector<ValueState> values(inputs.size() + op->getNumResults());
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
  FoldContext context(op, **kernel, version, all.take_front(inputs.size()),
                      all.drop_front(inputs.size()), exprs, limits);
  FoldResult result = (*kernel)->function(context);
  if (!result)
    return result.reason();
  return result.values()[0].tensor;
}
