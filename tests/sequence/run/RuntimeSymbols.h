//===- RuntimeSymbols.h - What compiled tests call --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions of the sequence run time and of the counting allocator, for
// execution engines, which look up names.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_SEQUENCE_RUN_RUNTIMESYMBOLS_H
#define ONNXFOLD_TESTS_SEQUENCE_RUN_RUNTIMESYMBOLS_H

#include "onnxfold/sequence/runtime/Runtime.h"
#include "onnxfold/tests/lib/jit/CountingAllocator.h"
#include <string>
#include <utility>
#include <vector>

// runtime/MemRefCopy.cpp
extern "C" void memrefCopy(int64_t, void *, void *);

namespace onnxfold {

using DimExprs = std::vector<std::pair<std::string, void *>>;

/// Of runtime/Runtime.h.
inline DimExprs runtimeSymbols() {
  DimExprs exprs;
#define SEQUENCE_SYMBOL(NAME)                                                  \
  exprs.emplace_back(#NAME, reinterpret_cast<void *>(NAME));
#include "onnxfold/sequence/runtime/Symbols.def"
  exprs.emplace_back("memrefCopy", reinterpret_cast<void *>(memrefCopy));
  return exprs;
}

/// The same, and malloc and free that count.
inline DimExprs countedSymbols() {
  DimExprs exprs = runtimeSymbols();
  exprs.emplace_back("malloc", reinterpret_cast<void *>(countingAlloc));
  exprs.emplace_back("free", reinterpret_cast<void *>(countingFree));
  return exprs;
}

/// Records and storages are from the counting allocator from now on.
inline void countRuntimeMemory() {
  sequence::setSequenceAllocator({countingAlloc, countingFree});
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_SEQUENCE_RUN_RUNTIMESYMBOLS_H
