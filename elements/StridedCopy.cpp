//===- StridedCopy.cpp - Row-major reading of strided data ----------------===//

#include "onnxfold/elements/StridedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <cstring>

using namespace onnxfold;

namespace {
/// 16-byte elements (complex128, strings) move as one.
struct Wide {
  uint64_t words[2];
};
} // namespace

template <class Function>
static void visitWidth(unsigned width, Function function) {
  switch (width) {
  case 1:
    return function(uint8_t());
  case 2:
    return function(uint16_t());
  case 4:
    return function(uint32_t());
  case 8:
    return function(uint64_t());
  default:
    return function(Wide());
  }
}

/// File payloads are often unaligned, so every load is a memcpy.
template <class T> static T load(const char *p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

template <class T>
static void copyRow(const char *in, int64_t stride, int64_t count, char *out) {
  if (stride == 1) {
    std::memcpy(out, in, count * sizeof(T));
    return;
  }
  T *to = reinterpret_cast<T *>(out);
  if (stride == 0) {
    std::fill_n(to, count, load<T>(in));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    to[i] = load<T>(in + i * stride * int64_t(sizeof(T)));
}

/// out[r][c] = in[r + c * stride] for `rows` x `cols`, in square tiles: each
/// cache line of the source is read once per tile instead of once per element.
template <class T>
static void transposeRows(const char *in, int64_t stride, int64_t rows,
                          int64_t cols, char *out) {
  constexpr int64_t tile = 16;
  constexpr int64_t width = sizeof(T);
  T *to = reinterpret_cast<T *>(out);
  for (int64_t r0 = 0; r0 < rows; r0 += tile) {
    int64_t r1 = std::min(rows, r0 + tile);
    int64_t c0 = 0;
    for (; r1 - r0 == tile && c0 + tile <= cols; c0 += tile) {
      T block[tile][tile];
      for (int64_t c = 0; c < tile; ++c)
        std::memcpy(block[c], in + (r0 + (c0 + c) * stride) * width,
                    tile * width);
      for (int64_t r = 0; r < tile; ++r)
        for (int64_t c = 0; c < tile; ++c)
          to[(r0 + r) * cols + c0 + c] = block[c][r];
    }
    for (int64_t r = r0; r < r1; ++r)
      copyRow<T>(in + (r + c0 * stride) * width, stride, cols - c0,
                 out + (r * cols + c0) * width);
  }
}

StridedCopy::StridedCopy(ShapeRef shape, ShapeRef viewStrides, unsigned width)
    : width(width) {
  for (auto [size, stride] : llvm::zip_equal(shape, viewStrides)) {
    if (size == 1)
      continue;
    if (!sizes.empty() && strides.back() == stride * size) {
      sizes.back() *= size;
      strides.back() = stride;
    } else {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  }
  size_t rank = sizes.size();
  contiguous = rank == 1 && strides[0] == 1;
  transposing = rank >= 2 && strides[rank - 1] != 1 && strides[rank - 1] != 0 &&
                llvm::is_contained(llvm::drop_end(strides), 1);
}

int64_t StridedCopy::rowOffset(int64_t row) const {
  int64_t offset = 0;
  for (size_t d = sizes.size() - 1; d-- > 0;) {
    offset += row % sizes[d] * strides[d];
    row /= sizes[d];
  }
  return offset;
}

void StridedCopy::copyRows(const char *base, int64_t firstRow, int64_t rows,
                           char *out) const {
  int64_t cols = rowLength(), colStride = strides.back();
  size_t rank = sizes.size();
  int64_t last = firstRow + rows;
  visitWidth(width, [&](auto type) {
    using T = decltype(type);
    constexpr int64_t w = sizeof(T);
    for (int64_t row = firstRow; row < last;) {
      // Rows up to the end of the second innermost dimension form a plane.
      int64_t run = 1, rowStride = 0;
      if (rank >= 2) {
        int64_t size = sizes[rank - 2];
        run = std::min(last - row, size - row % size);
        rowStride = strides[rank - 2];
      }
      const char *in = base + rowOffset(row) * w;
      if (rowStride == 1 && colStride != 0)
        transposeRows<T>(in, colStride, run, cols, out);
      else
        for (int64_t r = 0; r < run; ++r)
          copyRow<T>(in + r * rowStride * w, colStride, cols,
                     out + r * cols * w);
      out += run * cols * w;
      row += run;
    }
  });
}

void StridedCopy::copy(const char *base, int64_t first, int64_t count,
                       char *out) const {
  if (count == 0)
    return;
  if (isContiguous()) {
    std::memcpy(out, base + first * width, count * width);
    return;
  }
  int64_t cols = rowLength();
  // The piece of a row before the first whole row, the whole rows, the rest.
  auto copyPiece = [&](int64_t from, int64_t n) {
    const char *in =
        base + (rowOffset(from / cols) + from % cols * strides.back()) * width;
    visitWidth(width, [&](auto type) {
      copyRow<decltype(type)>(in, strides.back(), n, out);
    });
    out += n * width;
  };
  int64_t end = first + count;
  if (first % cols != 0 || count < cols) {
    int64_t n = std::min(count, cols - first % cols);
    copyPiece(first, n);
    first += n;
  }
  if (int64_t rows = (end - first) / cols) {
    copyRows(base, first / cols, rows, out);
    out += rows * cols * width;
    first += rows * cols;
  }
  if (first < end)
    copyPiece(first, end - first);
}
