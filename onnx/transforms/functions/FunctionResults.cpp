//===- FunctionResults.cpp - Inputs that function results need ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/FunctionResults.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Inputs whose elements the operator needs. (If and others need what their
/// bodies read, too.)
static uint32_t ignoredInputs(Operation *op) {
  const FoldingInterface *dialect = FoldingInterface::of(op);
  if (!dialect)
    return 0;
  ReasonOr<const Kernel *> kernel = dialect->kernels().lookup(
      op->getName().getStringRef(), dialect->versionOf(op));
  return kernel ? (*kernel)->ignored : 0;
}

llvm::BitVector
FunctionResults::needsOf(OpResult result,
                         const llvm::DenseMap<Value, llvm::BitVector> &known,
                         unsigned numArguments) const {
  Operation *op = result.getOwner();
  llvm::BitVector sum(numArguments);
  auto add = [&](unsigned i) {
    if (i < op->getNumOperands())
      if (auto it = known.find(op->getOperand(i)); it != known.end())
        sum |= it->second;
  };
  const CallGraph::Function *called = graph.calledBy(op);
  if (!called) {
    uint32_t ignored = ignoredInputs(op);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (!Kernel::has(ignored, i))
        add(i);
    return sum;
  }
  auto inner = needs.find(called->op);
  if (inner != needs.end() && result.getResultNumber() < inner->second.size())
    for (unsigned i : inner->second[result.getResultNumber()].set_bits())
      add(i);
  return sum;
}

FunctionResults::Needs FunctionResults::needsOf(Operation *function) const {
  Needs results;
  Region &region = function->getRegion(0);
  if (!region.hasOneBlock())
    return results;
  Block &body = region.front();
  unsigned numArguments = body.getNumArguments();
  llvm::DenseMap<Value, llvm::BitVector> known;
  for (BlockArgument argument : body.getArguments()) {
    llvm::BitVector itself(numArguments);
    itself.set(argument.getArgNumber());
    known[argument] = std::move(itself);
  }
  for (Operation &op : body.without_terminator())
    for (OpResult result : op.getResults())
      if (llvm::BitVector sum = needsOf(result, known, numArguments); sum.any())
        known[result] = std::move(sum);
  for (Value given : body.back().getOperands()) {
    auto it = known.find(given);
    results.push_back(it == known.end() ? llvm::BitVector(numArguments)
                                        : it->second);
  }
  return results;
}

bool FunctionResults::mayBeKnown(Operation *call, unsigned i,
                                 const Evaluation &evaluation) {
  if (!std::exchange(isComputed, true))
    for (const CallGraph::Function *function : graph.calleesFirst())
      needs[function->op] = needsOf(function->op);
  const CallGraph::Function *called = graph.calledBy(call);
  auto it = called ? needs.find(called->op) : needs.end();
  if (it == needs.end() || i >= it->second.size())
    return false;
  return llvm::all_of(it->second[i].set_bits(), [&](unsigned argument) {
    if (argument >= call->getNumOperands())
      return true;
    const ValueState &state = evaluation.state(call->getOperand(argument));
    return state.absent || state.isSymbolic() || state.known();
  });
}
