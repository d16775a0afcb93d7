//===- NpzWriter.cpp - Archives that numpy reads --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include <zlib.h>

using namespace onnxfold;
using llvm::StringRef;

/// Little-endian numbers of two and four bytes.
static void put(std::string &to, uint32_t number, unsigned bytes) {
  for (unsigned i = 0; i != bytes; ++i)
    to += char(number >> 8 * i);
}

/// The fields that an entry's header and its record in the directory share.
/// Bytes are stored as they are, with the first date of zip and UTF-8 names.
static std::string sharedFields(StringRef name, StringRef content) {
  constexpr uint32_t version = 20, utf8Names = 1 << 11, firstDate = 0x21;
  auto checksum = uint32_t(::crc32_z(
      0, reinterpret_cast<const Bytef *>(content.data()), content.size()));
  std::string fields;
  put(fields, version, 2);
  put(fields, utf8Names, 2);
  put(fields, 0, 2); // stored
  put(fields, 0, 2); // time
  put(fields, firstDate, 2);
  put(fields, checksum, 4);
  put(fields, uint32_t(content.size()), 4);
  put(fields, uint32_t(content.size()), 4);
  put(fields, uint32_t(name.size()), 2);
  put(fields, 0, 2); // further fields
  return fields;
}

llvm::Error
onnxfold::writeNpz(StringRef path,
                   llvm::ArrayRef<std::pair<std::string, Elements>> arrays) {
  std::string file, directory;
  for (const auto &[name, elements] : arrays) {
    llvm::Expected<std::string> content = npyBytes(path, elements);
    if (!content)
      return content.takeError();
    constexpr uint64_t most = uint64_t(1) << 32;
    if (file.size() + content->size() >= most)
      return makeNpyError(path + ": takes more than 4 GB, expected less");
    std::string entry = name + ".npy", fields = sharedFields(entry, *content);
    directory += "PK\x01\x02";
    put(directory, 20, 2);
    directory += fields;
    put(directory, 0, 2); // comment
    put(directory, 0, 2); // disk
    put(directory, 0, 2); // attributes
    put(directory, 0, 4);
    put(directory, uint32_t(file.size()), 4);
    directory += entry;
    for (StringRef part : {StringRef("PK\x03\x04"), StringRef(fields),
                           StringRef(entry), StringRef(*content)})
      file += part;
  }
  auto begin = uint32_t(file.size()), count = uint32_t(arrays.size());
  file += directory + "PK\x05\x06";
  put(file, 0, 4); // disks
  put(file, count, 2);
  put(file, count, 2);
  put(file, uint32_t(directory.size()), 4);
  put(file, begin, 4);
  put(file, 0, 2); // comment
  return writeBytes(path, file);
}
