//===- LoopSolver.cpp - What is known in and after loops ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/LoopSolver.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

const LoopInvariants &LoopSolver::solve(const BodyLoop &loop, bool isTrial,
                                        DimExprs &exprs, Declared declared,
                                        WalkBody walk) {
  Operation *op = loop.body->getParentOp();
  std::shared_ptr<LoopInvariants> &slot = loops[op];
  if (!slot)
    slot = std::make_shared<LoopInvariants>();
  std::shared_ptr<LoopInvariants> invariants = slot;
  auto walkOnce = [&](bool asTrial) {
    invariants->begin(loop, declared(), exprs);
    return walk(*invariants, asTrial);
  };
  bool carries = llvm::any_of(loop.arguments, [](const auto &argument) {
    return argument.next.has_value();
  });
  Given given;
  if (isTrial || (carries && !invariants->isSettled)) {
    do
      given = walkOnce(/*asTrial=*/true);
    while (!invariants->check(given) ||
           // A size made of symbols from outside looks new the first time.
           (isTrial && invariants->walks == 1 && invariants->hasNew(given)));
    invariants->isSettled = true;
  }
  if (!isTrial) {
    if (carries && invariants->isOpen(loop))
      open.insert(op);
    given = walkOnce(/*asTrial=*/false);
  }
  invariants->runs = loop.runs;
  invariants->last.clear();
  for (size_t k = 0; k < given.size(); ++k)
    invariants->last.push_back(invariants->after(k, given));
  return *invariants;
}

const LoopInvariants *LoopSolver::find(Operation *op) const {
  auto found = loops.find(op);
  return found == loops.end() ? nullptr : found->second.get();
}

void LoopSolver::forget(Operation *op) {
  open.erase(op);
  loops.erase(op);
}
