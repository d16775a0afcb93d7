//===- TestFiles.h - Files and bytes for the tests of onnx/io -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A fixture with a folder of its own, and a way to write protobuf bytes by
// hand, odd encodings included.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ONNX_IO_TESTFILES_H
#define ONNXFOLD_TESTS_ONNX_IO_TESTFILES_H

#include "onnxfold/onnx/io/files/InputFile.h"

#include "gtest/gtest.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <protozero/buffer_string.hpp>
#include <protozero/varint.hpp>
#include <string>
#include <sys/types.h>

namespace onnxfold {

/// In the place of SystemCalls::openUnnamed: a folder without unnamed files.
inline int noUnnamedFiles(const char *, mode_t) {
  errno = EOPNOTSUPP;
  return -1;
}

/// A folder that is removed with all that is in it.
class FileTest : public ::testing::Test {
protected:
  FileTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "onnxfold-io-test-XXXXXX")
            .string();
    folder = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  std::string write(const std::string &name, const std::string &bytes) const {
    // Removed first: ext4 waits for the disk when a file is truncated.
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  /// Number of entries, hidden ones included.
  size_t fileCount() const {
    std::filesystem::directory_iterator begin(folder), end;
    return std::distance(begin, end);
  }
  InputFileRef openBytes(const std::string &bytes,
                         const std::string &name = "model.onnx") const {
    return cantFail(InputFile::open(write(name, bytes)));
  }

  std::string folder;
};

/// The text of an error, or "" if there is none; file names without folder.
inline std::string errorText(llvm::Error error,
                             const std::string &folder = "") {
  std::string text = toString(std::move(error));
  for (size_t at;
       !folder.empty() && (at = text.find(folder + "/")) < text.size();)
    text.erase(at, folder.size() + 1);
  return text;
}
template <typename T>
std::string errorText(llvm::Expected<T> value, const std::string &folder = "") {
  return value ? "" : errorText(value.takeError(), folder);
}

/// A varint in `width` bytes or the fewest.
inline std::string varint(uint64_t value, size_t width = 0) {
  std::string bytes;
  protozero::add_varint_to_buffer(&bytes, value);
  if (bytes.size() < width) {
    bytes.back() |= char(0x80);
    bytes.resize(width, char(0x80));
    bytes.back() = 0;
  }
  return bytes;
}
inline std::string intField(uint32_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}
inline std::string bytesField(uint32_t number, const std::string &bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
inline std::string fixed32Field(uint32_t number, const std::string &bytes) {
  return varint(number << 3 | 5) + bytes;
}
inline std::string fixed64Field(uint32_t number, const std::string &bytes) {
  return varint(number << 3 | 1) + bytes;
}
inline std::string groupField(uint32_t number, const std::string &fields) {
  return varint(number << 3 | 3) + fields + varint(number << 3 | 4);
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ONNX_IO_TESTFILES_H
