//===- InlineCalls.cpp - Calls of a model's functions ---------------------===//

#include "onnxfold/onnx/verify/internal/InlineCalls.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/verify/internal/Execution.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace onnxfold;
using namespace mlir;

static constexpr unsigned deepest = 64;

namespace {

struct Call {
  Operator op;
  unsigned depth;
};

class Inliner {
public:
  explicit Inliner(ModuleOp module) : functions(module) {}

  void collect(Operation *below, unsigned depth) {
    below->walk([&](Operation *op) {
      Operator call = Operator::from(op);
      if (call && call.isCustom())
        calls.push_back({call, depth});
    });
  }

  void run() {
    while (!calls.empty()) {
      Call call = calls.pop_back_val();
      auto callee = functions.lookup<FunctionOpInterface>(functionSymbol(
          call.op.domain(), call.op.opType(), call.op.overload()));
      if (callee && !callee.isExternal() && call.depth < deepest)
        inlineOne(call, callee);
    }
  }

private:
  void inlineOne(const Call &call, FunctionOpInterface callee);
  void adopt(Operation *op, StringRef prefix);

  SymbolTable functions;
  SmallVector<Call> calls;
};

} // namespace

/// Names of its own.
void Inliner::adopt(Operation *op, StringRef prefix) {
  op->walk([&](Operation *inner) {
    Operator onnxOp = Operator::from(inner);
    if (!onnxOp)
      return;
    SmallVector<std::string> names;
    for (unsigned i = 0; i != onnxOp.numOutputs(); ++i) {
      StringRef name = onnxOp.outputName(i);
      names.push_back(name.empty() ? "" : (prefix + "/" + name).str());
    }
    SmallVector<StringRef> texts(names.begin(), names.end());
    onnxOp.setOutputNames(texts);
    onnxOp.setNode(std::nullopt); // it is one of the function's nodes
  });
}

void Inliner::inlineOne(const Call &call, FunctionOpInterface callee) {
  Operation *op = call.op.getOperation();
  OpBuilder builder(op);
  std::string prefix = keyOf(call.op);
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
  for (Operation *copy : copies) {
    copy = resolveReferences(copy, call.op, callee);
    adopt(copy, prefix);
    collect(copy, call.depth + 1);
  }
  if (op->use_empty())
    op->erase();
}

void onnxfold::inlineCalls(ModuleOp module, FunctionOpInterface function) {
  Inliner inliner(module);
  inliner.collect(function, 0);
  inliner.run();
}
