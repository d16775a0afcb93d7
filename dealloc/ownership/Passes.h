//===- Passes.h - Passes that add ownership ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// split-alloc-tensors, deallocate and deallocation-simplification. Passes.td
// declares and docs/passes.md describes them; dealloc/Passes.h has the
// pipelines.
// Thread safety: as passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_PASSES_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

/// How a public function passes the ownership of its results.
enum class PublicResults {
  Ownership, // one more result per memref, appended: null if it is not owned
  Clone,     // the signature is kept; what is not owned is copied
};

/// Their names in textual pipelines.
inline llvm::cl::ValuesClass publicResultsValues() {
  return llvm::cl::values(
      clEnumValN(PublicResults::Ownership, "ownership",
                 "one more result per memref: who owns it"),
      clEnumValN(PublicResults::Clone, "clone",
                 "signatures are kept, results that are not owned are copied"));
}

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/dealloc/ownership/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_PASSES_H
