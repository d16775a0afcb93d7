//===- Loop.cpp - Constant kernel of onnx.Loop ----------------------------===//
//
// Runs a graph again and again, M times at most and as long as a condition
// holds. Spec: onnx Loop, versions 1, 11, 13 (sequences), 16 (optionals), 19,
// 21, 23, 24,
// 25. The graph gets the number of the iteration, the condition and what is
// carried round; it gives the condition, what is carried round, and one slice
// of each scan output, of which no iterations make none.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Bodies.h"

using namespace onnxfold;

namespace {
struct State {
  bool goesOn = true;
  llvm::SmallVector<FoldedValue, 4> carried;
  std::vector<llvm::SmallVector<Elements, 0>> scans;
};
} // namespace

static std::optional<Reason> start(FoldContext &cx, State &state,
                                   uint64_t &most) {
  most = ~uint64_t(0);
  if (cx.hasInput(0)) {
    if (std::optional<Reason> several = checkOneElement(cx, 0))
      return several;
    most = std::max<int64_t>(0, cx.intsOf(0)[0]);
  }
  if (cx.hasInput(1)) {
    if (std::optional<Reason> several = checkOneElement(cx, 1))
      return several;
    state.goesOn = cx.input(1).reshape({}).value<bool>();
  }
  for (unsigned i = 2; i < cx.numInputs(); ++i)
    state.carried.push_back(cx.anyInput(i));
  int64_t scans = graphResults(cx, "body") - int64_t(state.carried.size()) - 1;
  if (scans < 0)
    return invalid("the body gives fewer values than are carried round");
  state.scans.resize(scans);
  return std::nullopt;
}

/// Takes over what one iteration gave.
static std::optional<Reason> step(State &state,
                                  llvm::ArrayRef<FoldedValue> given) {
  const Elements &condition = given[0].tensor;
  if (!condition || condition.type() != DataType::Bool || condition.size() != 1)
    return invalid("the body's condition is not one bool");
  state.goesOn = condition.reshape({}).value<bool>();
  given = given.drop_front();
  for (FoldedValue &value : state.carried) {
    value = given.front();
    // Deferred, it would become a chain without an end.
    if (value.tensor)
      value.tensor = std::move(value.tensor).materialize();
    given = given.drop_front();
  }
  for (auto [scan, value] : llvm::zip_equal(state.scans, given)) {
    if (!value.tensor)
      return invalid("a scan output is no tensor");
    scan.push_back(value.tensor);
  }
  return std::nullopt;
}

static FoldResult foldLoop(FoldContext &cx) {
  State state;
  uint64_t most;
  if (std::optional<Reason> wrong = start(cx, state, most))
    return *wrong;
  for (uint64_t i = 0; i < most && state.goesOn; ++i) {
    llvm::SmallVector<FoldedValue, 4> arguments = {
        Elements::splat<int64_t>({}, i),
        Elements::splat<bool>({}, state.goesOn)};
    llvm::append_range(arguments, state.carried);
    FoldResult given = runGraph(cx, "body", arguments);
    if (!given)
      return given;
    if (std::optional<Reason> wrong = step(state, given.values()))
      return *wrong;
  }
  llvm::SmallVector<FoldedValue, 1> results(state.carried.begin(),
                                            state.carried.end());
  for (const auto &scan : state.scans) {
    if (results.size() == cx.numResults())
      break;
    FoldResult whole = scanned(cx, results.size(), scan, 0);
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
