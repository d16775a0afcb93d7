//===- Flow.cpp - What flows into arguments and results -------------------===//

#include "onnxfold/dealloc/Flow.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

void onnxfold::deallocation::forEachFlow(Operation *op, FlowCallback callback) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return;
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor &successor : successors) {
      ValueRange inputs = successor.getSuccessorInputs();
      OperandRange operands = point.isParent()
                                  ? branch.getEntrySuccessorOperands(successor)
                                  : cast<RegionBranchTerminatorOpInterface>(
                                        point.getTerminatorPredecessorOrNull())
                                        .getSuccessorOperands(successor);
      // They differ for reductions of scf.parallel, which are no memrefs
      // (Preconditions.h).
      if (inputs.size() == operands.size())
        for (auto [input, operand] : llvm::zip_equal(inputs, operands))
          callback(input, operand);
    }
  }
}

void onnxfold::deallocation::forEachFlow(Block *block, FlowCallback callback) {
  for (auto pred = block->pred_begin(); pred != block->pred_end(); ++pred) {
    auto branch = dyn_cast<BranchOpInterface>((*pred)->getTerminator());
    if (!branch)
      continue;
    SuccessorOperands operands =
        branch.getSuccessorOperands(pred.getSuccessorIndex());
    for (auto [index, argument] : llvm::enumerate(block->getArguments()))
      if (Value operand = operands[index])
        callback(argument, operand);
  }
}
