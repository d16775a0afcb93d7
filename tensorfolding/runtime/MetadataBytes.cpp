//===- MetadataBytes.cpp - Metadata to bytes and back ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers are written and read byte by byte, lowest first: the bytes are the
// same on every machine and need no alignment.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "onnxfold/tensorfolding/runtime/MetadataLayout.h"
#include <algorithm>
#include <cstring>

namespace onnxfold::tensorfolding {

// The layout that C sees is the one that is written here.
static_assert(sizeof(onnxfold_ct_metadata_header) ==
              24 + 16 * ONNXFOLD_CT_TABLES);
static_assert(sizeof(onnxfold_ct_type_record) == 24);
static_assert(sizeof(onnxfold_ct_function_record) == 16);
static_assert(sizeof(onnxfold_ct_argument_record) == 40);
static_assert(sizeof(onnxfold_ct_part_record) == 48);
static_assert(sizeof(onnxfold_ct_folded_record) == 32);
static_assert(sizeof(onnxfold_ct_entry_argument_record) == 8);
static_assert(ONNXFOLD_CT_DYNAMIC == dynamicSize);

static constexpr uint32_t recordBytes[ONNXFOLD_CT_TABLES] = {
    1,
    8,
    sizeof(onnxfold_ct_function_record),
    sizeof(onnxfold_ct_argument_record),
    sizeof(onnxfold_ct_part_record),
    sizeof(onnxfold_ct_folded_record),
    sizeof(onnxfold_ct_entry_argument_record),
    sizeof(onnxfold_ct_type_record)};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void put(std::vector<char> &bytes, uint64_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes.push_back(char(value >> (8 * i)));
}

namespace {
class MetadataWriter {
public:
  std::vector<char> write(const Metadata &metadata);

private:
  void putSpan(int table, size_t first, size_t count) {
    put(tables[table], first, 4);
    put(tables[table], count, 4);
  }
  void string(int table, const std::string &text) {
    std::vector<char> &strings = tables[ONNXFOLD_CT_STRINGS];
    putSpan(table, strings.size(), text.size());
    strings.insert(strings.end(), text.begin(), text.end());
  }
  template <typename T> void integers(int table, const std::vector<T> &values) {
    std::vector<char> &all = tables[ONNXFOLD_CT_INTEGERS];
    putSpan(table, all.size() / 8, values.size());
    for (T value : values)
      put(all, uint64_t(int64_t(value)), 8);
  }
  void type(int table, const TensorType &type) {
    std::vector<char> &bytes = tables[table];
    put(bytes, type.element.code, 4);
    put(bytes, type.element.storageBits, 4);
    put(bytes,
        uint32_t(type.isScalar ? ONNXFOLD_CT_SCALAR
                               : int32_t(type.shape.size())),
        4);
    put(bytes, uint32_t(type.layout), 4);
    integers(table, type.shape);
  }
  void function(int table, const Function &function) {
    string(table, function.symbol);
    put(tables[table], uint32_t(function.convention), 4);
    put(tables[table], 0, 4); // reserved
  }

  std::vector<char> tables[ONNXFOLD_CT_TABLES];
};
} // namespace

std::vector<char> MetadataWriter::write(const Metadata &metadata) {
  function(ONNXFOLD_CT_ENTRY, metadata.entry);
  for (const Argument &argument : metadata.arguments) {
    string(ONNXFOLD_CT_ARGUMENTS, argument.name);
    put(tables[ONNXFOLD_CT_ARGUMENTS], uint32_t(argument.role), 4);
    put(tables[ONNXFOLD_CT_ARGUMENTS], 0, 4); // reserved
    type(ONNXFOLD_CT_ARGUMENTS, argument.type);
  }
  for (const Part &part : metadata.parts) {
    function(ONNXFOLD_CT_PARTS, part.function);
    integers(ONNXFOLD_CT_PARTS, part.inputs);
    integers(ONNXFOLD_CT_PARTS, part.outputs);
    for (uint64_t half : part.hash)
      put(tables[ONNXFOLD_CT_PARTS], half, 8);
  }
  for (const FoldedValue &value : metadata.foldedValues) {
    type(ONNXFOLD_CT_FOLDED_VALUES, value.type);
    integers(ONNXFOLD_CT_FOLDED_VALUES, value.strides);
  }
  for (const EntryArgument &argument : metadata.entryArguments) {
    put(tables[ONNXFOLD_CT_ENTRY_ARGUMENTS], uint32_t(argument.kind), 4);
    put(tables[ONNXFOLD_CT_ENTRY_ARGUMENTS], argument.index, 4);
  }
  for (const TensorType &result : metadata.results)
    type(ONNXFOLD_CT_RESULTS, result);

  auto padded = [](size_t bytes) { return (bytes + 7) / 8 * 8; };
  size_t total = sizeof(onnxfold_ct_metadata_header);
  for (const std::vector<char> &table : tables)
    total += padded(table.size());
  constexpr char magic[] = ONNXFOLD_CT_METADATA_MAGIC;
  std::vector<char> bytes(magic, &magic[8]);
  put(bytes, ONNXFOLD_CT_METADATA_VERSION, 4);
  put(bytes, ONNXFOLD_CT_TABLES, 4);
  put(bytes, total, 8);
  size_t offset = sizeof(onnxfold_ct_metadata_header);
  for (int i = 0; i < ONNXFOLD_CT_TABLES; ++i) {
    put(bytes, offset, 8);
    put(bytes, tables[i].size() / recordBytes[i], 4);
    put(bytes, recordBytes[i], 4);
    offset += padded(tables[i].size());
  }
  for (const std::vector<char> &table : tables) {
    bytes.insert(bytes.end(), table.begin(), table.end());
    bytes.resize(padded(bytes.size()));
  }
  return bytes;
}

std::vector<char> writeMetadata(const Metadata &metadata) {
  return MetadataWriter().write(metadata);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static uint64_t get(const char *bytes, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i)
    value |= uint64_t(uint8_t(bytes[i])) << (8 * i);
  return value;
}

namespace {
/// Remembers the first error; what is read after it means nothing.
class MetadataReader {
public:
  MetadataReader(const char *bytes, size_t size) : bytes(bytes), size(size) {}

  std::optional<Metadata> read(std::string &error);

private:
  struct Table {
    const char *first;
    uint32_t count, recordBytes;
  };

  bool fail(std::string text) {
    if (error.empty())
      error = std::move(text);
    return false;
  }
  bool readHeader();
  bool readTable(int number);

  /// The fields of one record, in order.
  class Record {
  public:
    explicit Record(const char *place) : place(place) {}
    uint32_t u32() { return uint32_t(take(4)); }
    uint64_t u64() { return take(8); }

  private:
    uint64_t take(int bytes) {
      uint64_t value = get(place, bytes);
      place += bytes;
      return value;
    }
    const char *place;
  };
  Record record(int table, uint32_t i) const {
    return Record(tables[table].first + size_t(i) * tables[table].recordBytes);
  }
  uint32_t count(int table) const { return tables[table].count; }

  /// Whether the range is in the table. Ranges do not overlap, as those of the
  /// writer: what is read is never much larger than the bytes.
  bool takeSpan(int table, uint32_t first, uint32_t number, const char *what);
  std::string string(Record &record);
  std::vector<int64_t> integers(Record &record);
  std::vector<uint32_t> numbers(Record &record);
  TensorType type(Record &record);
  Function function(Record &record);
  void readRecords(Metadata &metadata);

  const char *bytes;
  size_t size;
  std::string error;
  Table tables[ONNXFOLD_CT_TABLES] = {};
  uint64_t taken[ONNXFOLD_CT_TABLES] = {};
};
} // namespace

bool MetadataReader::readHeader() {
  constexpr size_t start = 24; // up to the tables
  if (!bytes)
    return fail("metadata has no address, expected that of the constant "
                "'<entry>.fold_metadata'");
  if (size < start)
    return fail("metadata has " + std::to_string(size) +
                " bytes, expected at least " + std::to_string(start));
  if (std::memcmp(bytes, ONNXFOLD_CT_METADATA_MAGIC, 8) != 0)
    return fail("metadata does not begin with '" ONNXFOLD_CT_METADATA_MAGIC
                "', expected what constant-tensor-folding writes");
  uint64_t version = get(bytes + 8, 4), tableCount = get(bytes + 12, 4);
  uint64_t total = get(bytes + 16, 8);
  if (version == 0 || version > ONNXFOLD_CT_METADATA_VERSION)
    return fail("metadata has version " + std::to_string(version) +
                ", expected at most " +
                std::to_string(ONNXFOLD_CT_METADATA_VERSION) +
                ": it was written by a later onnx-fold than this library");
  if (size == unknownSize)
    size = total;
  if (total > size)
    return fail("metadata has " + std::to_string(size) + " bytes, expected " +
                std::to_string(total) + " as its header says");
  size = total;
  if (tableCount < ONNXFOLD_CT_TABLES ||
      tableCount > (size - std::min<size_t>(size, start)) / 16)
    return fail("metadata has " + std::to_string(tableCount) +
                " tables, expected at least " +
                std::to_string(ONNXFOLD_CT_TABLES) + " within its bytes");
  return true;
}

bool MetadataReader::readTable(int number) {
  const char *place = bytes + 24 + 16 * number;
  uint64_t offset = get(place, 8);
  Table table = {nullptr, uint32_t(get(place + 8, 4)),
                 uint32_t(get(place + 12, 4))};
  std::string what = "table " + std::to_string(number) + " of the metadata ";
  bool isPlain =
      number == ONNXFOLD_CT_STRINGS || number == ONNXFOLD_CT_INTEGERS;
  if (table.recordBytes < recordBytes[number] ||
      (isPlain && table.recordBytes != recordBytes[number]))
    return fail(what + "has records of " + std::to_string(table.recordBytes) +
                " bytes, expected " + std::to_string(recordBytes[number]));
  // 32 bits each: the product fits.
  uint64_t needed = uint64_t(table.count) * table.recordBytes;
  if (offset > size || needed > size - offset)
    return fail(what + "has " + std::to_string(needed) + " bytes from " +
                std::to_string(offset) + ", expected them within " +
                std::to_string(size));
  table.first = bytes + offset;
  tables[number] = table;
  return true;
}

bool MetadataReader::takeSpan(int table, uint32_t first, uint32_t number,
                              const char *what) {
  if (first > count(table) || number > count(table) - first)
    return fail("a record of the metadata has " + std::to_string(number) + " " +
                what + " from " + std::to_string(first) +
                ", expected them within " + std::to_string(count(table)));
  taken[table] += number;
  if (taken[table] > count(table))
    return fail("the records of the metadata have more than " +
                std::to_string(count(table)) + " " + what +
                ", expected each to be in one of them");
  return true;
}

std::string MetadataReader::string(Record &record) {
  uint32_t first = record.u32(), length = record.u32();
  if (!takeSpan(ONNXFOLD_CT_STRINGS, first, length, "characters"))
    return "";
  return std::string(tables[ONNXFOLD_CT_STRINGS].first + first, length);
}

std::vector<int64_t> MetadataReader::integers(Record &record) {
  uint32_t first = record.u32(), length = record.u32();
  std::vector<int64_t> values;
  if (!takeSpan(ONNXFOLD_CT_INTEGERS, first, length, "integers"))
    return values;
  values.reserve(length);
  for (uint32_t i = 0; i < length; ++i)
    values.push_back(int64_t(
        get(tables[ONNXFOLD_CT_INTEGERS].first + 8 * size_t(first + i), 8)));
  return values;
}

std::vector<uint32_t> MetadataReader::numbers(Record &record) {
  std::vector<uint32_t> values;
  for (int64_t value : integers(record)) {
    if (value < 0 || value > int64_t(UINT32_MAX))
      fail("a record of the metadata has number " + std::to_string(value) +
           ", expected one of 32 bits");
    values.push_back(uint32_t(value));
  }
  return values;
}

TensorType MetadataReader::type(Record &record) {
  TensorType type;
  type.element.code = record.u32();
  type.element.storageBits = record.u32();
  auto rank = int32_t(record.u32());
  type.layout = Layout(record.u32());
  type.shape = integers(record);
  type.isScalar = rank == ONNXFOLD_CT_SCALAR;
  if (!type.isScalar && (rank < 0 || size_t(rank) != type.shape.size()))
    fail("a type of the metadata has rank " + std::to_string(rank) +
         ", expected " + std::to_string(type.shape.size()) +
         " as its shape has");
  return type;
}

Function MetadataReader::function(Record &record) {
  Function function;
  function.symbol = string(record);
  function.convention = ResultConvention(record.u32());
  record.u32(); // reserved
  return function;
}

void MetadataReader::readRecords(Metadata &metadata) {
  Record entry = record(ONNXFOLD_CT_ENTRY, 0);
  metadata.entry = function(entry);
  for (uint32_t i = 0; i < count(ONNXFOLD_CT_ARGUMENTS) && error.empty(); ++i) {
    Record fields = record(ONNXFOLD_CT_ARGUMENTS, i);
    Argument &argument = metadata.arguments.emplace_back();
    argument.name = string(fields);
    argument.role = ArgumentRole(fields.u32());
    fields.u32(); // reserved
    argument.type = type(fields);
  }
  for (uint32_t i = 0; i < count(ONNXFOLD_CT_PARTS) && error.empty(); ++i) {
    Record fields = record(ONNXFOLD_CT_PARTS, i);
    Part &part = metadata.parts.emplace_back();
    part.function = function(fields);
    part.inputs = numbers(fields);
    part.outputs = numbers(fields);
    part.hash = {fields.u64(), 0};
    part.hash[1] = fields.u64();
  }
  for (uint32_t i = 0; i < count(ONNXFOLD_CT_FOLDED_VALUES) && error.empty();
       ++i) {
    Record fields = record(ONNXFOLD_CT_FOLDED_VALUES, i);
    FoldedValue &value = metadata.foldedValues.emplace_back();
    value.type = type(fields);
    value.strides = integers(fields);
  }
  for (uint32_t i = 0; i < count(ONNXFOLD_CT_ENTRY_ARGUMENTS); ++i) {
    Record fields = record(ONNXFOLD_CT_ENTRY_ARGUMENTS, i);
    EntryArgument &argument = metadata.entryArguments.emplace_back();
    argument.kind = EntryArgument::Kind(fields.u32());
    argument.index = fields.u32();
  }
  for (uint32_t i = 0; i < count(ONNXFOLD_CT_RESULTS) && error.empty(); ++i) {
    Record fields = record(ONNXFOLD_CT_RESULTS, i);
    metadata.results.push_back(type(fields));
  }
}

std::optional<Metadata> MetadataReader::read(std::string &message) {
  Metadata metadata;
  bool fits = readHeader();
  for (int i = 0; i < ONNXFOLD_CT_TABLES && fits; ++i)
    fits = readTable(i);
  if (fits && count(ONNXFOLD_CT_ENTRY) != 1)
    fail("metadata has " + std::to_string(count(ONNXFOLD_CT_ENTRY)) +
         " entries, expected 1");
  if (error.empty())
    readRecords(metadata);
  if (error.empty())
    if (std::string wrong = checkMetadata(metadata); !wrong.empty())
      fail("metadata: " + wrong);
  message = error;
  if (!error.empty())
    return std::nullopt;
  return metadata;
}

std::optional<Metadata> readMetadata(const void *bytes, size_t size,
                                     std::string &error) {
  return MetadataReader(static_cast<const char *>(bytes), size).read(error);
}

} // namespace onnxfold::tensorfolding
