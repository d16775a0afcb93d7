//===- Text.cpp - Small matrices as text ----------------------------------===//

#include "onnxfold/dml/support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold::dml;

Expr onnxfold::dml::rowText(llvm::ArrayRef<int64_t> values) {
  std::string text = llvm::join(
      llvm::map_range(values, [](int64_t v) { return std::to_string(v); }),
      " ");
  return matrix(Expr::text(text), 1, int64_t(values.size()));
}
