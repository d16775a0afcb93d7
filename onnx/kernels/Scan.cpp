//===- Scan.cpp - Constant kernel of onnx.Scan ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph for each slice of the scan inputs. Spec: onnx Scan, versions 8
// (a batch of scans, along axis 0), 9 (axes), 11, 16, 19, 21, 23, 24, 25. The
// graph gets the states and a slice of each scan input; it gives the states and
// a slice of each scan output. What version 8 makes of sequences that are
// shorter than others is not said: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Concatenation.h"
#include "onnxfold/onnx/kernels/support/ScanLoop.h"

using namespace onnxfold;

static int64_t at(const std::optional<Shape> &list, size_t i) {
  return list && i < list->size() ? (*list)[i] : 0;
}

static FoldResult foldScan(FoldContext &cx) {
  ScanLoop scan;
  if (auto wrong = prepareScan(cx, cx.numInputs(), scan))
    return wrong;
  for (auto [i, state] : llvm::enumerate(scan.states))
    state = cx.input(i);
  auto axes = cx.ints("scan_input_axes");
  auto directions = cx.ints("scan_input_directions");
  for (auto [i, input] : llvm::enumerate(scan.inputs)) {
    input.tensor = cx.input(scan.states.size() + i);
    ReasonOr<Shape> axis = normalizedAxes({at(axes, i)}, input.tensor.rank());
    if (!axis)
      return axis.reason();
    input.axis = axis->front();
    input.reverse = at(directions, i) != 0;
  }
  auto outputDirections = cx.ints("scan_output_directions");
  for (auto [i, output] : llvm::enumerate(scan.outputs))
    output.reverse = at(outputDirections, i) != 0;
  if (auto wrong = runScan(cx, scan))
    return wrong;
  llvm::SmallVector<FoldedValue, 1> results(scan.states.begin(),
                                            scan.states.end());
  auto outputAxes = cx.ints("scan_output_axes");
  for (auto [i, output] : llvm::enumerate(scan.outputs)) {
    if (results.size() == cx.numResults())
      break;
    if (output.slices.isUnneeded(cx, results.size())) {
      results.emplace_back();
      continue;
    }
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
static Reason runOfBatch(FoldContext &cx, int64_t b, ScanLoop &scan) {
  auto directions = cx.ints("directions");
  auto row = [&](unsigned input) {
    return cx.input(1 + input).slice(0, b, 1).squeeze({0});
  };
  for (auto [i, state] : llvm::enumerate(scan.states))
    state = row(i);
  for (auto [i, input] : llvm::enumerate(scan.inputs))
    input = {row(scan.states.size() + i), 0, at(directions, i) != 0};
  return runScan(cx, scan);
}

static FoldResult foldBatchOfScans(FoldContext &cx) {
  ScanLoop shape;
  if (auto wrong = prepareScan(cx, int64_t(cx.numInputs()) - 1, shape))
    return wrong;
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
    return limit;
  std::vector<llvm::SmallVector<Elements, 0>> rows(cx.numResults());
  for (int64_t b = 0; b < batch; ++b) {
    ScanLoop scan = shape;
    if (auto wrong = runOfBatch(cx, b, scan))
      return wrong;
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
