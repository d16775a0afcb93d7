//===- Printing.cpp - What programs of tests print with -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/sequence/run/Printing.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <type_traits>

using namespace onnxfold;

namespace {
/// A memref as MLIR lays it out.
template <typename T> struct Descriptor {
  T *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};
} // namespace

static void printValue(float value) { std::printf("%g", value); }
static void printValue(int64_t value) { std::printf("%" PRId64, value); }
static void printValue(bool value) { std::printf("%d", int(value)); }

template <typename T>
static void printAxis(const T *data, const int64_t *sizes,
                      const int64_t *strides, int64_t rank) {
  if (rank == 0)
    return printValue(*data);
  std::printf("[");
  for (int64_t i = 0; i < sizes[0]; ++i) {
    if (i)
      std::printf(" ");
    printAxis(data + i * strides[0], sizes + 1, strides + 1, rank - 1);
  }
  std::printf("]");
}

template <typename T>
static void print(int64_t rank, const Descriptor<T> *tensor) {
  const int64_t *sizes = tensor->sizesAndStrides;
  printAxis(tensor->aligned + tensor->offset, sizes, sizes + rank, rank);
  std::printf("\n");
}

/// A type, a shape and the values, in a form that scripts read: `f32 2x3 0x1p+0
/// ...`, of rank 0 with an empty shape.
template <typename T>
static void dump(const char *type, int64_t rank, const Descriptor<T> *tensor) {
  const int64_t *sizes = tensor->sizesAndStrides;
  std::printf("%s ", type);
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; ++axis) {
    std::printf(axis ? "x%" PRId64 : "%" PRId64, sizes[axis]);
    count *= sizes[axis];
  }
  for (int64_t i = 0; i < count; ++i) {
    const T *element = tensor->aligned + tensor->offset;
    for (int64_t axis = rank - 1, left = i; axis >= 0; --axis) {
      element += left % sizes[axis] * sizes[rank + axis];
      left /= sizes[axis];
    }
    if constexpr (std::is_floating_point_v<T>)
      std::printf(" %a", double(*element));
    else
      std::printf(" %" PRId64, int64_t(*element));
  }
  std::printf("\n");
}

static void dumpFloats(int64_t rank, const Descriptor<float> *tensor) {
  dump("f32", rank, tensor);
}
static void dumpDoubles(int64_t rank, const Descriptor<double> *tensor) {
  dump("f64", rank, tensor);
}
static void dumpIntegers(int64_t rank, const Descriptor<int64_t> *tensor) {
  dump("i64", rank, tensor);
}
static void dumpShort(int64_t rank, const Descriptor<int32_t> *tensor) {
  dump("i32", rank, tensor);
}
static void dumpTruths(int64_t rank, const Descriptor<bool> *tensor) {
  dump("i1", rank, tensor);
}

std::vector<std::pair<std::string, void *>> onnxfold::printingSymbols() {
  return {{"print_f32", reinterpret_cast<void *>(&print<float>)},
          {"print_i64", reinterpret_cast<void *>(&print<int64_t>)},
          {"print_i1", reinterpret_cast<void *>(&print<bool>)},
          {"dump_f32", reinterpret_cast<void *>(&dumpFloats)},
          {"dump_f64", reinterpret_cast<void *>(&dumpDoubles)},
          {"dump_i32", reinterpret_cast<void *>(&dumpShort)},
          {"dump_i64", reinterpret_cast<void *>(&dumpIntegers)},
          {"dump_i1", reinterpret_cast<void *>(&dumpTruths)}};
}
