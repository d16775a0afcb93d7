//===- CallAnalyses.cpp - Analyses of the calls of a model ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"

using namespace onnxfold;
using namespace mlir;

void CallAnalyses::begin() {
  const Evaluation &evaluation = session.evaluation();
  Erasure erasure{
      [this](Operation *op) { return session.isReplaced(op); },
      [&evaluation](Operation *op) { return evaluation.mayChange(op); }};
  drafted.reset();
  callTypes = std::make_unique<CallTypes>(evaluation.root(), erasure);
  pureCalls = std::make_unique<PureCalls>(callTypes->calls(), erasure);
}

const FoldPlan &CallAnalyses::draft() {
  if (!drafted)
    drafted = session.draftPlan();
  return *drafted;
}
