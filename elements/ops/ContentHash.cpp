//===- ContentHash.cpp - Which tensors are equal --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::ops;

/// The header describes format 1, which these numbers make.
static constexpr uint64_t formatNumber = 1;
static constexpr int64_t chunkBytes = 64 << 10, chunkStrings = 4096;
static constexpr uint64_t groupSize = 4096;

/// Bytes that are read at once where they do not lie ready: transposed views
/// are read fastest in long ranges.
static constexpr int64_t blockBytes = 1 << 20;

static ContentHash hashBytes(const void *data, size_t size) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({static_cast<const uint8_t *>(data), size});
  return {hash.low64, hash.high64};
}

static ContentHash hashList(llvm::ArrayRef<ContentHash> digests) {
  return hashBytes(digests.data(), digests.size() * sizeof(ContentHash));
}

//===----------------------------------------------------------------------===//
// Digests of chunks
//===----------------------------------------------------------------------===//

static int64_t chunkElements(DataType type) {
  return type == DataType::String ? chunkStrings : chunkBytes / byteWidth(type);
}

/// The digest of `count` elements at `data`.
static ContentHash hashChunk(DataType type, const void *data, int64_t count) {
  if (type != DataType::String)
    return hashBytes(data, count * byteWidth(type));
  llvm::SmallVector<char, 0> bytes;
  for (llvm::StringRef value :
       llvm::ArrayRef(static_cast<const llvm::StringRef *>(data), count)) {
    uint64_t length = value.size();
    auto *lengthBytes = reinterpret_cast<const char *>(&length);
    bytes.append(lengthBytes, lengthBytes + sizeof(length));
    bytes.append(value.begin(), value.end());
  }
  return hashBytes(bytes.data(), bytes.size());
}

/// Hashes the chunks of elements [first, end), in order. REQUIRES: first is a
/// multiple of the chunk.
static void hashChunks(const Elements::Reader &reader, DataType type,
                       int64_t first, int64_t end, ContentHash *out) {
  int64_t chunk = chunkElements(type), width = byteWidth(type);
  const char *ready = reader.contiguousBytes();
  if (type == DataType::String) // these must be aligned
    ready = static_cast<const char *>(reader.contiguous());
  int64_t block = llvm::alignTo(
      std::max(reader.preferredGrain(), blockBytes / width), chunk);
  llvm::IntrusiveRefCntPtr<HeapBuffer> scratch;
  if (!ready)
    scratch = llvm::makeIntrusiveRefCnt<HeapBuffer>(
        std::min(block, end - first) * width);
  for (int64_t done = first; done < end; done += block) {
    int64_t n = std::min(block, end - done);
    const char *data = ready ? ready + done * width : scratch->data();
    if (!ready)
      reader.read(done, n, scratch->data());
    for (int64_t i = 0; i < n; i += chunk)
      *out++ = hashChunk(type, data + i * width, std::min(chunk, n - i));
  }
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

static ContentHash combine(std::vector<ContentHash> digests) {
  while (digests.size() > 1) {
    size_t groups = 0;
    for (size_t i = 0; i < digests.size(); i += groupSize)
      digests[groups++] = hashList(llvm::ArrayRef(digests).slice(
          i, std::min<size_t>(groupSize, digests.size() - i)));
    digests.resize(groups);
  }
  return digests.empty() ? ContentHash() : digests[0];
}

/// The same for `count` times the digest `each` and, if given, another one.
static ContentHash combineEqual(ContentHash each, uint64_t count,
                                std::optional<ContentHash> last) {
  while (count + last.has_value() > 1) {
    std::vector<ContentHash> rest(count % groupSize, each);
    if (last)
      rest.push_back(*last);
    last = rest.empty() ? std::optional<ContentHash>() : hashList(rest);
    count /= groupSize;
    if (count)
      each = hashList(std::vector<ContentHash>(groupSize, each));
  }
  return count ? each : last.value_or(ContentHash());
}

static ContentHash hashSplat(const Elements &elements) {
  DataType type = elements.type();
  int64_t size = elements.size(), chunk = chunkElements(type);
  int64_t first = std::min(size, chunk), tail = size % chunk;
  auto values = llvm::makeIntrusiveRefCnt<HeapBuffer>(first * byteWidth(type));
  Elements::Reader reader(elements);
  reader.read(0, first, values->data());
  std::optional<ContentHash> last;
  if (tail)
    last = hashChunk(type, values->data(), tail);
  return combineEqual(hashChunk(type, values->data(), first), size / chunk,
                      last);
}

static ContentHash hashElements(const Elements &elements) {
  if (elements.isSplat())
    return hashSplat(elements);
  DataType type = elements.type();
  int64_t size = elements.size(), chunk = chunkElements(type);
  // Shapes and scalars: a reader is dear beside them.
  if (const char *bytes = elements.residentBytes();
      bytes && size <= chunk && type != DataType::String)
    return hashChunk(type, bytes, size);
  std::vector<ContentHash> digests(llvm::divideCeil(size, chunk));
  Elements::Reader reader(elements);
  int64_t part =
      std::max(reader.preferredGrain(), blockBytes / byteWidth(type));
  parallelFor(digests.size(), llvm::divideCeil(part, chunk),
              [&](int64_t begin, int64_t end) {
                hashChunks(reader, type, begin * chunk,
                           std::min(end * chunk, size), &digests[begin]);
              });
  return combine(std::move(digests));
}

ContentHash ops::contentHash(const Elements &elements) {
  ContentHash content =
      elements.size() == 0 ? ContentHash() : hashElements(elements);
  llvm::SmallVector<uint64_t, 12> words = {
      formatNumber, uint64_t(elements.type()), uint64_t(elements.rank())};
  words.append(elements.shape().begin(), elements.shape().end());
  words.push_back(content.low);
  words.push_back(content.high);
  return hashBytes(words.data(), words.size() * sizeof(uint64_t));
}
