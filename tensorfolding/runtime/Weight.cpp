//===- Weight.cpp - A value of an argument --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Weight.h"

#include "onnxfold/tensorfolding/runtime/internal/Descriptors.h"
#include <algorithm>
#include <limits>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnxfold::tensorfolding::internal {

Weight::Weight(const Tensor &tensor, std::function<void()> release)
    : data(tensor.data), element(tensor.element),
      shape(tensor.shape, tensor.shape + tensor.rank), strides(tensor.rank),
      descriptor(descriptorWords(tensor.rank)), pointer(descriptor.data()),
      release(std::move(release)) {
  writeDescriptor(descriptor.data(), tensor);
  std::copy(descriptor.end() - tensor.rank, descriptor.end(), strides.begin());
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string shapeName(std::span<const int64_t> shape) {
  std::string name = shape.empty() ? "of rank 0" : "";
  for (int64_t size : shape)
    name += (name.empty() ? "" : "x") +
            (size == dynamicSize ? "?" : std::to_string(size));
  return name;
}

static bool hasShape(const Tensor &tensor, const std::vector<int64_t> &shape) {
  if (tensor.rank < 0 || size_t(tensor.rank) != shape.size())
    return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (tensor.shape[i] < 0 ||
        (shape[i] != dynamicSize && shape[i] != tensor.shape[i]))
      return false;
  return true;
}

/// Whether no element of the tensor is too far away for an offset in bytes.
static bool spanFits(const Tensor &tensor) {
  int64_t limit = std::numeric_limits<int64_t>::max() / 4;
  int64_t reach = std::max<int64_t>(tensor.element.storageBits, 8);
  int64_t total = reach; // bits; the elements' number does not matter
  if (std::find(tensor.shape, tensor.shape + tensor.rank, 0) !=
      tensor.shape + tensor.rank)
    return true;
  for (int64_t i = 0; i < tensor.rank; ++i) {
    if (__builtin_mul_overflow(total, tensor.shape[i], &total) || total > limit)
      return false;
    int64_t steps, bits;
    if (tensor.strides &&
        (__builtin_mul_overflow(tensor.strides[i], tensor.shape[i], &steps) ||
         __builtin_mul_overflow(steps, reach, &bits) || bits > limit ||
         bits < -limit))
      return false;
  }
  return true;
}

std::string wrongTensor(const Tensor &tensor, const TensorType &type) {
  if (tensor.element != type.element)
    return "has element type " + elementName(tensor.element) + ", expected " +
           elementName(type.element);
  if ((tensor.rank > 0 && !tensor.shape) || !hasShape(tensor, type.shape))
    return "has shape " +
           (tensor.rank < 0 || !tensor.shape
                ? "of rank " + std::to_string(tensor.rank)
                : shapeName({tensor.shape, size_t(tensor.rank)})) +
           ", expected " + shapeName(type.shape);
  if (!spanFits(tensor))
    return "has more bytes than an address can name, expected less";
  bool isEmpty = std::find(tensor.shape, tensor.shape + tensor.rank, 0) !=
                 tensor.shape + tensor.rank;
  if (!tensor.data && !isEmpty)
    return "has no data, expected the address of its first element";
  if (tensor.element.storageBits < 8 && !isRowMajor(tensor))
    return "has strides, expected row-major order as its elements are packed";
  return "";
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static uint64_t elementsOf(const Tensor &tensor) {
  uint64_t count = 1;
  for (int64_t i = 0; i < tensor.rank; ++i)
    count *= uint64_t(tensor.shape[i]);
  return count;
}

static uint64_t bytesOf(const Tensor &tensor) {
  return (elementsOf(tensor) * tensor.element.storageBits + 7) / 8;
}

/// The number of trailing dimensions whose elements lie side by side.
static int64_t contiguousRank(const Tensor &tensor) {
  int64_t expected = 1, count = 0;
  for (int64_t i = tensor.rank - 1; i >= 0; --i, ++count) {
    if (tensor.shape[i] != 1 && tensor.strides && tensor.strides[i] != expected)
      break;
    expected *= tensor.shape[i];
  }
  return count;
}

/// Calls visit(address, bytes) for runs of elements that lie side by side, in
/// row-major order.
template <typename Visit>
static void forEachRun(const Tensor &tensor, Visit visit) {
  auto *data = static_cast<const char *>(tensor.data);
  if (uint64_t bytes = bytesOf(tensor); bytes == 0 || isRowMajor(tensor))
    return void(bytes && (visit(data, bytes), true));
  int64_t outer = tensor.rank - contiguousRank(tensor);
  int64_t elementBytes = tensor.element.storageBits / 8;
  uint64_t runBytes = elementBytes;
  for (int64_t i = outer; i < tensor.rank; ++i)
    runBytes *= tensor.shape[i];
  std::vector<int64_t> index(outer);
  while (true) {
    visit(data, runBytes);
    int64_t i = outer - 1;
    for (; i >= 0; --i) {
      data += tensor.strides[i] * elementBytes;
      if (++index[i] < tensor.shape[i])
        break;
      data -= tensor.strides[i] * elementBytes * tensor.shape[i];
      index[i] = 0;
    }
    if (i < 0)
      return;
  }
}

void copyRowMajor(char *to, const Tensor &from) {
  forEachRun(from, [&](const char *run, uint64_t bytes) {
    std::memcpy(to, run, bytes);
    to += bytes;
  });
}

std::shared_ptr<const Weight> rowMajorCopy(const Weight &weight) {
  Tensor tensor = weight.tensor();
  void *memory =
      std::aligned_alloc(tensorAlignment, alignedBytes(bytesOf(tensor) + 1));
  if (!memory)
    return nullptr;
  copyRowMajor(static_cast<char *>(memory), tensor);
  tensor.data = memory;
  tensor.strides = nullptr;
  return std::make_shared<Weight>(tensor, [memory] { std::free(memory); });
}

//===----------------------------------------------------------------------===//
// Hashes
//===----------------------------------------------------------------------===//

namespace {
/// XXH3 with a hash of the part and the shapes first.
class InputsHash {
public:
  InputsHash(const ContentHash &part,
             std::span<const std::shared_ptr<const Weight>> inputs) {
    XXH3_128bits_reset(&state);
    add(part.data(), sizeof(part));
    for (const std::shared_ptr<const Weight> &input : inputs)
      add(input->sizes().data(), 8 * input->sizes().size());
  }
  void add(const void *bytes, size_t size) {
    XXH3_128bits_update(&state, bytes, size);
  }
  ContentHash hash() const {
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return {hash.low64, hash.high64};
  }

private:
  XXH3_state_t state;
};
} // namespace

ContentHash hashInputs(const ContentHash &part,
                       std::span<const std::shared_ptr<const Weight>> inputs) {
  InputsHash hash(part, inputs);
  for (const std::shared_ptr<const Weight> &input : inputs)
    forEachRun(input->tensor(),
               [&](const char *run, uint64_t bytes) { hash.add(run, bytes); });
  return hash.hash();
}

uint64_t sampleInputs(const ContentHash &part,
                      std::span<const std::shared_ptr<const Weight>> inputs) {
  InputsHash hash(part, inputs);
  constexpr uint64_t samples = 4, sampleBytes = 64;
  for (const std::shared_ptr<const Weight> &input : inputs) {
    Tensor tensor = input->tensor();
    auto *data = static_cast<const char *>(tensor.data);
    uint64_t bytes = bytesOf(tensor);
    if (!isRowMajor(tensor) || bytes < samples * sampleBytes) {
      // The first element is one in any layout.
      uint64_t element = tensor.element.storageBits / 8;
      uint64_t size = isRowMajor(tensor)   ? bytes
                      : elementsOf(tensor) ? element
                                           : 0;
      hash.add(data, size);
      continue;
    }
    for (uint64_t i = 0; i < samples; ++i)
      hash.add(data + (bytes - sampleBytes) / (samples - 1) * i, sampleBytes);
  }
  return hash.hash()[0];
}

} // namespace onnxfold::tensorfolding::internal
