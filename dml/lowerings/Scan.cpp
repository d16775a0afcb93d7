//===- Scan.cpp - ONNX Scan in DML ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Source: onnx Scan-25, section "Scan"; Scan-8, which runs a scan for each
// member of a batch. Slices along the first axis are rows, along others blocks
// of columns, so that no axis has to move.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Graphs.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

/// Axes and directions of scan inputs, or of scan outputs.
struct Ways {
  Shape axes;
  llvm::SmallVector<bool> reverse;
};

class ScanLowering {
public:
  ScanLowering(LoweringContext &cx, mlir::Region &region, unsigned states)
      : cx(cx), region(region), states(states) {}

  /// Reads attributes. `hasBatch`: version 8.
  Lowered prepare(bool hasBatch);
  Lowered run();
  Lowered runBatch();

private:
  unsigned numScanned() const { return region.getNumArguments() - states; }
  unsigned numResults() const {
    return region.front().getTerminator()->getNumOperands();
  }
  mlir::Value yielded(unsigned i) const {
    return region.front().getTerminator()->getOperand(i);
  }
  Lowered waysOf(llvm::StringRef axes, llvm::StringRef directions,
                 llvm::ArrayRef<int64_t> ranks, Ways &ways);
  Lowered scan(llvm::ArrayRef<Stated> given, bool ofBatch,
               std::vector<Stated> &made);
  Lowered iterate(LoopBody &body, const Expr &number, const Expr &reversed);
  std::string nameOf(unsigned result, bool ofBatch);

  LoweringContext &cx;
  mlir::Region &region;
  unsigned states;
  Ways inputs, outputs;
  std::vector<Slices> read, written; ///< of the scan that is written
};

} // namespace

Lowered ScanLowering::waysOf(llvm::StringRef axes, llvm::StringRef directions,
                             llvm::ArrayRef<int64_t> ranks, Ways &ways) {
  auto wanted = cx.op().getInts(axes), turned = cx.op().getInts(directions);
  for (size_t i = 0; i < ranks.size(); ++i) {
    int64_t axis = wanted && i < wanted->size() ? (*wanted)[i] : 0;
    ways.axes.push_back(axis < 0 ? axis + ranks[i] : axis);
    ways.reverse.push_back(turned && i < turned->size() && (*turned)[i] == 1);
    if (ways.axes.back() < 0 || ways.axes.back() >= ranks[i])
      return Lowered::refused(axes + " has " + llvm::Twine(axis) +
                              ", which is not an axis");
  }
  return Lowered::done();
}

Lowered ScanLowering::prepare(bool hasBatch) {
  for (mlir::Value value : region.front().getTerminator()->getOperands())
    if (Lowered known = cx.writer().check(value); !known.isDone())
      return known;
  for (mlir::Value argument : region.getArguments())
    if (!argument.use_empty())
      if (Lowered known = cx.writer().check(argument); !known.isDone())
        return known;
  Shape inputRanks, outputRanks;
  for (unsigned i = 0; i < numScanned(); ++i)
    inputRanks.push_back(cx.input(hasBatch + states + i).rank() - hasBatch);
  for (unsigned i = states; i < numResults(); ++i)
    outputRanks.push_back(cx.writer().tensor(yielded(i)).rank() + 1);
  if (Lowered done = waysOf("scan_input_axes",
                            hasBatch ? "directions" : "scan_input_directions",
                            inputRanks, inputs);
      !done.isDone())
    return done;
  return waysOf("scan_output_axes", "scan_output_directions", outputRanks,
                outputs);
}

/// Of a batch, a result is made of what its members give.
std::string ScanLowering::nameOf(unsigned result, bool ofBatch) {
  if (!cx.isUsed(result))
    return "";
  return ofBatch ? cx.writer().makeName(cx.result(result).name + "_one")
                 : cx.result(result).name;
}

Lowered ScanLowering::iterate(LoopBody &body, const Expr &number,
                              const Expr &reversed) {
  for (unsigned i = 0; i < numScanned(); ++i)
    if (Lowered given =
            body.give(states + i, read[i].dims(),
                      read[i].at(cx, inputs.reverse[i] ? reversed : number));
        !given.isDone())
      return given;
  if (!body.lower())
    return Lowered::done();
  for (unsigned i = states; i < numResults(); ++i)
    if (cx.isUsed(i))
      cx.add(written[i - states].set(
          cx, outputs.reverse[i - states] ? reversed : number,
          stated(cx, yielded(i)).view));
  return body.carryOn(number);
}

/// One scan of `given`, states and then scan inputs.
Lowered ScanLowering::scan(llvm::ArrayRef<Stated> given, bool ofBatch,
                           std::vector<Stated> &made) {
  LoopBody body(cx, region);
  read.clear();
  written.clear();
  for (unsigned i = 0; i < states; ++i)
    if (Lowered done = body.carry(i, given[i], i, nameOf(i, ofBatch));
        !done.isDone())
      return done;
  int64_t length = 0;
  for (unsigned i = 0; i < numScanned(); ++i) {
    const Stated &input = given[states + i];
    int64_t size = input.dims[inputs.axes[i]];
    if (i > 0 && size != length)
      return Lowered::refused("scan inputs have different lengths");
    length = size;
    read.push_back(Slices::of(cx, input, inputs.axes[i]));
  }
  Size count = sizeOf({length});
  for (unsigned i = states; i < numResults(); ++i)
    written.push_back(cx.isUsed(i)
                          ? Slices::made(cx, cx.result(i).name + "_slices",
                                         cx.writer().tensor(yielded(i)).dims,
                                         outputs.axes[i - states], count)
                          : Slices());
  Expr number = Expr::name(cx.writer().makeName("step")), reversed;
  Lowered lowered = Lowered::done();
  Body statements = cx.collect([&] {
    if (llvm::is_contained(inputs.reverse, true) ||
        llvm::is_contained(outputs.reverse, true))
      reversed = cx.local("step_back", cx.expr(count) + 1 - number);
    lowered = iterate(body, number, reversed);
  });
  cx.add(
      Statement::loop((*number).text, cx.expr(count), std::move(statements)));
  for (unsigned i = 0; i < states; ++i)
    made.push_back(body.carried(i));
  for (unsigned i = states; i < numResults(); ++i) {
    Shape dims = written[i - states].dims();
    if (cx.isUsed(i))
      dims.insert(dims.begin() + outputs.axes[i - states], length);
    made.push_back({written[i - states].view(), dims});
  }
  return lowered;
}

Lowered ScanLowering::run() {
  std::vector<Stated> given, made;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    given.push_back(stated(cx, cx.op().input(i)));
  if (Lowered done = scan(given, /*ofBatch=*/false, made); !done.isDone())
    return done;
  for (unsigned i = states; i < numResults(); ++i)
    if (cx.isUsed(i)) {
      if (made[i].dims != cx.result(i).dims)
        return Lowered::refused("output " + llvm::Twine(i) +
                                " has another shape than its slices");
      cx.define(i, made[i].view);
    }
  return Lowered::done();
}

/// Version 8: all inputs and outputs have a first dimension more.
Lowered ScanLowering::runBatch() {
  std::vector<Slices> members, results;
  Shape first = cx.input(1).dims;
  for (unsigned i = 1; i < cx.numInputs(); ++i) {
    if (cx.input(i).rank() == 0 || cx.input(i).dims[0] != first[0])
      return Lowered::refused("inputs have different batch sizes");
    members.push_back(Slices::of(cx, stated(cx, cx.op().input(i)), 0));
  }
  Size count = sizeOf({first[0]});
  for (unsigned i = 0; i < numResults(); ++i) {
    Shape dims;
    if (cx.isUsed(i))
      dims.append(cx.result(i).dims.begin() + 1, cx.result(i).dims.end());
    results.push_back(
        cx.isUsed(i)
            ? Slices::made(cx, cx.result(i).name + "_members", dims, 0, count)
            : Slices());
  }
  Expr member = Expr::name(cx.writer().makeName("member"));
  Lowered lowered = Lowered::done();
  Body statements = cx.collect([&] {
    std::vector<Stated> given, made;
    for (const Slices &one : members) {
      auto [rows, columns] = naturalSizes(one.dims());
      given.push_back({{one.at(cx, member), rows, columns}, one.dims()});
    }
    lowered = scan(given, /*ofBatch=*/true, made);
    for (unsigned i = 0; lowered.isDone() && i < numResults(); ++i)
      if (cx.isUsed(i)) {
        if (made[i].dims != results[i].dims())
          lowered = Lowered::refused("output " + llvm::Twine(i) +
                                     " has another shape than its slices");
        else
          cx.add(results[i].set(cx, member, made[i].view));
      }
  });
  cx.add(
      Statement::loop((*member).text, cx.expr(count), std::move(statements)));
  for (unsigned i = 0; i < numResults(); ++i)
    if (cx.isUsed(i))
      cx.define(i, results[i].view());
  return lowered;
}

static Lowered lowerScan(LoweringContext &cx) {
  mlir::Region *region = cx.op().getGraph("body");
  bool hasBatch = cx.op().since() == 8;
  int64_t scanned = cx.op().getInt("num_scan_inputs", 0),
          given = int64_t(cx.numInputs()) - hasBatch;
  if (hasBatch && cx.hasInput(0))
    return Lowered::refused("lengths of members of the batch");
  if (!region || !region->hasOneBlock() || scanned < 1 || scanned > given ||
      region->getNumArguments() != given ||
      region->front().getTerminator()->getNumOperands() !=
          cx.op().numOutputs() ||
      cx.op().numOutputs() < given - scanned)
    return Lowered::refused("its body does not fit its inputs and outputs");
  ScanLowering lowering(cx, *region, given - scanned);
  if (Lowered done = lowering.prepare(hasBatch); !done.isDone())
    return done;
  return hasBatch ? lowering.runBatch() : lowering.run();
}

namespace onnxfold::dml {
void registerScanLowering(LoweringRegistry &registry) {
  registry.add("Scan", {8, 9, 11, 16, 19, 21, 23, 24, 25}, lowerScan);
}
} // namespace onnxfold::dml
