//===- Flow.cpp - What flows into arguments and results -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/internal/Flow.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace onnxfold::deallocation;

void onnxfold::deallocation::forEachEdge(Operation *op, EdgeCallback callback) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return;
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    auto terminator = dyn_cast_if_present<RegionBranchTerminatorOpInterface>(
        point.getTerminatorPredecessorOrNull());
    for (RegionSuccessor &successor : successors) {
      ValueRange inputs = successor.getSuccessorInputs();
      OperandRange operands = terminator
                                  ? terminator.getSuccessorOperands(successor)
                                  : branch.getEntrySuccessorOperands(successor);
      FlowEdge edge;
      edge.from = terminator ? terminator.getOperation() : op;
      // They differ for reductions of scf.parallel, which are no memrefs
      // (Preconditions.h).
      if (inputs.size() == operands.size())
        for (auto [input, operand] : llvm::zip_equal(inputs, operands))
          edge.values.push_back({input, operand});
      callback(edge);
    }
  }
}

void onnxfold::deallocation::forEachEdge(Block *block, EdgeCallback callback) {
  for (auto pred = block->pred_begin(); pred != block->pred_end(); ++pred) {
    FlowEdge edge;
    edge.from = (*pred)->getTerminator();
    edge.successor = pred.getSuccessorIndex();
    auto branch = dyn_cast<BranchOpInterface>(edge.from);
    if (!branch)
      continue;
    SuccessorOperands operands = branch.getSuccessorOperands(edge.successor);
    for (auto [index, argument] : llvm::enumerate(block->getArguments()))
      if (Value operand = operands[index])
        edge.values.push_back({argument, operand});
    callback(edge);
  }
}
