//===- Parser.h - A DML script as a syntax tree -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser reads scripts that people write, too: both forms of assignment,
// blocks of one statement without braces, defaults of parameters, parfor,
// source(). It drops comments. `a += b` becomes a = a + b. Names of types
// become those that print() writes (Matrix[Double] is matrix[double], Integer
// is int).
//
//   llvm::Expected<Script> script = parseScript(text, "model.dml");
//
// Only the syntax is checked: neither types, nor whether names are defined.
// Expressions and blocks may be nested at most mostNested deep.
//
// Thread safety: pure. Errors: the first mistake, with file, line and column:
// "model.dml:3:7: expected ')', found 'else'".
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SYNTAX_PARSER_H
#define ONNXFOLD_DML_SYNTAX_PARSER_H

#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/Support/Error.h"

namespace onnxfold::dml {

inline constexpr unsigned mostNested = 400;

/// `file`: the name of the script in messages.
llvm::Expected<Script> parseScript(llvm::StringRef text, llvm::StringRef file);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SYNTAX_PARSER_H
