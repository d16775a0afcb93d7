//===- DataFile.cpp - A new file of external data -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/write/DataFile.h"

#include "onnxfold/onnx/io/files/FileCopy.h"

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
/// for a few. Small ones are read as a whole.
std::optional<DataFile::Sample> DataFile::sampleOf(const Content &content) {
  constexpr uint64_t piece = 512;
  if (content.kind != Content::Kind::Copy)
    return std::nullopt;
  ByteRange range = content.range;
  uint64_t size = range.size();
  char bytes[3 * piece];
  if (size <= sizeof(bytes)) {
    if (!readBytes(*content.file, range.begin, {bytes, size}))
      return std::nullopt;
    return Sample(size, xxh3_64bits(StringRef(bytes, size)));
  }
  char *part = bytes;
  for (uint64_t place : {uint64_t(0), (size - piece) / 2, size - piece}) {
    if (!readBytes(*content.file, range.begin + place, {part, piece}))
      return std::nullopt;
    part += piece;
  }
  return Sample(size, xxh3_64bits(StringRef(bytes, sizeof(bytes))));
}

/// False if they cannot be read, as in readBytes().
bool DataFile::isEqual(const Stored &stored, const Content &content) {
  Expected<bool> same =
      sameContent(*stored.file, stored.range, *content.file, content.range);
  if (same)
    return *same;
  consumeError(same.takeError());
  return false;
}

std::optional<uint64_t>
DataFile::find(const Content &content,
               const std::optional<Sample> &sample) const {
  std::optional<Range> range = rangeOf(content);
  if (!range)
    return std::nullopt;
  if (auto known = ranges.find(*range); known != ranges.end())
    return known->second;
  auto like = sample ? alike.find(*sample) : alike.end();
  if (like != alike.end())
    for (const Stored &stored : like->second)
      if (isEqual(stored, content))
        return stored.offset;
  return std::nullopt;
}

std::optional<uint64_t> DataFile::find(const Content &content) const {
  return find(content, sampleOf(content));
}

uint64_t DataFile::add(Content content) {
  std::optional<Sample> sample = sampleOf(content);
  if (std::optional<uint64_t> known = find(content, sample))
    return *known;
  uint64_t offset = alignTo(end, layout.alignmentOf(content.size()));
  if (std::optional<Range> range = rangeOf(content))
    ranges.emplace(*range, offset);
  if (sample)
    alike[*sample].push_back({content.file, content.range, offset});
  if (offset != end)
    script.append(script.root(), Content::gap(offset - end));
  end = offset + content.size();
  script.append(script.root(), std::move(content));
  return offset;
}

} // namespace onnxfold
