//===- Tensor.h - Tensors in and out of programs ----------------*- C++ -*-===//
//
// How tensors are given to FoldedProgram.h, and how it gives results back.
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

/// A tensor in memory of somebody else, or a scalar (rank 0). Only points: to
/// the data, the shape and the strides.
struct Tensor {
  void *data = nullptr; // of element [0, ..., 0]
  ElementType element;
  int64_t rank = 0;
  const int64_t *shape = nullptr;
  /// In elements: 0 repeats, negative ones count backwards; null is row-major
  /// without gaps.
  const int64_t *strides = nullptr;
};

/// A tensor of C++ numbers. What only functions read may be const.
template <typename T>
Tensor tensor(T *data, std::span<const int64_t> shape,
              const int64_t *strides = nullptr) {
  using Number = std::remove_const_t<T>;
  return {const_cast<Number *>(data), elementTypeOf<Number>(),
          int64_t(shape.size()), shape.data(), strides};
}

/// A result that its holder frees.
class OwnedTensor {
public:
  OwnedTensor() = default;
  /// Takes memory that std::free frees; `data` is in it.
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

  /// Valid as long as this is.
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
