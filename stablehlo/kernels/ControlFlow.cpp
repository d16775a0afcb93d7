//===- ControlFlow.cpp - Constant kernels of control flow -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies run by the kernels of their own operations.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

static Reason checkRegions(FoldContext &cx, unsigned count) {
  unsigned found = cx.operation()->getNumRegions();
  if (found == count)
    return {};
  return invalid("it has " + llvm::Twine(found) + " bodies, expected " +
                 llvm::Twine(count));
}

static bool isOneBool(const Elements &x) {
  return x && x.type() == DataType::Bool && x.size() == 1;
}

/// One of two bodies.
static FoldResult foldIf(FoldContext &cx) {
  if (Reason wrong = checkRegions(cx, 2))
    return wrong;
  if (Reason wrong = checkCount(cx, 1))
    return wrong;
  if (!isOneBool(cx.input(0)))
    return invalid("its condition is not one bool");
  return cx.runBranch(
      cx.operation()->getRegion(cx.input(0).value<bool>() ? 0 : 1));
}

/// The body of this number; the last one for numbers that are none.
static FoldResult foldCase(FoldContext &cx) {
  int64_t count = cx.operation()->getNumRegions();
  if (Reason wrong = checkCount(cx, 1))
    return wrong;
  if (count == 0 || cx.input(0).size() != 1 || !isInteger(cx.input(0).type()))
    return invalid("its index is not one integer, or it has no bodies");
  int64_t index = asIndices(cx.input(0)).value<int64_t>();
  if (index < 0 || index >= count)
    index = count - 1;
  return cx.runBranch(cx.operation()->getRegion(index));
}

/// The second body again and again, as long as the first one says true. Limits
/// on iterations and work are those of all loops.
static FoldResult foldWhile(FoldContext &cx) {
  if (Reason wrong = checkRegions(cx, 2))
    return wrong;
  mlir::Region &condition = cx.operation()->getRegion(0);
  mlir::Region &body = cx.operation()->getRegion(1);
  llvm::SmallVector<FoldedValue, 1> values;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    values.push_back(cx.input(i));
  while (true) {
    FoldResult again = cx.runBody(condition, values);
    if (!again)
      return again;
    if (again.values().size() != 1 || !isOneBool(again.values()[0].tensor))
      return invalid("its condition is not one bool");
    if (!again.values()[0].tensor.value<bool>())
      return values;
    FoldResult next = cx.runBody(body, values);
    if (!next)
      return next;
    if (next.values().size() != values.size())
      return invalid("its body has " + llvm::Twine(next.values().size()) +
                     " results, expected " + llvm::Twine(values.size()));
    values.assign(next.values().begin(), next.values().end());
  }
}

namespace onnxfold::hlo {
void registerControlFlow(KernelRegistry &registry) {
  registry.add("if", {1}, foldIf);
  registry.add("case", {1}, foldCase);
  registry.add("while", {1}, foldWhile);
}
} // namespace onnxfold::hlo
