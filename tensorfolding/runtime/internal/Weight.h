//===- Weight.h - A value of an argument ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_WEIGHT_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_WEIGHT_H

#include "onnxfold/tensorfolding/runtime/Error.h"
#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "onnxfold/tensorfolding/runtime/Tensor.h"
#include <functional>
#include <memory>

namespace onnxfold::tensorfolding::internal {

/// A tensor in the user's memory; the destructor calls `release`.
class Weight {
public:
  Weight(const Tensor &tensor, std::function<void()> release);
  ~Weight() {
    if (release)
      release();
  }
  Weight(const Weight &) = delete;
  Weight &operator=(const Weight &) = delete;

  Tensor tensor() const {
    return {data, element, int64_t(shape.size()), shape.data(), strides.data()};
  }
  const std::vector<int64_t> &sizes() const { return shape; }
  /// The argument for functions that take a tensor: the address of a pointer to
  /// its descriptor.
  void *asTensor() const { return const_cast<int64_t **>(&pointer); }
  /// The argument for functions that take a scalar: the address of the value.
  void *asScalar() const { return data; }

private:
  void *data;
  ElementType element;
  std::vector<int64_t> shape, strides;
  std::vector<int64_t> descriptor;
  int64_t *pointer;
  std::function<void()> release;
};

/// An empty text if a function that declares `type` accepts the tensor in some
/// layout; otherwise what it has and what was expected, for example "has shape
/// 3x4, expected 4x?".
std::string wrongTensor(const Tensor &tensor, const TensorType &type);

/// Copies a tensor's elements in row-major order.
void copyRowMajor(char *to, const Tensor &from);

/// A copy of the weight in row-major order, in memory of its own; null if
/// memory cannot be allocated.
std::shared_ptr<const Weight> rowMajorCopy(const Weight &weight);

/// Hash the shapes and elements of the inputs of a part with that hash:
/// hashInputs reads all bytes, sampleInputs a few from each tensor, which takes
/// well below a microsecond.
ContentHash hashInputs(const ContentHash &part,
                       std::span<const std::shared_ptr<const Weight>> inputs);
uint64_t sampleInputs(const ContentHash &part,
                      std::span<const std::shared_ptr<const Weight>> inputs);

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_WEIGHT_H
