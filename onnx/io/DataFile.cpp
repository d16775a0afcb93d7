//===- DataFile.cpp - A new file of external data -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/DataFile.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace onnxfold {

std::optional<DataFile::Range> DataFile::rangeOf(const Content &content) {
  if (content.kind != Content::Kind::Copy)
    return std::nullopt;
  FileIdentity id = content.file->identity();
  return Range(id.device, id.inode, content.range.begin, content.range.end);
}

std::optional<uint64_t> DataFile::find(const Content &content) const {
  std::optional<Range> range = rangeOf(content);
  if (!range)
    return std::nullopt;
  auto known = ranges.find(*range);
  return known == ranges.end() ? std::nullopt : std::optional(known->second);
}

uint64_t DataFile::add(Content content) {
  if (std::optional<uint64_t> known = find(content))
    return *known;
  uint64_t offset = alignTo(end, alignment);
  if (std::optional<Range> range = rangeOf(content))
    ranges.emplace(*range, offset);
  if (offset != end)
    script.append(script.root(), Content::gap(offset - end));
  end = offset + content.size();
  script.append(script.root(), std::move(content));
  return offset;
}

} // namespace onnxfold
