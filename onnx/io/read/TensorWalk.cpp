//===- TensorWalk.cpp - All tensors of a model, one after the other -------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/TensorWalk.h"

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/NodeReader.h"

using namespace llvm;

namespace onnxfold {

TensorWalk::TensorWalk(const ModelIndex &index, Skip skip, Visit visit)
    : index(index), skip(skip), visit(visit), reader(index.file()) {}

Error TensorWalk::initializers() {
  for (const GraphIndex &graph : index.graphs) {
    for (const TensorIndex &tensor : graph.initializers) {
      auto subject = [&] { return ModelFault().initializer(tensor.name); };
      if (!skip(tensor.span))
        if (Error error =
                visit(tensor, TensorPlace::Initializer, Subject(subject)))
          return error;
    }
    for (const SparseTensorIndex &tensor : graph.sparseInitializers) {
      auto subject = [&] {
        return ModelFault("sparse").initializer(tensor.values.name);
      };
      for (const TensorIndex *part : {&tensor.values, &tensor.indices})
        if (!skip(tensor.span))
          if (Error error =
                  visit(*part, TensorPlace::Attribute, Subject(subject)))
            return error;
    }
  }
  return Error::success();
}

/// The tensors in messages of type SparseTensorProto. Their spans have no
/// parents.
Error TensorWalk::sparse(ArrayRef<ByteRange> messages, Subject subject) {
  constexpr uint32_t values = 1, indices = 2;
  for (ByteRange message : messages) {
    SmallVector<MessageSpan, 2> found;
    WireCursor cursor(reader, message, {"sparse tensor"});
    WireField field;
    while (cursor.next(field))
      if (field.isMessage(values) || field.isMessage(indices))
        found.push_back(field.span(nullptr));
    for (const MessageSpan &span : found) {
      BumpPtrAllocator arena;
      TensorIndex tensor = readTensor(reader, span, arena, {"tensor"});
      if (Error error = reader.takeError())
        return error;
      if (Error error = visit(tensor, TensorPlace::Attribute, subject))
        return error;
    }
  }
  return reader.takeError();
}

Error TensorWalk::nodes(const std::deque<MessageSpan> &nodes) {
  NodeFields node;
  for (const MessageSpan &span : nodes) {
    if (skip(span))
      continue;
    if (Error error = readNode(reader, index, span, node))
      return error;
    bool constant = node.opType == "Constant" &&
                    (node.domain.empty() || node.domain == "ai.onnx");
    for (const AttributeFields &attribute : node.attributes) {
      auto subject = [&] { return atNode(node).attribute(attribute.name); };
      auto place = constant && attribute.name == "value"
                       ? TensorPlace::ConstantValue
                       : TensorPlace::Attribute;
      for (const TensorIndex &tensor : attribute.tensors)
        if (Error error = visit(tensor, place, Subject(subject)))
          return error;
      if (attribute.kind == AttributeKind::SparseTensor ||
          attribute.kind == AttributeKind::SparseTensors)
        if (Error error = sparse(attribute.ranges, Subject(subject)))
          return error;
    }
  }
  return Error::success();
}

Error TensorWalk::attributes() {
  for (const GraphIndex &graph : index.graphs)
    if (Error error = nodes(graph.nodes))
      return error;
  for (const FunctionIndex &function : index.functions) {
    if (Error error = nodes(function.nodes))
      return error;
    for (const MessageSpan &span : function.defaultAttributes) {
      BumpPtrAllocator arena;
      AttributeFields attribute;
      if (Error error = readAttribute(reader, index, span, arena, attribute))
        return error;
      for (const TensorIndex &tensor : attribute.tensors)
        if (Error error = visit(tensor, TensorPlace::Attribute,
                                "a default attribute of function '" +
                                    printableName(function.name) + "'"))
          return error;
    }
  }
  return Error::success();
}

} // namespace onnxfold
