//===- ExternalData.cpp - Files that hold tensors of a model --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/ExternalData.h"

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/ir/SettingName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

std::string folderOfModel(StringRef modelPath) {
  StringRef parent = sys::path::parent_path(modelPath);
  return parent.empty() ? "." : parent.str();
}

static std::string realPath(StringRef path) {
  SmallString<256> real;
  if (sys::fs::real_path(path, real))
    return std::string();
  return real.str().str();
}

ExternalData::ExternalData(std::string modelFolder,
                           ArrayRef<std::string> extraRoots)
    : folder(std::move(modelFolder)) {
  home = realPath(folder);
  for (const std::string &root : extraRoots)
    roots.push_back(realPath(root));
  erase_if(roots, [](const std::string &root) { return root.empty(); });
}

std::unique_ptr<ExternalData>
ExternalData::ofModel(StringRef path, ArrayRef<std::string> extraRoots) {
  auto result = std::make_unique<ExternalData>(folderOfModel(path), extraRoots);
  std::string realHome = sys::path::parent_path(realPath(path)).str();
  if (realHome != "/") // below which everything is
    result->realHome = std::move(realHome);
  return result;
}

/// Does a real path lie below another one?
static bool isBelow(StringRef path, StringRef root) {
  return root == "/" || (!root.empty() && path.starts_with(root) &&
                         path.drop_front(root.size()).starts_with("/"));
}

/// Messages about a data file begin with this.
static ModelFault faultOf(StringRef location, Subject subject) {
  return subject.fault().says(": external file '" + printableName(location) +
                              "'");
}

/// The error for a location that is wrong whatever is on the disk, or success.
static Error checkLocation(StringRef location, Subject subject) {
  auto shown = [&] { return faultOf(location, subject); };
  if (location.contains('\0'))
    return shown().has("a zero byte in its name");
  if (location.starts_with("/")) // LLVM has `//w.bin` for a relative one
    return shown()
        .is("an absolute path")
        .expected("one relative to the model's folder");
  // Even `a/../b` depends on what `a` links to.
  SmallVector<StringRef, 8> parts;
  location.split(parts, '/');
  int depth = 0;
  for (StringRef part : parts) {
    if (part == "..")
      --depth;
    else if (!part.empty() && part != ".")
      ++depth;
    if (depth < 0)
      return shown().is("outside the model's folder");
  }
  return Error::success();
}

/// Opens for reading what `pathDescriptor` (O_PATH) refers to.
static int reopen(int pathDescriptor, const std::string &realPath) {
  std::string self = "/proc/self/fd/" + std::to_string(pathDescriptor);
  int fd = ::open(self.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) // no /proc
    fd = ::open(realPath.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  return fd;
}

/// The real path of an open descriptor; of `path` if there is no /proc.
static std::string pathOfDescriptor(int fd, const std::string &path) {
  char buffer[4096];
  std::string self = "/proc/self/fd/" + std::to_string(fd);
  ssize_t size = ::readlink(self.c_str(), buffer, sizeof(buffer));
  if (size > 0 && size_t(size) < sizeof(buffer))
    return std::string(buffer, size);
  return realPath(path);
}

Expected<InputFileRef> ExternalData::open(StringRef location, Subject subject) {
  if (Error error = checkLocation(location, subject))
    return error;
  auto shown = [&] { return faultOf(location, subject); };
  auto systemFault = [&](const char *what) {
    return shown().says(": " + Twine(what) + ": " + systemReason(errno));
  };
  std::string path = folder + "/" + location.str();
  // O_PATH touches nothing: what was found is examined before it is opened.
  int found = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (found < 0)
    return systemFault("cannot be opened");
  scope_exit closeFound([&] { ::close(found); });
  std::string real = pathOfDescriptor(found, path);
  bool vouched =
      any_of(roots, [&](StringRef root) { return isBelow(real, root); });
  bool isAtHome = isBelow(real, home);
  if (!vouched && !isAtHome && !isBelow(real, realHome))
    return shown().is("outside the model's folder");
  struct stat status;
  if (::fstat(found, &status) != 0)
    return systemFault("cannot be examined");
  if (!S_ISREG(status.st_mode))
    return shown().says("is not a regular file");
  // Another name of the file may be anywhere: a secret that was linked into the
  // folder. The ONNX library refuses such files too.
  if (status.st_nlink > 1 && !vouched)
    return shown()
        .has(Twine(uint64_t(status.st_nlink)) + " hard links")
        .says(", so it may belong to another folder; copy it, or name its "
              "folder as " +
              setting("data-root"));
  int fd = reopen(found, real);
  if (fd < 0 && errno == EMFILE && raiseOpenFileLimit())
    fd = reopen(found, real);
  if (fd < 0)
    return systemFault("cannot be opened");
  filesElsewhere |= !isAtHome;
  return InputFile::adopt(fd, path);
}

Expected<ExternalRange>
ExternalData::resolve(const ExternalReference &reference, uint64_t byteSize,
                      Subject subject) {
  ExternalRange result;
  {
    std::lock_guard<std::mutex> lock(mutex);
    InputFileRef &file = opened[reference.location];
    if (!file) {
      Expected<InputFileRef> fresh = open(reference.location, subject);
      if (!fresh) {
        opened.erase(reference.location);
        return fresh.takeError();
      }
      file = *fresh;
    }
    result.file = file;
  }
  uint64_t size = result.file->size();
  if (reference.offset > size || byteSize > size - reference.offset)
    return faultOf(reference.location, subject)
        .has(Twine(size) + " bytes")
        .expected(Twine(byteSize) + " bytes at offset " +
                  Twine(reference.offset));
  result.range = {reference.offset, reference.offset + byteSize};
  return result;
}

void ExternalData::give(StringRef location, InputFileRef file) {
  std::lock_guard<std::mutex> lock(mutex);
  opened[location] = std::move(file);
}

std::vector<std::pair<std::string, InputFileRef>> ExternalData::files() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::pair<std::string, InputFileRef>> list;
  for (const auto &entry : opened)
    list.emplace_back(entry.first().str(), entry.second);
  llvm::sort(list,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  return list;
}

bool ExternalData::hasFilesElsewhere() const {
  std::lock_guard<std::mutex> lock(mutex);
  return filesElsewhere;
}

} // namespace onnxfold
