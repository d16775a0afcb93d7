//===- DataUse.cpp - What a model refers to in its data files -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/write/internal/DataUse.h"
#include "onnxfold/onnx/io/files/FileCopy.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

void onnxfold::noteUse(DataUse &use, const TensorIndex &tensor) {
  const ExternalReference &reference = *tensor.external;
  const TensorType *type = lookupTensorType(tensor.dataType);
  std::optional<uint64_t> bytes =
      type ? rawDataSize(*type, tensor.dims) : std::nullopt;
  uint64_t size = bytes ? *bytes : reference.length.value_or(0);
  use[reference.location].push_back(
      {reference.offset, reference.offset + size});
}

/// Calls `visit` with each range, without what ranges before it have, and with
/// the space in front of it.
static void
visitRanges(llvm::ArrayRef<ByteRange> ranges,
            llvm::function_ref<void(ByteRange range, ByteRange space)> visit) {
  std::vector<ByteRange> sorted(ranges);
  llvm::sort(sorted,
             [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
  uint64_t end = 0;
  for (ByteRange range : sorted) {
    uint64_t begin = std::max(range.begin, end);
    if (range.end > begin)
      visit({begin, range.end}, {end, begin});
    end = std::max(end, range.end);
  }
}

uint64_t onnxfold::usedBytes(llvm::ArrayRef<ByteRange> ranges) {
  uint64_t bytes = 0;
  visitRanges(ranges,
              [&](ByteRange range, ByteRange) { bytes += range.size(); });
  return bytes;
}

/// Holes are not read.
static llvm::Expected<bool> isZero(const InputFile &file, ByteRange range) {
  std::vector<char> bytes;
  while (!range.empty()) {
    ByteRange data = file.mayHaveHoles() ? nextData(file, range) : range;
    bytes.resize(data.size());
    if (llvm::Error error = file.read(data.begin, bytes))
      return error;
    if (!llvm::all_of(bytes, [](char byte) { return byte == 0; }))
      return false;
    range.begin = data.end;
  }
  return true;
}

llvm::Expected<uint64_t>
onnxfold::bytesWithPadding(const InputFile &file,
                           llvm::ArrayRef<ByteRange> ranges) {
  constexpr uint64_t page = 4096;
  uint64_t bytes = 0;
  llvm::Error error = llvm::Error::success();
  visitRanges(ranges, [&](ByteRange range, ByteRange space) {
    bytes += range.size();
    if (error || space.empty() || space.size() >= mappingAlignment ||
        range.begin % page != 0 || space.end > file.size())
      return;
    llvm::Expected<bool> isPadding = isZero(file, space);
    if (!isPadding)
      error = isPadding.takeError();
    else if (*isPadding)
      bytes += space.size();
  });
  if (error)
    return error;
  return bytes;
}
