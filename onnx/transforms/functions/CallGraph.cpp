//===- CallGraph.cpp - Which node calls which function --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

static StringRef symbolOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.getValue() : StringRef();
}

const CallGraph::Function *CallGraph::calledBy(Operation *op) const {
  Operator call = Operator::from(op);
  if (!call || !call.isCustom() || functions.empty())
    return nullptr;
  auto found = functions.find(
      functionSymbol(call.domain(), call.opType(), call.overload()));
  return found == functions.end() ? nullptr : &found->second;
}

const CallGraph::Function *CallGraph::find(Operation *op) const {
  auto found = functions.find(symbolOf(op));
  return found == functions.end() ? nullptr : &found->second;
}

void CallGraph::noteCalls(
    Operation *caller, llvm::function_ref<bool(Operation *)> isErased,
    llvm::function_ref<void(Function &, Operation *)> take) {
  caller->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isErased(op))
      return WalkResult::skip();
    if (const Function *called = calledBy(op))
      take(const_cast<Function &>(*called), op);
    return WalkResult::advance();
  });
}

CallGraph::CallGraph(Operation *module,
                     llvm::function_ref<bool(Operation *)> isErased) {
  if (module->getNumRegions() == 0 || module->getRegion(0).empty())
    return; // fold-opt runs on any operation
  root = module;
  llvm::SmallVector<Operation *> waiting;
  for (Operation &op : module->getRegion(0).front())
    if (StringRef name = symbolOf(&op); name == mainGraphSymbol)
      main = &op;
    else if (!name.empty() && mayBeCalled(&op))
      functions[name].op = &op;
  if (functions.empty() || !main)
    return;
  waiting.push_back(main);
  while (!waiting.empty())
    noteCalls(waiting.pop_back_val(), isErased,
              [&](Function &called, Operation *call) {
                if (called.calls.empty())
                  waiting.push_back(called.op);
                called.calls.push_back(call);
                reached.insert(call);
              });
  for (auto &entry : functions)
    if (entry.second.calls.empty())
      noteCalls(entry.second.op, isErased, [](Function &called, Operation *) {
        called.hasIdleCalls = true;
      });
  sort();
}

void CallGraph::replaceCall(Operation *call, Operation *copy) {
  const Function *called = calledBy(call);
  if (!called || !reached.erase(call))
    return;
  reached.insert(copy);
  llvm::replace(const_cast<Function *>(called)->calls, call, copy);
}

llvm::SmallVector<Operation *> CallGraph::idle() const {
  llvm::SmallVector<Operation *> result;
  for (const auto &entry : functions)
    if (main && entry.second.calls.empty())
      result.push_back(entry.second.op);
  return result;
}

/// The function of the model that an operation stands in.
static Operation *functionAround(Operation *op, Operation *module) {
  while (op->getParentOp() != module)
    op = op->getParentOp();
  return op;
}

/// A function follows when all calls of it are in functions before it, the main
/// graph first.
void CallGraph::sort() {
  llvm::DenseMap<Operation *, llvm::SmallVector<const Function *>> calledFrom;
  llvm::DenseMap<const Function *, size_t> missing;
  for (Operation &op : *main->getBlock()) {
    const Function *function = find(&op);
    if (!function || function->calls.empty())
      continue;
    missing[function] = function->calls.size();
    for (Operation *call : function->calls)
      calledFrom[functionAround(call, main->getParentOp())].push_back(function);
  }
  llvm::DenseMap<Operation *, unsigned> depths;
  llvm::SmallVector<Operation *> waiting = {main};
  while (!waiting.empty()) {
    Operation *caller = waiting.pop_back_val();
    unsigned inside = depths.lookup(caller) + 1;
    for (const Function *function : calledFrom.lookup(caller)) {
      unsigned &depth = depths[function->op];
      depth = std::max(depth, inside);
      deepest = std::max(deepest, depth);
      if (--missing[function] == 0) {
        order.push_back(function);
        waiting.push_back(function->op);
      }
    }
  }
  if (order.size() != missing.size())
    order.clear();
  std::reverse(order.begin(), order.end());
}
