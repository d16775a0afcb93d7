//===- Loop.cpp - Constant kernel of onnx.Loop ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph again and again, M times at most and as long as a condition
// holds. Spec: onnx Loop, versions 1, 11, 13 (sequences), 16 (optionals), 19,
// 21, 23, 24, 25. The graph gets the number of the iteration, the condition and
// the loop-carried values; it yields the condition, the loop-carried values and
// one slice of each scan output. Without iterations scan outputs are empty.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bodies.h"

using namespace onnxfold;

namespace {
struct State {
  bool goesOn = true;
  llvm::SmallVector<FoldedValue, 4> carried;
  std::vector<Slices> scans;
};
} // namespace

static Reason start(FoldContext &cx, State &state, uint64_t &most) {
  most = ~uint64_t(0);
  if (cx.hasInput(0)) {
    if (Reason wrong = checkScalar(cx, 0, DataType::Int64))
      return wrong;
    most = std::max<int64_t>(0, cx.intsOf(0)[0]);
  }
  if (cx.hasInput(1)) {
    if (Reason wrong = checkScalar(cx, 1, DataType::Bool))
      return wrong;
    state.goesOn = cx.input(1).reshape({}).value<bool>();
  }
  for (unsigned i = 2; i < cx.numInputs(); ++i) {
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
    state.carried.push_back(cx.anyInput(i));
  }
  int64_t scans = graphResults(cx, "body") - int64_t(state.carried.size()) - 1;
  if (scans < 0)
    return invalid(
        "the body yields fewer values than there are loop-carried ones");
  state.scans.resize(scans);
  return {};
}

/// A carried value is computed at once: deferred, it would become an endless
/// chain.
static FoldedValue computed(FoldedValue value) {
  if (value.tensor)
    value.tensor = std::move(value.tensor).materialize();
  auto isComputed = [](const Elements &x) { return x.isContiguous(); };
  if (value.sequence && !value.sequence->isTrueOfAll(isComputed)) {
    std::vector<Elements> tensors = value.sequence->tensors();
    for (Elements &tensor : tensors)
      tensor = std::move(tensor).materialize();
    value.sequence = makeSequence(tensors);
  }
  return value;
}

/// Takes over what one iteration gave.
static Reason step(FoldContext &cx, State &state,
                   llvm::ArrayRef<FoldedValue> given) {
  const Elements &condition = given[0].tensor;
  if (!condition || condition.type() != DataType::Bool || condition.size() != 1)
    return invalid("the body's condition is not one bool");
  state.goesOn = condition.reshape({}).value<bool>();
  given = given.drop_front();
  for (FoldedValue &value : state.carried) {
    value = computed(given.front());
    given = given.drop_front();
  }
  for (auto [scan, value] : llvm::zip_equal(state.scans, given))
    if (Reason wrong = scan.add(cx, value))
      return wrong;
  return {};
}

static FoldResult foldLoop(FoldContext &cx) {
  State state;
  uint64_t most;
  if (Reason wrong = start(cx, state, most))
    return wrong;
  Shape ofNumber = shapeOfScalar(cx, "body", 0);
  Shape ofCondition = shapeOfScalar(cx, "body", 1);
  for (uint64_t i = 0; i < most && state.goesOn; ++i) {
    llvm::SmallVector<FoldedValue, 4> arguments = {
        Elements::splat<int64_t>(ofNumber, i),
        Elements::splat<bool>(ofCondition, state.goesOn)};
    llvm::append_range(arguments, state.carried);
    FoldResult given = runGraph(cx, "body", arguments);
    if (!given)
      return given;
    if (Reason wrong = step(cx, state, given.values()))
      return wrong;
  }
  llvm::SmallVector<FoldedValue, 1> results(state.carried.begin(),
                                            state.carried.end());
  for (const Slices &scan : state.scans) {
    if (results.size() == cx.numResults())
      break;
    if (scan.isUnneeded(cx, results.size())) {
      results.emplace_back();
      continue;
    }
    FoldResult whole = scan.stack(cx, results.size(), 0);
    if (!whole)
      return whole;
    results.push_back(whole.values()[0]);
  }
  return results;
}

namespace onnxfold {
void registerLoop(KernelRegistry &registry) {
  registry.add("Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, foldLoop)
      .takesSequences();
}
} // namespace onnxfold
