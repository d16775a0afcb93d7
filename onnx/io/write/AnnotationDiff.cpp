//===- AnnotationDiff.cpp - What says something of values, as edits -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of BlockDiff that is about what the file says of values and of nodes
// besides what they compute.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/write/BlockDiff.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The names of the annotated values of a block, with the annotations.
static void
forEachAnnotated(Block &block,
                 llvm::function_ref<void(StringRef, StringRef)> take) {
  auto note = [&](ValueRange values) {
    for (Value value : values)
      if (StringRef message = quantizationOf(value); !message.empty())
        take(valueName(value), message);
  };
  note(block.getArguments());
  for (Operation &op : block)
    note(op.getResults());
}

void BlockDiff::noteParameters() {
  for (const GraphIndex &graph : index.graphs)
    for (const QuantizationAnnotation &annotation : graph.annotations)
      for (const TextEntry &parameter : annotation.parameters)
        parameters.insert(parameter.value);
}

/// Removes from `erasedNames` the scales and zero points of values that are
/// kept. Other graphs may have got other values with the name, so all of theirs
/// are kept.
static void keepStated(const ModelIndex &index, const GraphIndex &graph,
                       const llvm::StringSet<> &removedNames,
                       llvm::StringSet<> &erasedNames) {
  for (const GraphIndex &other : index.graphs)
    if (&other != &graph)
      for (const QuantizationAnnotation &annotation : other.annotations)
        for (const TextEntry &parameter : annotation.parameters)
          erasedNames.erase(parameter.value);
  for (bool changed = true; changed;) {
    changed = false;
    for (const QuantizationAnnotation &annotation : graph.annotations)
      if (!removedNames.contains(annotation.tensorName) &&
          !erasedNames.contains(annotation.tensorName))
        for (const TextEntry &parameter : annotation.parameters)
          changed |= erasedNames.erase(parameter.value);
  }
}

/// The same for values that have other names now.
static void keepMoved(Block &block, llvm::StringSet<> &erasedNames) {
  forEachAnnotated(block, [&](StringRef, StringRef message) {
    onnx::TensorAnnotation annotation;
    if (annotation.ParseFromArray(message.data(), int(message.size())))
      for (const auto &parameter : annotation.quant_parameter_tensor_names())
        erasedNames.erase(parameter.value());
  });
}

void BlockDiff::keepParameters(const GraphIndex &graph, Block &block,
                               llvm::StringSet<> &erasedNames) const {
  if (parameters.empty())
    return;
  keepStated(index, graph, removedNames, erasedNames);
  keepMoved(block, erasedNames);
}

/// Erases types of values that are gone.
llvm::Error
BlockDiff::eraseAnnotations(const std::deque<MessageSpan> &valueInfos) {
  if (removedNames.empty())
    return llvm::Error::success();
  llvm::BumpPtrAllocator arena;
  for (const MessageSpan &valueInfo : valueInfos) {
    WireCursor cursor(reader, valueInfo.contents(), {"value info"});
    WireField field;
    StringRef name;
    while (cursor.next(field))
      if (field.isMessage(1))
        name = reader.text(field.body(), arena);
    if (removedNames.contains(name))
      script.erase(valueInfo);
  }
  return reader.takeError();
}

/// Erases annotations of values that are gone.
llvm::Error BlockDiff::eraseAnnotations(const GraphIndex &graph) {
  for (const QuantizationAnnotation &annotation : graph.annotations)
    if (removedNames.contains(annotation.tensorName))
      script.erase(annotation.span);
  return eraseAnnotations(graph.valueInfos);
}

/// Annotations of values that have another name now, or come from a body.
void BlockDiff::addAnnotations(const GraphIndex &graph, Block &block) {
  if (parameters.empty())
    return;
  llvm::StringSet<> stated;
  for (const QuantizationAnnotation &annotation : graph.annotations)
    if (!removedNames.contains(annotation.tensorName))
      stated.insert(annotation.tensorName);
  forEachAnnotated(block, [&](StringRef name, StringRef message) {
    if (!name.empty() && stated.insert(name).second)
      script.append(*graph.parts.back(),
                    Content::literal(encodeTextField(
                        graphAnnotation, withTensorName(message, name))));
  });
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The node may have other fields than in the file.
bool BlockDiff::isChanged(Operation *op) const {
  Operator node = Operator::from(op);
  return redirected.contains(op) || isMoved(op) ||
         (options.isRewired && options.isRewired(op)) ||
         (node && node.annotations()) ||
         (options.partsOf && !options.partsOf(op).empty());
}

/// They have the names of values.
void BlockDiff::diffConfigurations(Operation *op, const MessageSpan &span,
                                   const NodeFields &node) {
  if (node.configurations.empty())
    return;
  std::vector<std::string> before = readMessages(reader, node.configurations),
                           now;
  if (Operator known = Operator::from(op))
    now = encodeDeviceConfigurations(known);
  else // a Constant
    for (const std::string &message : before)
      now.push_back(renameInDeviceConfiguration(message, node.outputs[0].name,
                                                valueName(op->getResult(0))));
  for (auto [field, old, message] : llvm::zip(node.configurations, before, now))
    if (message != renameInDeviceConfiguration(old, "", ""))
      script.replace(span, field.whole(),
                     Content::literal(encodeTextField(nodeDevices, message)));
}

/// A node that others were merged with has what all of them had.
llvm::Error BlockDiff::diffTexts(Operation *op, const MessageSpan &span) {
  if (!options.partsOf || options.partsOf(op).empty())
    return llvm::Error::success();
  llvm::Expected<NodeTexts> before = readNodeTexts(reader, span);
  if (!before)
    return before.takeError();
  llvm::Expected<NodeTexts> now = writer.textsOf(op, &span);
  if (!now)
    return now.takeError();
  if (*before == *now)
    return llvm::Error::success();
  WireCursor cursor(reader, span.contents(), {"node"});
  WireField field;
  while (cursor.next(field))
    if (field.isMessage(nodeDoc) || field.isMessage(nodeMetadata))
      script.erase(span, field.whole());
  script.append(span, Content::literal(now->fields()));
  return reader.takeError();
}
