//===- StoredName.cpp - Names in the file, kept by the dialect ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/StoredName.h"

#include "onnxfold/onnx/ir/OperatorDefinition.h"

using namespace mlir;
using namespace onnxfold;

StoredName::StoredName(StringRef name, MLIRContext *context) {
  if (name.empty())
    return;
  auto &state = context->getLoadedDialect<OnnxDialect>()->getState();
  uint32_t size = name.size();
  assert(size == name.size() && "messages of a file are shorter than 2 GB");
  std::lock_guard<std::mutex> lock(state.namesMutex);
  char *bytes = state.names.Allocate<char>(sizeof(size) + size);
  std::memcpy(bytes, &size, sizeof(size));
  llvm::copy(name, bytes + sizeof(size));
  record = bytes;
}

StringRef StoredName::get() const {
  if (!record)
    return {};
  uint32_t size;
  std::memcpy(&size, record, sizeof(size));
  return {record + sizeof(size), size};
}

Attribute onnxfold::convertToAttribute(MLIRContext *context,
                                       const StoredName &name) {
  return StringAttr::get(context, name.get());
}

LogicalResult
onnxfold::convertFromAttribute(StoredName &name, Attribute attribute,
                               function_ref<InFlightDiagnostic()> emitError) {
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return emitError() << "property is " << attribute << ", expected a string";
  name = StoredName(text, attribute.getContext());
  return success();
}
