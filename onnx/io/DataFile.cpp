//===- DataFile.cpp - A new file of external data -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/DataFile.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace onnxfold {

std::optional<DataFile::Range> DataFile::rangeOf(const Content &content) {
  if (content.kind != Content::Kind::Copy)
    return std::nullopt;
  FileIdentity id = content.file->identity();
  return Range(id.device, id.inode, content.range.begin, content.range.end);
}

/// False if the bytes cannot be read, which is no matter here: the writer reads
/// them too, and returns the error.
static bool readBytes(const InputFile &file, uint64_t offset,
                      MutableArrayRef<char> out) {
  Error error = file.read(offset, out);
  bool done = !error;
  consumeError(std::move(error));
  return done;
}

/// Tensors that differ do so at the beginning, in the middle or at the end, but
/// for a few.
std::optional<DataFile::Sample> DataFile::sampleOf(const Content &content) {
  constexpr uint64_t piece = 512;
  ByteRange range = content.range;
  uint64_t count = std::min(range.size(), piece);
  std::string bytes;
  for (uint64_t place :
       {uint64_t(0), (range.size() - count) / 2, range.size() - count}) {
    char part[piece];
    if (!readBytes(*content.file, range.begin + place, {part, count}))
      return std::nullopt;
    bytes.append(part, count);
  }
  return Sample(range.size(), xxh3_64bits(bytes));
}

/// Both are of the same size.
bool DataFile::isEqual(const Stored &stored, const Content &content) {
  constexpr uint64_t piece = 1 << 18;
  uint64_t size = content.range.size();
  std::string a(std::min(size, piece), '\0'), b = a;
  for (uint64_t done = 0; done < size; done += piece) {
    uint64_t count = std::min(piece, size - done);
    if (!readBytes(*stored.file, stored.range.begin + done,
                   {a.data(), count}) ||
        !readBytes(*content.file, content.range.begin + done,
                   {b.data(), count}) ||
        StringRef(a).take_front(count) != StringRef(b).take_front(count))
      return false;
  }
  return true;
}

std::optional<uint64_t> DataFile::find(const Content &content) const {
  std::optional<Range> range = rangeOf(content);
  if (!range)
    return std::nullopt;
  if (auto known = ranges.find(*range); known != ranges.end())
    return known->second;
  std::optional<Sample> sample = sampleOf(content);
  auto like = sample ? alike.find(*sample) : alike.end();
  if (like != alike.end())
    for (const Stored &stored : like->second)
      if (isEqual(stored, content))
        return stored.offset;
  return std::nullopt;
}

uint64_t DataFile::add(Content content) {
  if (std::optional<uint64_t> known = find(content))
    return *known;
  uint64_t offset = alignTo(end, alignment);
  if (std::optional<Range> range = rangeOf(content)) {
    ranges.emplace(*range, offset);
    if (std::optional<Sample> sample = sampleOf(content))
      alike[*sample].push_back({content.file, content.range, offset});
  }
  if (offset != end)
    script.append(script.root(), Content::gap(offset - end));
  end = offset + content.size();
  script.append(script.root(), std::move(content));
  return offset;
}

} // namespace onnxfold
