//===- CallInlining.cpp - Calls whose constants fold in the body ----------===//

#include "onnxfold/onnx/transforms/CallInlining.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/transforms/BodyCopy.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool CallInlining::count(Operation *module,
                         llvm::function_ref<bool(Operation *)> isGone) {
  counted = true;
  CallGraph before = std::exchange(graph, CallGraph(module, isGone));
  return llvm::any_of(
      graph.calleesFirst(), [&](const CallGraph::Function *now) {
        const CallGraph::Function *old = before.find(now->op);
        return now->calls.size() == 1 && old && old->calls.size() > 1;
      });
}

bool CallInlining::isFixed(Operation *inner,
                           const Evaluation &evaluation) const {
  return isa<OnnxConstantOp, OnnxAbsentOp>(inner) || folded.contains(inner) ||
         (evaluation.has(inner) && evaluation.isFoldable(inner));
}

namespace {

/// What of a body will not be there for long after it was copied.
struct Passing {
  llvm::DenseSet<Operation *> left;  ///< not copied: nothing needs it
  llvm::DenseSet<Operation *> brief; ///< folds, or only what folds reads it
};

} // namespace

static Passing findPassing(Block &body,
                           llvm::function_ref<bool(Operation *)> isGone,
                           llvm::function_ref<bool(Operation *)> isFixed) {
  Passing passing;
  for (Operation &inner : llvm::reverse(body.without_terminator())) {
    auto isReadBy = [&](const llvm::DenseSet<Operation *> &set) {
      return llvm::all_of(inner.getUsers(), [&](Operation *reader) {
        Operation *top = body.findAncestorOpInBlock(*reader);
        // What goes from a body of `top` is not copied with it.
        return set.contains(top) || (reader != top && isGone(reader));
      });
    };
    bool folds = isFixed(&inner), goes = isGone(&inner);
    if ((goes || folds) && isReadBy(passing.left))
      passing.left.insert(&inner);
    if (goes || folds || (!inner.use_empty() && isReadBy(passing.brief)))
      passing.brief.insert(&inner);
  }
  return passing;
}

/// The body can stand where the call is.
bool CallInlining::fits(Operator call, Block &body,
                        const Evaluation &evaluation,
                        llvm::function_ref<bool(Operation *)> isGone) const {
  if (body.getNumArguments() != call.numInputs() ||
      body.back().getNumOperands() < call.numOutputs())
    return false;
  for (unsigned i = 0; i < call.numInputs(); ++i)
    if (!call.hasInput(i))
      return false;
  Passing passing = findPassing(body, isGone, [&](Operation *inner) {
    return isFixed(inner, evaluation);
  });
  return llvm::all_of(body.without_terminator(), [&](Operation &inner) {
    if (passing.left.contains(&inner))
      return true;
    bool isBrief = passing.brief.contains(&inner);
    if (!whyNotCopied(&inner, evaluation, /*withBodies=*/isBrief).empty())
      return false;
    Operator node = Operator::from(&inner);
    return !node || importedOpset(&inner, node.domain()) ==
                        importedOpset(call.getOperation(), node.domain());
  });
}

/// Something in the body depends on constants that are passed, and on nothing
/// that is not known.
bool CallInlining::pays(Operator call, Block &body,
                        const Evaluation &evaluation) const {
  llvm::DenseSet<Value> known, passed;
  for (auto [argument, given] :
       llvm::zip_equal(body.getArguments(), call->getOperands()))
    if (evaluation.fact(given).isConstant()) {
      known.insert(argument);
      passed.insert(argument);
    }
  for (Operation &inner : body.without_terminator()) {
    auto isIn = [](const llvm::DenseSet<Value> &set) {
      return [&](Value value) { return set.contains(value); };
    };
    if (isFixed(&inner, evaluation)) {
      known.insert(inner.result_begin(), inner.result_end());
      continue;
    }
    const FoldingInterface *dialect = FoldingInterface::of(&inner);
    Reason reason;
    bool folds = dialect && inner.getNumOperands() != 0 &&
                 llvm::all_of(inner.getOperands(), isIn(known)) &&
                 dialect->isRemovable(&inner) && !dialect->mustStay(&inner) &&
                 dialect->kernels().lookup(inner.getName().getStringRef(),
                                           dialect->versionOf(&inner), reason);
    if (!folds)
      continue;
    if (llvm::any_of(inner.getOperands(), isIn(passed)))
      return true;
    known.insert(inner.result_begin(), inner.result_end());
  }
  return false;
}

bool CallInlining::fitsNow(const Evaluation &evaluation,
                           llvm::function_ref<bool(Operation *)> isGone) {
  return llvm::any_of(std::exchange(misfits, {}), [&](Operation *call) {
    Block &body = graph.calledBy(call)->op->getRegion(0).front();
    Operator op = Operator::from(call);
    if (isGone(call) || !fits(op, body, evaluation, isGone) ||
        !pays(op, body, evaluation))
      return false;
    // The next evaluation comes to the call before it comes to the body.
    for (Operation &inner : body.without_terminator())
      if (evaluation.has(&inner) && evaluation.isFoldable(&inner))
        folded.insert(&inner);
    return true;
  });
}

std::optional<llvm::SmallVector<Operation *>>
CallInlining::run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
                  llvm::function_ref<bool(Operation *)> isGone) {
  if (!op || !op.isCustom() || op.hasReferences() || op->use_empty())
    return std::nullopt;
  const CallGraph::Function *function = graph.calledBy(op.getOperation());
  if (!function || function->calls.size() != 1 ||
      function->calls.front() != op.getOperation() || // a copy of it
      !evaluation.mayChange(op.getOperation()))
    return std::nullopt;
  Region &region = function->op->getRegion(0);
  nodes.begin(op.getOperation());
  if (!region.hasOneBlock() || !nodes.knowsOpset())
    return std::nullopt;
  Block &body = region.front();
  if (!fits(op, body, evaluation, isGone)) {
    misfits.push_back(op.getOperation());
    return std::nullopt;
  }
  if (!pays(op, body, evaluation))
    return std::nullopt;
  BodyCopy copies(op, evaluation, nodes);
  copies.values.map(body.getArguments(), op->getOperands());
  Passing passing = findPassing(body, isGone, [&](Operation *inner) {
    return isFixed(inner, evaluation);
  });
  for (Operation &inner : body.without_terminator())
    if (!passing.left.contains(&inner))
      copies.add(&inner, "", isGone);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (!result.use_empty())
      copies.giveResult(i, copies.values.lookup(body.back().getOperand(i)));
  return copies.take();
}
