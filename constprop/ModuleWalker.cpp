//===- ModuleWalker.cpp - Walks a module, bodies included -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/ModuleWalker.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace onnxfold;
using namespace mlir;

/// Trial walks compute again what they computed. Values of this size decide
/// shapes; larger ones do not.
static constexpr uint64_t mostTrialBytes = 1 << 20, mostTrialWork = 1 << 28;

ModuleWalker::ModuleWalker(const EvaluationOptions &options,
                           BodyRunner::Functions functions)
    : values(options.precision), options(options),
      bodies(
          options, [this](Operation *op, const Walk &walk) { visit(op, walk); },
          std::move(functions)),
      evaluator(options, bodies) {}

Walk ModuleWalker::plainWalk() {
  return {.values = values,
          .loops = loops,
          .limits = options.limits,
          .used = options.used};
}

/// A walk to find out what holds: nobody is told what operations become, and
/// what it computes is computed again.
static Walk trialOf(const Walk &walk) {
  Walk trial = walk;
  trial.isTrial = true;
  trial.visited = nullptr;
  trial.isRepeated = nullptr;
  trial.used = nullptr;
  trial.limits.maxResultBytes =
      std::min(walk.limits.maxResultBytes, mostTrialBytes);
  trial.limits.maxWork = std::min(walk.limits.maxWork, mostTrialWork);
  return trial;
}

void ModuleWalker::run(Operation *root, Walk::Visitor visited,
                       Walk::Visitor inferred, Walk::Question isRepeated) {
  Walk walk = plainWalk();
  walk.visited = visited;
  walk.inferred = inferred;
  walk.isRepeated = isRepeated;
  for (Region &region : root->getRegions())
    visitRegion(region, walk, [&](BlockArgument argument) {
      return options.declared(argument, values.types(), values.exprs());
    });
}

void ModuleWalker::add(Operation *op) {
  Walk walk = telling ? *telling : plainWalk();
  walk.visited = nullptr;
  walk.isRepeated = nullptr;
  visit(op, walk);
}

void ModuleWalker::giveResults(Operation *op, const FoldResult &result) {
  bool isWhole = llvm::all_of(
      llvm::zip_equal(op->getResults(), result.values()), [](auto pair) {
        return std::get<1>(pair) || std::get<0>(pair).use_empty();
      });
  Reason reason = evaluator.record(op, result, values);
  if (isWhole && !(telling && telling->isTrial))
    values.setReason(op, std::move(reason));
}

void ModuleWalker::giveTypes(Operation *op, ArrayRef<ValueState> types) {
  if (options.refinesTypes && !(telling && telling->isTrial)) {
    FoldingInterface::NoteConflict note;
    if (options.noteTypeConflict)
      note = options.noteTypeConflict;
    FoldingInterface::orDefault(op).refineTypes(op, types, values.exprs(),
                                                values.types(), note);
  }
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    values.correct(result, type);
}

void ModuleWalker::tell(Walk::Visitor visitor, Operation *op,
                        const Walk &walk) {
  llvm::SaveAndRestore<const Walk *> scope(telling, &walk);
  visitor(op);
}

void ModuleWalker::visitRegion(Region &region, const Walk &walk,
                               StateOfArgument stateOfArgument) {
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments())
      walk.values.set(argument, stateOfArgument(argument));
    for (Operation &op : block) {
      visit(&op, walk);
      if (walk.visited && !walk.values.isConstant(&op))
        tell(walk.visited, &op, walk);
    }
  }
}

/// The work of looking at an operation of a body that is run: without it no
/// limit would end a body of numbers alone.
static constexpr double workOfOperation = 20'000;

void ModuleWalker::visit(Operation *op, const Walk &walk) {
  if (walk.values.isKnownOutside(op))
    return;
  if (walk.used)
    walk.used->work += workOfOperation;
  if (options.step && !walk.isTrial)
    options.step();
  if (Elements value = constantOf(op)) {
    walk.values.set(op->getResult(0), FoldedValue(std::move(value)));
    walk.values.setConstant(op);
    return;
  }
  if (walk.isRepeated && isRepeated(op, walk))
    return;
  bool isOutermost = walk.loops.empty();
  // Visits the bodies for facts that hold whatever their arguments are; these
  // are written into types that say nothing.
  if (!walk.values.isInside() && op->getNumRegions() != 0)
    visitBodies(op, walk);
  Reason reason = evaluator.evaluate(op, walk);
  if (!walk.isTrial)
    walk.values.setReason(op, std::move(reason));
  if (isOutermost)
    walk.loops.clear();
  if (walk.inferred)
    tell(walk.inferred, op, walk);
}

/// Whoever is asked looks at what the operands are.
bool ModuleWalker::isRepeated(Operation *op, const Walk &walk) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0)
    return false;
  for (Value operand : op->getOperands())
    walk.values.of(operand);
  return walk.isRepeated(op);
}

void ModuleWalker::visitBodies(Operation *op, const Walk &walk) {
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  DimExprs &exprs = walk.values.exprs();
  auto declared = [&](BlockArgument argument) {
    return options.declared(argument, walk.values.types(), exprs);
  };
  SmallVector<const ValueState *, 4> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&walk.values.of(operand));
  std::optional<BodyLoop> loop =
      dialect.loopOf(op, operands, exprs, walk.values.types());
  if (loop)
    noteDeclared(*loop, walk);
  for (Region &region : op->getRegions()) {
    if (!loop || &region != loop->body) {
      visitRegion(region, walk, declared);
      continue;
    }
    auto walkBody = [&](const LoopInvariants &invariants, bool isTrial) {
      visitRegion(region, isTrial ? trialOf(walk) : walk,
                  [&](BlockArgument argument) {
                    return invariants.argument(argument.getArgNumber());
                  });
      LoopSolver::Given given;
      for (Value value : region.front().back().getOperands())
        given.push_back(&walk.values.of(value));
      return given;
    };
    auto declaredAll = [&] {
      std::vector<ValueState> states;
      for (BlockArgument argument : region.getArguments())
        states.push_back(declared(argument));
      return states;
    };
    const LoopInvariants &invariants =
        walk.loops.solve(*loop, walk.isTrial, exprs, declaredAll, walkBody);
    if (walk.isTrial || !options.noteTypeConflict)
      continue;
    for (BlockArgument argument : region.getArguments())
      if (invariants.isDeclaredWrong(argument.getArgNumber()))
        if (Type type = dialect.typeToTell(walk.values.of(argument), exprs,
                                           op->getContext()))
          options.noteTypeConflict(argument, type);
  }
}

/// Notes the declared types of a body's arguments where the IR says less.
void ModuleWalker::noteDeclared(const BodyLoop &loop, const Walk &walk) {
  const FoldingInterface &dialect =
      FoldingInterface::orDefault(loop.body->getParentOp());
  for (auto [argument, known] :
       llvm::zip_equal(loop.body->getArguments(), loop.arguments)) {
    if (!known.type || known.type == argument.getType())
      continue;
    walk.values.types().set(argument, known.type);
    if (!walk.isTrial && options.refinesTypes)
      dialect.refineArgument(argument, known.type);
  }
}

Elements ModuleWalker::constantOf(Operation *op) {
  Attribute value;
  if (op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      !matchPattern(op, m_Constant(&value)))
    return {};
  if (!isa<DenseElementsAttr>(value)) // those of others are never one
    return elementsOf(value);
  constexpr size_t places = 256;
  if (recent.empty())
    recent.resize(places);
  auto &[last, elements] = recent[size_t(hash_value(value)) % places];
  if (last != value) {
    last = value;
    elements = elementsOf(value);
  }
  return elements;
}
