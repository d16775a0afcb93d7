//===- NumpyArchive.cpp - Archives of arrays -----------------------------------===//
//
// Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3.7 (local headers), 4.3.12 (the
// directory) and 4.3.16 (its end).
//
//===----------------------------------------------------------------------===//

#include "NumpyArchive.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace onnxfold;
using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

llvm::Error NumpyArchive::error(const llvm::Twine &text) const {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 path + ": " + text);
}

llvm::Expected<NumpyArchive> NumpyArchive::open(StringRef path) {
  NumpyArchive archive;
  archive.path = path.str();
  // Volatile: read and not mapped, so that nobody can cut it under us.
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  if (!file)
    return archive.error("cannot be read: " +
                         StringRef(file.getError().message()).lower());
  archive.file = std::move(*file);
  if (llvm::Error error = archive.readDirectory())
    return error;
  return archive;
}

llvm::Error NumpyArchive::readDirectory() {
  constexpr size_t endBytes = 22, rowBytes = 46;
  StringRef bytes = file->getBuffer();
  size_t end = bytes.rfind(StringRef("PK\5\6", 4));
  if (end == StringRef::npos || bytes.size() - end < endBytes)
    return error("is no .npz file: a ZIP archive has a directory at its end");
  unsigned count = read16le(bytes.data() + end + 10);
  uint64_t place = read32le(bytes.data() + end + 16);
  for (unsigned i = 0; i < count; ++i) {
    StringRef row = bytes.substr(place);
    if (row.size() < rowBytes || !row.starts_with(StringRef("PK\1\2", 4)))
      return error("entry " + llvm::Twine(i) + " of its directory is not at " +
                   llvm::Twine(place));
    unsigned nameBytes = read16le(row.data() + 28);
    entries.push_back({row.substr(rowBytes, nameBytes),
                       read16le(row.data() + 10), read32le(row.data() + 16),
                       read32le(row.data() + 20), read32le(row.data() + 24),
                       read32le(row.data() + 42)});
    place += rowBytes + nameBytes + read16le(row.data() + 30) +
             read16le(row.data() + 32);
  }
  return llvm::Error::success();
}

std::vector<StringRef> NumpyArchive::names() const {
  std::vector<StringRef> names;
  for (const Entry &entry : entries)
    if (entry.name.ends_with(".npy"))
      names.push_back(entry.name.drop_back(4));
  return names;
}

const NumpyArchive::Entry *NumpyArchive::find(StringRef name) const {
  auto found = llvm::find_if(entries, [&](const Entry &entry) {
    StringRef own = entry.name;
    return own.consume_back(".npy") && own == name;
  });
  return found == entries.end() ? nullptr : &*found;
}

/// The bytes of an entry as they are in the file.
llvm::Expected<StringRef> NumpyArchive::packed(const Entry &entry) const {
  constexpr size_t headerBytes = 30;
  constexpr uint32_t large = 0xffffffff; // it says so elsewhere
  if (entry.packedBytes == large || entry.bytes == large ||
      entry.place == large)
    return error("'" + entry.name + "' has 4 GB or more");
  StringRef rest = file->getBuffer().substr(entry.place);
  if (rest.size() < headerBytes || !rest.starts_with(StringRef("PK\3\4", 4)))
    return error("'" + entry.name + "' is not where its directory says");
  if ((read16le(rest.data() + 6) & 1) != 0)
    return error("'" + entry.name + "' is encrypted");
  StringRef content = rest.substr(headerBytes + read16le(rest.data() + 26) +
                                  read16le(rest.data() + 28));
  if (content.size() < entry.packedBytes)
    return error("'" + entry.name + "' has " + llvm::Twine(content.size()) +
                 " bytes, expected " + llvm::Twine(entry.packedBytes));
  return content.take_front(entry.packedBytes);
}

/// Deflated bytes without the header of zlib; whether they become all of `to`.
static bool inflateAll(StringRef from, llvm::MutableArrayRef<char> to) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(from.data()));
  stream.avail_in = from.size();
  stream.next_out = reinterpret_cast<Bytef *>(to.data());
  stream.avail_out = to.size();
  bool isWhole =
      inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return isWhole;
}

llvm::Expected<Elements> NumpyArchive::read(StringRef name,
                                            DataType expected) const {
  const Entry *entry = find(name);
  if (!entry)
    return error("it has no array '" + name + "'");
  auto content = packed(*entry);
  if (!content)
    return content.takeError();
  constexpr unsigned stored = 0, deflated = 8;
  // A hostile size is not allocated: nothing is deflated to less than this.
  constexpr uint64_t bestRatio = 1032;
  std::vector<char> inflated;
  if (entry->method == deflated) {
    if (entry->bytes > bestRatio * (content->size() + 1))
      return error("'" + entry->name + "' cannot be inflated");
    inflated.resize(entry->bytes);
    if (!inflateAll(*content, inflated))
      return error("'" + entry->name + "' cannot be inflated");
    content = StringRef(inflated.data(), inflated.size());
  } else if (entry->method != stored) {
    return error("'" + entry->name + "' is packed by method " +
                 llvm::Twine(entry->method) + ", expected 0 or 8");
  }
  auto sum = crc32(0, reinterpret_cast<const Bytef *>(content->data()),
                   content->size());
  if (sum != entry->checksum)
    return error("'" + entry->name + "' is damaged: its checksum is another");
  return parseNpy(*content, path + ":" + entry->name.str(), expected);
}
