//===- CallArguments.h - The arguments of a call ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Evaluated arguments, those with a name and those without.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_CALLARGUMENTS_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_CALLARGUMENTS_H

#include "onnxfold/dml/import/internal/DmlValue.h"
#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold::dml {

struct CallArguments {
  const Expr::Node &node;
  std::vector<DmlValue> positional = {};
  llvm::StringMap<DmlValue> named = {};

  /// The argument with this key; null if it is not given.
  const DmlValue *find(llvm::StringRef key) const {
    auto found = named.find(key);
    return found == named.end() ? nullptr : &found->second;
  }
  /// That, else the `index`-th argument without a key.
  const DmlValue *find(llvm::StringRef key, size_t index) const {
    const DmlValue *value = find(key);
    return value || index >= positional.size() ? value : &positional[index];
  }
  size_t count() const { return positional.size() + named.size(); }

  template <typename Use> void each(Use use) const {
    for (const DmlValue &one : positional)
      use(one);
    for (const auto &one : named)
      use(one.getValue());
  }
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_CALLARGUMENTS_H
