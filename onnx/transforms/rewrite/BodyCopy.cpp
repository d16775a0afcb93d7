//===- BodyCopy.cpp - Operations of a body as new nodes -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/internal/BodyCopy.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::holds(Operation *op, const SymbolTable *functions,
                     llvm::function_ref<bool(Operation *)> isSo) {
  // Each function once: they may call each other more often than can be told.
  llvm::SmallPtrSet<Operation *, 4> seen;
  llvm::SmallVector<Operation *> waiting = {op};
  while (!waiting.empty()) {
    WalkResult walk = waiting.pop_back_val()->walk([&](Operation *inner) {
      Operator node = Operator::from(inner);
      Operation *function = node ? calledFunction(node, functions) : nullptr;
      if (!function && isSo(inner))
        return WalkResult::interrupt();
      if (function && seen.insert(function).second)
        waiting.push_back(function);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return true;
  }
  return false;
}

bool onnxfold::holdsUnknown(Operation *op, const SymbolTable *functions) {
  return holds(op, functions, [](Operation *inner) {
    Operator node = Operator::from(inner);
    // A Constant that states a parameter of the function is custom, too.
    return node && node.isCustom() && !node.is("Constant");
  });
}

/// The first reason of an operation in its bodies.
static std::string whyBodiesAreNotCopied(Operation *op,
                                         const Evaluation &evaluation) {
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock())
      return (op->getName().getStringRef() + " in its body has no body").str();
    for (Operation &inner : region.front().without_terminator())
      if (std::string why = whyNotCopied(&inner, evaluation); !why.empty())
        return why;
  }
  return "";
}

std::string onnxfold::whyNotCopied(Operation *inner,
                                   const Evaluation &evaluation) {
  if (isa<OnnxConstantOp, OnnxAbsentOp>(inner))
    return "";
  Operator node = Operator::from(inner);
  std::string name = inner->getName().getStringRef().str();
  if (!evaluation.mayChange(inner))
    return name + " in its body must not change";
  if (!node)
    return name + " in its body is not an operator";
  if (hasFixedBodies(node))
    return name + " in its body has a body whose quantization_annotation "
                  "names values of that body";
  if (node.domain() == "onnx-fold") // the importer's own
    return "an initializer of its body is sparse, or stated twice";
  for (Value operand : inner->getOperands())
    if (Operation *maker = operand.getDefiningOp();
        maker && maker->getBlock() == inner->getBlock() &&
        !maker->isBeforeInBlock(inner))
      return name + " in its body reads what is made after it";
  return whyBodiesAreNotCopied(inner, evaluation);
}

Operation *BodyCopy::add(Operation *inner, StringRef suffix,
                         llvm::function_ref<bool(Operation *)> isErased) {
  Operation *copy = nodes.copy(inner, values, suffix, isErased,
                               site.function ? &site : nullptr);
  copied.insert(copy);
  made.push_back(copy);
  return copy;
}

/// Lets a copy have the name of a result; false if it cannot.
bool BodyCopy::giveName(unsigned result, Value value) {
  Operator maker = value.getDefiningOp() ? Operator::from(value.getDefiningOp())
                                         : Operator();
  StringRef name = op.outputName(result);
  if (!maker || !copied.contains(maker.getOperation()) || name.empty() ||
      valueName(value).empty() || !named.insert(maker.getOperation()).second)
    return false;
  llvm::SmallVector<StringRef, 2> names;
  for (unsigned i = 0; i < maker.numOutputs(); ++i)
    names.push_back(maker.outputName(i));
  names[cast<OpResult>(value).getResultNumber()] = name;
  maker.setOutputNames(names);
  return true;
}

void BodyCopy::giveMade(unsigned result, Value value) {
  nodes.finish(value, result);
  Operator::from(value.getDefiningOp()).setNodeName(""); // there may be more
  op->getResult(result).replaceAllUsesWith(value);
}

void BodyCopy::giveResult(unsigned result, Value value) {
  Value old = op->getResult(result);
  if (!giveName(result, value)) {
    nodes.begin(op.getOperation());
    Value identity = nodes.create("Identity", value);
    addMade(identity);
    giveMade(result, identity);
    return;
  }
  evaluation.refine(value, evaluation.state(old));
  value.setType(old.getType()); // the graph may say so
  old.replaceAllUsesWith(value);
}
