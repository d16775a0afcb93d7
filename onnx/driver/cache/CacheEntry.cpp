//===- CacheEntry.cpp - A value in a file of the cache --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/cache/internal/CacheEntry.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"
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
static constexpr uint64_t formatNumber = 3;

namespace {

struct Header {
  char magic[24] = "onnx-fold cached value\n";
  uint64_t format = formatNumber;
  Key build, key;
  uint64_t type = 0, rank = 0;
  uint64_t bytes = 0; ///< of the elements
  Key content;        ///< hash of the hashes
  int64_t dims[mostDimensions] = {};
  Key check; ///< hash of all that is above
  char unused[1928] = {};
};
static_assert(sizeof(Header) == headerBytes);

} // namespace

static Key hashOf(const void *bytes, size_t size) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({static_cast<const uint8_t *>(bytes), size});
  return {hash.low64, hash.high64};
}

static Key checkOf(const Header &header) {
  return hashOf(&header, offsetof(Header, check));
}

static constexpr uint64_t pieceBytes = ResultCache::pieceBytes;

/// One hash for each piece of the elements.
using PieceHashes = std::vector<Key>;

static PieceHashes hashesOf(uint64_t bytes) {
  return PieceHashes((bytes + pieceBytes - 1) / pieceBytes);
}

static Key hashOf(const PieceHashes &hashes) {
  return hashOf(hashes.data(), hashes.size() * sizeof(Key));
}

/// The bytes of the file.
static uint64_t sizeOfFile(uint64_t elements) {
  return elements + headerBytes + hashesOf(elements).size() * sizeof(Key);
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
  return sizeOfFile(value.bytes());
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

/// Reads the header of an open file.
static CacheEntryState readHeader(int fd, const CacheEntry &expected,
                                  Header &header) {
  struct stat status;
  if (fd < 0 || ::fstat(fd, &status) != 0)
    return CacheEntryState::None;
  return S_ISREG(status.st_mode) && isExpected(fd, expected, header) &&
                 uint64_t(status.st_size) == sizeOfFile(header.bytes)
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
  return readHeader(file.fd, expected, header);
}

/// False if the file ends early, or cannot be read.
static bool readFully(int fd, void *out, uint64_t size, uint64_t offset) {
  auto *to = static_cast<char *>(out);
  while (size != 0) {
    ssize_t count = systemCalls().pread(fd, to, size, offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    to += count;
    offset += count;
    size -= count;
  }
  return true;
}

OpenCacheEntry::~OpenCacheEntry() {
  if (fd >= 0)
    ::close(fd);
}

std::shared_ptr<OpenCacheEntry> OpenCacheEntry::open(const std::string &path,
                                                     const CacheEntry &expected,
                                                     CacheEntryState &state) {
  std::shared_ptr<OpenCacheEntry> entry(new OpenCacheEntry(openToRead(path)));
  Header header;
  state = readHeader(entry->fd, expected, header);
  if (state != CacheEntryState::Whole)
    return nullptr;
  PieceHashes hashes = hashesOf(header.bytes);
  if (!readFully(entry->fd, hashes.data(), hashes.size() * sizeof(Key),
                 header.bytes + headerBytes) ||
      hashOf(hashes) != header.content) {
    state = CacheEntryState::Damaged;
    return nullptr;
  }
  entry->bytes = header.bytes;
  entry->hashes = std::move(hashes);
  timespec now[] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
  ::futimens(entry->fd, now);
  return entry;
}

/// The whole piece that begins there.
bool OpenCacheEntry::readPiece(uint64_t begin, char *out) const {
  uint64_t size = std::min(pieceBytes, bytes - begin);
  return readFully(fd, out, size, begin) &&
         hashOf(out, size) == hashes[begin / pieceBytes];
}

bool OpenCacheEntry::read(uint64_t offset, uint64_t size, char *out) const {
  uint64_t first = offset / pieceBytes * pieceBytes, last = offset + size;
  std::atomic<bool> isWhole = true;
  parallelFor(last - first, pieceBytes, [&](int64_t from, int64_t to) {
    std::unique_ptr<char[]> scratch; // a part of a piece is asked for
    for (uint64_t begin = first + from; begin < first + to;
         begin += pieceBytes) {
      uint64_t end = std::min(begin + pieceBytes, bytes);
      if (begin >= offset && end <= last) {
        if (!readPiece(begin, out + (begin - offset)))
          isWhole = false;
        continue;
      }
      if (!scratch)
        scratch = std::make_unique_for_overwrite<char[]>(pieceBytes);
      if (!readPiece(begin, scratch.get()))
        isWhole = false;
      uint64_t source = std::max(begin, offset);
      std::memcpy(out + (source - offset), scratch.get() + (source - begin),
                  std::min(end, last) - source);
    }
  });
  return isWhole;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The elements, piece by piece, by all threads.
static llvm::Error writeElements(int fd, const std::string &name,
                                 const Elements &value, PieceHashes &hashes) {
  Elements::Reader reader(value);
  int64_t width = byteWidth(value.type()), grain = pieceBytes / width;
  std::mutex mutex;
  llvm::Error failure = llvm::Error::success();
  parallelFor(value.size(), grain, [&](int64_t begin, int64_t end) {
    HeapBuffer scratch(std::min(grain, end - begin) * width);
    for (int64_t first = begin; first < end; first += grain) {
      int64_t count = std::min(grain, end - first);
      auto *piece =
          static_cast<const char *>(reader.view(first, count, scratch.data()));
      hashes[first / grain] = hashOf(piece, count * width);
      llvm::Error error =
          writeFully(fd, first * width, {piece, size_t(count * width)}, name);
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
  if (systemCalls().truncate(fd, sizeOfFile(header.bytes)) != 0)
    return makeSystemError(name, "cannot be written", errno);
  PieceHashes hashes = hashesOf(header.bytes);
  if (llvm::Error error = writeElements(fd, name, value, hashes))
    return error;
  header.content = hashOf(hashes);
  header.check = checkOf(header);
  std::string end(reinterpret_cast<const char *>(&header), sizeof(header));
  end.append(reinterpret_cast<const char *>(hashes.data()),
             hashes.size() * sizeof(Key));
  return writeFully(fd, header.bytes, end, name);
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
