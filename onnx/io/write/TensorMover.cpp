//===- TensorMover.cpp - Tensors of a model file elsewhere ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/write/TensorMover.h"
#include "onnxfold/onnx/io/write/TensorMessages.h"

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/io/write/Export.h"

using namespace llvm;

namespace onnxfold {

bool isValueField(const WireField &field) {
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

/// Returns where the last of its fields stood.
Expected<uint64_t> TensorMover::eraseValue(const TensorIndex &tensor) {
  WireCursor cursor(reader, tensor.span.contents(), {"tensor"});
  WireField field;
  uint64_t place = tensor.span.end;
  while (cursor.next(field))
    if (isValueField(field)) {
      script.erase(tensor.span, field.whole());
      place = field.begin;
    }
  if (Error error = reader.takeError())
    return error;
  return place;
}

Expected<Content> TensorMover::contentOf(const TensorIndex &tensor,
                                         Subject subject) {
  uint64_t bytes =
      *rawDataSize(*lookupTensorType(tensor.dataType), tensor.dims);
  if (tensor.data == TensorIndex::Data::Raw)
    return Content::copy(reader.fileRef(), tensor.ranges.front());
  if (isLent(tensor)) {
    const ValueInMemory &lent = *model.external->inMemory(*tensor.external);
    return lent.file ? Content::copy(lent.file, lent.range)
                     : Content::payload(payloadOf(lent.value));
  }
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
  Expected<uint64_t> where = eraseValue(tensor);
  if (!where)
    return where.takeError();
  uint64_t end = isLent(tensor) ? *where : tensor.span.end; // where it was
  if (goesOut) {
    auto [location, offset] = data->add(std::move(*content));
    script.insert(
        tensor.span, end,
        Content::literal(encodeExternalFields(location, offset, *bytes)));
    return true;
  }
  script.insert(tensor.span, end, Content::literal(encodeRawDataHead(*bytes)));
  script.insert(tensor.span, end, std::move(*content));
  return true;
}

Expected<bool> TensorMover::lend(const TensorIndex &tensor, TensorPlace place,
                                 Subject subject,
                                 std::vector<ValueInMemory> &values) {
  bool isLarge = tensor.data == TensorIndex::Data::Raw &&
                 tensor.ranges.front().size() >= leastInMemory;
  if (tensor.problem || place == TensorPlace::Attribute ||
      !(isLent(tensor) || isLarge) || !mayEdit(tensor))
    return false;
  ValueInMemory lent;
  if (isLent(tensor)) {
    lent = *model.external->inMemory(*tensor.external);
  } else {
    Expected<Elements> value =
        loadTensor(reader, tensor, *model.external, subject);
    if (!value)
      return value.takeError();
    lent = {std::move(*value), reader.fileRef(), tensor.ranges.front()};
  }
  Expected<uint64_t> where = eraseValue(tensor);
  if (!where)
    return where.takeError();
  script.insert(
      tensor.span, *where,
      Content::literal(encodeExternalFields(ExternalData::memory, values.size(),
                                            payloadBytes(lent.value))));
  values.push_back(std::move(lent));
  return true;
}

} // namespace onnxfold
