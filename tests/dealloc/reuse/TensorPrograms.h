//===- TensorPrograms.h - Programs on tensors, and the two ways to run them
// SPDX-License-Identifier: Apache-2.0
//===//
//
// What a front end produces: linalg on tensors. For the test of the whole
// pipeline and for the table of bench/dealloc.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_DEALLOC_REUSE_TENSORPROGRAMS_H
#define ONNXFOLD_TESTS_DEALLOC_REUSE_TENSORPROGRAMS_H

#include <string>
#include <vector>

namespace onnxfold {

struct TensorProgram {
  const char *name;
  std::string text;
};

/// A perceptron of four layers; a loop with temporaries; two values that a
/// while loop computes from each other; a loop with a branch.
std::vector<TensorProgram> tensorPrograms();

/// Bufferisation, then our passes.
extern const char *const tensorsOurs;
/// Bufferisation, then upstream's; the same with what upstream has to lower
/// the numbers: hoisting, early frees.
extern const char *const tensorsUpstream;
extern const char *const tensorsUpstreamHoisting;

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_DEALLOC_REUSE_TENSORPROGRAMS_H
