//===- Loop.cpp - ONNX Loop in DML ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Source: onnx Loop-25, section "Loop". A body that never ends the loop itself
// becomes `for`, others `while`. Scan outputs have room from the start, so their
// length has to be known; a `while` that leaves some of it empty stops.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Graphs.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

class LoopLowering {
public:
  LoopLowering(LoweringContext &cx, mlir::Region &region)
      : cx(cx), body(cx, region), region(region) {}

  Lowered run();

private:
  unsigned numCarried() const { return cx.numInputs() - 2; }
  void findLimit();
  bool startsTrue() const;
  bool goesOn() const;
  bool readsCondition() const;
  void expectCount(const Expr &count);
  Lowered begin();
  Lowered iterate(const Expr &number);
  void whileItGoesOn();

  struct Scanned {
    unsigned yielded, result;
    Slices slices;
  };
  LoweringContext &cx;
  LoopBody body;
  mlir::Region &region;
  Expr limit; ///< null: none
  Expr keeps; ///< in an iteration: the condition of the next one, or null
  llvm::SmallVector<Scanned> scanned;
  Lowered lowered = Lowered::done();
};

} // namespace

/// Input M; numbers that are never reached are none.
void LoopLowering::findLimit() {
  if (!cx.hasInput(0))
    return;
  Elements known = cx.constant(0);
  if (!known)
    limit = cx.local("trip_count", cx.scalar(0));
  else if (int64_t trips = known.ints()[0]; trips < int64_t(1) << 53)
    limit = trips;
}

static bool isTrue(LoweringContext &cx, mlir::Value value) {
  if (!cx.writer().check(value).isDone())
    return false;
  const Elements &known = cx.writer().tensor(value).constant;
  return known && known.size() == 1 && asDoubles(known).value<double>() != 0;
}

bool LoopLowering::startsTrue() const {
  return !cx.hasInput(1) || isTrue(cx, cx.op().input(1));
}

/// No iteration ends the loop. Its condition is true where the body runs.
bool LoopLowering::goesOn() const {
  mlir::Value next = body.yielded(0);
  while (mlir::Operation *maker = next.getDefiningOp()) {
    Operator op = Operator::from(maker);
    if (!op || !op.is("Identity") || !op.hasInput(0))
      break;
    next = op.input(0);
  }
  return startsTrue() && (next == region.getArgument(1) || isTrue(cx, next));
}

/// Scan outputs have a length; a loop with another number of iterations would
/// leave a part of them empty.
void LoopLowering::expectCount(const Expr &count) {
  for (const Scanned &one : scanned) {
    int64_t length = cx.result(one.result).dims[0];
    std::string text = cx.result(one.result).name +
                       " has another number of rows than the model says";
    if (!count.isNumber() || count.number() != double(length))
      cx.add(Statement::choose(
          Expr::binary("!=", count, length),
          {Statement::run(call("stop", {Expr::text(text)}))}, {}));
  }
}

/// Somebody but the next iteration reads the condition.
bool LoopLowering::readsCondition() const {
  return llvm::any_of(region.getArgument(1).getUses(), [&](auto &use) {
    return use.getOwner() != region.front().getTerminator() ||
           use.getOperandNumber() != 0;
  });
}

/// What is there before the first iteration.
Lowered LoopLowering::begin() {
  findLimit();
  for (unsigned i = 0; i < numCarried(); ++i)
    if (lowered = body.carry(i + 2, stated(cx, cx.op().input(i + 2)), i + 1,
                             cx.isUsed(i) ? cx.result(i).name : "");
        !lowered.isDone())
      return lowered;
  for (unsigned i = numCarried(); i < cx.op().numOutputs(); ++i) {
    if (!cx.isUsed(i))
      continue;
    mlir::Value slice = body.yielded(i + 1);
    if (lowered = cx.writer().check(slice); !lowered.isDone())
      return lowered;
    Shape dims = cx.writer().tensor(slice).dims, all = dims;
    int64_t length = cx.result(i).dims.empty() ? 0 : cx.result(i).dims[0];
    all.insert(all.begin(), length);
    if (cx.result(i).dims != all || length == batchDim)
      return Lowered::refused("scan output " + llvm::Twine(i) +
                              " has another shape than its slices");
    scanned.push_back({i + 1, i,
                       Slices::made(cx, cx.result(i).name + "_slices", dims,
                                    /*axis=*/0, sizeOf({length}))});
  }
  return Lowered::done();
}

/// An iteration; `number`: from 1.
Lowered LoopLowering::iterate(const Expr &number) {
  lowered = body.give(0, std::nullopt, call("as.matrix", {number - 1}));
  // Where the body runs, the condition holds.
  if (lowered.isDone() && (keeps || readsCondition()))
    lowered = body.give(1, std::nullopt, matrix(1, 1, 1));
  if (!lowered.isDone() || !body.lower())
    return lowered;
  for (const Scanned &one : scanned)
    cx.add(
        one.slices.set(cx, number, stated(cx, body.yielded(one.yielded)).view));
  if (keeps) {
    if (lowered = cx.writer().check(body.yielded(0)); !lowered.isDone())
      return lowered;
    Expr next = call("as.scalar", {cx.writer().matrixOf(body.yielded(0))});
    cx.add(Statement::assign(keeps, Expr::binary("!=", next, 0)));
  }
  return body.carryOn(number);
}

void LoopLowering::whileItGoesOn() {
  keeps = Expr::name(cx.writer().makeName("goes_on"));
  Expr count = Expr::name(cx.writer().makeName("iteration"));
  cx.add(Statement::assign(keeps, startsTrue()
                                      ? Expr::name("TRUE")
                                      : Expr::binary("!=", cx.scalar(1), 0)));
  cx.add(Statement::assign(count, 0));
  Body statements = cx.collect([&] {
    cx.add(Statement::assign(count, count + 1));
    lowered = iterate(count);
  });
  Expr condition = keeps;
  if (limit)
    condition = Expr::binary("&", keeps, Expr::binary("<", count, limit));
  cx.add(Statement::loopWhile(condition, std::move(statements)));
  expectCount(count);
}

Lowered LoopLowering::run() {
  if (!begin().isDone())
    return lowered;
  if (limit && goesOn()) {
    Expr number = Expr::name(cx.writer().makeName("iteration"));
    Body statements = cx.collect([&] { lowered = iterate(number); });
    cx.add(Statement::loop((*number).text, limit, std::move(statements)));
    expectCount(limit);
  } else {
    whileItGoesOn();
  }
  for (const Scanned &one : scanned)
    cx.define(one.result, one.slices.view());
  return lowered;
}

static Lowered lowerLoop(LoweringContext &cx) {
  mlir::Region *region = cx.op().getGraph("body");
  if (!region || !region->hasOneBlock() || cx.numInputs() < 2 ||
      region->getNumArguments() != cx.numInputs() ||
      region->front().getTerminator()->getNumOperands() !=
          cx.op().numOutputs() + 1 ||
      cx.op().numOutputs() + 2 < cx.numInputs())
    return Lowered::refused("its body does not fit its inputs and outputs");
  return LoopLowering(cx, *region).run();
}

namespace onnxfold::dml {
void registerLoopLowering(LoweringRegistry &registry) {
  registry.add("Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, lowerLoop);
}
} // namespace onnxfold::dml
