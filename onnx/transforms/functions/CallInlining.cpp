//===- CallInlining.cpp - Inlines calls whose constants fold --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/CallInlining.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/rewrite/internal/BodyCopy.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

bool CallInlining::count(Operation *module,
                         llvm::function_ref<bool(Operation *)> isErased) {
  counted = true;
  CallGraph before = std::exchange(graph, CallGraph(module, isErased));
  return llvm::any_of(graph.calleesFirst(),
                      [&](const CallGraph::Function *now) {
                        const CallGraph::Function *old = before.find(now->op);
                        // The only one may be a copy, of a body that was
                        // inlined, or the first of some that were equal.
                        return now->calls.size() == 1 && old &&
                               (old->calls.size() > 1 ||
                                now->calls.front() != old->calls.front());
                      });
}

bool CallInlining::isFixed(Operation *inner,
                           const Evaluation &evaluation) const {
  return isa<OnnxConstantOp, OnnxAbsentOp>(inner) || folded.contains(inner) ||
         (evaluation.has(inner) && evaluation.isFoldable(inner));
}

/// The operations of a body that need not be copied: they fold whatever is
/// passed, or are erased, and nothing else needs them.
static llvm::DenseSet<Operation *>
findLeft(Block &body, llvm::function_ref<bool(Operation *)> isErased,
         llvm::function_ref<bool(Operation *)> isFixed) {
  llvm::DenseSet<Operation *> left;
  for (Operation &inner : llvm::reverse(body.without_terminator())) {
    bool isRead = llvm::any_of(inner.getUsers(), [&](Operation *reader) {
      // An operation that is erased from a body of `top` is not copied with it.
      Operation *top = body.findAncestorOpInBlock(*reader);
      for (; reader != top; reader = reader->getParentOp())
        if (isErased(reader))
          return false;
      return !left.contains(top);
    });
    if ((isErased(&inner) || isFixed(&inner)) && !isRead)
      left.insert(&inner);
  }
  return left;
}

/// Argument #i of a function is not given.
static bool isLeftOut(Operator call, unsigned i) {
  return i >= call.numInputs() || !call.hasInput(i);
}

/// Whether readers of an argument may do without it.
static bool isOptional(BlockArgument argument) {
  OpBuilder builder(argument.getContext());
  Operation *absent =
      OnnxAbsentOp::create(builder, builder.getUnknownLoc()).getOperation();
  llvm::SmallVector<OpOperand *> uses; // a trial is one, too
  for (OpOperand &use : argument.getUses())
    uses.push_back(&use);
  bool fits = llvm::all_of(uses, [&](OpOperand *use) {
    if (!Operator::from(use->getOwner()))
      return false; // a body gives it
    Operation *trial = use->getOwner()->cloneWithoutRegions();
    trial->setOperand(use->getOperandNumber(), absent->getResult(0));
    llvm::Error error = Operator::from(trial).checkAgainstSchema();
    bool isRight = !error;
    llvm::consumeError(std::move(error));
    trial->erase();
    return isRight;
  });
  absent->erase();
  return fits;
}

/// The operator is the same version in both opsets.
static bool isSameVersion(Operator node, std::optional<int64_t> own,
                          std::optional<int64_t> there) {
  if (own == there)
    return true;
  if (!own || !there) // then it is imported (addImports)
    return own && !node.domain().empty();
  std::optional<int> since = resolveSince(node.domain(), node.opType(), *own);
  return since && since == resolveSince(node.domain(), node.opType(), *there);
}

/// Its operators, with those in its bodies, mean the same where the call is.
static bool meansTheSame(Operation *inner, Operator call,
                         llvm::function_ref<bool(Operation *)> isCall) {
  WalkResult walk = inner->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    std::optional<int64_t> there =
        node ? importedOpset(call.getOperation(), node.domain()) : std::nullopt;
    bool isSame = !node || (there && isCall(op)) ||
                  isSameVersion(node, importedOpset(op, node.domain()), there);
    return isSame ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

/// Whether a name that a copy keeps, in the graph of a custom operator, is that
/// of another value around the call.
static bool hidesNames(Operation *inner, Operator call) {
  llvm::StringSet<> kept;
  inner->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || !node.isCustom())
      return;
    for (Region &graph : op->getRegions()) {
      for (Value argument : graph.getArguments())
        kept.insert(valueName(argument));
      graph.walk([&](Operation *below) {
        for (Value result : below->getResults())
          kept.insert(valueName(result));
        for (Region &body : below->getRegions())
          for (Value argument : body.getArguments())
            kept.insert(valueName(argument));
      });
    }
  });
  kept.erase("");
  if (kept.empty())
    return false;
  auto isKept = [&](Value value) { return kept.contains(valueName(value)); };
  Operation *around = call.getOperation();
  while (!isa<FunctionOpInterface>(around))
    around = around->getParentOp();
  if (llvm::any_of(around->getRegion(0).getArguments(), isKept))
    return true;
  WalkResult walk = around->walk([&](Operation *op) {
    bool hides = llvm::any_of(op->getResults(), isKept);
    for (Region &body : op->getRegions())
      hides |= llvm::any_of(body.getArguments(), isKept);
    return hides ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Why a node of the body cannot stand where the call is; empty if it can.
std::string CallInlining::whyNotWritten(Operation *inner, Operator call,
                                        const Evaluation &evaluation) const {
  if (std::string why = whyNotCopied(inner, evaluation); !why.empty())
    return why;
  std::string name = inner->getName().getStringRef().str() + " in its body ";
  if (!meansTheSame(inner, call, [&](Operation *op) {
        return graph.calledBy(op) != nullptr;
      }))
    return name + "is of another version in the opset where the call is";
  if (hidesNames(inner, call))
    return name + "has a graph whose names would hide others";
  Operation *function = graph.calledBy(call.getOperation())->op;
  return canResolveReferences(inner, call, function)
             ? ""
             : name + "has an attribute that the call does not give";
}

/// Why the body cannot stand where the call is; empty if it can.
std::string
CallInlining::misfit(Operator call, Block &body, const Evaluation &evaluation,
                     llvm::function_ref<bool(Operation *)> isErased) const {
  if (body.getNumArguments() < call.numInputs() ||
      body.back().getNumOperands() < call.numOutputs())
    return "its function has fewer inputs or outputs";
  for (BlockArgument argument : body.getArguments())
    if (isLeftOut(call, argument.getArgNumber()) && !isOptional(argument))
      return "it leaves out an input that a node of the body needs";
  llvm::DenseSet<Operation *> left =
      findLeft(body, isErased,
               [&](Operation *inner) { return isFixed(inner, evaluation); });
  for (Operation &inner : body.without_terminator())
    if (!left.contains(&inner))
      if (std::string why = whyNotWritten(&inner, call, evaluation);
          !why.empty())
        return why;
  return "";
}

void CallInlining::ask(ArrayRef<std::string> globs) {
  for (const std::string &text : globs)
    asked.push_back(llvm::cantFail(llvm::GlobPattern::create(text)));
}

bool CallInlining::isAsked(Operation *call) const {
  const CallGraph::Function *function =
      asked.empty() ? nullptr : graph.calledBy(call);
  if (!function)
    return false;
  auto textOf = [&](StringRef attribute) {
    auto text = function->op->getAttrOfType<StringAttr>(attribute);
    return text ? text.getValue() : StringRef();
  };
  std::string name = textOf(nameAttrName).str();
  std::string whole = textOf(domainAttrName).str() + ":" + name;
  return llvm::any_of(asked, [&](const llvm::GlobPattern &glob) {
    return glob.match(name) || glob.match(whole);
  });
}

std::string CallInlining::whyKept(Operation *call, const Evaluation &evaluation,
                                  NodeBuilder &nodes, IsErased isErased) const {
  Region &region = graph.calledBy(call)->op->getRegion(0);
  nodes.begin(call);
  if (!evaluation.mayChange(call) || call->use_empty())
    return "";
  return !region.hasOneBlock() || !nodes.knowsOpset()
             ? "the opset is not known"
             : misfit(Operator::from(call), region.front(), evaluation,
                      isErased);
}

bool CallInlining::mayTry(Operation *call, const Evaluation &evaluation,
                          NodeBuilder &nodes, IsErased isErased) const {
  return !simplified.contains(graph.calledBy(call)->op) &&
         evaluation.mayChange(call) && !call->use_empty() &&
         whyKept(call, evaluation, nodes, isErased).empty();
}

/// The caller imports what the nodes of the body need.
static void addImports(Operator call, Operation *function) {
  Operation *owner = call.getOperation();
  while (owner && !owner->hasAttr(opsetImportsAttrName))
    owner = owner->getParentOp();
  if (!owner)
    return;
  llvm::SmallVector<std::pair<StringRef, int64_t>> imports;
  for (Attribute import : owner->getAttrOfType<ArrayAttr>(opsetImportsAttrName))
    if (auto opset = dyn_cast<OnnxOpsetAttr>(import))
      imports.push_back({opset.getDomain(), opset.getVersion()});
  size_t before = imports.size();
  function->walk([&](Operation *inner) {
    Operator node = Operator::from(inner);
    if (!node || importedOpset(owner, node.domain()) ||
        llvm::any_of(imports, [&](const auto &import) {
          return import.first == node.domain();
        }))
      return;
    if (std::optional<int64_t> own = importedOpset(inner, node.domain()))
      imports.push_back({node.domain(), *own});
  });
  if (imports.size() != before)
    setOpsetImports(owner, imports);
}

namespace {

/// The values that are known in a body beside those that fold in any case.
class PassedValues {
public:
  /// `constants`: inputs that are.
  PassedValues(Operator call, Block &body,
               const llvm::SmallBitVector &constants,
               llvm::function_ref<bool(Operation *)> isErased)
      : call(call), function(body.getParentOp()), isErased(isErased) {
    for (BlockArgument argument : body.getArguments()) {
      unsigned i = argument.getArgNumber();
      if (isLeftOut(call, i) || constants[i])
        note(argument, /*isPassed=*/!isLeftOut(call, i));
    }
  }

  void note(ValueRange values, bool isPassed) {
    known.insert(values.begin(), values.end());
    if (isPassed)
      passed.insert(values.begin(), values.end());
  }

  /// Something of `inner` folds because of what is passed. Notes its results if
  /// they are known.
  bool look(Operation *inner);
  bool isKnown(Value value) const { return known.contains(value); }

private:
  bool mayFold(Operation *inner) const;
  bool isGiven(Operator constant) const;

  Operator call;
  Operation *function;
  llvm::function_ref<bool(Operation *)> isErased;
  llvm::DenseSet<Value> known, passed;
};

} // namespace

/// A kernel knows it, with the attributes that the call gives.
bool PassedValues::mayFold(Operation *inner) const {
  const FoldingInterface *dialect = FoldingInterface::of(inner);
  if (!dialect || inner->getNumOperands() == 0)
    return false;
  Operation *trial = inner->cloneWithoutRegions();
  resolveOwnReferences(Operator::from(trial), call, function);
  bool folds = !dialect->mustBeKept(trial) &&
               dialect->kernels().lookup(trial->getName().getStringRef(),
                                         dialect->versionOf(trial));
  trial->erase();
  return folds;
}

/// The call says what a Constant that states a parameter is.
bool PassedValues::isGiven(Operator constant) const {
  return llvm::all_of(constant->getDiscardableAttrs(), [&](NamedAttribute own) {
    auto reference = dyn_cast<OnnxRefAttr>(own.getValue());
    Attribute value =
        reference ? parameterOf(call, function, reference.getName()) : nullptr;
    return value && !isa<OnnxRefAttr>(value);
  });
}

bool PassedValues::look(Operation *inner) {
  Operator node = Operator::from(inner);
  if (node && node.isCustom() && node.is("Constant")) {
    if (isGiven(node))
      note(inner->getResults(), /*isPassed=*/true);
    return false;
  }
  bool isKnown = true, isPassed = false;
  inner->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isErased(op))
      return WalkResult::skip();
    for (Value operand : op->getOperands()) {
      bool isInside =
          inner->isAncestor(operand.getParentBlock()->getParentOp());
      isKnown &= isInside || known.contains(operand);
      isPassed |= passed.contains(operand);
    }
    return WalkResult::advance();
  });
  if (node && node.is("If") && passed.contains(inner->getOperand(0)))
    return true;
  if (!isKnown || !mayFold(inner))
    return false;
  note(inner->getResults(), /*isPassed=*/false);
  return isPassed;
}

/// The inputs of a call that are constant.
static llvm::SmallBitVector constantInputs(Operation *call,
                                           const Evaluation &evaluation) {
  llvm::SmallBitVector constants;
  for (Value operand : call->getOperands())
    constants.push_back(evaluation.state(operand).isConstant());
  return constants;
}

/// Something in the body depends on constants that are passed, and on nothing
/// that is not known.
bool CallInlining::pays(Operator call, Block &body,
                        const Evaluation &evaluation, IsErased isErased) const {
  PassedValues values(
      call, body, constantInputs(call.getOperation(), evaluation), isErased);
  for (Operation &inner : body.without_terminator())
    if (isFixed(&inner, evaluation))
      values.note(inner.getResults(), /*isPassed=*/false);
    else if (values.look(&inner))
      return true;
  return false;
}

/// Operations of the body that would not fold, and that its results need.
unsigned CallInlining::countLeft(Operator call,
                                 const llvm::SmallBitVector &constants,
                                 const Evaluation &evaluation,
                                 IsErased isErased) const {
  Block &body = graph.calledBy(call.getOperation())->op->getRegion(0).front();
  PassedValues values(call, body, constants, isErased);
  for (Operation &inner : body.without_terminator())
    if (isFixed(&inner, evaluation))
      values.note(inner.getResults(), /*isPassed=*/false);
    else
      values.look(&inner);
  llvm::DenseSet<Operation *> needed = {body.getTerminator()};
  for (Operation &inner : llvm::reverse(body.without_terminator())) {
    auto isNeeded = [&](Operation *reader) {
      return !isErased(reader) &&
             needed.contains(body.findAncestorOpInBlock(*reader));
    };
    if (!llvm::all_of(inner.getResults(),
                      [&](Value result) { return values.isKnown(result); }) &&
        llvm::any_of(inner.getUsers(), isNeeded))
      needed.insert(&inner);
  }
  return needed.size() - 1;
}

/// Calls in functions do not count: what those pass differs from call to call.
/// What folds in all is lifted, not copied.
bool CallInlining::noteDiverging(const Evaluation &evaluation,
                                 IsErased isErased) {
  bool isNew = false;
  for (const CallGraph::Function *function : graph.calleesFirst()) {
    if (function->calls.size() < 2 || !function->op->getRegion(0).hasOneBlock())
      continue;
    llvm::SmallVector<std::pair<Operation *, llvm::SmallBitVector>> calls;
    std::optional<llvm::SmallBitVector> common;
    for (Operation *call : function->calls)
      if (graph.mainGraph()->isProperAncestor(call) &&
          call->getNumOperands() <=
              function->op->getRegion(0).getNumArguments()) {
        calls.push_back({call, constantInputs(call, evaluation)});
        llvm::SmallBitVector &constants = calls.back().second;
        constants.resize(function->op->getRegion(0).getNumArguments());
        common ? *common &= constants : common.emplace(constants);
      }
    for (auto &[call, constants] : calls) {
      Operator op = Operator::from(call);
      if (constants != *common &&
          countLeft(op, constants, evaluation, isErased) <= 1 &&
          countLeft(op, *common, evaluation, isErased) > 1)
        isNew |= diverging.insert(call).second;
    }
  }
  return isNew;
}

/// Each walk inlines one level of calls. Deeper models are left alone as a
/// whole, so that the next run finds them as deep.
static constexpr unsigned mostLevels = 32;

llvm::SmallVector<const CallGraph::Function *>
CallInlining::calledOnce() const {
  llvm::SmallVector<const CallGraph::Function *> single;
  if (graph.depth() > mostLevels)
    return single;
  for (const CallGraph::Function *function : graph.calleesFirst())
    if (function->calls.size() == 1 && function->op->getRegion(0).hasOneBlock())
      single.push_back(function);
  return single;
}

/// Operations of a body that are replaced or fold.
static void forEachDone(Operation *function, const Evaluation &evaluation,
                        llvm::function_ref<bool(Operation *)> isErased,
                        llvm::function_ref<void(Operation *)> take) {
  function->getRegion(0).walk([&](Operation *op) {
    if (Operator::from(op) &&
        (isErased(op) || (evaluation.has(op) && evaluation.isFoldable(op))))
      take(op);
  });
}

void CallInlining::noteSettled(const Evaluation &evaluation,
                               IsErased isErased) {
  for (const CallGraph::Function *function : calledOnce())
    forEachDone(function->op, evaluation, isErased,
                [&](Operation *op) { settled.insert(op); });
}

bool CallInlining::noteSimplified(const Evaluation &evaluation,
                                  IsErased isErased) {
  bool isNew = false;
  for (const CallGraph::Function *function : calledOnce()) {
    if (simplified.contains(function->op))
      continue;
    bool isMore = false;
    forEachDone(function->op, evaluation, isErased, [&](Operation *op) {
      isMore |= !settled.contains(op);
      // The next evaluation comes to the call before it comes to the body.
      if (!isErased(op))
        folded.insert(op);
    });
    if (isMore) {
      simplified.insert(function->op);
      isNew = true;
    }
  }
  return isNew;
}

bool CallInlining::fitsNow(const Evaluation &evaluation,
                           llvm::function_ref<bool(Operation *)> isErased) {
  return llvm::any_of(std::exchange(misfits, {}), [&](Operation *call) {
    Block &body = graph.calledBy(call)->op->getRegion(0).front();
    Operator op = Operator::from(call);
    if (isErased(call) || !misfit(op, body, evaluation, isErased).empty() ||
        !isWanted(op, *graph.calledBy(call), evaluation, isErased))
      return false;
    // The next evaluation comes to the call before it comes to the body.
    for (Operation &inner : body.without_terminator())
      if (evaluation.has(&inner) && evaluation.isFoldable(&inner))
        folded.insert(&inner);
    return true;
  });
}

/// Somebody asks for it, or something folds or simplifies because of the call.
bool CallInlining::isWanted(Operator call, const CallGraph::Function &function,
                            const Evaluation &evaluation,
                            IsErased isErased) const {
  return isAsked(call.getOperation()) || simplified.contains(function.op) ||
         pays(call, function.op->getRegion(0).front(), evaluation, isErased);
}

std::optional<llvm::SmallVector<Operation *>>
CallInlining::run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
                  llvm::function_ref<bool(Operation *)> isErased,
                  llvm::function_ref<bool()> mayInline) {
  if (!op || !op.isCustom() || op->use_empty())
    return std::nullopt;
  const CallGraph::Function *function = graph.calledBy(op.getOperation());
  bool isOnly = function && function->calls.size() == 1 &&
                function->calls.front() == op.getOperation(); // no copy of it
  if (!function ||
      !(isOnly || diverging.contains(op.getOperation()) ||
        isAsked(op.getOperation())) ||
      !evaluation.mayChange(op.getOperation()))
    return std::nullopt;
  Region &region = function->op->getRegion(0);
  nodes.begin(op.getOperation());
  if (!region.hasOneBlock() || !nodes.knowsOpset())
    return std::nullopt;
  Block &body = region.front();
  if (!misfit(op, body, evaluation, isErased).empty() ||
      !isWanted(op, *function, evaluation, isErased)) {
    misfits.push_back(op.getOperation());
    return std::nullopt;
  }
  if (!mayInline())
    return std::nullopt;
  addImports(op, function->op);
  // Names of nodes are unique, too.
  std::string suffix =
      isOnly ? "" : "_" + std::to_string(numCopied[function->op]++);
  BodyCopy copies(op, evaluation, nodes, function->op);
  for (BlockArgument argument : body.getArguments())
    copies.values.map(argument, argument.getArgNumber() < op.numInputs()
                                    ? op->getOperand(argument.getArgNumber())
                                    : nodes.absent());
  llvm::DenseSet<Operation *> left =
      findLeft(body, isErased,
               [&](Operation *inner) { return isFixed(inner, evaluation); });
  for (Operation &inner : body.without_terminator()) {
    if (left.contains(&inner))
      continue;
    Operation *copy = copies.add(&inner, suffix, isErased);
    if (isOnly) // its function is called from here now, and no more from there
      graph.replaceCall(&inner, copy);
  }
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (!result.use_empty())
      copies.giveResult(i, copies.values.lookup(body.back().getOperand(i)));
  return copies.take();
}
