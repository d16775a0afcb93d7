//===- ConstantSources.cpp - Constants behind a folded value --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/internal/ConstantSources.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace onnxfold;
using namespace mlir;

static constexpr size_t mostNodes = 64, mostSources = 16;

/// Adds the producer of a value that is read, if that is known.
void ConstantSources::addOperand(Value value, const Instance *instance,
                                 llvm::SetVector<Place> &seen) const {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && instance &&
      isa<FunctionOpInterface>(argument.getOwner()->getParentOp())) {
    if (argument.getArgNumber() >= instance->arguments.size())
      return;
    std::tie(instance, value) = instance->arguments[argument.getArgNumber()];
  }
  Operation *maker = value.getDefiningOp();
  if (!maker || seen.size() >= mostNodes || !evaluation.has(maker))
    return;
  if (evaluation.isConstant(maker) || evaluation.isFoldable(maker) ||
      (instance && instance->known.contains(value)))
    seen.insert({instance, maker});
}

SmallVector<StringRef> ConstantSources::of(Operation *op,
                                           const Instance *instance) const {
  llvm::SetVector<StringRef> names;
  llvm::SetVector<Place> seen;
  seen.insert({instance, op});
  for (size_t i = 0; i < seen.size() && names.size() < mostSources; ++i) {
    auto [at, maker] = seen[i];
    if (auto known = lifted.find(maker); known != lifted.end()) {
      names.insert_range(known->second.sources);
      continue;
    }
    if (auto constant = dyn_cast<OnnxConstantOp>(maker)) {
      names.insert(constant.getOutput().get());
      continue;
    }
    // Bodies read values too.
    maker->walk([&, at = at](Operation *reader) {
      for (Value operand : reader->getOperands())
        addOperand(operand, at, seen);
    });
  }
  SmallVector<StringRef> list(names.begin(), names.end());
  list.resize(std::min(list.size(), mostSources));
  return list;
}
