//===- TensorMover.cpp - Tensors of a model file elsewhere ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/TensorMover.h"

#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/onnx/io/TensorElements.h"

using namespace llvm;

namespace onnxfold {

/// The value fields of a TensorProto, in their declared wire types; others of
/// the same numbers are unknown fields and are kept.
static bool isValueField(const WireField &field) {
  switch (field.number) {
  case 4: // float_data
    return field.type == WireType::Length || field.type == WireType::Fixed32;
  case 10: // double_data
    return field.type == WireType::Length || field.type == WireType::Fixed64;
  case 5:  // int32_data
  case 7:  // int64_data
  case 11: // uint64_data
    return field.type == WireType::Length || field.type == WireType::Varint;
  case 9:  // raw_data
  case 13: // external_data
    return field.type == WireType::Length;
  case 14: // data_location
    return field.type == WireType::Varint;
  default:
    return false;
  }
}

/// A tensor is edited where it stands as one message with a way to the root.
bool TensorMover::mayEdit(const TensorIndex &tensor) {
  if (tensor.problem || !tensor.span.parent)
    return false;
  BumpPtrAllocator arena;
  TensorIndex alone = readTensor(reader, tensor.span, arena, {"tensor"});
  return !reader.failed() && !alone.problem && alone.data == tensor.data &&
         alone.dims == tensor.dims && alone.dataType == tensor.dataType &&
         alone.ranges == tensor.ranges;
}

Error TensorMover::eraseValue(const TensorIndex &tensor) {
  WireCursor cursor(reader, tensor.span.contents(), {"tensor"});
  WireField field;
  while (cursor.next(field))
    if (isValueField(field))
      script.erase(tensor.span, field.whole());
  return reader.takeError();
}

Expected<Content> TensorMover::contentOf(const TensorIndex &tensor,
                                         Subject subject) {
  uint64_t bytes =
      *rawDataSize(*lookupTensorType(tensor.dataType), tensor.dims);
  if (tensor.data == TensorIndex::Data::Raw)
    return Content::copy(reader.fileRef(), tensor.ranges.front());
  if (tensor.data == TensorIndex::Data::External) {
    auto place = [&] {
      return ModelFault().file(reader.file().name()).append(subject.fault());
    };
    Expected<ExternalRange> found =
        model.external->resolve(*tensor.external, bytes, Subject(place));
    if (!found)
      return found.takeError();
    return Content::copy(found->file, found->range);
  }
  Expected<Elements> elements =
      loadTensor(reader, tensor, *model.external, subject);
  if (!elements)
    return elements.takeError();
  return Content::payload(payloadOf(*elements));
}

Expected<bool> TensorMover::move(const TensorIndex &tensor, TensorPlace place,
                                 Subject subject) {
  if (tensor.problem)
    return false;
  bool isExternal = tensor.data == TensorIndex::Data::External;
  const TensorType *type = lookupTensorType(tensor.dataType);
  std::optional<uint64_t> bytes =
      type ? rawDataSize(*type, tensor.dims) : std::nullopt;
  bool goesOut = data && bytes && data->takes(*bytes);
  // Runtimes look for external data in initializers and constants alone.
  bool staysIn = !isExternal && (!goesOut || place == TensorPlace::Attribute ||
                                 tensor.data == TensorIndex::Data::None);
  if (staysIn)
    return true;
  bool editable = bytes && mayEdit(tensor);
  if (Error error = reader.takeError())
    return error;
  if (!editable)
    return false;
  Expected<Content> content = contentOf(tensor, subject);
  if (!content)
    return content.takeError();
  if (Error error = eraseValue(tensor))
    return error;
  if (goesOut) {
    auto [location, offset] = data->add(std::move(*content));
    script.append(tensor.span, Content::literal(encodeExternalFields(
                                   location, offset, *bytes)));
    return true;
  }
  script.append(tensor.span, Content::literal(encodeRawDataHead(*bytes)));
  script.append(tensor.span, std::move(*content));
  return true;
}

} // namespace onnxfold
