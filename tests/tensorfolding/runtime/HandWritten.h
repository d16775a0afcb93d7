//===- HandWritten.h - Programs in C++ for the run-time tests ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions with the C interface of compiled code, and metadata for them: what
// a compiler would make of
//
//   entry(x, w0 ... wn) = x + sum of 2 * wi        all tensor<?xi64> or static
//
// with a part for each weight. Counters say how often what ran.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_TENSORFOLDING_RUNTIME_HANDWRITTEN_H
#define ONNXFOLD_TESTS_TENSORFOLDING_RUNTIME_HANDWRITTEN_H

#include "onnxfold/tensorfolding/runtime/FoldedMemory.h"
#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace onnxfold::tensorfolding::testing {

/// A memref descriptor.
template <typename T, int rank> struct MemRef {
  T *allocated, *aligned;
  int64_t offset, sizes[rank], strides[rank];

  T &at(int64_t i) const { return aligned[offset + i * strides[0]]; }
};
using Vector = MemRef<int64_t, 1>;

inline ElementType i64() { return elementTypeOf<int64_t>(); }
inline TensorType vectorType(int64_t size) { return {i64(), {size}}; }

/// Functions by their names in MLIR.
struct Functions {
  template <typename F> void add(const std::string &symbol, F *function) {
    addresses["_mlir_ciface_" + symbol] = reinterpret_cast<void *>(function);
  }
  Resolver resolver() const {
    return [this](const std::string &symbol) {
      auto found = addresses.find(symbol);
      return found == addresses.end() ? nullptr : found->second;
    };
  }
  std::map<std::string, void *> addresses;
};

inline std::unique_ptr<FoldedProgram> load(const Metadata &metadata,
                                           const Functions &functions,
                                           Error &error,
                                           LoadOptions options = {}) {
  EXPECT_EQ(checkMetadata(metadata), "");
  std::vector<char> bytes = writeMetadata(metadata);
  return FoldedProgram::load(bytes.data(), bytes.size(), functions.resolver(),
                             error, options);
}

inline std::unique_ptr<FoldedProgram> load(const Metadata &metadata,
                                           const Functions &functions,
                                           LoadOptions options = {}) {
  Error error;
  auto program = load(metadata, functions, error, options);
  EXPECT_EQ(error.message(), "");
  return program;
}

/// How often foldTwice ran.
inline std::atomic<int64_t> foldCount = 0;

/// 2 * w
inline void foldTwice(Vector *weight, Vector *result) {
  ++foldCount;
  for (int64_t i = 0; i < weight->sizes[0]; ++i)
    result->at(i) = 2 * weight->at(i);
}

/// x + f0, x + f0 + f1, x + f0 + f1 + f2 + f3
inline void entryOf1(Vector *x, Vector *f, Vector *result) {
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    result->at(i) = x->at(i) + f->at(i);
}
inline void entryOf2(Vector *x, Vector *f, Vector *g, Vector *result) {
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    result->at(i) = x->at(i) + f->at(i) + g->at(i);
}
inline void entryOf4(Vector *x, Vector *f, Vector *g, Vector *h, Vector *k,
                     Vector *result) {
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    result->at(i) = x->at(i) + f->at(i) + g->at(i) + h->at(i) + k->at(i);
}

/// The program above for one, two or four weights of that many elements. Parts
/// have the hash of 2 * w, unless it is zero.
struct SumProgram {
  explicit SumProgram(uint32_t weights, int64_t size = 1000,
                      ContentHash hash = {1, 2}) {
    metadata.entry = {"sum", ResultConvention::OutParameters};
    metadata.arguments = {{"x", ArgumentRole::Input, vectorType(size)}};
    metadata.entryArguments = {original(0)};
    metadata.results = {vectorType(size)};
    for (uint32_t i = 0; i < weights; ++i) {
      std::string number = std::to_string(i);
      metadata.arguments.push_back(
          {"w" + number, ArgumentRole::Weight, vectorType(size)});
      Part part;
      part.function.symbol = "sum.fold_runtime." + number;
      part.inputs = {i + 1};
      part.outputs = {i};
      part.hash = hash;
      metadata.parts.push_back(part);
      metadata.foldedValues.push_back({vectorType(size), {}});
      metadata.entryArguments.push_back(folded(i));
      functions.add(part.function.symbol, foldTwice);
    }
    if (weights == 1)
      functions.add("sum", entryOf1);
    else if (weights == 2)
      functions.add("sum", entryOf2);
    else
      functions.add("sum", entryOf4);
  }

  Metadata metadata;
  Functions functions;
};

/// A vector of one value.
struct Filled {
  Filled(int64_t size, int64_t value) : values(size, value), shape(1, size) {}
  Tensor tensor() { return tensorfolding::tensor(values.data(), shape); }

  std::vector<int64_t> values;
  std::vector<int64_t> shape;
};

/// What the entry gives for an x of one value; the elements must be equal.
/// -1 and a failure of the test if the call fails.
inline int64_t callSum(FoldedProgram &program, int64_t x, int64_t size = 1000) {
  Filled input(size, x), output(size, -1);
  Tensor inputs[] = {input.tensor()}, outputs[] = {output.tensor()};
  Error error = program.call(inputs, outputs);
  EXPECT_EQ(error.message(), "");
  EXPECT_THAT(output.values, ::testing::Each(output.values[0]));
  return output.values[0];
}

/// No budget and no counts from the test before.
class RuntimeTest : public ::testing::Test {
protected:
  void SetUp() override {
    foldCount = 0;
    EXPECT_EQ(foldedMemory().blocks, 0u) << "a test before left a block";
  }
  void TearDown() override { setFoldedMemoryBudget(noMemoryBudget); }
};

} // namespace onnxfold::tensorfolding::testing

#endif // ONNXFOLD_TESTS_TENSORFOLDING_RUNTIME_HANDWRITTEN_H
