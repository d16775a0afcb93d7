//===- NpyFile.cpp - Tensors that numpy saves and loads -------------------===//

#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace onnxfold;
using llvm::StringRef;

llvm::Error onnxfold::makeNpyError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

std::string onnxfold::printableOfFile(StringRef text) {
  std::string shown;
  llvm::raw_string_ostream os(shown);
  llvm::printEscapedString(text.take_front(200), os);
  return shown;
}

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

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
onnxfold::readWholeFile(StringRef path) {
  llvm::sys::fs::file_status status;
  std::error_code error = llvm::sys::fs::status(path, status);
  if (!error && !llvm::sys::fs::is_regular_file(status))
    return makeNpyError(path + ": is not a regular file");
  if (!error) {
    // Volatile: read and not mapped, so that nobody can cut it under us.
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
    if (file)
      return std::move(*file);
    error = file.getError();
  }
  return makeNpyError(
      path + ": cannot be read: " + StringRef(error.message()).lower());
}

llvm::Expected<Elements> onnxfold::readNpy(StringRef path, DataType expected) {
  auto file = readWholeFile(path);
  if (!file)
    return file.takeError();
  return readNpyBytes((*file)->getBuffer(), path, expected);
}

llvm::Expected<Elements> onnxfold::readNpyBytes(StringRef bytes, StringRef path,
                                                DataType expected) {
  auto bad = [&](const llvm::Twine &text) {
    return makeNpyError(path + ": " + text);
  };
  if (bytes.size() < 12)
    return bad("has " + llvm::Twine(bytes.size()) +
               " bytes, expected a .npy file");
  auto place = findHeader(bytes);
  constexpr uint64_t longest = 1 << 20;
  if (!place)
    return bad("does not begin as a .npy file of version 1, 2 or 3");
  auto [begin, length] = *place;
  if (length > longest || length > bytes.size() - begin)
    return bad("has a header of " + llvm::Twine(length) + " bytes, the file " +
               llvm::Twine(bytes.size()));
  StringRef text = bytes.substr(begin, length);
  std::optional<Header> header = parseHeader(text);
  if (!header)
    return bad("its header is '" + printableOfFile(text) +
               "', expected descr, fortran_order and shape");
  DataType type = typeOf(header->descr, expected);
  if (type == DataType::Undefined)
    return bad("has elements of type '" + printableOfFile(header->descr) +
               "', expected little-endian numbers");
  std::optional<int64_t> count = checkedNumElements(header->shape);
  uint64_t there = bytes.size() - begin - length;
  if (!count || uint64_t(*count) > there / byteWidth(type) ||
      there != uint64_t(*count) * byteWidth(type))
    return bad("has " + llvm::Twine(there) + " bytes of elements for shape " +
               toString(header->shape) + " of " + name(type));
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(there);
  if (there)
    std::memcpy(buffer->data(), bytes.data() + begin + length, there);
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

static std::string descrOf(DataType type) {
  std::string width = std::to_string(byteWidth(type));
  switch (typeClass(type)) {
  case TypeClass::Bool:
    return "|b1";
  case TypeClass::Signed:
    return "<i" + width;
  case TypeClass::Unsigned:
    return "<u" + width;
  case TypeClass::Complex:
    return "<c" + width;
  default:
    break;
  }
  bool isKnown = type == DataType::Float16 || type == DataType::Float32 ||
                 type == DataType::Float64;
  return (isKnown ? "<f" : "|V") + width;
}

llvm::Error onnxfold::writeNpy(StringRef path, const Elements &elements) {
  std::string header = "{'descr': '" + descrOf(elements.type()) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t size : elements.shape())
    header += std::to_string(size) + ",";
  header += "), }";
  // Magic, version, length and dictionary together are a multiple of 64 bytes.
  constexpr size_t lead = 10;
  header.resize(llvm::alignTo(lead + header.size() + 1, 64) - lead - 1, ' ');
  header += '\n';
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    char length[2];
    llvm::support::endian::write16le(length, header.size());
    file << StringRef("\x93NUMPY\x01\x00", 8) << StringRef(length, 2) << header;
    std::vector<char> bytes(elements.bytes());
    elements.read(bytes.data());
    file.write(bytes.data(), bytes.size());
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    return makeNpyError(
        path + ": cannot be written: " + StringRef(error.message()).lower());
  return llvm::Error::success();
}
