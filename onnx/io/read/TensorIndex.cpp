//===- TensorIndex.cpp - Where the data of a TensorProto is ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/TensorIndex.h"

#include "onnxfold/onnx/io/files/IoError.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

// Field numbers of TensorProto.
enum : uint32_t {
  Dims = 1,
  DataTypeField = 2,
  Segment = 3,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  TensorName = 8,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  ExternalDataEntry = 13,
  DataLocation = 14,
};

const TensorType *lookupTensorType(int32_t dataType) {
  static const TensorType types[] = {
      {"undefined", 0, 0},                  // 0, illegal in a tensor
      {"f32", 32, FloatData},               // 1
      {"ui8", 8, Int32Data},                // 2
      {"i8", 8, Int32Data},                 // 3
      {"ui16", 16, Int32Data},              // 4
      {"i16", 16, Int32Data},               // 5
      {"i32", 32, Int32Data},               // 6
      {"i64", 64, Int64Data},               // 7
      {"string", 0, StringData},            // 8
      {"i1", 8, Int32Data},                 // 9, a byte per bool
      {"f16", 16, Int32Data},               // 10
      {"f64", 64, DoubleData},              // 11
      {"ui32", 32, Uint64Data},             // 12
      {"ui64", 64, Uint64Data},             // 13
      {"complex<f32>", 64, FloatData, 2},   // 14
      {"complex<f64>", 128, DoubleData, 2}, // 15
      {"bf16", 16, Int32Data},              // 16
      {"f8E4M3FN", 8, Int32Data},           // 17
      {"f8E4M3FNUZ", 8, Int32Data},         // 18
      {"f8E5M2", 8, Int32Data},             // 19
      {"f8E5M2FNUZ", 8, Int32Data},         // 20
      {"ui4", 4, Int32Data, 1, 2},          // 21
      {"i4", 4, Int32Data, 1, 2},           // 22
      {"f4E2M1FN", 4, Int32Data, 1, 2},     // 23
      {"f8E8M0FNU", 8, Int32Data},          // 24
      {"ui2", 2, Int32Data, 1, 4},          // 25
      {"i2", 2, Int32Data, 1, 4},           // 26
      {"f6E2M3FN", 6, Int32Data},           // 27, an entry per element
      {"f6E3M2FN", 6, Int32Data},           // 28
  };
  if (dataType <= 0 || size_t(dataType) >= std::size(types))
    return nullptr;
  return &types[dataType];
}

std::optional<uint64_t> elementCount(ArrayRef<int64_t> dims) {
  uint64_t count = 1;
  bool empty = false;
  for (int64_t dim : dims) {
    if (dim < 0)
      return std::nullopt;
    empty |= dim == 0;
  }
  for (int64_t dim : dims) {
    if (!empty && __builtin_mul_overflow(count, uint64_t(dim), &count))
      return std::nullopt;
  }
  if (count >> 63)
    return std::nullopt;
  return empty ? 0 : count;
}

std::optional<uint64_t> rawDataSize(const TensorType &type,
                                    ArrayRef<int64_t> dims) {
  std::optional<uint64_t> count = elementCount(dims);
  if (!count || type.bits == 0)
    return std::nullopt;
  if (type.bits < 8)
    return *count / 8 * type.bits + (*count % 8 * type.bits + 7) / 8;
  uint64_t size;
  if (__builtin_mul_overflow(*count, uint64_t(type.bits / 8), &size) ||
      size >> 63)
    return std::nullopt;
  return size;
}

std::string tensorText(int32_t dataType, ArrayRef<int64_t> dims) {
  constexpr size_t shownDims = 16;
  std::string text = "tensor<";
  raw_string_ostream os(text);
  for (int64_t dim : dims.take_front(shownDims))
    os << dim << 'x';
  if (dims.size() > shownDims)
    os << "...x";
  if (const TensorType *type = lookupTensorType(dataType))
    os << type->name;
  else
    os << "type " << dataType;
  os << '>';
  return text;
}

void readVarints(WireReader &reader, ArrayRef<ByteRange> runs, uint32_t number,
                 llvm::function_ref<void(uint64_t)> each) {
  constexpr uint64_t blockSize = 4096;
  constexpr uint64_t longest = protozero::max_varint_length;
  WireField field;
  for (ByteRange run : runs) {
    WireCursor cursor(reader, run, {"list"});
    while (cursor.next(field)) {
      if (field.isVarint(number)) {
        each(field.value);
        continue;
      }
      // Packed: decode all varints that surely end inside the block.
      for (uint64_t at = field.bodyBegin; at < field.bodyEnd;) {
        uint64_t size = std::min(field.bodyEnd - at, blockSize);
        StringRef block = reader.view(at, size);
        if (reader.failed())
          return;
        const char *p = block.begin();
        const char *safe =
            at + size == field.bodyEnd ? block.end() : block.end() - longest;
        try {
          while (p < safe)
            each(protozero::decode_varint(&p, block.end()));
        } catch (const protozero::exception &) {
          cursor.fail("the packed values at byte " + Twine(field.begin) +
                      " end in the middle of a number");
          return;
        }
        at += p - block.begin();
      }
    }
  }
}

void readFixed(WireReader &reader, ArrayRef<ByteRange> runs, uint32_t number,
               unsigned width, llvm::function_ref<void(StringRef)> eachBlock) {
  constexpr uint64_t blockSize = 4096;
  WireType single = width == 8 ? WireType::Fixed64 : WireType::Fixed32;
  WireField field;
  for (ByteRange run : runs) {
    WireCursor cursor(reader, run, {"list"});
    while (cursor.next(field)) {
      if (!field.is(number, single) &&
          (field.bodyEnd - field.bodyBegin) % width != 0) {
        cursor.fail("the packed values at byte " + Twine(field.begin) +
                    " are not a multiple of " + Twine(width) + " bytes");
        return;
      }
      for (uint64_t at = field.bodyBegin; at < field.bodyEnd;) {
        uint64_t size = std::min(field.bodyEnd - at, blockSize);
        StringRef block = reader.view(at, size);
        if (reader.failed())
          return;
        eachBlock(block);
        at += size;
      }
    }
  }
}

TextEntry readTextEntry(WireReader &reader, const WireField &field,
                        BumpPtrAllocator &arena) {
  TextEntry entry;
  WireCursor cursor(reader, field.body(), {"entry"});
  WireField inner;
  while (cursor.next(inner)) {
    if (inner.isMessage(1))
      entry.key = reader.text(inner.body(), arena);
    else if (inner.isMessage(2))
      entry.value = reader.text(inner.body(), arena);
  }
  return entry;
}

std::optional<ByteRange> TensorIndex::directBytes(WireReader &reader) const {
  if (problem)
    return std::nullopt;
  if (data == Data::Raw)
    return ranges.front();
  const TensorType *type = lookupTensorType(dataType);
  if (data != Data::Typed || ranges.size() != 1 ||
      (type->typedField != FloatData && type->typedField != DoubleData))
    return std::nullopt;
  WireCursor cursor(reader, ranges.front());
  WireField field;
  if (!cursor.next(field) || field.type != WireType::Length ||
      field.end != ranges.front().end)
    return std::nullopt;
  return field.body();
}

namespace {

/// A hostile file could claim a dimension per byte.
constexpr unsigned maxRank = 1024;

/// The fields of one TensorProto while it is walked.
class TensorScan {
public:
  TensorScan(WireReader &reader, BumpPtrAllocator &arena)
      : reader(reader), arena(arena) {}

  void walk(ByteRange contents, WireLabel label);
  void finish();

  TensorIndex tensor;

private:
  void addValues(const WireField &field);
  void addDims(const WireField &field);
  void addExternal(const WireField &field);
  std::string externalText() const;
  std::string findConflict() const;
  void chooseData();
  void checkSize();
  void checkTypedSize(uint64_t expectedEntries);
  void setProblem(StringRef words, const Twine &found = "",
                  const Twine &expected = "", bool tolerable = false) {
    if (tensor.problem)
      return;
    tensor.problem = store({words, found.str(), expected.str()}, arena);
    tensor.tolerable = tolerable;
  }
  static const char *fieldName(uint32_t number);

  WireReader &reader;
  BumpPtrAllocator &arena;
  SmallVector<int64_t, 6> dims;
  std::optional<ByteRange> raw;
  /// The typed fields that were seen: few numbers, usually one.
  SmallVector<std::pair<uint32_t, FieldRuns>, 1> typed;
  std::optional<ExternalReference> external;
  std::optional<TextEntry> wrongEntry; ///< of external_data
  unsigned locations = 0;
  bool isExternal = false;
  bool hasSegment = false;
};

} // namespace

const char *TensorScan::fieldName(uint32_t number) {
  switch (number) {
  case FloatData:
    return "float_data";
  case Int32Data:
    return "int32_data";
  case StringData:
    return "string_data";
  case Int64Data:
    return "int64_data";
  case DoubleData:
    return "double_data";
  default:
    return "uint64_data";
  }
}

void TensorScan::addDims(const WireField &field) {
  readVarints(reader, field.whole(), Dims, [&](uint64_t dim) {
    if (dims.size() < maxRank)
      dims.push_back(dim);
    else
      setProblem("has", "more than " + Twine(maxRank) + " dimensions");
  });
}

void TensorScan::addValues(const WireField &field) {
  WireType single = WireType::Varint;
  if (field.number == FloatData)
    single = WireType::Fixed32;
  else if (field.number == DoubleData)
    single = WireType::Fixed64;
  if (field.type != WireType::Length &&
      (field.type != single || field.number == StringData))
    return;
  // An empty packed field holds no values, and writers do emit it.
  if (field.body().empty() && field.type == WireType::Length &&
      field.number != StringData)
    return;
  for (auto &[number, runs] : typed) {
    if (number == field.number)
      return runs.add(field);
  }
  typed.emplace_back(field.number, FieldRuns()).second.add(field);
}

void TensorScan::addExternal(const WireField &field) {
  if (!external)
    external.emplace();
  TextEntry entry = readTextEntry(reader, field, arena);
  uint64_t number;
  if (entry.key == "location") {
    external->location = entry.value;
    ++locations;
  } else if (entry.key == "checksum") {
    external->checksum = entry.value;
  } else if (entry.key == "offset" || entry.key == "length") {
    if (entry.value.getAsInteger(10, number))
      wrongEntry = entry; // said when the location is known
    else if (entry.key == "offset")
      external->offset = number;
    else
      external->length = number;
  }
}

void TensorScan::walk(ByteRange contents, WireLabel label) {
  WireCursor cursor(reader, contents, label);
  WireField field;
  while (cursor.next(field)) {
    switch (field.number) {
    case Dims:
      if (field.type == WireType::Varint || field.type == WireType::Length)
        addDims(field);
      break;
    case DataTypeField:
      if (field.type == WireType::Varint)
        tensor.dataType = int32_t(field.value);
      break;
    case FloatData:
    case Int32Data:
    case StringData:
    case Int64Data:
    case DoubleData:
    case Uint64Data:
      addValues(field);
      break;
    case Segment:
      hasSegment |= field.type == WireType::Length;
      break;
    case TensorName:
      if (field.type == WireType::Length)
        tensor.name = reader.text(field.body(), arena);
      break;
    case RawData:
      if (field.type == WireType::Length)
        raw = field.body();
      break;
    case ExternalDataEntry:
      if (field.type == WireType::Length)
        addExternal(field);
      break;
    case DataLocation:
      // A closed enum: protobuf drops other values.
      if (field.type == WireType::Varint && field.value <= 1)
        isExternal = field.value == 1;
      break;
    }
  }
}

/// "external data in 'w.bin'"
std::string TensorScan::externalText() const {
  std::string text = "external data";
  return external && !external->location.empty()
             ? text + " in '" + printableName(external->location) + "'"
             : text;
}

/// Values in several places, of which readers take one or another, or none.
std::string TensorScan::findConflict() const {
  if (typed.size() > 1)
    return (Twine("values in ") + fieldName(typed[0].first) + " and in " +
            fieldName(typed[1].first))
        .str();
  if (!typed.empty() && raw)
    return (Twine("values in ") + fieldName(typed[0].first) + " and " +
            (raw->empty() ? "an empty" : "in") + " raw_data")
        .str();
  if (isExternal && (!typed.empty() || (raw && !raw->empty())))
    return externalText() + " and values of its own";
  return "";
}

/// Chooses the field that holds the data. Without elements an empty raw_data
/// and nothing at all are the same.
void TensorScan::chooseData() {
  // The reference keeps the data file even if the tensor has a problem.
  bool isLocated = isExternal && external && !external->location.empty();
  if (isLocated)
    tensor.external = new (arena) ExternalReference(*external);
  if (std::string conflict = findConflict(); !conflict.empty())
    return setProblem("has", conflict, "one of them", /*tolerable=*/true);
  if (isExternal && locations > 1)
    return setProblem("has",
                      "external data with " + Twine(locations) + " locations",
                      "one", /*tolerable=*/true);
  if (isExternal) {
    if (!isLocated)
      return setProblem("has", "external data without a location");
    if (wrongEntry)
      return setProblem("has",
                        externalText() + " with " + wrongEntry->key + " '" +
                            printableName(wrongEntry->value) + "'",
                        "a decimal number");
    tensor.data = TensorIndex::Data::External;
    return;
  }
  if (!typed.empty()) {
    tensor.typedField = typed.front().first;
    tensor.data = tensor.typedField == StringData ? TensorIndex::Data::Strings
                                                  : TensorIndex::Data::Typed;
    tensor.ranges = copyList(typed.front().second.get(), arena);
  } else if (raw) {
    tensor.data = TensorIndex::Data::Raw;
    tensor.ranges = copyList(ArrayRef<ByteRange>(*raw), arena);
  }
}

/// Counts the entries of typed fields where lengths alone tell; varints are
/// counted when they are decoded.
void TensorScan::checkTypedSize(uint64_t expectedEntries) {
  bool single = tensor.typedField == FloatData;
  if (!single && tensor.typedField != DoubleData)
    return;
  unsigned width = single ? 4 : 8;
  uint64_t bytes = 0;
  WireField field;
  for (ByteRange run : tensor.ranges) {
    WireCursor cursor(reader, run, {"list"});
    while (cursor.next(field))
      bytes += field.body().size();
  }
  if (bytes != expectedEntries * width)
    setProblem("has",
               Twine(bytes / width) + " values in " +
                   fieldName(tensor.typedField),
               Twine(expectedEntries) + " for " +
                   tensorText(tensor.dataType, tensor.dims));
}

void TensorScan::checkSize() {
  const TensorType *type = lookupTensorType(tensor.dataType);
  if (!type)
    return setProblem("has",
                      "data type " + Twine(tensor.dataType) +
                          ", which is none of ONNX's types",
                      "", /*tolerable=*/true);
  // For messages: most tensors need none.
  auto text = [&] { return tensorText(tensor.dataType, tensor.dims); };
  std::optional<uint64_t> count = elementCount(tensor.dims);
  std::optional<uint64_t> size = rawDataSize(*type, tensor.dims);
  if (!count || (type->bits != 0 && !size))
    return setProblem("has", "the impossible shape of " + text());
  switch (tensor.data) {
  case TensorIndex::Data::None:
    if (*count != 0)
      setProblem("has", "no values", Twine(*count) + " for " + text());
    return;
  case TensorIndex::Data::Raw:
    if (type->bits == 0)
      return setProblem("has", "raw_data", "string_data for " + text());
    if (tensor.ranges[0].size() != *size)
      setProblem("has", Twine(tensor.ranges[0].size()) + " bytes of raw_data",
                 Twine(*size) + " for " + text(),
                 /*tolerable=*/tensor.ranges[0].size() > *size);
    return;
  case TensorIndex::Data::External:
    if (type->bits == 0)
      return setProblem("has", externalText(), "string_data for " + text());
    if (tensor.external->length && *tensor.external->length != *size)
      setProblem("has",
                 Twine(*tensor.external->length) + " bytes of " +
                     externalText(),
                 Twine(*size) + " for " + text());
    return;
  case TensorIndex::Data::Strings:
  case TensorIndex::Data::Typed:
    if (tensor.typedField != type->typedField)
      return setProblem("has",
                        "values in " + Twine(fieldName(tensor.typedField)),
                        Twine(fieldName(type->typedField)) + " for " + text());
    return checkTypedSize(*count * type->entriesPerElement);
  }
}

void TensorScan::finish() {
  tensor.dims = copyList(ArrayRef<int64_t>(dims), arena);
  if (hasSegment)
    setProblem("is", "one segment of a tensor that is stored in pieces", "",
               /*tolerable=*/true);
  chooseData();
  if (!tensor.problem)
    checkSize();
}

TensorIndex readTensor(WireReader &reader, ArrayRef<MessageSpan> parts,
                       BumpPtrAllocator &arena, WireLabel label) {
  TensorScan walk(reader, arena);
  walk.tensor.span = parts.front();
  for (const MessageSpan &part : parts)
    walk.walk(part.contents(), label);
  walk.finish();
  return walk.tensor;
}

} // namespace onnxfold
