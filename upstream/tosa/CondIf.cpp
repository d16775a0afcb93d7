//===- CondIf.cpp - Constant kernel of tosa.cond_if ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One of two bodies, chosen by a bool.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaCondIf(FoldContext &cx) {
  const Elements &condition = cx.input(0);
  if (condition.type() != DataType::Bool || condition.size() != 1)
    return invalid("the condition has " + llvm::Twine(condition.size()) +
                   " elements, expected 1");
  llvm::SmallVector<FoldedValue> arguments;
  for (unsigned i = 1; i < cx.numInputs(); ++i)
    arguments.push_back(cx.input(i));
  return cx.runBody(cx.operation()->getRegion(condition.value<bool>() ? 0 : 1),
                    arguments);
}

namespace onnxfold::upstream {
void registerTosaCondIf(KernelRegistry &registry) {
  registry.add("cond_if", {1}, foldTosaCondIf);
}
} // namespace onnxfold::upstream
