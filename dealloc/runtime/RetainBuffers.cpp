//===- RetainBuffers.cpp - deallocation.retain at run time ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/runtime/RetainBuffers.h"

#include <algorithm>

void onnxfold_retain_buffers(int64_t numAllocations, void **allocations,
                             int64_t numRetained, void **retained,
                             void (*release)(void *)) {
  void **end = allocations + numAllocations;
  for (int64_t i = 0; i < numRetained; ++i) {
    void *wanted = retained[i];
    retained[i] = nullptr;
    void **found = wanted ? std::find(allocations, end, wanted) : end;
    if (found != end)
      std::swap(retained[i], *found);
  }
  for (void **allocation = allocations; allocation != end; ++allocation)
    if (*allocation)
      release(*allocation);
}
