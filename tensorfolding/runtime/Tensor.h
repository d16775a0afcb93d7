//===- Tensor.h - Tensors in and out of programs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensors that callers pass to FoldedProgram.h, and those that it returns.
// Thread safety: plain values.
//
//   int64_t shape[] = {64, 256};
//   Tensor weight = tensor(values, shape);           // a float *
//   Tensor bytes = {address, *elementTypeNamed("bf16"), 2, shape};
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_TENSOR_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_TENSOR_H

#include "onnxfold/tensorfolding/runtime/ElementType.h"
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace onnxfold::tensorfolding {

/// A tensor in memory of the caller, or a scalar (rank 0). It does not own the
/// data, the shape and the strides.
struct Tensor {
  void *data = nullptr; // of element [0, ..., 0]
  ElementType element;
  int64_t rank = 0;
  const int64_t *shape = nullptr;
  /// The strides in elements. A stride of 0 repeats elements, a negative one
  /// counts backwards; null means row-major without gaps.
  const int64_t *strides = nullptr;
};

/// A tensor of C++ numbers. `T` may be const if the tensor is only read.
template <typename T>
Tensor tensor(T *data, std::span<const int64_t> shape,
              const int64_t *strides = nullptr) {
  using Number = std::remove_const_t<T>;
  return {const_cast<Number *>(data), elementTypeOf<Number>(),
          int64_t(shape.size()), shape.data(), strides};
}

/// A result that owns its memory.
class OwnedTensor {
public:
  OwnedTensor() = default;
  /// Takes over memory that std::free frees; `data` points into it.
  OwnedTensor(void *allocated, void *data, ElementType element,
              std::vector<int64_t> shape, std::vector<int64_t> strides)
      : allocated(allocated), address(data), element(element),
        sizes(std::move(shape)), steps(std::move(strides)) {}
  OwnedTensor(OwnedTensor &&other) noexcept { *this = std::move(other); }
  OwnedTensor &operator=(OwnedTensor &&other) noexcept {
    std::swap(allocated, other.allocated);
    std::swap(address, other.address);
    std::swap(element, other.element);
    std::swap(sizes, other.sizes);
    std::swap(steps, other.steps);
    return *this;
  }
  ~OwnedTensor() { std::free(allocated); }

  /// A view, which is valid as long as this object.
  Tensor view() const {
    return {address, element, int64_t(sizes.size()), sizes.data(),
            steps.data()};
  }
  template <typename T> T *data() const { return static_cast<T *>(address); }
  const std::vector<int64_t> &shape() const { return sizes; }

private:
  void *allocated = nullptr;
  void *address = nullptr;
  ElementType element;
  std::vector<int64_t> sizes, steps;
};

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_TENSOR_H
