//===- Scan.cpp - Constant kernel of onnx.Scan ----------------------------===//
//
// Runs a graph for each slice of the scan inputs. Spec: onnx Scan, versions 8
// (a batch of scans, along axis 0), 9 (axes), 11, 16, 19, 21, 23, 24, 25. The
// graph gets the states and a slice of each scan input; it gives the states and
// a slice of each scan output. What version 8 makes of sequences that are
// shorter than others is not said: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Bodies.h"
#include "onnxfold/onnx/kernels/support/Parts.h"

using namespace onnxfold;

namespace {
struct ScanInput {
  Elements tensor;
  int64_t axis;
  bool reverse;
};

struct ScanOutput {
  Slices slices;
  bool reverse = false;
};

struct Scan {
  llvm::SmallVector<Elements, 4> states;
  llvm::SmallVector<ScanInput, 4> inputs;
  llvm::SmallVector<ScanOutput, 4> outputs;
};
} // namespace

static int64_t at(const std::optional<Shape> &list, size_t i) {
  return list && i < list->size() ? (*list)[i] : 0;
}

/// Runs the graph for every slice. A reason if something does not fit.
static std::optional<Reason> run(FoldContext &cx, Scan &scan) {
  const ScanInput &first = scan.inputs.front();
  int64_t length = first.tensor.dim(first.axis);
  if (auto limit = cx.checkTripCount(length))
    return limit;
  for (const ScanInput &input : scan.inputs)
    if (input.tensor.dim(input.axis) != length)
      return invalid("the scan inputs are not of one length");
  for (int64_t t = 0; t < length; ++t) {
    llvm::SmallVector<FoldedValue, 4> arguments(scan.states.begin(),
                                                scan.states.end());
    for (const ScanInput &in : scan.inputs)
      arguments.push_back(
          in.tensor.slice(in.axis, in.reverse ? length - 1 - t : t, 1)
              .squeeze({in.axis}));
    FoldResult given = runGraph(cx, "body", arguments);
    if (!given)
      return given.reason();
    for (const FoldedValue &value : given.values())
      if (!value.tensor)
        return invalid("the body gives something that is no tensor");
    llvm::ArrayRef<FoldedValue> values = given.values();
    for (auto [state, value] : llvm::zip(scan.states, values))
      state = Elements(value.tensor).materialize();
    values = values.drop_front(scan.states.size());
    for (auto [output, value] : llvm::zip_equal(scan.outputs, values))
      if (auto wrong = output.slices.add(cx, value))
        return wrong;
  }
  for (ScanOutput &output : scan.outputs)
    if (output.reverse)
      output.slices.reverse();
  return std::nullopt;
}

/// The counts that attribute and graph agree on: states and scan outputs.
static std::optional<Reason> prepare(FoldContext &cx, int64_t inputs,
                                     Scan &scan) {
  int64_t scanned = cx.integer("num_scan_inputs").value_or(0);
  if (scanned < 1 || scanned > inputs)
    return invalid("attribute 'num_scan_inputs' is " + llvm::Twine(scanned) +
                   ", there are " + llvm::Twine(inputs) + " inputs");
  unsigned first = cx.numInputs() - inputs;
  for (unsigned i = first; i < cx.numInputs(); ++i)
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
  int64_t states = inputs - scanned;
  int64_t outputs = graphResults(cx, "body") - states;
  if (outputs < 0)
    return invalid("the body gives fewer values than there are states");
  scan.states.resize(states);
  scan.inputs.resize(scanned);
  scan.outputs.resize(outputs);
  return std::nullopt;
}

static FoldResult foldScan(FoldContext &cx) {
  Scan scan;
  if (auto wrong = prepare(cx, cx.numInputs(), scan))
    return *wrong;
  for (auto [i, state] : llvm::enumerate(scan.states))
    state = cx.input(i);
  auto axes = cx.ints("scan_input_axes");
  auto directions = cx.ints("scan_input_directions");
  for (auto [i, input] : llvm::enumerate(scan.inputs)) {
    input.tensor = cx.input(scan.states.size() + i);
    Axes axis = normalizedAxes({at(axes, i)}, input.tensor.rank());
    if (axis.wrong)
      return *axis.wrong;
    input.axis = axis.list[0];
    input.reverse = at(directions, i) != 0;
  }
  auto outputDirections = cx.ints("scan_output_directions");
  for (auto [i, output] : llvm::enumerate(scan.outputs))
    output.reverse = at(outputDirections, i) != 0;
  if (auto wrong = run(cx, scan))
    return *wrong;
  llvm::SmallVector<FoldedValue, 1> results(scan.states.begin(),
                                            scan.states.end());
  auto outputAxes = cx.ints("scan_output_axes");
  for (auto [i, output] : llvm::enumerate(scan.outputs)) {
    if (results.size() == cx.numResults())
      break;
    FoldResult whole =
        output.slices.stack(cx, results.size(), at(outputAxes, i));
    if (!whole)
      return whole;
    results.push_back(whole.values()[0]);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Version 8
//===----------------------------------------------------------------------===//

/// The scan of one element of the batch.
static std::optional<Reason> runOfBatch(FoldContext &cx, int64_t b,
                                        Scan &scan) {
  auto directions = cx.ints("directions");
  auto row = [&](unsigned input) {
    return cx.input(1 + input).slice(0, b, 1).squeeze({0});
  };
  for (auto [i, state] : llvm::enumerate(scan.states))
    state = row(i);
  for (auto [i, input] : llvm::enumerate(scan.inputs))
    input = {row(scan.states.size() + i), 0, at(directions, i) != 0};
  return run(cx, scan);
}

static FoldResult foldBatchOfScans(FoldContext &cx) {
  Scan shape;
  if (auto wrong = prepare(cx, int64_t(cx.numInputs()) - 1, shape))
    return *wrong;
  int64_t batch = -1, length = -1;
  for (unsigned i = 1; i < cx.numInputs(); ++i) {
    bool isState = i <= shape.states.size();
    const Elements &input = cx.input(i);
    if (input.rank() < (isState ? 1 : 2) ||
        (batch >= 0 && input.dim(0) != batch))
      return invalid("input #" + llvm::Twine(i) + " has shape " +
                     toString(input.shape()));
    batch = input.dim(0);
    length = isState ? length : input.dim(1);
  }
  if (cx.hasInput(0) &&
      llvm::any_of(cx.intsOf(0), [&](int64_t n) { return n != length; }))
    return undefined("sequences are shorter than " + llvm::Twine(length));
  if (batch == 0 || length == 0)
    return undefined("there is nothing to scan");
  if (auto limit = cx.checkTripCount(batch))
    return *limit;
  std::vector<llvm::SmallVector<Elements, 0>> rows(cx.numResults());
  for (int64_t b = 0; b < batch; ++b) {
    Scan scan = shape;
    if (auto wrong = runOfBatch(cx, b, scan))
      return *wrong;
    llvm::SmallVector<Elements, 0> all(scan.states.begin(), scan.states.end());
    for (const ScanOutput &output : scan.outputs) {
      FoldResult whole = stacked(cx, output.slices.tensors, 0, "iteration");
      if (!whole)
        return whole;
      all.push_back(whole.values()[0].tensor);
    }
    for (auto [row, part] : llvm::zip(rows, all))
      row.push_back(part);
  }
  llvm::SmallVector<FoldedValue, 1> results;
  for (const auto &row : rows) {
    FoldResult whole = stacked(cx, row, 0, "element of the batch");
    if (!whole)
      return whole;
    results.push_back(whole.values()[0]);
  }
  return results;
}

namespace onnxfold {
void registerScan(KernelRegistry &registry) {
  registry.add("Scan", {8}, foldBatchOfScans);
  registry.add("Scan", {9, 11, 16, 19, 21, 23, 24, 25}, foldScan);
}
} // namespace onnxfold
