//===- NpzFile.cpp - Archives of tensors that numpy saves -----------------===//

#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

/// Signatures and sizes of the fixed parts of records.
static constexpr StringRef endMark = "PK\x05\x06", end64Mark = "PK\x06\x06",
                           locatorMark = "PK\x06\x07", entryMark = "PK\x01\x02",
                           headerMark = "PK\x03\x04";
static constexpr uint64_t endSize = 22, end64Size = 56, locatorSize = 20,
                          entrySize = 46, headerSize = 30;
/// Of a number that stands elsewhere.
static constexpr uint32_t elsewhere = 0xffffffff;

namespace {

/// Where the list of entries is.
struct Directory {
  uint64_t begin, size;
};

} // namespace

static std::optional<Directory> findDirectory(StringRef bytes) {
  size_t end = bytes.rfind(endMark);
  if (end == StringRef::npos || bytes.size() - end < endSize)
    return std::nullopt;
  const char *at = bytes.data() + end;
  Directory found{read32le(at + 16), read32le(at + 12)};
  bool isLarge = end >= locatorSize &&
                 bytes.substr(end - locatorSize).starts_with(locatorMark);
  if (isLarge) {
    uint64_t place = read64le(at - locatorSize + 8);
    if (place > bytes.size() || bytes.size() - place < end64Size ||
        !bytes.substr(place).starts_with(end64Mark))
      return std::nullopt;
    found = {read64le(bytes.data() + place + 48),
             read64le(bytes.data() + place + 40)};
  }
  if (found.begin > bytes.size() || found.size > bytes.size() - found.begin)
    return std::nullopt;
  return found;
}

/// Takes the numbers that did not fit from the extra field for them, in their
/// order.
static bool takeLarge(StringRef extra, llvm::ArrayRef<uint64_t *> numbers) {
  while (extra.size() >= 4) {
    unsigned id = read16le(extra.data()), size = read16le(extra.data() + 2);
    extra = extra.drop_front(4);
    if (size > extra.size())
      return false;
    StringRef field = extra.take_front(size);
    extra = extra.drop_front(size);
    if (id != 1)
      continue;
    for (uint64_t *number : numbers) {
      if (*number != elsewhere)
        continue;
      if (field.size() < 8)
        return false;
      *number = read64le(field.data());
      field = field.drop_front(8);
    }
  }
  return true;
}

/// One entry from the front of the directory.
llvm::Error NpzFile::readEntry(StringRef &records) {
  auto bad = [&](const llvm::Twine &text) {
    return makeNpyError(path + ": " + text);
  };
  if (records.size() < entrySize || !records.starts_with(entryMark))
    return bad("its list of entries is broken");
  const char *at = records.data();
  unsigned flags = read16le(at + 8), method = read16le(at + 10);
  uint64_t stored = read32le(at + 20), size = read32le(at + 24),
           header = read32le(at + 42);
  uint64_t nameSize = read16le(at + 28), extraSize = read16le(at + 30),
           whole = entrySize + nameSize + extraSize + read16le(at + 32);
  if (records.size() < whole)
    return bad("its list of entries is broken");
  StringRef name = records.substr(entrySize, nameSize);
  StringRef extra = records.substr(entrySize + nameSize, extraSize);
  records = records.drop_front(whole);
  std::string shown = "entry '" + printableOfFile(name) + "'";
  if (!takeLarge(extra, {&size, &stored, &header}))
    return bad(shown + " has no size");
  if (flags & 1)
    return bad(shown + " is encrypted");
  if (method != 0)
    return bad(shown + " is compressed, expected an archive of numpy.savez, "
                       "which does not compress");
  if (!name.consume_back(".npy"))
    return bad(shown + " is no array, expected a name that ends in .npy");
  if (stored != size)
    return bad(shown + " has two sizes");
  entries[name.str()] = {header, size};
  return llvm::Error::success();
}

llvm::Error NpzFile::readDirectory() {
  StringRef bytes = buffer->getBuffer();
  std::optional<Directory> found = findDirectory(bytes);
  if (!found)
    return makeNpyError(path + ": is no archive of numpy.savez");
  StringRef records = bytes.substr(found->begin, found->size);
  while (!records.empty())
    if (llvm::Error error = readEntry(records))
      return error;
  return llvm::Error::success();
}

llvm::Expected<NpzFile> NpzFile::open(StringRef path) {
  auto bytes = readWholeFile(path);
  if (!bytes)
    return bytes.takeError();
  NpzFile file;
  file.path = path.str();
  file.buffer = std::move(*bytes);
  if (llvm::Error error = file.readDirectory())
    return error;
  return file;
}

std::vector<std::string> NpzFile::names() const {
  auto range = llvm::make_first_range(entries);
  return {range.begin(), range.end()};
}

llvm::Expected<Elements> NpzFile::read(StringRef name,
                                       DataType expected) const {
  StringRef bytes = buffer->getBuffer();
  const Entry &entry = entries.find(name.str())->second;
  std::string shown = path + ": array '" + printableOfFile(name) + "'";
  if (entry.header > bytes.size() || bytes.size() - entry.header < headerSize ||
      !bytes.substr(entry.header).starts_with(headerMark))
    return makeNpyError(shown + " is not where the list says");
  const char *at = bytes.data() + entry.header;
  uint64_t begin =
      entry.header + headerSize + read16le(at + 26) + read16le(at + 28);
  if (begin > bytes.size() || entry.size > bytes.size() - begin)
    return makeNpyError(shown + " ends behind the file");
  return parseNpy(bytes.substr(begin, entry.size), shown, expected);
}
