//===- main.cpp - Run a program with folded constants ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// run-folded-cpp libmlp.so: loads the object that mlp.mlir was compiled to,
// calls it twice, replaces a weight, and calls it again. Prints the results and
// how often fold functions ran.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace onnxfold::tensorfolding;

static void check(const Error &error) {
  if (!error)
    return;
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::exit(1);
}

/// A float that bfloat16 can hold.
static uint16_t bfloat16(float value) {
  return uint16_t(std::bit_cast<uint32_t>(value) >> 16);
}

/// A 4 x 4 matrix with `value` where row + column (if `reversed`) or
/// row - column is that of a diagonal, else 0.
static std::vector<uint16_t> diagonal(float value, bool reversed) {
  std::vector<uint16_t> matrix(16);
  for (int i = 0; i < 4; ++i)
    matrix[4 * i + (reversed ? 3 - i : i)] = bfloat16(value);
  return matrix;
}

static void print(const OwnedTensor &result) {
  for (int i = 0; i < 8; ++i)
    std::printf("%g ", double(std::bit_cast<float>(
                           uint32_t(result.data<uint16_t>()[i]) << 16)));
  std::printf("\n");
}

int main(int, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return std::fprintf(stderr, "%s\n", dlerror()), 1;

  // The metadata, and the functions by their names.
  Error error;
  std::unique_ptr<FoldedProgram> mlp = FoldedProgram::load(
      dlsym(library, "entry.fold_metadata"), unknownSize,
      [&](const std::string &symbol) { return dlsym(library, symbol.c_str()); },
      error);
  check(error);

  // Weights by the numbers of the original arguments. They are not copied.
  ElementType bf16 = *elementTypeNamed("bf16");
  int64_t square[] = {4, 4}, wide[] = {2, 4};
  std::vector<uint16_t> w1 = diagonal(1, true), w2 = diagonal(0.5, false);
  check(mlp->setWeight(1, {w1.data(), bf16, 2, square}));
  check(mlp->setWeight(2, {w2.data(), bf16, 2, square}));

  // The first call packs the weights, the second one finds them packed.
  uint16_t x[8];
  for (int i = 0; i < 8; ++i)
    x[i] = bfloat16(float(i + 1));
  Tensor inputs[] = {{x, bf16, 2, wide}};
  std::vector<OwnedTensor> results;
  for (int call = 0; call < 2; ++call) {
    check(mlp->call(inputs, results));
    print(results[0]);
  }
  std::printf("%d folds\n", int(mlp->statistics().folds));

  // Another weight, while other threads may call. Only its part is folded.
  std::vector<uint16_t> better = diagonal(2, false);
  check(mlp->updateWeight(2, {better.data(), bf16, 2, square}));
  check(mlp->foldInactive());
  check(mlp->swap());
  mlp->freeInactive(); // nobody reads w2 any more
  check(mlp->call(inputs, results));
  print(results[0]);
  std::printf("%d folds\n", int(mlp->statistics().folds));
}
