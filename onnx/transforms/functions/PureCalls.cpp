//===- PureCalls.cpp - Deterministic calls without effects ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/PureCalls.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Whether it drops nothing in inference, whatever the function gets.
static bool dropsNothing(Operator node) {
  constexpr int withoutMode = 7;
  if (!node.is("Dropout") || node.since() < withoutMode)
    return false;
  Value mode = node.input(2);
  DenseElementsAttr value;
  return !mode ||
         (matchPattern(mode, m_Constant(&value)) && value.isSplat() &&
          value.getElementType().isInteger(1) && !value.getSplatValue<bool>());
}

bool onnxfold::isPureOperator(Operation *op) {
  Operator node = Operator::from(op);
  return node && ((!node.isCustom() && op->getNumRegions() != 0) ||
                  isMemoryEffectFree(op) || dropsNothing(node));
}

llvm::DenseSet<Operation *> onnxfold::findErased(Operation *function,
                                                 const Erasure &erasure) {
  llvm::DenseSet<Operation *> result;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (erasure.isErased(op) || result.contains(op->getParentOp()))
      result.insert(op); // and what is in its bodies
  });
  if (result.empty())
    return result;
  function->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    auto isErased = [&](Operation *reader) { return result.contains(reader); };
    if (!op->use_empty() && op->getNumRegions() == 0 &&
        llvm::all_of(op->getUsers(), isErased) && erasure.mayBeErased(op))
      result.insert(op);
  });
  return result;
}

bool PureCalls::contains(Operation *op) {
  const CallGraph::Function *function = graph.calledBy(op);
  if (!function || op->getNumRegions() != 0)
    return false;
  // The innermost comes first: chains of calls may be long. Functions in
  // cycles, or that nothing reaches, are none.
  if (!std::exchange(isComputed, true))
    for (const CallGraph::Function *one : graph.calleesFirst())
      known[one->op] = isPure(one->op);
  return known.lookup(function->op);
}

bool PureCalls::isPure(Operation *function) {
  llvm::DenseSet<Operation *> erased = findErased(function, erasure);
  WalkResult walk = function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (erased.contains(op))
      return WalkResult::skip();
    // The walk visits operations in bodies by itself.
    bool isPure = !Operator::from(op) || isPureOperator(op) || contains(op);
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

bool PureCalls::hasGrown() const {
  PureCalls now(graph, erasure);
  return llvm::any_of(known, [&](const auto &entry) {
    return !entry.second && now.isPure(entry.first);
  });
}
