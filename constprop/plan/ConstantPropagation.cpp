//===- ConstantPropagation.cpp - The pass ---------------------------------===//

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "mlir/IR/Remarks.h"

namespace onnxfold {
#define GEN_PASS_DEF_CONSTANTPROPAGATIONPASS
#include "onnxfold/constprop/plan/Passes.h.inc"
} // namespace onnxfold

using namespace onnxfold;
using namespace mlir;

/// One remark for every operation that could be folded but for what its reason
/// says. An input that is not constant is the normal case: no remark.
static void remarkOn(Operation *op, const FoldPlan &plan) {
  const Reason &reason = plan.reason(op);
  if (!reason || reason.code == ReasonCode::Constant ||
      reason.code == ReasonCode::InputNotConstant ||
      (reason.code == ReasonCode::NoKernel && !FoldingInterface::of(op)))
    return;
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("not-folded").category("constprop"))
      << (op->getName().getStringRef() + " not folded: " + reason.text).str();
}

bool onnxfold::propagateConstants(Operation *root,
                                  const ConstantPropagationOptions &options) {
  std::optional<ParallelScope> parallel;
  if (root->getContext()->isMultithreadingEnabled())
    parallel.emplace(root->getContext()->getThreadPool());
  Evaluation evaluation(root, options.evaluation);
  evaluation.refineTypes();
  evaluation.run();
  FoldPlan plan(evaluation, options.maxGrowth);
  root->walk([&](Operation *op) {
    if (op != root && op->getNumResults() != 0)
      remarkOn(op, plan);
  });
  plan.apply();
  return plan.changesAnything();
}

namespace {

struct ConstantPropagationPass
    : onnxfold::impl::ConstantPropagationPassBase<ConstantPropagationPass> {
  explicit ConstantPropagationPass(const ConstantPropagationOptions &options)
      : base(options) {
    maxResult = options.evaluation.limits.maxResultBytes;
    maxWork = options.evaluation.limits.maxWork;
    maxTripCount = options.evaluation.limits.maxTripCount;
    precision = options.evaluation.precision;
    maxGrowth = options.maxGrowth.value_or(-1);
  }

  void runOnOperation() override {
    ConstantPropagationOptions options = base;
    options.evaluation.limits.maxResultBytes = maxResult;
    options.evaluation.limits.maxWork = maxWork;
    options.evaluation.limits.maxTripCount = maxTripCount;
    options.evaluation.precision = precision;
    options.maxGrowth.reset();
    if (maxGrowth >= 0)
      options.maxGrowth = maxGrowth;
    if (!propagateConstants(getOperation(), options))
      markAllAnalysesPreserved();
  }

  ConstantPropagationOptions base; // what the options of the pass leave out
};

} // namespace

std::unique_ptr<Pass> onnxfold::createConstantPropagationPass(
    const ConstantPropagationOptions &options) {
  return std::make_unique<ConstantPropagationPass>(options);
}
