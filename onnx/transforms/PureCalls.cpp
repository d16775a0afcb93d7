//===- PureCalls.cpp - Calls that give the same each time -----------------===//

#include "onnxfold/onnx/transforms/PureCalls.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::mayFail(const Reason &reason) {
  return reason.code == ReasonCode::Invalid ||
         reason.code == ReasonCode::Undefined ||
         reason.code == ReasonCode::Inconsistent ||
         reason.code == ReasonCode::UnknownVersion;
}

/// In inference, whatever is known of the function's arguments.
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

bool PureCalls::contains(Operation *op) {
  const CallGraph::Function *function = graph.calledBy(op);
  if (!function || op->getNumRegions() != 0)
    return false;
  // Functions that call each other in a cycle are none.
  if (auto [it, isNew] = known.try_emplace(function->op, false); !isNew)
    return it->second;
  return known[function->op] = isPure(function->op);
}

bool PureCalls::isPure(Operation *function) {
  WalkResult walk = function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isGone(op))
      return WalkResult::skip();
    Operator node = Operator::from(op);
    // What is in bodies is walked over by itself.
    bool isPure = !node || (!node.isCustom() && op->getNumRegions() != 0) ||
                  isMemoryEffectFree(op) || dropsNothing(node) || contains(op);
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

bool PureCalls::hasGrown() const {
  PureCalls now(graph, isGone);
  return llvm::any_of(known, [&](const auto &entry) {
    return !entry.second && now.isPure(entry.first);
  });
}
