//===- AlwaysInline.cpp - Inlines every call of a function ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace onnxfold;
using namespace mlir;

static constexpr unsigned deepest = 64;
static constexpr size_t mostInlined = 1 << 17; // operations

namespace {

struct Call {
  Operator op;
  unsigned depth;
};

class CallInliner {
public:
  explicit CallInliner(ModuleOp module) : functions(module) {}

  void collect(Operation *below, unsigned depth) {
    below->walk([&](Operation *op) {
      Operator call = Operator::from(op);
      if (call && call.isCustom())
        calls.push_back({call, depth});
    });
  }

  void run(llvm::function_ref<void(const Operator &, ArrayRef<Operation *>)>
               inlined);

private:
  SmallVector<Operation *> copyBody(const Operator &call,
                                    FunctionOpInterface callee);

  SymbolTable functions;
  SmallVector<Call> calls;
};

} // namespace

void CallInliner::run(
    llvm::function_ref<void(const Operator &, ArrayRef<Operation *>)> inlined) {
  size_t made = 0;
  while (!calls.empty() && made < mostInlined) {
    Call call = calls.pop_back_val();
    auto callee = functions.lookup<FunctionOpInterface>(
        functionSymbol(call.op.domain(), call.op.opType(), call.op.overload()));
    if (!callee || !mayBeCalled(callee) || call.depth >= deepest)
      continue;
    SmallVector<Operation *> copies = copyBody(call.op, callee);
    made += copies.size();
    if (inlined)
      inlined(call.op, copies);
    for (Operation *copy : copies)
      collect(copy, call.depth + 1);
    if (call.op.getOperation()->use_empty())
      call.op.getOperation()->erase();
  }
}

/// Before the call, whose results are theirs then.
SmallVector<Operation *> CallInliner::copyBody(const Operator &call,
                                               FunctionOpInterface callee) {
  Operation *op = call.getOperation();
  OpBuilder builder(op);
  Block &body = callee.getFunctionBody().front();
  IRMapping mapping;
  for (BlockArgument argument : body.getArguments()) {
    unsigned i = argument.getArgNumber();
    mapping.map(argument,
                i < op->getNumOperands()
                    ? op->getOperand(i)
                    : Value(OnnxAbsentOp::create(builder, op->getLoc())));
  }
  SmallVector<Operation *> copies;
  for (Operation &inner : body.without_terminator())
    copies.push_back(builder.clone(inner, mapping));
  ValueRange results = body.getTerminator()->getOperands();
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  for (Operation *&copy : copies)
    copy = resolveReferences(copy, call, callee);
  return copies;
}

void onnxfold::inlineCalls(
    ModuleOp module, ArrayRef<Operation *> roots,
    llvm::function_ref<void(const Operator &, ArrayRef<Operation *>)> inlined) {
  CallInliner inliner(module);
  for (Operation *root : roots)
    inliner.collect(root, 0);
  inliner.run(inlined);
}
