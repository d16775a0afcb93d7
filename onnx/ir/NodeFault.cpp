//===- NodeFault.cpp - Why a node is none of the standard's ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;

static std::string shown(StringRef domain) {
  return domain.empty() ? "ai.onnx" : domain.str();
}

/// The fault of an operator of the standard.
static NodeFault faultOfKnown(const Operator &custom) {
  StringRef domain = custom.domain(), opType = custom.opType();
  auto invalid = [](const Twine &text) {
    return NodeFault{NodeFault::Kind::Invalid, text.str()};
  };
  // The reader stands for all values of one name (GraphImporter).
  if (llvm::any_of(custom->getUsers(), [](mlir::Operation *reader) {
        Operator own = Operator::from(reader);
        return own && own.domain() == "onnx-fold" &&
               own.opType() == "NotConstant";
      }))
    return invalid("another value has the name of its output");
  std::optional<int> since = resolveSince(domain, opType, custom.since());
  if (!since)
    return invalid("opset " + Twine(custom.since()) + " of domain '" +
                   shown(domain) + "' has no operator '" + opType +
                   "', opset " + Twine(schemasOf(domain, opType)[0].since) +
                   " has one");
  std::string name = (opType + "-" + Twine(*since)).str();
  if (!custom.overload().empty())
    return invalid("has the overload '" + custom.overload() +
                   "', expected none of " + name);
  llvm::Error error =
      checkAgainst(custom, *schemaSince(domain, opType, *since));
  if (!error) // readers differ in what it says; other nodes are operations
    return invalid("breaks " + name +
                   ": has no value of a known kind, or several");
  return invalid("breaks " + name + ": " + llvm::toString(std::move(error)));
}

NodeFault onnxfold::faultOf(const Operator &custom) {
  StringRef domain = custom.domain(), opType = custom.opType();
  if (domain == "onnx-fold") // the importer's, for an initializer
    return {NodeFault::Kind::UnknownOperator,
            "is sparse, or training changes it, or what the file says of its "
            "value is not clear"};
  if (custom.since() == 0 && !importedOpset(custom.getOperation(), domain))
    return {NodeFault::Kind::Invalid,
            "the model has no opset_import of domain '" + shown(domain) + "'"};
  if (isSchemaDomain(domain) && custom.since() > latestOpset(domain))
    return {NodeFault::Kind::NewerOpset,
            ("opset " + Twine(custom.since()) + " of domain '" + shown(domain) +
             "' is newer than " + Twine(latestOpset(domain)) +
             ", the last one known here")
                .str()};
  if (!schemasOf(domain, opType).empty())
    return faultOfKnown(custom);
  return {NodeFault::Kind::UnknownOperator,
          "domain '" + shown(domain) + "' has no operator '" + opType.str() +
              "' that is known here"};
}
