//===- NpyFile.cpp - Tensors that numpy saves and loads -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
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

namespace {
/// How many characters each text of a file has, and the bytes of a character.
struct TextWidth {
  uint64_t length = 0;
  unsigned bytes = 0; // 0: they are no texts
};
} // namespace

static TextWidth textWidth(StringRef descr) {
  StringRef kind = descr.ltrim("<|=");
  unsigned bytes = kind.starts_with("U") ? 4 : kind.starts_with("S") ? 1 : 0;
  TextWidth width;
  constexpr uint64_t longest = 1 << 28; // so that its bytes are a number
  if (bytes && !kind.drop_front().getAsInteger(10, width.length) &&
      width.length <= longest)
    width.bytes = bytes;
  return width;
}

/// Nothing if it is no text.
static std::optional<std::string> textOf(StringRef bytes, unsigned width) {
  if (width == 1) {
    bytes = bytes.rtrim('\0');
    auto *begin = reinterpret_cast<const llvm::UTF8 *>(bytes.begin());
    if (!llvm::isLegalUTF8String(
            &begin, reinterpret_cast<const llvm::UTF8 *>(bytes.end())))
      return std::nullopt;
    return bytes.str();
  }
  std::vector<llvm::UTF32> characters(bytes.size() / width);
  if (!bytes.empty())
    std::memcpy(characters.data(), bytes.data(), bytes.size());
  while (!characters.empty() && characters.back() == 0)
    characters.pop_back();
  std::string text(characters.size() * UNI_MAX_UTF8_BYTES_PER_CODE_POINT, 0);
  const llvm::UTF32 *from = characters.data();
  auto *start = reinterpret_cast<llvm::UTF8 *>(text.data()), *to = start;
  if (llvm::ConvertUTF32toUTF8(&from, from + characters.size(), &to,
                               start + text.size(),
                               llvm::strictConversion) != llvm::conversionOK)
    return std::nullopt;
  text.resize(to - start);
  return text;
}

/// Null if an element is no text.
static Elements textsOf(StringRef bytes, ShapeRef shape, TextWidth width) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < numElements(shape); ++i) {
    uint64_t each = width.length * width.bytes;
    auto text = textOf(bytes.substr(i * each, each), width.bytes);
    if (!text)
      return Elements();
    texts.push_back(std::move(*text));
  }
  return Elements::fromStrings(
      shape, std::vector<StringRef>(texts.begin(), texts.end()));
}

static DataType typeOf(StringRef descr, DataType expected) {
  StringRef kind = descr.ltrim("<|=");
  if (descr.starts_with(">") && !kind.ends_with("1"))
    return DataType::Undefined;
  bool isSmall = typeClass(expected) == TypeClass::SmallFloat ||
                 expected == DataType::BFloat16;
  if (kind == "V" + std::to_string(byteWidth(expected)) && isSmall)
    return expected;
  if (textWidth(descr).bytes)
    return DataType::String;
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
  auto file = readWholeFile(path);
  if (!file)
    return file.takeError();
  return parseNpy((*file)->getBuffer(), path, expected);
}

/// The elements behind a header, in the order of the file.
static llvm::Expected<Elements> elementsOf(const Header &header, ShapeRef shape,
                                           StringRef bytes, StringRef name,
                                           DataType type) {
  bool isText = type == DataType::String;
  TextWidth text = textWidth(header.descr);
  uint64_t width = isText ? text.length * text.bytes : byteWidth(type);
  std::optional<int64_t> count = checkedNumElements(shape);
  if (!count || (width && uint64_t(*count) > bytes.size() / width) ||
      bytes.size() != uint64_t(*count) * width)
    return makeNpyError(name + ": has " + llvm::Twine(bytes.size()) +
                        " bytes of elements for shape " +
                        toString(header.shape) + " of " + onnxfold::name(type));
  if (isText) {
    // The file bounds the number of all others. numpy writes U1 instead.
    constexpr int64_t most = 1 << 20;
    if (width == 0 && *count > most)
      return makeNpyError(name + ": has " + llvm::Twine(*count) +
                          " texts of no characters, expected at most " +
                          llvm::Twine(most));
    Elements texts = textsOf(bytes, shape, text);
    if (!texts)
      return makeNpyError(name + ": has an element that is not text");
    return texts;
  }
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes.size());
  if (!bytes.empty())
    std::memcpy(buffer->data(), bytes.data(), bytes.size());
  if (type == DataType::Bool) // numpy's own are 0 and 1
    for (char &byte : llvm::MutableArrayRef<char>(buffer->data(), bytes.size()))
      byte = byte != 0;
  return Elements::fromBuffer(type, shape, buffer);
}

llvm::Expected<Elements> onnxfold::parseNpy(StringRef bytes, StringRef name,
                                            DataType expected) {
  auto bad = [&](const llvm::Twine &text) {
    return makeNpyError(name + ": " + text);
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
               "', expected little-endian numbers or text");
  Shape shape = header->shape;
  if (header->isFortran)
    std::reverse(shape.begin(), shape.end());
  auto elements =
      elementsOf(*header, shape, bytes.substr(begin + length), name, type);
  if (!elements || !header->isFortran)
    return elements;
  Shape perm;
  for (size_t i = shape.size(); i-- > 0;)
    perm.push_back(i);
  return elements->transpose(perm);
}

/// Texts as numpy has them: all as long as the longest one. `descr` becomes their
/// type. Nothing if one is no UTF-8.
static std::optional<std::vector<char>> paddedTexts(const Elements &elements,
                                                    std::string &descr) {
  std::vector<std::vector<llvm::UTF32>> texts;
  size_t longest = 1;
  for (StringRef text : elements.values<StringRef>()) {
    auto &characters = texts.emplace_back(text.size());
    auto *from = reinterpret_cast<const llvm::UTF8 *>(text.begin());
    llvm::UTF32 *to = characters.data();
    if (llvm::ConvertUTF8toUTF32(
            &from, reinterpret_cast<const llvm::UTF8 *>(text.end()), &to,
            to + characters.size(),
            llvm::strictConversion) != llvm::conversionOK)
      return std::nullopt;
    characters.resize(to - characters.data());
    longest = std::max(longest, characters.size());
  }
  std::vector<char> bytes(texts.size() * longest * sizeof(llvm::UTF32));
  for (auto [i, characters] : llvm::enumerate(texts))
    if (!characters.empty())
      std::memcpy(bytes.data() + i * longest * sizeof(llvm::UTF32),
                  characters.data(), characters.size() * sizeof(llvm::UTF32));
  descr = "<U" + std::to_string(longest);
  return bytes;
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

llvm::Expected<std::string> onnxfold::npyBytes(StringRef name,
                                               const Elements &elements) {
  std::string descr = descrOf(elements.type());
  std::optional<std::vector<char>> texts;
  if (elements.type() == DataType::String &&
      !(texts = paddedTexts(elements, descr)))
    return makeNpyError(name + ": cannot be written: a string is not UTF-8");
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : elements.shape())
    header += std::to_string(size) + ",";
  header += "), }";
  // Magic, version, length and dictionary together are a multiple of 64 bytes.
  constexpr size_t lead = 10;
  header.resize(llvm::alignTo(lead + header.size() + 1, 64) - lead - 1, ' ');
  header += '\n';
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.append(length, 2);
  bytes += header;
  size_t start = bytes.size();
  if (texts) {
    bytes.append(texts->data(), texts->size());
  } else {
    bytes.resize(start + elements.bytes());
    elements.read(bytes.data() + start);
  }
  return bytes;
}

llvm::Error onnxfold::writeNpy(StringRef path, const Elements &elements) {
  llvm::Expected<std::string> bytes = npyBytes(path, elements);
  if (!bytes)
    return bytes.takeError();
  return writeBytes(path, *bytes);
}

llvm::Error onnxfold::writeBytes(StringRef path, StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << bytes;
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    return makeNpyError(
        path + ": cannot be written: " + StringRef(error.message()).lower());
  return llvm::Error::success();
}
