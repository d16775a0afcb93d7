//===- BodyRules.cpp - Samples in the bodies of If, Loop and Scan ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/batch/internal/SampleFlow.h"

using namespace onnxfold;
using namespace mlir;

static mlir::OperandRange yieldsOf(Region &body) {
  return body.front().getTerminator()->getOperands();
}

/// A result is that of a branch, or of the last iteration.
static void giveResult(Operator op, unsigned i, std::optional<BatchAxis> axis,
                       SampleFlow &flow) {
  if (axis)
    flow.set(op->getResult(i), *axis);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

static llvm::Error followIf(Operator op, SampleFlow &flow, VisitBody visit) {
  if (flow.axisOf(op.input(0)))
    return atNode(op).says("has a condition that reads samples");
  for (Region &branch : op->getRegions())
    if (llvm::Error error = visit(branch.front()))
      return error;
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    std::optional<BatchAxis> axis = flow.axisOf(yieldsOf(op->getRegion(0))[i]);
    if (axis != flow.axisOf(yieldsOf(op->getRegion(1))[i]))
      return atNode(op).says("has samples in output #" + Twine(i) +
                             " of one branch, and none or elsewhere in that "
                             "of the other");
    giveResult(op, i, axis, flow);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

static llvm::Error followLoop(Operator op, SampleFlow &flow, VisitBody visit) {
  constexpr unsigned firstCarried = 2; // operands and arguments of the body
  Block &body = op->getRegion(0).front();
  unsigned numCarried = op.numInputs() - firstCarried;
  auto initial = [&](unsigned i) {
    return flow.axisOf(op.input(firstCarried + i));
  };
  if (flow.axisOf(op.input(0)) || flow.axisOf(op.input(1)))
    return atNode(op).says("has a trip count or a condition of samples");
  for (unsigned i = 0; i < numCarried; ++i)
    if (std::optional<BatchAxis> axis = initial(i))
      flow.set(body.getArgument(firstCarried + i), *axis);
  if (llvm::Error error = visit(body))
    return error;
  mlir::OperandRange yields = yieldsOf(op->getRegion(0));
  if (flow.axisOf(yields[0]))
    return atNode(op).says("ends when a sample says so");
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    std::optional<BatchAxis> axis = flow.axisOf(yields[1 + i]);
    if (i < numCarried && axis != initial(i))
      return atNode(op).says("carries in output #" + Twine(i) +
                             " samples that are elsewhere, or not there, in "
                             "the value at first");
    if (i >= numCarried && axis)
      ++axis->axis;
    giveResult(op, i, axis, flow);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {
/// The axes of the slices of a Scan.
struct ScanAxes {
  Operator op;
  SampleFlow &flow;
  unsigned numStates;

  /// The axis in an attribute; nothing if it counts from the end of an unknown
  /// rank.
  std::optional<int64_t> of(StringRef list, unsigned i,
                            std::optional<int64_t> rank) const {
    auto axes = op.getInts(list);
    int64_t axis = axes && i < axes->size() ? (*axes)[i] : 0;
    if (axis >= 0)
      return axis;
    return rank ? std::optional(axis + *rank) : std::nullopt;
  }
};
} // namespace

/// The samples of the slices that the body reads.
static std::string openSlices(const ScanAxes &scan, Block &body) {
  for (unsigned i = 0; i < scan.op.numInputs(); ++i) {
    Value operand = scan.op.input(i);
    std::optional<BatchAxis> axis = scan.flow.axisOf(operand);
    if (!axis)
      continue;
    if (i >= scan.numStates) {
      std::optional<int64_t> along = scan.of(
          "scan_input_axes", i - scan.numStates, scan.flow.rankOf(operand));
      if (!along || *along == axis->axis)
        return "scans along the samples";
      axis->axis -= *along < axis->axis;
    }
    scan.flow.set(body.getArgument(i), *axis);
  }
  return "";
}

static llvm::Error followScan(Operator op, SampleFlow &flow, VisitBody visit) {
  if (op.since() < 9)
    return atNode(op).says("has a dimension of its own for samples (opset 9 "
                           "has none: " +
                           setting("target-opset") + ")");
  Block &body = op->getRegion(0).front();
  unsigned numScanned = op.getInt("num_scan_inputs", 0);
  ScanAxes scan{op, flow, op.numInputs() - numScanned};
  if (std::string why = openSlices(scan, body); !why.empty())
    return atNode(op).says(why);
  if (llvm::Error error = visit(body))
    return error;
  mlir::OperandRange yields = yieldsOf(op->getRegion(0));
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    std::optional<BatchAxis> axis = flow.axisOf(yields[i]);
    if (i < scan.numStates && axis != flow.axisOf(op.input(i)))
      return atNode(op).says("carries in output #" + Twine(i) +
                             " samples that are elsewhere, or not there, in "
                             "the value at first");
    if (i >= scan.numStates && axis) {
      std::optional<int64_t> rank = flow.rankOf(yields[i]);
      if (rank)
        ++*rank;
      std::optional<int64_t> along =
          scan.of("scan_output_axes", i - scan.numStates, rank);
      if (!along)
        return atNode(op).says("gives slices of unknown rank");
      axis->axis += *along <= axis->axis;
    }
    giveResult(op, i, axis, flow);
  }
  return llvm::Error::success();
}

llvm::Error onnxfold::followBodies(Operator op, SampleFlow &flow,
                                   VisitBody visit) {
  if (op.is("If"))
    return followIf(op, flow, visit);
  if (op.is("Loop"))
    return followLoop(op, flow, visit);
  if (op.is("Scan"))
    return followScan(op, flow, visit);
  return atNode(op).says("has a body, and " + setting("batch", "open") +
                         " looks into those of If, Loop and Scan alone");
}
