//===- Module.h - A script and the scripts that it sources ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ScriptFiles owns them: a file is one module, whoever sources it.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_MODULE_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_MODULE_H

#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold::dml {

struct Module {
  std::string file;
  Script script;
  llvm::StringMap<const Module *> sourced; ///< by the name after `as`

  /// Null if it has no such function.
  const Function *function(llvm::StringRef name) const {
    for (const Function &one : script.functions)
      if (one.name == name)
        return &one;
    return nullptr;
  }
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_MODULE_H
