//===- Bits.h - Operations on the bits of integers --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_BITS_H
#define ONNXFOLD_DML_SUPPORT_BITS_H

#include "onnxfold/dml/support/Broadcasting.h"

namespace onnxfold::dml {

/// Lowers BitwiseAnd, BitwiseOr and BitwiseXor: `builtin` for integers that 32
/// bits with a sign hold, else `f` of x, y and x AND y.
Lowered lowerBitwise(LoweringContext &cx, llvm::StringRef builtin,
                     llvm::function_ref<Expr(Expr, Expr, Expr)> f);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_BITS_H
