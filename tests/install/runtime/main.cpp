// SPDX-License-Identifier: Apache-2.0
// entry(x, w) = x + 2 * w, whose functions a compiler would make. Prints what
// the C++ class and the C interface give, and how often 2 * w was computed.
#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"
#include <cstdio>

using namespace onnxfold::tensorfolding;

namespace {
struct Vector {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
};
int folds = 0;
} // namespace

static void fold(Vector *w, Vector *twice) {
  ++folds;
  for (int64_t i = 0; i < w->sizes[0]; ++i)
    twice->aligned[i] = 2 * w->aligned[i];
}

static void entry(Vector *x, Vector *twice, Vector *y) {
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    y->aligned[i] = x->aligned[i] + twice->aligned[i];
}

extern "C" float lifeInC(const void *metadata,
                         void *(*resolve)(void *, const char *));

static void *find(void *, const char *symbol) {
  std::string name = symbol;
  return name == "_mlir_ciface_f"     ? reinterpret_cast<void *>(entry)
         : name == "_mlir_ciface_f.0" ? reinterpret_cast<void *>(fold)
                                      : nullptr;
}

int main() {
  TensorType type = {elementTypeOf<float>(), {2}};
  Metadata metadata;
  metadata.entry.symbol = "f";
  metadata.arguments = {{"x", ArgumentRole::Input, type},
                        {"w", ArgumentRole::Weight, type}};
  metadata.foldedValues = {{type, {}}};
  metadata.parts = {{{"f.0", ResultConvention::OutParameters}, {1}, {0}, {}}};
  metadata.entryArguments = {original(0), folded(0)};
  metadata.results = {type};
  std::vector<char> bytes = writeMetadata(metadata);

  Error error;
  auto program = FoldedProgram::load(
      bytes.data(), bytes.size(),
      [](const std::string &symbol) { return find(nullptr, symbol.c_str()); },
      error);
  float x[] = {1, 2}, w[] = {10, 20};
  int64_t shape[] = {2};
  Tensor inputs[] = {tensor(x, shape)};
  std::vector<OwnedTensor> results;
  error = program->setWeight(1, tensor(w, shape));
  for (int call = 0; call < 2 && !error; ++call)
    error = program->call(inputs, results);
  if (error)
    return std::printf("%s\n", error.message().c_str());
  float inC = lifeInC(bytes.data(), find);
  std::printf("%g %g\n%g\n%d\n", results[0].data<float>()[0],
              results[0].data<float>()[1], inC, folds);
}
