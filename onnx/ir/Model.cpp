//===- Model.cpp - What modules and functions carry -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Model.h"

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace onnxfold;

void onnxfold::setOpsetImports(
    Operation *moduleOrFunction,
    ArrayRef<std::pair<StringRef, int64_t>> imports) {
  MLIRContext *context = moduleOrFunction->getContext();
  SmallVector<Attribute> opsets;
  for (auto [domain, version] : imports)
    opsets.push_back(OnnxOpsetAttr::get(context, domain, version));
  moduleOrFunction->setAttr(opsetImportsAttrName,
                            ArrayAttr::get(context, opsets));
}

/// The attribute of the nearest operation, outwards, that has it.
template <typename T>
static T enclosingAttribute(Operation *operation, StringRef name) {
  for (; operation; operation = operation->getParentOp())
    if (auto found = operation->getAttrOfType<T>(name))
      return found;
  return {};
}

std::optional<int64_t> onnxfold::importedOpset(Operation *anywhere,
                                               StringRef domain) {
  domain = canonicalDomain(domain);
  auto imports = enclosingAttribute<ArrayAttr>(anywhere, opsetImportsAttrName);
  if (!imports)
    return std::nullopt;
  for (Attribute import : llvm::reverse(imports))
    if (auto opset = dyn_cast<OnnxOpsetAttr>(import))
      if (canonicalDomain(opset.getDomain()) == domain)
        return opset.getVersion();
  return std::nullopt;
}

std::optional<int64_t> onnxfold::irVersion(Operation *anywhere) {
  auto version = enclosingAttribute<IntegerAttr>(anywhere, irVersionAttrName);
  return version ? std::optional(version.getInt()) : std::nullopt;
}

std::string onnxfold::functionSymbol(StringRef domain, StringRef name,
                                     StringRef overload) {
  std::string symbol;
  auto append = [&](StringRef part) {
    for (char c : part) {
      if (c == '%')
        symbol += "%25";
      else if (c == ':')
        symbol += "%3A";
      else
        symbol += c;
    }
  };
  append(domain);
  symbol += "::";
  append(name);
  if (!overload.empty()) {
    symbol += "::";
    append(overload);
  }
  return symbol;
}

StringRef onnxfold::valueName(Value value) {
  if (Operation *op = value.getDefiningOp()) {
    if (auto constant = dyn_cast<OnnxConstantOp>(op))
      return constant.getOutput().get();
    Operator onnxOp = Operator::from(op);
    return onnxOp ? onnxOp.outputName(cast<OpResult>(value).getResultNumber())
                  : "";
  }
  auto argument = cast<BlockArgument>(value);
  if (auto function =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      nameAttrName);
    return name ? name.getValue() : "";
  }
  auto location = dyn_cast<NameLoc>(argument.getLoc());
  return location ? location.getName().getValue() : "";
}

Attribute onnxfold::parameterOf(const Operator &call, Operation *function,
                                StringRef name) {
  if (Attribute given = call.attribute(name))
    return given;
  auto defaults = function->getAttrOfType<DictionaryAttr>(defaultsAttrName);
  return defaults ? defaults.get(name) : Attribute();
}
