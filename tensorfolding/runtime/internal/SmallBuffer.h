//===- SmallBuffer.h - A buffer for one call --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_SMALLBUFFER_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_SMALLBUFFER_H

#include <cstddef>
#include <memory>

namespace onnxfold::tensorfolding::internal {

/// An array of `size` uninitialised values, which is on the stack if it fits.
template <typename T, size_t inlined> class SmallBuffer {
public:
  explicit SmallBuffer(size_t size)
      : large(size > inlined ? new T[size] : nullptr) {}
  T *data() { return large ? large.get() : few; }
  T &operator[](size_t i) { return data()[i]; }

private:
  T few[inlined];
  std::unique_ptr<T[]> large;
};

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_SMALLBUFFER_H
