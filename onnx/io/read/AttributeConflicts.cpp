//===- AttributeConflicts.cpp - Attributes that say two things ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/AttributeImport.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Attributes of Constant that state its value, of which there must be one.
static unsigned countValues(const NodeFields &node) {
  return llvm::count_if(node.attributes, [](const AttributeFields &attribute) {
    return attribute.name.starts_with("value") ||
           attribute.name == "sparse_value";
  });
}

bool GraphImporter::isClearConstant(const NodeFields &node) {
  return countValues(node) <= 1 &&
         llvm::none_of(node.attributes, [](const AttributeFields &attribute) {
           return attribute.problem ||
                  llvm::any_of(attribute.tensors, [](const TensorIndex &one) {
                    return one.tolerable;
                  });
         });
}

/// Whether all readers take the attribute for the same; a warning says why not.
bool GraphImporter::isClear(const NodeFields &node,
                            const AttributeFields &attribute) {
  // The reference to an argument of a function takes precedence.
  const StoredFault *why =
      attribute.refAttrName.empty() ? attribute.problem : nullptr;
  for (const TensorIndex &tensor : attribute.tensors)
    if (tensor.tolerable && !why)
      why = tensor.problem;
  if (why)
    warn(atNode(node)
             .attribute(attribute.name)
             .append(why->fault())
             .says("; the node is kept")
             .text());
  return !why;
}

llvm::Expected<NamedAttrList>
GraphImporter::importAttributes(const NodeFields &node, bool &isClear) {
  auto subject = [&] { return atNode(node); };
  AttributeSource source{state.reader, state.external, &state.context,
                         Subject(subject)};
  bool isConstant =
      node.opType == "Constant" && canonicalDomain(node.domain).empty();
  if (isConstant && countValues(node) > 1) {
    warn(atNode(node)
             .has(Twine(countValues(node)) + " values, and runtimes differ in "
                                             "which one they take; it is kept")
             .text());
    isClear = false;
  }
  NamedAttrList attributes;
  llvm::StringSet<> seen;
  for (const AttributeFields &attribute : node.attributes) {
    if (attribute.name.empty())
      return error(atNode(node).has("an attribute without a name"));
    if (!seen.insert(attribute.name).second) {
      if (isConstant) // ONNX Runtime runs these
        continue;
      return error(
          atNode(node)
              .has("two attributes '" + printableName(attribute.name) + "'")
              .expected("one"));
    }
    isClear &= this->isClear(node, attribute);
    if (!attribute.graphs.empty())
      continue;
    // Values that the graph reads of its surroundings would look unused.
    if (attribute.holdsGraphs)
      return error(atNode(node)
                       .attribute(attribute.name)
                       .append(attribute.problem->fault()));
    llvm::Expected<Attribute> value = importAttribute(source, attribute);
    if (!value)
      return value.takeError();
    attributes.append(builder.getNamedAttr(attribute.name, *value));
  }
  return attributes;
}
