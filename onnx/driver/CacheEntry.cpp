//===- CacheEntry.cpp - A value in a file of the cache --------------------===//

#include "onnxfold/onnx/driver/internal/CacheEntry.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/driver/internal/CheckedMark.h"
#include "onnxfold/onnx/io/FileCopy.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/SystemCalls.h"
#include "llvm/Support/xxhash.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace onnxfold;
using Key = ResultCache::Key;

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

/// It stands behind the elements: these begin where blocks and large pages do.
static constexpr uint64_t headerBytes = 4096;
static constexpr size_t mostDimensions = 256;
static constexpr uint64_t formatNumber = 1;

namespace {

struct Header {
  char magic[24] = "onnx-fold cached value\n";
  uint64_t format = formatNumber;
  Key build, key;
  uint64_t type = 0, rank = 0;
  uint64_t bytes = 0; ///< of the elements
  Key content;        ///< hash of type, shape and elements (ContentHash.h)
  int64_t dims[mostDimensions] = {};
  Key check; ///< hash of all that is above
};
static_assert(sizeof(Header) <= headerBytes);

} // namespace

static Key checkOf(const Header &header) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(&header), offsetof(Header, check)});
  return {hash.low64, hash.high64};
}

/// All but the hashes.
static Header headerOf(const CacheEntry &entry) {
  Header header;
  header.build = entry.build;
  header.key = entry.key;
  header.type = uint64_t(entry.type);
  header.rank = entry.shape.size();
  llvm::copy(entry.shape, header.dims);
  header.bytes = numElements(entry.shape) * byteWidth(entry.type);
  return header;
}

std::optional<uint64_t> onnxfold::bytesOfCacheEntry(const Elements &value) {
  if (size_t(value.rank()) > mostDimensions)
    return std::nullopt;
  return headerBytes + value.bytes();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// The elements in a file. They are addresses only, and no open file, of which
/// a process can have few; pages that were read are given back after it.
class EntryBuffer final : public Buffer {
public:
  EntryBuffer(char *mapped, uint64_t size) : Buffer(size), mapped(mapped) {
    ++number;
  }
  ~EntryBuffer() override {
    ::munmap(mapped, size());
    --number;
  }

  /// A process may have 65,530 mappings, and others need some.
  static bool areTooMany() { return number > 16'000; }

  const char *acquire() override {
    std::lock_guard<std::mutex> lock(mutex);
    if (pins++ == 0)
      counted = MappedBytes(size());
    return mapped;
  }
  void release() override {
    std::lock_guard<std::mutex> lock(mutex);
    if (--pins != 0)
      return;
    ::madvise(mapped, size(), MADV_DONTNEED);
    counted = MappedBytes();
  }
  bool spill() override { return true; } // it is in a file

private:
  char *mapped;
  std::mutex mutex;
  MappedBytes counted;
  unsigned pins = 0;
  static std::atomic<unsigned> number; ///< that there are
};

std::atomic<unsigned> EntryBuffer::number = 0;

/// Closes a descriptor.
struct Descriptor {
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  int fd;
};

} // namespace

/// Null if there is no room for it.
static Elements mapElements(int fd, const CacheEntry &entry, uint64_t bytes) {
  errno = ENOMEM;
  if (EntryBuffer::areTooMany())
    return {};
  void *mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (mapped == MAP_FAILED)
    return {};
  return Elements::fromBuffer(entry.type, entry.shape,
                              llvm::makeIntrusiveRefCnt<EntryBuffer>(
                                  static_cast<char *>(mapped), bytes));
}

/// The file is what its name says, as far as the header tells.
static bool isExpected(int fd, const CacheEntry &expected, Header &header) {
  Header wanted = headerOf(expected);
  ssize_t count =
      systemCalls().pread(fd, &header, sizeof(header), wanted.bytes);
  if (count != ssize_t(sizeof(header)))
    return false;
  wanted.content = header.content;
  wanted.check = checkOf(wanted);
  return std::memcmp(&wanted, &header, sizeof(Header)) == 0;
}

Elements onnxfold::readCacheEntry(const std::string &path,
                                  const CacheEntry &expected, bool &isDamaged) {
  isDamaged = false;
  Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status;
  if (file.fd < 0 || ::fstat(file.fd, &status) != 0)
    return {};
  Header header;
  isDamaged = true;
  if (!S_ISREG(status.st_mode) || !isExpected(file.fd, expected, header) ||
      uint64_t(status.st_size) != headerBytes + header.bytes)
    return {};
  Elements value = mapElements(file.fd, expected, header.bytes);
  isDamaged = value && !isMarkedAsChecked(status, header.check) &&
              ops::contentHash(value) != header.content;
  if (isDamaged || !value)
    return {};
  // Also the time of last use: a full cache keeps what was used last.
  markAsChecked(file.fd, header.check);
  return value;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The elements, block by block, by all threads.
static llvm::Error writeElements(int fd, const std::string &name,
                                 const Elements &value) {
  Elements::Reader reader(value);
  int64_t grain = reader.preferredGrain(), width = byteWidth(value.type());
  std::mutex mutex;
  llvm::Error failure = llvm::Error::success();
  parallelFor(value.size(), grain, [&](int64_t begin, int64_t end) {
    HeapBuffer scratch(std::min(grain, end - begin) * width);
    for (int64_t first = begin; first < end; first += grain) {
      int64_t count = std::min(grain, end - first);
      auto *block =
          static_cast<const char *>(reader.view(first, count, scratch.data()));
      llvm::Error error =
          writeFully(fd, first * width, {block, size_t(count * width)}, name);
      if (!error)
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      failure = firstError(std::move(failure), std::move(error));
      return;
    }
  });
  return failure;
}

/// As they are in the file, with their hash: what is read later is checked, not
/// what was meant to be written.
static llvm::Expected<Elements> writeWhole(int fd, const std::string &name,
                                           const CacheEntry &entry,
                                           const Elements &value, Key &check) {
  Header header = headerOf(entry);
  if (systemCalls().truncate(fd, headerBytes + header.bytes) != 0)
    return makeSystemError(name, "cannot be written", errno);
  if (llvm::Error error = writeElements(fd, name, value))
    return error;
  Elements written = mapElements(fd, entry, header.bytes);
  if (!written)
    return makeSystemError(name, "cannot be mapped", errno);
  header.content = ops::contentHash(written);
  check = header.check = checkOf(header);
  if (llvm::Error error = writeFully(
          fd, header.bytes,
          {reinterpret_cast<const char *>(&header), sizeof(header)}, name))
    return error;
  return written;
}

llvm::Expected<Elements> onnxfold::writeCacheEntry(const std::string &path,
                                                   const std::string &temporary,
                                                   const CacheEntry &entry,
                                                   const Elements &value) {
  Descriptor file(::open(temporary.c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                         0600));
  if (file.fd < 0)
    return makeSystemError(temporary, "cannot be made", errno);
  Key check;
  llvm::Expected<Elements> written =
      writeWhole(file.fd, temporary, entry, value, check);
  if (written && systemCalls().rename(temporary.c_str(), path.c_str()) != 0)
    written = makeSystemError(path, "cannot be made", errno);
  if (!written)
    systemCalls().unlink(temporary.c_str());
  else
    markAsChecked(file.fd, check);
  return written;
}
