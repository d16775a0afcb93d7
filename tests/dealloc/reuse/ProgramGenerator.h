//===- ProgramGenerator.h - Random structured programs --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Textual IR that allocates and never frees: loops, branches, selects, views,
// calls, buffers that are yielded in any order. Every buffer is filled when it
// is allocated, so what is read is defined, and what is read is observed.
// The same seed gives the same program on every machine.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_DEALLOC_REUSE_PROGRAMGENERATOR_H
#define ONNXFOLD_TESTS_DEALLOC_REUSE_PROGRAMGENERATOR_H

#include <cstdint>
#include <string>

namespace onnxfold {

struct GeneratorOptions {
  uint32_t seed = 0;
  /// Every loop runs and every branch is taken. Otherwise loops may run no
  /// time, and branches outside loops are what a condition says.
  bool everythingRuns = false;
};

/// Buffers of the program have at least this many bytes.
constexpr int64_t smallestBuffer = 128;

std::string generateProgram(const GeneratorOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_DEALLOC_REUSE_PROGRAMGENERATOR_H
