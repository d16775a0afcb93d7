//===- NegativeLogLikelihoodLoss.cpp - Lowering of onnx.NegativeLogLikelihoodLoss ===//
//
// The targets pick from rows of classes; weighted, summed up or averaged.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Losses.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerNegativeLogLikelihoodLoss(LoweringContext &cx) {
  std::optional<Moved> logs = classesLast(cx);
  if (!logs)
    return Lowered::refused("the classes are the free batch size",
                            "fix it with --dim");
  logs->view = cx.local("rows", logs->view);
  return defineLoss(cx, logs->view);
}

namespace onnxfold::dml {
void registerNegativeLogLikelihoodLossLowering(LoweringRegistry &registry) {
  registry.add("NegativeLogLikelihoodLoss", {12, 13, 22},
               lowerNegativeLogLikelihoodLoss);
}
} // namespace onnxfold::dml
