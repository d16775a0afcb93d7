//===- CleanUp.cpp - Exact clean-ups of ONNX graphs -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/cleanup/BodiesUnderBudget.h"
#include "onnxfold/onnx/transforms/cleanup/ConstantCopies.h"
#include "onnxfold/onnx/transforms/cleanup/EqualInitializers.h"
#include "onnxfold/onnx/transforms/cleanup/EqualNodes.h"
#include "onnxfold/onnx/transforms/cleanup/LostReaders.h"
#include "onnxfold/onnx/transforms/cleanup/RepeatedNodes.h"
#include "onnxfold/onnx/transforms/cleanup/ScansOfNothing.h"
#include "onnxfold/onnx/transforms/cleanup/SmallConstants.h"
#include "onnxfold/onnx/transforms/cleanup/UnusedNodes.h"
#include "onnxfold/onnx/transforms/controlflow/ControlFlowTransforms.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "onnxfold/onnx/transforms/functions/FunctionTransforms.h"
#include "onnxfold/onnx/transforms/patterns/Patterns.h"
#include "onnxfold/onnx/transforms/patterns/ReshapeChains.h"
#include "onnxfold/onnx/transforms/patterns/Rewrites.inc"
#include "onnxfold/onnx/transforms/patterns/SplitSequences.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "onnxfold/onnx/transforms/rewrite/PatternRewrites.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

ArrayRef<CleanUpInfo> onnxfold::cleanUps() {
  static constexpr CleanUpInfo all[] = {
#define PATTERN(function, name, roots, algebra) {name, algebra, 1},
#define REWRITE(function, name, level, roots, algebra) {name, algebra, level},
#define INPUTS(function, name, level, roots, algebra) {name, algebra, level},
#define TRANSFORM(constant, name, algebra) {name, algebra, 1},
#define RULES(family, name, level) {name, rewriterules::family::algebra, level},
#include "onnxfold/onnx/transforms/rewrite/CleanUps.def"
#undef RULES
#undef PATTERN
#undef REWRITE
#undef INPUTS
#undef TRANSFORM
  };
  return all;
}

bool onnxfold::isCleanUp(StringRef name) {
  return llvm::any_of(
      cleanUps(), [&](const CleanUpInfo &info) { return info.name == name; });
}

CleanUp::CleanUp(int level, const llvm::StringSet<> &disabled,
                 uint64_t mostUnrolled)
    : level(level), disabled(disabled), decomposition(disabled) {
  for (const CleanUpPattern &pattern : cleanUpPatterns())
    if (pattern.level <= level && isEnabled(pattern.name))
      patterns.add(pattern);
  rewrites.visit = [this](Operation *op) { visit(op); };
  rewrites.decompose = [this](const CleanUpContext &cx) {
    return decompose(cx);
  };
  if (level >= 1)
    addTransforms(mostUnrolled);
}

CleanUp::~CleanUp() = default;

template <typename T, typename... Arguments>
T &CleanUp::addTransform(Arguments &&...arguments) {
  auto owned =
      std::make_unique<T>(rewrites, std::forward<Arguments>(arguments)...);
  T &transform = *owned;
  transforms.push_back(std::move(owned));
  return transform;
}

/// In the order in which they look at an operation. Results depend on it: what
/// writes bodies out comes before what looks at one node, and equal nodes are
/// found last, when a node has the inputs that it will have (those that repeat
/// an earlier one, before anything is computed of them). When a walk has
/// ended they finish in the reverse order: the draft of what folds, which
/// decides about calls, needs to know what is unused.
void CleanUp::addTransforms(uint64_t mostUnrolled) {
  if (isEnabled(equalInitializer))
    addTransform<EqualInitializers>(annotated);
  inlining =
      &addTransform<InlineCalls>(calls, isEnabled(constantCall), patterns);
  addTransform<LostReaders>(lifts);
  bool takesBranches = isEnabled(constantBranch);
  auto branches = std::make_unique<InlineBranches>(rewrites);
  addTransform<BodiesUnderBudget>(calls, lifts,
                                  takesBranches ? branches.get() : nullptr);
  if (takesBranches)
    transforms.push_back(std::move(branches));
  addTransform<ConstantCopies>(patterns, takesBranches);
  UnrollLoops &unrolling = addTransform<UnrollLoops>(
      mostUnrolled, /*takesSingle=*/isEnabled(singleIteration),
      /*takesSequences=*/isEnabled(sequenceLoop));
  loops = &unrolling;
  addTransform<ScansOfNothing>(unrolling, lifts);
  if (isEnabled(commonSubexpression))
    repeated = &addTransform<RepeatedNodes>();
  addTransform<InputRewrites>(patterns);
  PatternRewrites &values = addTransform<PatternRewrites>(patterns);
  patternRewrites = &values;
  if (isEnabled(reshapeChain))
    addTransform<ReshapeChains>(values);
  if (isEnabled(splitSequence))
    addTransform<SplitSequences>();
  if (isEnabled(commonSubexpression))
    addTransform<EqualNodes>(calls, *repeated);
  if (isEnabled(unusedNode))
    addTransform<UnusedNodes>(calls);
  if (isEnabled(liftFromFunction))
    addTransform<LiftFromFunctions>(calls, lifts);
  if (isEnabled(smallConstant))
    addTransform<SmallConstants>();
}

void CleanUp::inlineFunctions(ArrayRef<std::string> globs) {
  if (inlining)
    inlining->ask(globs);
}

void CleanUp::dropIdleFunctions() {
  lifts.dropIdleFunctions();
  rewrites.findIdleFunctions =
      [this](llvm::function_ref<bool(Operation *)> isErased) {
        return CallGraph(rewrites.evaluation().root(), isErased).idle();
      };
}

Value CleanUp::decompose(const CleanUpContext &cx) {
  GrowthLedger &growth = rewrites.growth;
  Value value = decomposition.run(cx, growth.left());
  growth.decomposed = decomposition.bytesMade();
  growth.undecomposed = decomposition.bytesMade() - decomposition.growth();
  return value;
}

/// More than any model needs: each walk but the first ends with fewer nodes or
/// more knowledge than the one before.
static constexpr unsigned mostWalks = 200;

bool CleanUp::run(Evaluation &evaluation) {
  rewrites.begin(evaluation);
  evaluation.refineTypes();
  if (level < 1) {
    calls.begin();
    evaluation.run(nullptr,
                   [&](Operation *op) { calls.types().check(op, evaluation); });
    return typeBodiesOfNothing(evaluation, typedAtLevel0);
  }
  calls.begin();
  for (const auto &transform : transforms)
    transform->begin();
  evaluation.run(
      [&](Operation *op) { visit(op); },
      [&](Operation *op) {
        calls.types().infer(op, evaluation);
        if (isEnabled(sequenceLength))
          inferSequenceLength(op, evaluation);
      },
      [&](Operation *op) { return repeated && repeated->replace(op); });
  bool again = finish();
  diverges |= patternRewrites->diverges() || (again && ++walks > mostWalks);
  return again && !diverges;
}

void CleanUp::visit(Operation *op) {
  if (rewrites.isReplaced(op))
    return;
  for (const auto &transform : transforms)
    if (transform->visitAny(op))
      return;
  if (!rewrites.mayBeErased(op))
    return;
  CleanUpContext context(Operator::from(op), rewrites);
  for (const auto &transform : transforms)
    if (transform->visit(context))
      return;
}

/// True if another walk would find more to do.
bool CleanUp::finish() {
  bool again = false;
  for (const auto &transform : llvm::reverse(transforms))
    again |= transform->finish();
  // The last walk has seen all that is there now; what is left to do is left.
  if (stops && stops())
    return false;
  rewrites.noteMoreKnown(calls.types().mayFoldMore());
  if (rewrites.knowsMore())
    return true;
  for (const auto &transform : llvm::reverse(transforms))
    if (transform->finishLast())
      return true;
  return again;
}

std::unique_ptr<FoldPlan> CleanUp::plan() {
  std::unique_ptr<FoldPlan> result = rewrites.draftPlan();
  bool changes = false;
  if (result->isLimited())
    for (const auto &transform : transforms)
      changes |= transform->finishPlan(*result);
  return changes ? rewrites.draftPlan() : std::move(result);
}

SmallVector<StringRef> CleanUp::sourcesOf(Operation *op) const {
  return constantSourcesOf(op, rewrites.evaluation(), lifts);
}

bool CleanUp::isLimited() const {
  return lifts.isLimited() || decomposition.isLimited() ||
         (patternRewrites && patternRewrites->isLimited());
}

size_t CleanUp::numFusableBatchNorms() const {
  if (level >= 2 || !isEnabled("conv-batchnorm"))
    return 0;
  const Evaluation &evaluation = rewrites.evaluation();
  size_t count = 0;
  evaluation.root()->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (node && node.is("BatchNormalization") && !rewrites.isReplaced(op) &&
        !op->use_empty() && !evaluation.isFoldable(op) &&
        rewrites.mayBeErased(op))
      count += mayFuseBatchNorm(CleanUpContext(node, rewrites));
  });
  return count;
}

ArrayRef<std::string> CleanUp::loopRefusals() const {
  return loops ? loops->unrolling().refusals() : ArrayRef<std::string>();
}

std::string CleanUp::problem() const {
  if (!diverges)
    return {};
  llvm::StringMap<unsigned> counts;
  for (Operation *op : rewrites.replaced())
    ++counts[rewrites.patternOf(op)];
  std::vector<std::pair<unsigned, StringRef>> histogram;
  for (const auto &entry : counts)
    histogram.emplace_back(entry.getValue(), entry.getKey());
  llvm::sort(histogram, [](const auto &a, const auto &b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  std::string text = "the clean-ups do not come to an end:";
  for (const auto &[count, pattern] : histogram)
    text += (" " + pattern + " " + llvm::Twine(count)).str();
  return text + "; leave one out with " + setting("disable");
}
