//===- Softmax.cpp - Constant kernel of linalg.softmax -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// exp(x - max) / sum(exp(x - max)) along a dimension, in double, rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/LoopNest.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldLinalgSoftmax(FoldContext &cx) {
  if (!isKnown(cx, 0))
    return notFolded(ReasonCode::InputNotConstant, "input #0 is not constant");
  const Elements &x = cx.input(0);
  int64_t axis = cx.integer("dimension").value_or(0);
  if (axis < 0 || axis >= x.rank())
    return invalid("attribute 'dimension' is " + llvm::Twine(axis) +
                   ", expected less than " + llvm::Twine(x.rank()));
  return ops::softmax(x, axis);
}

namespace onnxfold::upstream {
void registerLinalgSoftmax(KernelRegistry &registry) {
  registry.add("softmax", {1}, foldLinalgSoftmax).ignoresValue(1);
}
} // namespace onnxfold::upstream
