//===- ConstantPropagation.cpp - The pass ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/GlobPattern.h"

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

//===----------------------------------------------------------------------===//
// The options `only` and `skip`
//===----------------------------------------------------------------------===//

using Globs = std::vector<llvm::GlobPattern>;

static LogicalResult parseGlobs(ArrayRef<std::string> texts, Globs &globs) {
  for (const std::string &text : texts) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(text);
    if (!glob) {
      llvm::errs() << "constprop: " << llvm::toString(glob.takeError()) << "\n";
      return failure();
    }
    globs.push_back(std::move(*glob));
  }
  return success();
}

/// `next` for what the globs leave.
static std::function<Reason(Operation *)>
filterOf(Globs only, Globs skip, std::function<Reason(Operation *)> next) {
  auto matches = [](const Globs &globs, StringRef name) {
    return llvm::any_of(globs,
                        [&](const auto &glob) { return glob.match(name); });
  };
  return [=](Operation *op) -> Reason {
    StringRef name = op->getName().getStringRef();
    if (matches(skip, name))
      return notFolded(ReasonCode::Filtered, "is named by 'skip'");
    if (!only.empty() && !matches(only, name))
      return notFolded(ReasonCode::Filtered, "is not named by 'only'");
    return next ? next(op) : Reason();
  };
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

  LogicalResult initialize(MLIRContext *) override {
    Globs onlyGlobs, skipGlobs;
    if (failed(parseGlobs(only, onlyGlobs)) ||
        failed(parseGlobs(skip, skipGlobs)))
      return failure();
    filter = base.evaluation.filter;
    if (!onlyGlobs.empty() || !skipGlobs.empty())
      filter = filterOf(std::move(onlyGlobs), std::move(skipGlobs), filter);
    return success();
  }

  void runOnOperation() override {
    ConstantPropagationOptions options = base;
    options.evaluation.filter = filter;
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
  std::function<Reason(Operation *)> filter;
};

} // namespace

std::unique_ptr<Pass> onnxfold::createConstantPropagationPass(
    const ConstantPropagationOptions &options) {
  return std::make_unique<ConstantPropagationPass>(options);
}
