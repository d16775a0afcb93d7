//===- AnnotationImport.cpp - What a file says of a node's values ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/ir/Annotations.h"

using namespace onnxfold;
using namespace mlir;

/// A sharding_spec is of an input or output of its node; another name is kept
/// as it is.
llvm::Error GraphImporter::addConfigurations(const NodeFields &node,
                                             Operator op) {
  if (node.configurations.empty())
    return llvm::Error::success();
  SmallVector<StringRef> inputs, outputs;
  for (const NameField &input : node.inputs)
    inputs.push_back(input.name);
  for (const NameField &output : node.outputs)
    outputs.push_back(output.name);
  std::string unknown = readDeviceConfigurations(
      op, readMessages(state.reader, node.configurations), inputs, outputs);
  if (!unknown.empty())
    warn(atNode(node)
             .says(": device_configurations shard '" + printableName(unknown) +
                   "', which is neither an input nor an output of the node; "
                   "the name is kept")
             .text());
  return state.reader.takeError();
}

llvm::Expected<bool> GraphImporter::addAnnotations(const GraphIndex &graph) {
  bool areAll = true;
  for (const QuantizationAnnotation &annotation : graph.annotations) {
    Value value = scope.lookupHere(annotation.tensorName);
    if (!value || !mayHaveQuantization(value)) {
      areAll = false;
      continue;
    }
    std::string bytes(annotation.span.contents().size(), '\0');
    state.reader.read(annotation.span.contents(), bytes);
    setQuantization(value, withoutTensorName(bytes));
    for (const TextEntry &parameter : annotation.parameters)
      areAll = areAll && !scope.lookupHere(parameter.value);
  }
  if (llvm::Error error = state.reader.takeError())
    return error;
  return areAll;
}
