//===- InlineCalls.cpp - Calls of a model's functions ---------------------===//

#include "onnxfold/onnx/verify/InlineCalls.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/verify/Execution.h"
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
  void adopt(Operation *op, Operator call, StringRef prefix);

  SymbolTable functions;
  SmallVector<Call> calls;
};

} // namespace

/// What the call gives for the function's parameters, and names of its own.
void Inliner::adopt(Operation *op, Operator call, StringRef prefix) {
  op->walk([&](Operation *inner) {
    Operator onnxOp = Operator::from(inner);
    if (!onnxOp)
      return;
    // A parameter that the call leaves out stays a reference: its default
    // stands in the file alone.
    for (NamedAttribute attribute : inner->getDiscardableAttrs())
      if (auto reference = dyn_cast<OnnxRefAttr>(attribute.getValue()))
        if (Attribute value = call.attribute(reference.getName()))
          inner->setDiscardableAttr(attribute.getName(), value);
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
  for (Operation &inner : body.without_terminator()) {
    Operation *copy = builder.clone(inner, mapping);
    adopt(copy, call.op, prefix);
    collect(copy, call.depth + 1);
  }
  ValueRange results = body.getTerminator()->getOperands();
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  if (op->use_empty())
    op->erase();
}

void onnxfold::inlineCalls(ModuleOp module, FunctionOpInterface function) {
  Inliner inliner(module);
  inliner.collect(function, 0);
  inliner.run();
}
