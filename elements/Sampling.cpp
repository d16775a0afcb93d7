//===- Sampling.cpp - A few elements of a tensor that is not computed -----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace onnxfold;

/// A read from a file takes as long as so many bytes of one that is read whole.
static constexpr uint64_t bytesOfRead = 4096;

/// Reads elements that follow each other at once; false if the bytes are not in
/// a file, or to read it whole takes less time.
static bool readFromFile(const ElementsLeaf &leaf,
                         const SampleRequest &request) {
  llvm::ArrayRef<int64_t> left = request.positions;
  if (left.size() * bytesOfRead > leaf.buffer->size() ||
      !leaf.buffer->readRange(0, 0, nullptr))
    return false;
  char *out = request.out;
  while (!left.empty()) {
    size_t run = 1;
    while (run < left.size() && left[run] == left[run - 1] + 1)
      ++run;
    leaf.buffer->readRange(left.front() * request.width, run * request.width,
                           out);
    out += run * request.width;
    left = left.drop_front(run);
  }
  return true;
}

/// Elements of a leaf, wherever its bytes are.
static bool sampleLeaf(const ElementsLeaf &leaf, const SampleRequest &request) {
  DeferredBuffer *deferred = leaf.buffer->asDeferred();
  if (deferred && !deferred->isComputed())
    return deferred->sample(request);
  if (readFromFile(leaf, request))
    return true;
  BufferPin pin(leaf.buffer);
  for (auto [i, position] : llvm::enumerate(request.positions))
    std::memcpy(request.out + i * request.width,
                pin.data() + position * request.width, request.width);
  return true;
}

/// Works as Reader does, but every block holds elements from anywhere.
bool Elements::sample(const SampleRequest &request) const {
  if (isWide() || type() == DataType::String || size() == 0 ||
      request.width != byteWidth(type()) || request.left == 0)
    return false;
  --request.left;
  size_t count = request.positions.size();
  llvm::SmallVector<llvm::IntrusiveRefCntPtr<HeapBuffer>>
      values; // of leaves and of steps
  auto add = [&](DataType type) {
    values.push_back(
        llvm::makeIntrusiveRefCnt<HeapBuffer>(count * byteWidth(type)));
    return values.back()->data();
  };
  for (const ElementsLeaf &leaf : state->leaves) {
    llvm::SmallVector<int64_t> positions;
    for (int64_t position : request.positions)
      positions.push_back(leaf.offset +
                          Odometer(shape(), leaf.strides, position).offset());
    if (!sampleLeaf(leaf, {positions, byteWidth(leaf.type), add(leaf.type),
                           request.left}))
      return false;
  }
  llvm::SmallVector<const void *> stack = {values[0]->data()};
  if (!state->steps.empty())
    stack.clear();
  for (const ElementsStep &step : state->steps) {
    if (!step.function) {
      stack.push_back(values[step.leaf]->data());
      continue;
    }
    char *result = add(step.type);
    step.function(step.closure, stack.end() - step.arity, result, count);
    stack.truncate(stack.size() - step.arity);
    stack.push_back(result);
  }
  std::memcpy(request.out, stack.back(), count * request.width);
  return true;
}

bool Elements::sample(llvm::ArrayRef<int64_t> positions, void *out) const {
  unsigned left = 64;
  return sample({positions, byteWidth(type()), static_cast<char *>(out), left});
}
