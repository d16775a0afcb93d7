//===- NpyFile.cpp - Tensors that numpy saved -----------------------------===//

#include "onnxfold/onnx/io/NpyFile.h"
#include "onnxfold/onnx/io/InputFile.h"
#include "onnxfold/onnx/io/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

/// The dictionary at the start of the file.
struct Header {
  std::string descr;
  bool isFortran = false;
  Shape shape;
};

/// A Python literal, read from the left. What it cannot read leaves `ok` false.
class Literal {
public:
  explicit Literal(StringRef text) : rest(text) {}

  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  void expect(StringRef token) { ok &= take(token); }
  std::string string() {
    char quote = take("'") ? '\'' : take("\"") ? '"' : 0;
    size_t end = quote ? rest.find(quote) : StringRef::npos;
    if (end == StringRef::npos) {
      ok = false;
      return "";
    }
    std::string text = rest.take_front(end).str();
    rest = rest.drop_front(end + 1);
    return text;
  }
  bool truth() {
    if (take("True"))
      return true;
    expect("False");
    return false;
  }
  Shape tuple() {
    Shape shape;
    expect("(");
    while (ok && !take(")")) {
      int64_t size = -1;
      rest = rest.ltrim();
      ok &= !rest.consumeInteger(10, size) && size >= 0;
      rest.consume_front("L"); // Python 2
      shape.push_back(size);
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    return shape;
  }
  bool atEnd() { return rest.trim().empty(); }

  bool ok = true;

private:
  StringRef rest;
};

} // namespace

static std::optional<Header> parseHeader(StringRef text) {
  Literal literal(text);
  Header header;
  unsigned seen = 0;
  literal.expect("{");
  while (literal.ok && !literal.take("}")) {
    std::string key = literal.string();
    literal.expect(":");
    if (key == "descr")
      header.descr = literal.string();
    else if (key == "fortran_order")
      header.isFortran = literal.truth();
    else if (key == "shape")
      header.shape = literal.tuple();
    else
      literal.ok = false;
    ++seen;
    if (!literal.take(",")) {
      literal.expect("}");
      break;
    }
  }
  return literal.ok && literal.atEnd() && seen == 3 ? std::optional(header)
                                                    : std::nullopt;
}

static DataType typeOf(StringRef descr, DataType expected) {
  StringRef kind = descr.drop_front(descr.find_first_not_of("<|="));
  if (descr.starts_with(">") && !kind.ends_with("1"))
    return DataType::Undefined;
  bool isSmall = typeClass(expected) == TypeClass::SmallFloat ||
                 expected == DataType::BFloat16;
  if (kind == "V" + std::to_string(byteWidth(expected)) && isSmall)
    return expected;
  return llvm::StringSwitch<DataType>(kind)
      .Case("b1", DataType::Bool)
      .Case("i1", DataType::Int8)
      .Case("i2", DataType::Int16)
      .Case("i4", DataType::Int32)
      .Case("i8", DataType::Int64)
      .Case("u1", DataType::UInt8)
      .Case("u2", DataType::UInt16)
      .Case("u4", DataType::UInt32)
      .Case("u8", DataType::UInt64)
      .Case("f2", DataType::Float16)
      .Case("f4", DataType::Float32)
      .Case("f8", DataType::Float64)
      .Case("c8", DataType::Complex64)
      .Case("c16", DataType::Complex128)
      .Default(DataType::Undefined);
}

/// Bytes before the dictionary, and how long that is; nothing if this is no
/// such file.
static std::optional<std::pair<uint64_t, uint64_t>>
findHeader(StringRef start) {
  if (start.size() < 12 || !start.starts_with("\x93NUMPY"))
    return std::nullopt;
  unsigned version = static_cast<unsigned char>(start[6]);
  if (version == 1)
    return std::pair(10, llvm::support::endian::read16le(start.data() + 8));
  if (version == 2 || version == 3)
    return std::pair(12, llvm::support::endian::read32le(start.data() + 8));
  return std::nullopt;
}

llvm::Expected<Elements> onnxfold::readNpy(StringRef path, DataType expected) {
  llvm::Expected<InputFileRef> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  auto bad = [&](const llvm::Twine &text) {
    return makeError(path + ": " + text);
  };
  char start[12];
  uint64_t size = (*file)->size();
  if (size < sizeof(start))
    return bad("has " + llvm::Twine(size) + " bytes, expected a .npy file");
  if (llvm::Error error = (*file)->read(0, start))
    return error;
  auto place = findHeader(StringRef(start, sizeof(start)));
  constexpr uint64_t longest = 1 << 20;
  if (!place)
    return bad("does not begin as a .npy file of version 1, 2 or 3");
  auto [begin, length] = *place;
  if (length > longest || length > size - begin)
    return bad("has a header of " + llvm::Twine(length) + " bytes, the file " +
               llvm::Twine(size));
  std::string text(length, '\0');
  if (llvm::Error error = (*file)->read(begin, text))
    return error;
  std::optional<Header> header = parseHeader(text);
  if (!header)
    return bad("its header is '" + printableName(text) +
               "', expected descr, fortran_order and shape");
  DataType type = typeOf(header->descr, expected);
  if (type == DataType::Undefined)
    return bad("has elements of type '" + printableName(header->descr) +
               "', expected little-endian numbers");
  std::optional<int64_t> count = checkedNumElements(header->shape);
  uint64_t there = size - begin - length;
  if (!count || uint64_t(*count) > there / byteWidth(type) ||
      there != uint64_t(*count) * byteWidth(type))
    return bad("has " + llvm::Twine(there) + " bytes of elements for shape " +
               toString(header->shape) + " of " + name(type));
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(there);
  if (llvm::Error error = (*file)->read(
          begin + length, llvm::MutableArrayRef<char>(buffer->data(), there)))
    return error;
  if (type == DataType::Bool) // numpy's own are 0 and 1
    for (char &byte : llvm::MutableArrayRef<char>(buffer->data(), there))
      byte = byte != 0;
  if (!header->isFortran)
    return Elements::fromBuffer(type, header->shape, buffer);
  Shape shape(llvm::reverse(header->shape)), perm;
  for (size_t i = shape.size(); i-- > 0;)
    perm.push_back(i);
  return Elements::fromBuffer(type, shape, buffer).transpose(perm);
}
