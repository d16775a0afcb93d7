//===- AmbiguousFunctions.cpp - Functions whose calls are not clear -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/internal/AmbiguousFunctions.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace onnxfold;
using namespace mlir;

/// A name that stands in the list twice; empty if there is none.
static StringRef doubledName(ArrayRef<StringRef> names) {
  llvm::StringSet<> seen;
  for (StringRef name : names)
    if (!name.empty() && !seen.insert(name).second)
      return name;
  return "";
}

/// Names that a function lists twice: ONNX's checker refuses them, ONNX Runtime
/// takes some.
static std::string whatIsDoubled(const FunctionIndex &function) {
  for (auto [kind, names] :
       {std::pair("input", ArrayRef<StringRef>(function.inputs)),
        std::pair("output", ArrayRef<StringRef>(function.outputs)),
        std::pair("attribute", ArrayRef<StringRef>(function.attributes))})
    if (StringRef name = doubledName(names); !name.empty())
      return (Twine("names the ") + kind + " '" + printableName(name) +
              "' twice; runtimes differ in what a call means")
          .str();
  return "";
}

/// A node that means something else in the model's opset, which ONNX Runtime
/// takes for all functions; ONNX's checker refuses these.
static std::string whatOpsetChanges(func::FuncOp function,
                                    const FunctionIndex &index,
                                    const OpsetVersions &ofModel) {
  OpsetVersions own = opsetVersions(index.opsetImports);
  if (llvm::all_of(own, [&](const auto &import) {
        auto other = ofModel.find(import.first());
        return other == ofModel.end() || other->second == import.second;
      }))
    return "";
  std::string why;
  function.walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || node.isCustom() || !own.contains(node.domain()) ||
        !ofModel.contains(node.domain()))
      return WalkResult::advance();
    int64_t here = own.lookup(node.domain()),
            there = ofModel.lookup(node.domain());
    if (resolveSince(node.domain(), node.opType(), here) ==
        resolveSince(node.domain(), node.opType(), there))
      return WalkResult::advance();
    why = ("imports opset " + Twine(here) + ", and the model " + Twine(there) +
           ", in which " + node.opType() +
           " is another one; runtimes differ in which of them holds")
              .str();
    return WalkResult::interrupt();
  });
  return why;
}

/// The opsets of each domain that a model, or a function of it, imports; of
/// those that nobody knows the last one.
static std::map<StringRef, std::set<int64_t>>
importedVersions(const ModelIndex &index) {
  std::map<StringRef, std::set<int64_t>> versions;
  auto add = [&](ArrayRef<OpsetImport> imports) {
    for (const OpsetImport &import : imports)
      versions[canonicalDomain(import.domain)].insert(
          std::clamp<int64_t>(import.version, 0, latestOpset(import.domain)));
  };
  add(index.opsetImports);
  for (const FunctionIndex &function : index.functions)
    add(function.opsetImports);
  return versions;
}

void onnxfold::markAmbiguous(ModuleOp module, const ModelIndex &index,
                             std::vector<std::string> &warnings) {
  llvm::StringMap<func::FuncOp> functions;
  SmallVector<func::FuncOp> waiting;
  auto mark = [&](func::FuncOp function, StringRef why) {
    bool isNew = !function->hasAttr(ambiguousAttrName);
    if (isNew)
      function->setAttr(ambiguousAttrName,
                        StringAttr::get(module.getContext(), why));
    module->setAttr(anyAmbiguousAttrName, UnitAttr::get(module.getContext()));
    return isNew;
  };
  auto warn = [&](const FunctionIndex &function, StringRef why) {
    warnings.push_back((index.file()->name() + ": function '" +
                        printableName(function.name) + "' " + why +
                        "; calls of it are kept")
                           .str());
  };
  OpsetVersions ofModel = opsetVersions(index.opsetImports);
  std::map<StringRef, std::set<int64_t>> versions = importedVersions(index);
  auto isOperator = [&](const FunctionIndex &function) {
    StringRef domain = canonicalDomain(function.domain);
    return llvm::any_of(versions[domain], [&](int64_t version) {
      return resolveSince(domain, function.name, version).has_value();
    });
  };
  // The importer made the main graph first, then functions in their order.
  auto made = module.getOps<func::FuncOp>().begin();
  for (const FunctionIndex &function : index.functions) {
    func::FuncOp next = *++made;
    functions[next.getSymName()] = next;
    if (isOperator(function)) {
      mark(next, "is an operator of the standard and a function of the model; "
                 "runtimes differ in which one it is");
      waiting.push_back(next);
      continue;
    }
    std::string why = whatIsDoubled(function);
    if (why.empty())
      why = whatOpsetChanges(next, function, ofModel);
    if (why.empty())
      continue;
    mark(next, why);
    warn(function, why);
  }
  while (!waiting.empty())
    waiting.pop_back_val().walk([&](Operation *op) {
      Operator node = Operator::from(op);
      if (!node || !node.isCustom())
        return;
      if (func::FuncOp called = functions.lookup(
              functionSymbol(node.domain(), node.opType(), node.overload())))
        if (mark(called, "a function with the name of an operator calls it "
                         "too; runtimes differ in whether they run that"))
          waiting.push_back(called);
    });
}
