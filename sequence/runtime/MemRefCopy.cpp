//===- MemRefCopy.cpp - Copies of buffers with strides --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR calls a function of this name where a memref.copy is no memcpy. It is in
// its own library for tests (mlir_c_runner_utils) too; standing alone in an
// object of the archive, this one is only linked where nobody else has it.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/runtime/internal/Support.h"

using namespace onnxfold::sequence;

namespace {
struct UnrankedDescriptor { // as MLIR lays it out
  int64_t rank;
  void *descriptor;
};
} // namespace

extern "C" void memrefCopy(int64_t elementBytes, UnrankedDescriptor *source,
                           UnrankedDescriptor *target) {
  copyStrided(BufferView(target->descriptor, target->rank, elementBytes),
              BufferView(source->descriptor, source->rank, elementBytes));
}
