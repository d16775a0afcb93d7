//===- UnusedParts.cpp - Functions and imports that nothing needs ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/UnusedParts.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

namespace {

std::string symbolOf(const FunctionIndex &function) {
  return functionSymbol(canonicalDomain(function.domain), function.name,
                        function.overload);
}

/// The parts that the main graph needs, itself or through functions.
class Needs {
public:
  explicit Needs(const ImportedModel &model) {
    // The importer makes the main graph first, then functions in their order.
    auto made = model.module.get().getOps<func::FuncOp>().begin();
    waiting.push_back(*made);
    for (const FunctionIndex &function : model.index->functions)
      functions[symbolOf(function)] = *++made;
    while (!waiting.empty())
      waiting.pop_back_val().walk([&](Operation *op) {
        if (Operator node = Operator::from(op))
          note(node);
      });
  }

  bool hasFunction(const FunctionIndex &function) const {
    return needed.contains(symbolOf(function));
  }
  bool hasDomain(StringRef domain) const { return domains.contains(domain); }

private:
  void note(Operator node) {
    domains.insert(node.domain());
    std::string symbol =
        functionSymbol(node.domain(), node.opType(), node.overload());
    auto function = functions.find(symbol);
    if (function != functions.end() && needed.insert(symbol).second)
      waiting.push_back(function->second);
  }

  llvm::StringMap<func::FuncOp> functions;
  llvm::StringSet<> needed, domains;
  llvm::SmallVector<func::FuncOp> waiting;
};

} // namespace

void onnxfold::eraseUnusedParts(const ImportedModel &model, EditScript &script,
                                CleaningRecord &record) {
  const ModelIndex &index = *model.index;
  if (!index.trainingInfos.empty())
    return;
  Needs needs(model);
  llvm::StringSet<> imported; // by functions that are kept
  for (const FunctionIndex &function : index.functions) {
    if (!needs.hasFunction(function)) {
      script.erase(*function.span);
      record.note("unused function", function.span->field().size(),
                  function.name);
      continue;
    }
    imported.insert(canonicalDomain(function.domain));
    for (const OpsetImport &import : function.opsetImports)
      imported.insert(canonicalDomain(import.domain));
  }
  auto isNeeded = [&](const OpsetImport &import) {
    StringRef domain = canonicalDomain(import.domain);
    return domain.empty() || needs.hasDomain(domain) ||
           imported.contains(domain);
  };
  // A model must import something, also if it is without nodes.
  if (llvm::any_of(index.opsetImports, isNeeded))
    for (const OpsetImport &import : index.opsetImports)
      if (!isNeeded(import)) {
        script.erase(import.span);
        record.note("unused import", import.span.field().size(), import.domain);
      }
}
