//===- ModuleFolding.cpp - What foldModel does with the IR ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/ModuleFolding.h"
#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/compact/CompactConstants.h"
#include "onnxfold/onnx/transforms/compact/CompactForm.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace onnxfold;
using namespace mlir;

using Filter = std::function<Reason(Operation *)>;

/// After a cancellation no operation may change, so that the walk comes to its
/// end without another kernel.
static Filter stoppable(Filter filter, std::function<bool()> isCancelled) {
  if (!isCancelled)
    return filter;
  return [filter = std::move(filter),
          isCancelled = std::move(isCancelled)](Operation *op) {
    if (isCancelled())
      return notFolded(ReasonCode::Filtered, "cancelled");
    return filter ? filter(op) : Reason();
  };
}

ModuleFolding::ModuleFolding(Operation *root, ModuleFoldingOptions given)
    : root(root), options(std::move(given)),
      cleaning(options.level, options.disabled, options.mostUnrolled) {
  options.evaluation.filter =
      stoppable(std::move(options.evaluation.filter), options.isCancelled);
  options.evaluation.stateOfArgument =
      [this, byType = options.evaluation.stateOfArgument](
          BlockArgument argument, DimExprs &exprs) {
        if (auto known = cleaning.stateOfArgument(argument, exprs))
          return *known;
        return byType ? byType(argument, exprs)
                      : stateOfType(argument.getType(), exprs);
      };
  if (options.rules)
    for (const CleanUpPattern &rule : *options.rules)
      if (rule.level <= options.level && !options.disabled.contains(rule.name))
        cleaning.add(rule);
  cleaning.inlineFunctions(options.inlineFunctions);
  cleaning.setBudget(options.budget);
  cleaning.stopIf([] {
    RunBudget *run = RunBudget::current();
    return run && run->isTimeShort();
  });
  if (options.dropsIdleFunctions)
    cleaning.dropIdleFunctions();
  if (options.keepsConstants)
    cleaning.keepConstants();
  cleaning.keepNames(options.keptNames);
  if (options.hasOtherCalls)
    cleaning.keepBodiesUntyped();
}

ModuleFolding::~ModuleFolding() = default;

/// A node whose constants are much smaller than its result.
static bool expandsConstants(Operator node, const Evaluation &evaluation) {
  if (!isCompactOperator(node) || node.numOutputs() != 1)
    return false;
  auto bytesOf = [&](Value value) {
    const ValueState &state = evaluation.state(value);
    return state.isConstant() ? int64_t(state.value.bytes()) : 0;
  };
  int64_t small = 0;
  for (Value operand : node->getOperands())
    if (!isAbsent(operand))
      small += bytesOf(operand);
  return isWorthCompacting(bytesOf(node->getResult(0)), small);
}

/// All that could fold and depends on the result of a QuantizeLinear, a
/// DequantizeLinear or, if these are kept, a compact node. The latter two expand
/// what a runtime reads in compact form.
std::vector<FoldPlan::Compact> ModuleFolding::compactOperations() const {
  llvm::DenseSet<Operation *> found;
  std::vector<FoldPlan::Compact> list;
  auto isFound = [&](Value value) {
    return found.contains(value.getDefiningOp());
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || !table->has(op) || !table->isFoldable(op))
      return;
    bool expands =
        (options.computesQuantized && dequantizes(node)) ||
        (options.keepsCompactNodes && expandsConstants(node, *table));
    bool depends = expands || (options.computesQuantized && quantizes(node));
    op->walk([&](Operation *inner) { // its bodies read what is around, too
      depends |= llvm::any_of(inner->getOperands(), isFound);
    });
    if (!depends)
      return;
    found.insert(op);
    list.push_back({op, expands});
  });
  return list;
}

/// Something that could be computed if quantisation were.
static bool hasQuantization(Operation *root) {
  return root
      ->walk([](Operation *op) {
        Operator node = Operator::from(op);
        return node && (quantizes(node) || dequantizes(node))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The rewrites have not seen these values: what they make of constants would
/// be floats.
void ModuleFolding::computeQuantized() {
  EvaluationOptions all = options.evaluation;
  all.policy = [](Operation *) { return Reason(); };
  table.emplace(root, all);
  table->refineTypes();
  table->run();
}

llvm::Error ModuleFolding::run() {
  bool learns = true;
  while (learns) {
    if (RunBudget *run = RunBudget::current())
      run->beginWalk();
    table.emplace(root, options.evaluation);
    learns = cleaning.run(*table);
    if (options.isCancelled && options.isCancelled())
      return llvm::make_error<FoldError>(FoldErrorCode::Cancelled,
                                         ModelFault("cancelled"));
  }
  if (std::string problem = cleaning.problem(); !problem.empty())
    return ModelFault(problem);
  bool isQuantized = options.computesQuantized && hasQuantization(root);
  if (isQuantized)
    computeQuantized();
  if (isQuantized || options.keepsCompactNodes)
    cleaning.look(*table, compactOperations());
  return llvm::Error::success();
}

FoldPlan &ModuleFolding::plan() {
  if (!folded)
    folded = cleaning.plan();
  return *folded;
}

/// Functions of the model state no types of their results; what is inferred for
/// all calls is part of the type of the operation. What never returns
/// (llvm.unreachable) has no operands for the type of its function.
static void stateResultTypes(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock() || body.front().empty())
    return;
  auto given = body.front().back().getOperandTypes();
  if (llvm::equal(given, function.getResultTypes()))
    return;
  if (Type type = function.cloneTypeWith(function.getArgumentTypes(), given))
    function.setType(type);
}

void ModuleFolding::applyPlan() {
  plan().apply();
  root->walk([](FunctionOpInterface function) { stateResultTypes(function); });
}

bool ModuleFolding::changesAnything() {
  return plan().changesAnything() || !cleaning.session().replaced().empty();
}
