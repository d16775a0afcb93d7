//===- CacheEntry.cpp - A value in a file of the cache --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/cache/internal/CacheEntry.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/FileCopy.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/SystemCalls.h"
#include "llvm/Support/xxhash.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace onnxfold;
using Key = ResultCache::Key;

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

/// It stands behind the elements: these begin where blocks and large pages do.
static constexpr uint64_t headerBytes = 4096;
static constexpr size_t mostDimensions = 256;
static constexpr uint64_t formatNumber = 2;

namespace {

struct Header {
  char magic[24] = "onnx-fold cached value\n";
  uint64_t format = formatNumber;
  Key build, key;
  uint64_t type = 0, rank = 0;
  uint64_t bytes = 0; ///< of the elements
  Key content;        ///< hash of the elements, see ChunkHashes
  int64_t dims[mostDimensions] = {};
  Key check; ///< hash of all that is above
};
static_assert(sizeof(Header) <= headerBytes);

} // namespace

static Key hashOf(const void *bytes, size_t size) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({static_cast<const uint8_t *>(bytes), size});
  return {hash.low64, hash.high64};
}

static Key checkOf(const Header &header) {
  return hashOf(&header, offsetof(Header, check));
}

namespace {

/// The hash of elements that several threads have in pieces, one chunk each.
class ChunkHashes {
public:
  static constexpr uint64_t chunk = 256 << 10;

  explicit ChunkHashes(uint64_t bytes) : hashes((bytes + chunk - 1) / chunk) {}

  void add(uint64_t offset, const char *bytes, uint64_t size) {
    hashes[offset / chunk] = hashOf(bytes, size);
  }
  Key whole() const {
    return hashOf(hashes.data(), hashes.size() * sizeof(Key));
  }

private:
  std::vector<Key> hashes;
};

} // namespace

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

/// Opens a file, and reads its header.
static CacheEntryState openEntry(const Descriptor &file,
                                 const CacheEntry &expected, Header &header) {
  struct stat status;
  if (file.fd < 0 || ::fstat(file.fd, &status) != 0)
    return CacheEntryState::None;
  return S_ISREG(status.st_mode) && isExpected(file.fd, expected, header) &&
                 uint64_t(status.st_size) == headerBytes + header.bytes
             ? CacheEntryState::Whole
             : CacheEntryState::Damaged;
}

static int openToRead(const std::string &path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

CacheEntryState onnxfold::findCacheEntry(const std::string &path,
                                         const CacheEntry &expected) {
  Descriptor file(openToRead(path));
  Header header;
  return openEntry(file, expected, header);
}

/// False if the file ends early, or cannot be read.
static bool readFully(int fd, char *out, uint64_t size, uint64_t offset) {
  while (size != 0) {
    ssize_t count = systemCalls().pread(fd, out, size, offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    out += count;
    offset += count;
    size -= count;
  }
  return true;
}

CacheEntryState onnxfold::readCacheEntry(const std::string &path,
                                         const CacheEntry &expected,
                                         char *out) {
  Descriptor file(openToRead(path));
  Header header;
  CacheEntryState state = openEntry(file, expected, header);
  if (state != CacheEntryState::Whole)
    return state;
  constexpr int64_t chunk = ChunkHashes::chunk;
  ChunkHashes hashes(header.bytes);
  std::atomic<bool> isWhole = true;
  parallelFor(header.bytes, chunk, [&](int64_t begin, int64_t end) {
    for (int64_t size; begin < end; begin += size) {
      size = std::min(chunk, end - begin);
      if (!readFully(file.fd, out + begin, size, begin))
        isWhole = false;
      hashes.add(begin, out + begin, size);
    }
  });
  if (!isWhole || hashes.whole() != header.content)
    return CacheEntryState::Damaged;
  timespec now[] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
  ::futimens(file.fd, now);
  return CacheEntryState::Whole;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The elements, chunk by chunk, by all threads.
static llvm::Error writeElements(int fd, const std::string &name,
                                 const Elements &value, ChunkHashes &hashes) {
  Elements::Reader reader(value);
  int64_t width = byteWidth(value.type()), grain = ChunkHashes::chunk / width;
  std::mutex mutex;
  llvm::Error failure = llvm::Error::success();
  parallelFor(value.size(), grain, [&](int64_t begin, int64_t end) {
    HeapBuffer scratch(std::min(grain, end - begin) * width);
    for (int64_t first = begin; first < end; first += grain) {
      int64_t count = std::min(grain, end - first);
      auto *chunk =
          static_cast<const char *>(reader.view(first, count, scratch.data()));
      hashes.add(first * width, chunk, count * width);
      llvm::Error error =
          writeFully(fd, first * width, {chunk, size_t(count * width)}, name);
      if (!error)
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      failure = firstError(std::move(failure), std::move(error));
      return;
    }
  });
  return failure;
}

static llvm::Error writeWhole(int fd, const std::string &name,
                              const CacheEntry &entry, const Elements &value) {
  Header header = headerOf(entry);
  if (systemCalls().truncate(fd, headerBytes + header.bytes) != 0)
    return makeSystemError(name, "cannot be written", errno);
  ChunkHashes hashes(header.bytes);
  if (llvm::Error error = writeElements(fd, name, value, hashes))
    return error;
  header.content = hashes.whole();
  header.check = checkOf(header);
  return writeFully(fd, header.bytes,
                    {reinterpret_cast<const char *>(&header), sizeof(header)},
                    name);
}

llvm::Error onnxfold::writeCacheEntry(const std::string &path,
                                      const std::string &temporary,
                                      const CacheEntry &entry,
                                      const Elements &value) {
  Descriptor file(::open(temporary.c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                         0600));
  if (file.fd < 0)
    return makeSystemError(temporary, "cannot be made", errno);
  llvm::Error error = writeWhole(file.fd, temporary, entry, value);
  if (!error && systemCalls().rename(temporary.c_str(), path.c_str()) != 0)
    error = makeSystemError(path, "cannot be made", errno);
  if (error)
    systemCalls().unlink(temporary.c_str());
  return error;
}
