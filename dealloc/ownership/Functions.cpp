//===- Functions.cpp - How functions pass ownership -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Functions.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

/// The functions that something else than a func.call refers to: their type is
/// seen by code that this pass does not change.
static llvm::DenseSet<StringAttr> findIndirectlyUsed(ModuleOp module) {
  llvm::DenseSet<StringAttr> used;
  module.walk([&](Operation *op) {
    if (isa<func::CallOp>(op))
      return;
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk([&](SymbolRefAttr reference) {
        used.insert(reference.getLeafReference());
      });
  });
  return used;
}

Functions::Functions(ModuleOp module, PublicResults publicResults) {
  llvm::DenseSet<StringAttr> indirect = findIndirectlyUsed(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    byName[function.getSymNameAttr()] = function;
    FunctionInfo &info = infos[function];
    bool isDirect = !indirect.contains(function.getSymNameAttr());
    info.isInternal =
        function.isPrivate() && !function.isExternal() && isDirect;
    if (function.isExternal())
      info.returnsOwnership = function->hasAttr(ownershipResultsAttr);
    else
      info.returnsOwnership =
          isDirect &&
          (info.isInternal || publicResults == PublicResults::Ownership);
    unsigned arguments = function.getNumArguments();
    unsigned results = function.getNumResults();
    info.ownedArguments.resize(arguments);
    info.argumentsOf.assign(results, llvm::BitVector(arguments));
    info.sharedWith.assign(results, llvm::BitVector(results));
    if (!function.isExternal() || !info.returnsOwnership)
      continue;
    // Nothing is known of its body.
    for (llvm::BitVector &known : info.argumentsOf)
      known.set();
    for (llvm::BitVector &known : info.sharedWith)
      known.set();
  }
}

FunctionInfo *Functions::lookup(func::FuncOp function) {
  auto found = infos.find(function);
  return found == infos.end() ? nullptr : &found->second;
}

func::FuncOp Functions::calleeOf(Operation *call) {
  auto direct = dyn_cast<func::CallOp>(call);
  return direct ? byName.lookup(direct.getCalleeAttr().getAttr())
                : func::FuncOp();
}

FunctionInfo *Functions::lookup(Operation *call) {
  func::FuncOp callee = calleeOf(call);
  return callee ? lookup(callee) : nullptr;
}
