//===- ScanLoop.cpp - The loop of Scan ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/ScanLoop.h"

using namespace onnxfold;

Reason onnxfold::runScan(FoldContext &cx, ScanLoop &scan) {
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
        return invalid("the body yields something that is not a tensor");
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
  return {};
}

Reason onnxfold::prepareScan(FoldContext &cx, int64_t inputs, ScanLoop &scan) {
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
    return invalid("the body yields fewer values than there are states");
  scan.states.resize(states);
  scan.inputs.resize(scanned);
  scan.outputs.resize(outputs);
  return {};
}
