//===- Registration.cpp - Making operators known to a context -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Registration.h"

#include "onnxfold/onnx/ir/OperatorDefinition.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;

void onnxfold::registerOnnxDialect(DialectRegistry &registry, OperatorSet set) {
  registry.insert<OnnxDialect>();
  if (set == OperatorSet::All)
    registry.addExtension(+[](MLIRContext *context, OnnxDialect *) {
      registerAllOperators(*context);
    });
}

std::string onnxfold::operationName(StringRef domain, StringRef opType) {
  std::optional<StringRef> prefix =
      llvm::StringSwitch<std::optional<StringRef>>(canonicalDomain(domain))
          .Case("", "onnx.")
          .Case("ai.onnx.ml", "onnx.ml.")
          .Case("ai.onnx.preview", "onnx.preview.")
          .Case("ai.onnx.preview.training", "onnx.training.")
          .Default(std::nullopt);
  return prefix ? (*prefix + opType).str() : std::string();
}

/// Registers the operator of `versions` if it is not registered.
static void registerVersions(OnnxDialect &dialect,
                             ArrayRef<SchemaEntry> versions) {
  const SchemaEntry &first = versions.front();
  if (first.domain.empty() && first.opType == "Constant")
    return; // static
  OnnxDialect::State &state = dialect.getState();
  const OperatorDefinition *&known =
      state.definitions[{first.domain, first.opType}];
  if (known)
    return;
  auto definition = std::make_unique<OperatorDefinition>(
      versions, dialect, state.typeIDs.allocate());
  known = definition.get();
  RegisteredOperationName::insert(std::move(definition), /*attrNames=*/{});
}

bool onnxfold::registerOperator(MLIRContext &context, StringRef domain,
                                StringRef opType) {
  ArrayRef<SchemaEntry> versions = schemasOf(domain, opType);
  if (versions.empty())
    return false;
  registerVersions(*context.getOrLoadDialect<OnnxDialect>(), versions);
  return true;
}

void onnxfold::registerAllOperators(MLIRContext &context) {
  auto &dialect = *context.getOrLoadDialect<OnnxDialect>();
  for (ArrayRef<SchemaEntry> rest = allSchemas(); !rest.empty();) {
    ArrayRef<SchemaEntry> versions = rest.take_while([&](const auto &entry) {
      return entry.domain == rest.front().domain &&
             entry.opType == rest.front().opType;
    });
    registerVersions(dialect, versions);
    rest = rest.drop_front(versions.size());
  }
}

static OnnxDialect::State &stateOf(MLIRContext &context) {
  return context.getLoadedDialect<OnnxDialect>()->getState();
}

void onnxfold::setFoldHook(MLIRContext &context, FoldHook hook) {
  stateOf(context).foldHook = std::move(hook);
}

void onnxfold::setConstantAsm(MLIRContext &context, ConstantAsm assembly) {
  stateOf(context).constantAsm = std::move(assembly);
}
