//===- Weight.h - A value of an argument ------------------------*- C++ -*-===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_WEIGHT_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_WEIGHT_H

#include "onnxfold/tensorfolding/runtime/Error.h"
#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "onnxfold/tensorfolding/runtime/Tensor.h"
#include <functional>
#include <memory>

namespace onnxfold::tensorfolding::internal {

/// A tensor in the user's memory, which is given back when this dies.
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
  /// What functions take: the address of a pointer to a descriptor of it.
  void *asTensor() const { return const_cast<int64_t **>(&pointer); }
  /// Or the address of its value.
  void *asScalar() const { return data; }

private:
  void *data;
  ElementType element;
  std::vector<int64_t> shape, strides;
  std::vector<int64_t> descriptor;
  int64_t *pointer;
  std::function<void()> release;
};

/// Nothing if a function that declares `type` can take the tensor in some
/// layout, else what it has and what was expected, for example "has shape 3x4,
/// expected 4x?".
std::string wrongTensor(const Tensor &tensor, const TensorType &type);

/// Copies a tensor's elements in row-major order.
void copyRowMajor(char *to, const Tensor &from);

/// A weight in row-major order, in memory of its own; null if there is none.
std::shared_ptr<const Weight> rowMajorCopy(const Weight &weight);

/// Hashes shapes and elements of what a part with that hash is folded from: all
/// bytes, or a few from each tensor, which takes well below a microsecond.
ContentHash hashInputs(const ContentHash &part,
                       std::span<const std::shared_ptr<const Weight>> inputs);
uint64_t sampleInputs(const ContentHash &part,
                      std::span<const std::shared_ptr<const Weight>> inputs);

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_WEIGHT_H
