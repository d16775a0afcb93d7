//===- Bools.h - Bools in the text of other versions of MLIR ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `dense<"0x..."> : tensor<144xi1>` has a bit for each element up to MLIR 22,
// and a byte in the version that JAX brings. Sizes tell which it is.
//
// Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_STABLEHLO_FOLD_BOOLS_H
#define ONNXFOLD_TOOLS_STABLEHLO_FOLD_BOOLS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace onnxfold {

/// The text with a bit for each bool; empty if it has none of a byte each.
std::string withPackedBools(llvm::StringRef text);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_STABLEHLO_FOLD_BOOLS_H
