//===- Text.cpp - Small matrices as text ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold::dml;

Expr onnxfold::dml::rowText(llvm::ArrayRef<int64_t> values) {
  return matrixText(values, 1);
}

Expr onnxfold::dml::matrixText(llvm::ArrayRef<int64_t> values, int64_t rows) {
  std::string text = llvm::join(
      llvm::map_range(values, [](int64_t v) { return std::to_string(v); }),
      " ");
  return matrix(Expr::text(text), rows, int64_t(values.size()) / rows);
}
