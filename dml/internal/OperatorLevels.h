//===- OperatorLevels.h - Which operator of DML binds tighter ---*- C++ -*-===//
//
// What the parser and the printer of expressions share.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_OPERATORLEVELS_H
#define ONNXFOLD_DML_INTERNAL_OPERATORLEVELS_H

#include "llvm/ADT/StringSwitch.h"

namespace onnxfold::dml {

/// Of DML, the highest first: ^, unary -, %*%, %/% and %%, * and /, + and -,
/// comparisons, !, &, |. An atom is above all.
constexpr int atomLevel = 20, signLevel = 9, notLevel = 3;

/// The level of a binary operator; 0 for any other text.
inline int levelOfOperator(llvm::StringRef text) {
  return llvm::StringSwitch<int>(text)
      .Case("^", 10)
      .Case("%*%", 8)
      .Cases({"%/%", "%%"}, 7)
      .Cases({"*", "/"}, 6)
      .Cases({"+", "-"}, 5)
      .Cases({"<", "<=", ">", ">=", "==", "!="}, 4)
      .Cases({"&", "&&"}, 2)
      .Cases({"|", "||"}, 1)
      .Default(0);
}

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_OPERATORLEVELS_H
