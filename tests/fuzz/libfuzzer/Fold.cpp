//===- Fold.cpp - libFuzzer's entry to fuzzFold ---------------------------===//
#include "onnxfold/tests/fuzz/FuzzTargets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  onnxfold::fuzzFold({reinterpret_cast<const char *>(data), size});
  return 0;
}
