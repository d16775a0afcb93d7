//===- NodeConverter.cpp - One node in another opset ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/opset/internal/NodeConverter.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/opset/internal/ConversionRules.h"
#include "onnxfold/onnx/transforms/opset/internal/LoneModel.h"
#include "onnx/version_converter/convert.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;
using onnx::ModelProto;
using onnx::NodeProto;

/// The library's converter, which knows all versions of operators without its
/// registry of schemas (empty here).
struct NodeConverter::Library final
    : onnx::version_conversion::DefaultVersionConverter {
  Library() {
    for (const SchemaEntry &entry : allSchemas())
      if (entry.domain.empty())
        all_schemas[entry.opType.str()][""][entry.since] = nullptr;
    replaceAdapters(*this);
  }
};

NodeConverter::NodeConverter() = default;
NodeConverter::~NodeConverter() = default;

llvm::Expected<ConvertedNode> NodeConverter::convert(Operator op, int64_t from,
                                                     int64_t to) {
  // Bodies are converted node by node; these take more types than before.
  if (op.numGraphs() != 0) {
    if (op.opType() != "Scan" || op.since() >= 9)
      return ConvertedNode{/*isSame=*/true};
    return llvm::createStringError(
        "of opset 8 has another meaning from opset 9 on");
  }
  if (op.hasReferences())
    return convertReferences(op, from, to);
  ModelProto model;
  if (!describe(op, from, model))
    return llvm::createStringError(
        "an attribute has a kind that ONNX does not have");
  NodeProto node = model.graph().node(0);
  llvm::Expected<ModelProto> converted = convertModel(model, from, to);
  if (!converted)
    return converted.takeError();
  ConvertedNode result;
  result.isSame = isSameNode(node, converted->graph());
  if (result.isSame)
    return result;
  if (converted->graph().output_size() != model.graph().output_size())
    return llvm::createStringError("the converter changed its outputs");
  SmallVector<std::optional<unsigned>> arguments;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    arguments.push_back(op.hasInput(i) ? std::optional(i) : std::nullopt);
  result.body = SchemaBody::import(op, functionOf(converted->graph(), node), to,
                                   arguments, op.numOutputs());
  if (!result.body.end)
    return llvm::createStringError(
        "what the converter makes of it cannot be read");
  return result;
}

llvm::Expected<ModelProto>
NodeConverter::convertModel(ModelProto &model, int64_t from, int64_t to) {
  if (llvm::Error error = prepare(*model.mutable_graph(), from, to))
    return error;
  try {
    if (!library)
      library = std::make_unique<Library>();
    return library->convert_version(model, onnx::OpSetID(from),
                                    onnx::OpSetID(to));
  } catch (const std::exception &exception) {
    return llvm::createStringError(
        StringRef(exception.what()).split('\n').first.rtrim());
  }
}

/// A node with parameters of its function means the same if no sample of them
/// makes another node of it.
llvm::Expected<ConvertedNode>
NodeConverter::convertReferences(Operator op, int64_t from, int64_t to) {
  for (int64_t sample : {0, 1, -1, 2}) {
    ModelProto model;
    bool isSame = describe(op, from, model, sample);
    NodeProto node = model.graph().node(0);
    if (isSame) {
      llvm::Expected<ModelProto> converted = convertModel(model, from, to);
      isSame = converted && isSameNode(node, converted->graph());
      if (!converted)
        llvm::consumeError(converted.takeError());
    }
    if (!isSame)
      return llvm::createStringError(
          "an attribute is a parameter of the function, and what opset " +
          llvm::Twine(to) + " has for the node depends on it");
  }
  return ConvertedNode{/*isSame=*/true};
}

void onnxfold::setSince(Operator op, int64_t since) {
  NamedAttrList fields(cast<DictionaryAttr>(op->getPropertiesAsAttribute()));
  fields.set("since",
             IntegerAttr::get(IntegerType::get(op->getContext(), 64), since));
  (void)op->setPropertiesFromAttribute(fields.getDictionary(op->getContext()),
                                       nullptr);
}
