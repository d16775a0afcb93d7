//===- MovedNodes.cpp - Nodes that left the graph of their file -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/MovedNodes.h"
#include "onnxfold/onnx/ir/Dialect.h"

using namespace onnxfold;
using namespace mlir;

void NameChanges::rename(Value value) {
  before.try_emplace(value, valueName(value));
  rewired.insert(value.getDefiningOp());
  rewired.insert(value.user_begin(), value.user_end());
}

void MovedNodes::note(Operation *op, Region *region, ArrayRef<BodyStep> path) {
  Origin &from = origins[op];
  if (!from.region)
    from.region = region;
  from.path.insert(from.path.begin(), path.begin(), path.end());
}

ArrayRef<BodyStep> MovedNodes::origin(Operation *op) const {
  auto it = origins.find(op);
  return it == origins.end() ? ArrayRef<BodyStep>() : it->second.path;
}

Region *MovedNodes::firstRegion(Operation *op) const {
  auto it = origins.find(op);
  return it == origins.end() ? op->getParentRegion() : it->second.region;
}
