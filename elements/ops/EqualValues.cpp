//===- EqualValues.cpp - Finding equal tensors among many -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/EqualValues.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstddef>
#include <map>

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::ArrayRef;

/// Values from this size on are not kept in memory after they were looked at.
static constexpr uint64_t largeBytes = 64 * 1024;

/// Elements of each of the samples.
static constexpr int64_t each = 32;

/// The sample is the value.
static bool isSampledWhole(const Elements &value) {
  return value.size() <= 3 * each || value.type() == DataType::String;
}

/// The hash of `count` elements from each of these positions on; of values of
/// one type.
static ContentHash sampleHash(const Elements &value, ArrayRef<int64_t> begins,
                              int64_t count) {
  int64_t step = count * byteWidth(value.type());
  llvm::SmallVector<std::max_align_t, 16> bytes(
      llvm::divideCeil(begins.size() * step, sizeof(std::max_align_t)));
  char *out = reinterpret_cast<char *>(bytes.data());
  llvm::SmallVector<int64_t, 3 * each> positions;
  for (int64_t begin : begins)
    for (int64_t i = 0; i < count; ++i)
      positions.push_back(begin + i);
  if (!value.sample(positions, out)) {
    Elements::Reader reader(value, Elements::Reader::Access::Once);
    for (auto [part, begin] : llvm::enumerate(begins))
      reader.read(begin, count, out + part * step);
  }
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(out), begins.size() * step});
  return {hash.low64, hash.high64};
}

/// The hash of the first, middle and last elements: masks and tables often
/// begin alike.
static ContentHash sampleHash(const Elements &value) {
  if (isSampledWhole(value))
    return contentHash(value);
  return sampleHash(value, {0, value.size() / 2, value.size() - each}, each);
}

/// The hash of elements that are few enough to be read from a file one by one:
/// most weights of a model already differ in these.
static ContentHash fewHash(const Elements &value) {
  if (isSampledWhole(value))
    return {};
  return sampleHash(value, {value.size() / 2}, 4);
}

/// A value as views in row-major order: of a file that is mapped, a piece at a
/// time is in memory.
static std::vector<Elements> cut(const Elements &value) {
  constexpr uint64_t pieceBytes = 4 << 20;
  const int64_t *cut =
      llvm::find_if(value.shape(), [](int64_t dim) { return dim > 1; });
  if (value.bytes() < 2 * pieceBytes || cut == value.shape().end())
    return {value};
  std::vector<Elements> pieces;
  int64_t axis = cut - value.shape().begin();
  int64_t rows = std::max<int64_t>(1, *cut * pieceBytes / value.bytes());
  for (int64_t row = 0; row < *cut; row += rows)
    pieces.push_back(value.slice(axis, row, std::min(rows, *cut - row)));
  return pieces;
}

/// The same values as handles that nobody has read: one that was read twice is
/// computed and kept for the next reader, which is the writer here.
static std::vector<Elements> unread(ArrayRef<Elements> pieces) {
  std::vector<Elements> result;
  for (const Elements &piece : pieces)
    result.push_back(piece.unsqueeze({0}).squeeze({0}));
  return result;
}

/// The hash of a piece, of which no more than it needs comes from a file.
static ContentHash pieceHash(const Elements &piece) {
  if (piece.type() == DataType::String || piece.residentBytes())
    return contentHash(piece);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(piece.bytes());
  Elements::Reader(piece, Elements::Reader::Access::Once)
      .read(0, piece.size(), buffer->data());
  return contentHash(Elements::fromBuffer(piece.type(), piece.shape(), buffer));
}

/// A hash of all of a value; equal for equal values of one type. REQUIRES: the
/// samples of those that are compared are alike.
static ContentHash fullHash(ArrayRef<Elements> pieces) {
  if (pieces.size() == 1 && isSampledWhole(pieces.front()))
    return {};
  std::vector<uint64_t> words;
  for (const Elements &piece : pieces) {
    ContentHash hash = pieceHash(piece);
    words.insert(words.end(), {hash.low, hash.high});
  }
  return contentHash(
      Elements::fromValues<uint64_t>({int64_t(words.size())}, words));
}

static bool isIdentical(ArrayRef<Elements> x, ArrayRef<Elements> y) {
  return llvm::equal(x, y, [](const Elements &a, const Elements &b) {
    return a.identicalTo(b);
  });
}

EqualValues::EqualValues(ArrayRef<Elements> values) {
  std::map<std::pair<DataType, std::vector<int64_t>>, Group> groups;
  for (auto [i, value] : llvm::enumerate(values))
    if (value)
      groups[{value.type(), value.shape().vec()}].push_back({i, value});
  for (auto &[type, group] : groups)
    if (group.size() > 1)
      compare(group);
}

/// `look` reads a few elements. If that computes all of a large value, the value
/// is written to the file of spilled results.
void EqualValues::lookAt(Candidate &candidate,
                         llvm::function_ref<void()> look) {
  uint64_t bytes = candidate.value.bytes();
  if (bytes < largeBytes)
    return look();
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  look();
  if (memoryStatistics().peakHeapBytes - before >= bytes / 2)
    moved[candidate.index] = candidate.value = spill(candidate.value);
}

/// The lists of candidates for which `hashOf` gives the same, without those that
/// are alone.
std::vector<std::vector<EqualValues::Candidate *>>
EqualValues::findAlike(ArrayRef<Candidate *> candidates,
                       ContentHash (*hashOf)(const Elements &)) {
  std::map<ContentHash, std::vector<Candidate *>> byHash;
  for (Candidate *candidate : candidates)
    lookAt(*candidate,
           [&] { byHash[hashOf(candidate->value)].push_back(candidate); });
  std::vector<std::vector<Candidate *>> alike;
  for (auto &[hash, list] : byHash)
    if (list.size() > 1)
      alike.push_back(std::move(list));
  return alike;
}

void EqualValues::compare(Group &group) {
  std::vector<Candidate *> all;
  for (Candidate &candidate : group)
    all.push_back(&candidate);
  for (ArrayRef<Candidate *> similar : findAlike(all, fewHash))
    for (ArrayRef<Candidate *> candidates : findAlike(similar, sampleHash)) {
      // All of these will be read, more than once.
      for (Candidate *candidate : candidates)
        if (candidate->value.bytes() >= largeBytes)
          lookAt(*candidate, [&] {
            Elements::Reader reader(candidate->value,
                                    Elements::Reader::Access::Once);
          });
      mergeEqual(candidates);
    }
}

void EqualValues::mergeEqual(ArrayRef<Candidate *> alike) {
  struct First {
    size_t index;
    std::vector<Elements> pieces;
  };
  std::map<ContentHash, First> seen;
  firsts.reserve(firsts.size() + alike.size());
  for (Candidate *candidate : alike) {
    std::vector<Elements> pieces = cut(candidate->value);
    ContentHash hash = fullHash(pieces);
    auto [known, isNew] = seen.try_emplace(hash);
    First &first = known->second;
    if (isNew) {
      first = {candidate->index, std::move(pieces)};
      continue;
    }
    if (!isSampledWhole(candidate->value))
      first.pieces = unread(first.pieces);
    if (!isIdentical(first.pieces, pieces))
      continue;
    firsts[candidate->index] = first.index;
    candidate->value = Elements();
    moved.erase(candidate->index);
  }
}
