//===- ConstantPropagation.cpp - The pass ---------------------------------===//

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "mlir/IR/Remarks.h"

using namespace onnxfold;
using namespace mlir;

/// One remark for every operation that could be folded but for what its reason
/// says. An input that is not constant is the normal case: no remark.
static void remarkOn(Operation *op, const FoldPlan &plan) {
  const Reason &reason = plan.reason(op);
  if (reason.code == ReasonCode::None || reason.code == ReasonCode::Constant ||
      reason.code == ReasonCode::InputNotConstant)
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
  evaluation.run();
  FoldPlan plan(evaluation, options.maxGrowth);
  root->walk([&](Operation *op) {
    if (op != root && op->getNumResults() != 0 && FoldingInterface::of(op))
      remarkOn(op, plan);
  });
  plan.apply();
  return plan.changesAnything();
}

namespace {

struct ConstantPropagationPass
    : PassWrapper<ConstantPropagationPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConstantPropagationPass)

  explicit ConstantPropagationPass(const ConstantPropagationOptions &options)
      : base(options) {
    maxResult = options.evaluation.limits.maxResultBytes;
    maxWork = options.evaluation.limits.maxWork;
    maxTripCount = options.evaluation.limits.maxTripCount;
    precision = options.evaluation.precision;
    maxGrowth = options.maxGrowth.value_or(-1);
  }
  ConstantPropagationPass(const ConstantPropagationPass &other)
      : PassWrapper(other), base(other.base) {}

  StringRef getArgument() const override { return "constprop"; }
  StringRef getDescription() const override {
    return "fold everything that depends on constants alone";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ElementsDialect>(); // of the attributes that it makes
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

  ConstantPropagationOptions base; // what the options below do not have

  Option<int64_t> maxGrowth{
      *this, "max-growth",
      llvm::cl::desc("bytes that constants may gain (-1: no limit)"),
      llvm::cl::init(-1)};
  Option<uint64_t> maxResult{*this, "max-result",
                             llvm::cl::desc("bytes of the largest result"),
                             llvm::cl::init(FoldLimits().maxResultBytes)};
  Option<uint64_t> maxWork{
      *this, "max-work", llvm::cl::desc("element operations of one operation"),
      llvm::cl::init(FoldLimits().maxWork)};
  Option<uint64_t> maxTripCount{
      *this, "max-trip-count",
      llvm::cl::desc("iterations of one loop, those in its body included"),
      llvm::cl::init(FoldLimits().maxTripCount)};
  Option<Precision> precision{
      *this, "precision", llvm::cl::desc("what floats are between operations"),
      llvm::cl::init(Precision::Exact),
      llvm::cl::values(clEnumValN(Precision::Exact, "exact",
                                  "rounded to their type after each"),
                       clEnumValN(Precision::Wide, "wide",
                                  "in double, rounded at the end"))};
};

} // namespace

std::unique_ptr<Pass> onnxfold::createConstantPropagationPass(
    const ConstantPropagationOptions &options) {
  return std::make_unique<ConstantPropagationPass>(options);
}

void onnxfold::registerConstantPropagationPass() {
  registerPass([] { return createConstantPropagationPass(); });
}
