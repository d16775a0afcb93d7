//===- ZipFile.cpp - Entries of zip archives ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/npy/ZipFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <zlib.h>

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
/// How entries are packed.
static constexpr unsigned stored = 0, deflated = 8;
/// The value of a 32-bit field whose number is in the zip64 record.
static constexpr uint32_t elsewhere = 0xffffffff;

namespace {

/// The place of the list of entries.
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
llvm::Error ZipFile::readEntry(StringRef &records) {
  auto bad = [&](const llvm::Twine &text) {
    return makeNpyError(path + ": " + text);
  };
  if (records.size() < entrySize || !records.starts_with(entryMark))
    return bad("its list of entries is broken");
  const char *at = records.data();
  unsigned flags = read16le(at + 8), method = read16le(at + 10);
  uint64_t packedSize = read32le(at + 20), size = read32le(at + 24),
           header = read32le(at + 42);
  uint64_t nameSize = read16le(at + 28), extraSize = read16le(at + 30),
           whole = entrySize + nameSize + extraSize + read16le(at + 32);
  if (records.size() < whole)
    return bad("its list of entries is broken");
  StringRef name = records.substr(entrySize, nameSize);
  StringRef extra = records.substr(entrySize + nameSize, extraSize);
  records = records.drop_front(whole);
  std::string shown = "entry '" + printableOfFile(name) + "'";
  if (!takeLarge(extra, {&size, &packedSize, &header}))
    return bad(shown + " has no size");
  if (flags & 1)
    return bad(shown + " is encrypted");
  if (method != stored && method != deflated)
    return bad(shown + " is packed by method " + llvm::Twine(method) +
               ", expected 0 (stored) or 8 (deflated)");
  if (method == stored && packedSize != size)
    return bad(shown + " has two sizes");
  entries[name.str()] = {header, packedSize, size, read32le(at + 16),
                         method == deflated};
  return llvm::Error::success();
}

llvm::Error ZipFile::readDirectory() {
  StringRef bytes = buffer->getBuffer();
  std::optional<Directory> found = findDirectory(bytes);
  if (!found)
    return makeNpyError(path + ": is not a zip archive");
  StringRef records = bytes.substr(found->begin, found->size);
  while (!records.empty())
    if (llvm::Error error = readEntry(records))
      return error;
  return llvm::Error::success();
}

llvm::Expected<ZipFile> ZipFile::open(StringRef path) {
  auto bytes = readWholeFile(path);
  if (!bytes)
    return bytes.takeError();
  ZipFile file;
  file.path = path.str();
  file.buffer = std::move(*bytes);
  if (llvm::Error error = file.readDirectory())
    return error;
  return file;
}

std::vector<std::string> ZipFile::names() const {
  auto range = llvm::make_first_range(entries);
  return {range.begin(), range.end()};
}

/// The bytes of an entry as they are in the file.
llvm::Expected<StringRef> ZipFile::packed(const Entry &entry,
                                          const std::string &shown) const {
  StringRef bytes = buffer->getBuffer();
  if (entry.header > bytes.size() || bytes.size() - entry.header < headerSize ||
      !bytes.substr(entry.header).starts_with(headerMark))
    return makeNpyError(shown + " is not where the list says");
  const char *at = bytes.data() + entry.header;
  uint64_t begin =
      entry.header + headerSize + read16le(at + 26) + read16le(at + 28);
  if (begin > bytes.size() || entry.packedSize > bytes.size() - begin)
    return makeNpyError(shown + " ends behind the file");
  return bytes.substr(begin, entry.packedSize);
}

/// zlib counts in 32 bits.
static unsigned takePart(uint64_t &left) {
  constexpr uint64_t most = 1 << 30;
  uint64_t part = std::min(left, most);
  left -= part;
  return part;
}

/// Deflated bytes without the header of zlib; whether they become all of `to`.
static bool inflateAll(StringRef from, llvm::MutableArrayRef<char> to) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  uint64_t leftIn = from.size(), leftOut = to.size();
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(from.data()));
  stream.next_out = reinterpret_cast<Bytef *>(to.data());
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0)
      stream.avail_in = takePart(leftIn);
    if (stream.avail_out == 0)
      stream.avail_out = takePart(leftOut);
    // Z_BUF_ERROR, where nothing is left, ends it too.
    status = inflate(&stream, Z_NO_FLUSH);
  }
  bool isWhole =
      status == Z_STREAM_END && stream.avail_out == 0 && leftOut == 0;
  inflateEnd(&stream);
  return isWhole;
}

static uint32_t checksumOf(StringRef bytes) {
  uLong sum = crc32(0, nullptr, 0);
  for (uint64_t left = bytes.size(); left != 0;) {
    auto *at = reinterpret_cast<const Bytef *>(bytes.end() - left);
    sum = crc32(sum, at, takePart(left));
  }
  return sum;
}

/// An entry that is deflated to `packed`; null if it is not.
static std::unique_ptr<llvm::MemoryBuffer> inflated(StringRef packed,
                                                    uint64_t size) {
  // A hostile size is not allocated: nothing is deflated to less than this.
  constexpr uint64_t bestRatio = 1032;
  if (size / bestRatio > packed.size())
    return nullptr;
  auto bytes = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(size);
  return bytes && inflateAll(packed, bytes->getBuffer()) ? std::move(bytes)
                                                         : nullptr;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
ZipFile::read(StringRef name, const llvm::Twine &shownAs) const {
  std::string shown = shownAs.str();
  auto found = entries.find(name.str());
  if (found == entries.end())
    return makeNpyError(shown + " is not in it");
  const Entry &entry = found->second;
  auto content = packed(entry, shown);
  if (!content)
    return content.takeError();
  auto bytes =
      entry.isDeflated
          ? inflated(*content, entry.size)
          : llvm::MemoryBuffer::getMemBuffer(*content, "",
                                             /*RequiresNullTerminator=*/false);
  if (!bytes)
    return makeNpyError(shown + " cannot be inflated");
  if (checksumOf(bytes->getBuffer()) != entry.checksum)
    return makeNpyError(shown + " is damaged: its checksum is another");
  return bytes;
}
