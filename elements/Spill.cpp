//===- Spill.cpp - Tensors whose bytes lie in a file ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/memory/internal/KeptBytes.h"
#include "onnxfold/elements/memory/internal/MemoryCounters.h"

using namespace onnxfold;
using namespace onnxfold::detail;

namespace {

/// Bytes that are in the file of spilled bytes only.
class SpilledBuffer : public Buffer {
public:
  explicit SpilledBuffer(std::unique_ptr<SpilledRange> range)
      : Buffer(range->size()),
        bytes(llvm::makeIntrusiveRefCnt<KeptBytes>(std::move(range))) {}
  ~SpilledBuffer() override { bytes->retire(); }

  const char *acquire() override { return bytes->acquire(); }
  void release() override { bytes->release(); }
  bool spill() override { return true; }

private:
  KeptBytesRef bytes;
};

} // namespace

/// False if the system fails.
static bool writeBlocks(const Elements &x, SpilledRange &range) {
  Elements::Reader reader(x);
  int64_t grain = reader.preferredGrain(), width = byteWidth(x.type());
  std::atomic<bool> good = true;
  parallelFor(x.size(), grain, [&](int64_t begin, int64_t end) {
    HeapBuffer scratch(std::min(grain, end - begin) * width);
    for (int64_t first = begin; first < end && good; first += grain) {
      int64_t count = std::min(grain, end - first);
      const void *block = reader.view(first, count, scratch.data());
      if (!range.write(first * width, static_cast<const char *>(block),
                       count * width))
        good = false;
    }
  });
  return good;
}

Elements onnxfold::spill(const Elements &x) {
  if (!x)
    return {};
  if (Elements r = movedInWide(
          x, [](llvm::ArrayRef<Elements> e) { return spill(e[0]); }))
    return r;
  // The characters of strings are where no file can be read back to.
  if (x.bytes() == 0 || x.bytes() < memoryCounters().smallestSpilled ||
      x.type() == DataType::String)
    return x.materialize();
  if (Buffer *whole = x.wholeBuffer(); whole && whole->spill())
    return x;
  std::unique_ptr<SpilledRange> range = SpilledRange::reserve(x.bytes());
  if (!range || !writeBlocks(x, *range))
    return x.materialize();
  return Elements::fromBuffer(
      x.type(), x.shape(),
      llvm::makeIntrusiveRefCnt<SpilledBuffer>(std::move(range)));
}
