//===- Names.h - Names of a model as names of a script ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DML drops characters that it does not know from a name without an error, so
// two bad names may become one variable. NameTable makes names that are legal,
// unique and not reserved, and are neither builtins nor keywords of Python
// (SystemDS's Python loader turns parameters into Python parameters). They are
// as close to the model's names as that allows:
//
//   NameTable names;
//   names.make("/fc1/Relu_output_0");    // fc1_Relu_output_0
//   names.make("fc1.Relu_output.0");     // fc1_Relu_output_0_2
//   names.make("in");                    // in_
//   names.make("23");                    // v23
//
// The same calls give the same names. Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_NAMES_H
#define ONNXFOLD_DML_EXPORT_NAMES_H

#include "llvm/ADT/StringMap.h"
#include <string>

namespace onnxfold::dml {

class NameTable {
public:
  NameTable();

  /// An unused name like `wanted`, or like `otherwise` if no character of
  /// `wanted` is legal.
  std::string make(llvm::StringRef wanted, llvm::StringRef otherwise = "v");

  /// make() will never return this name.
  void reserve(llvm::StringRef name) { take(name); }

private:
  bool take(llvm::StringRef name) { return taken.try_emplace(name, 2).second; }

  /// The names, and for each the number that make() tries next.
  llvm::StringMap<unsigned> taken;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_NAMES_H
