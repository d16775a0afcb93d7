//===- ControlFlow.cpp - Constant kernels of control flow in tosa ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies run by the kernels of their own operations.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// One of two bodies, chosen by a bool.
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

/// Its second body again and again, as long as the first one says true. Limits
/// on iterations and work are those of all loops.
static FoldResult foldTosaWhileLoop(FoldContext &cx) {
  mlir::Region &condition = cx.operation()->getRegion(0);
  mlir::Region &body = cx.operation()->getRegion(1);
  llvm::SmallVector<FoldedValue, 1> values;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    values.push_back(cx.input(i));
  while (true) {
    FoldResult again = cx.runBody(condition, values);
    if (!again)
      return again;
    const Elements &answer = again.values()[0].tensor;
    if (answer.type() != DataType::Bool || answer.size() != 1)
      return invalid("its condition is not one bool");
    if (!answer.value<bool>())
      return values;
    FoldResult next = cx.runBody(body, values);
    if (!next)
      return next;
    values.assign(next.values().begin(), next.values().end());
  }
}

namespace onnxfold::upstream {
void registerTosaControlFlow(KernelRegistry &registry) {
  registry.add("cond_if", {1}, foldTosaCondIf);
  registry.add("while_loop", {1}, foldTosaWhileLoop);
}
} // namespace onnxfold::upstream
