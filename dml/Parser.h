//===- Parser.h - A DML script as a syntax tree -----------------*- C++ -*-===//
//
// Reads what people write, too: both forms of assignment, blocks of one
// statement without braces, defaults of parameters, parfor, source(). Comments
// are left out; `a += b` becomes a = a + b; names of types become those that
// print() writes (Matrix[Double] is matrix[double], Integer is int).
//
//   llvm::Expected<Script> script = parseScript(text, "model.dml");
//
// The syntax is checked, and nothing else: not whether names are defined, nor
// types. Expressions and blocks are nested at most mostNested deep.
//
// Thread safety: pure. Errors: the first mistake, with file, line and column:
// "model.dml:3:7: expected ')', found 'else'".
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_PARSER_H
#define ONNXFOLD_DML_PARSER_H

#include "onnxfold/dml/Syntax.h"
#include "llvm/Support/Error.h"

namespace onnxfold::dml {

inline constexpr unsigned mostNested = 400;

/// `file`: its name in messages.
llvm::Expected<Script> parseScript(llvm::StringRef text, llvm::StringRef file);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_PARSER_H
