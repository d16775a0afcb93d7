//===- If.cpp - ONNX If in DML --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Source: onnx If-25, section "If". The branches are written in place: what they
// read from outside is there.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Graphs.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The nodes of a branch, and its outputs as results.
static Lowered lowerBranch(LoweringContext &cx, mlir::Region &branch) {
  mlir::Block &block = branch.front();
  if (!cx.writer().lowerNodes(block))
    return Lowered::done();
  mlir::Operation *end = block.getTerminator();
  for (unsigned i = 0; i < cx.op().numOutputs(); ++i) {
    if (!cx.isUsed(i))
      continue;
    mlir::Value value = end->getOperand(i);
    if (Lowered known = cx.writer().check(value); !known.isDone())
      return known;
    if (cx.writer().tensor(value).dims != cx.result(i).dims)
      return Lowered::refused("the shape of output " + llvm::Twine(i) +
                              " differs between the branches");
    cx.define(i, cx.writer().matrixOf(value));
  }
  return Lowered::done();
}

static Lowered lowerIf(LoweringContext &cx) {
  if (!cx.input(0).isOneElement())
    return Lowered::refused("the condition has more than one element");
  Lowered lowered = Lowered::done();
  Body branches[2];
  for (auto [name, body] : {std::pair("then_branch", &branches[0]),
                            std::pair("else_branch", &branches[1])}) {
    mlir::Region *branch = cx.op().getGraph(name);
    if (!branch || !branch->hasOneBlock() ||
        branch->front().getTerminator()->getNumOperands() !=
            cx.op().numOutputs())
      return Lowered::refused("its branches do not fit its outputs");
    *body = cx.collect([&] { lowered = lowerBranch(cx, *branch); });
    if (!lowered.isDone())
      return lowered;
  }
  cx.add(Statement::choose(Expr::binary("!=", cx.scalar(0), 0),
                           std::move(branches[0]), std::move(branches[1])));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerIfLowering(LoweringRegistry &registry) {
  registry.add("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, lowerIf);
}
} // namespace onnxfold::dml
