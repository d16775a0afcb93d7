//===- OperatorLevels.h - Which operator of DML binds tighter ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The levels of operators, for the parser and the printer of expressions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SYNTAX_INTERNAL_OPERATORLEVELS_H
#define ONNXFOLD_DML_SYNTAX_INTERNAL_OPERATORLEVELS_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold::dml {

/// The levels of DML, the highest first: ^, unary -, %*%, %/% and %%, * and /,
/// + and -, comparisons, !, &, |. An atom is above all.
constexpr int atomLevel = 20, signLevel = 9, notLevel = 3;

/// The level of a binary operator; 0 for any other text.
inline int levelOfOperator(llvm::StringRef text) {
  char first = text.empty() ? '\0' : text[0],
       last = text.empty() ? '\0' : text.back();
  bool isOne = text.size() == 1, isTwo = text.size() == 2;
  switch (first) {
  case '^':
    return isOne ? 10 : 0;
  case '%':
    return text == "%*%" ? 8 : text == "%/%" || text == "%%" ? 7 : 0;
  case '*':
  case '/':
    return isOne ? 6 : 0;
  case '+':
  case '-':
    return isOne ? 5 : 0;
  case '<':
  case '>':
    return isOne || (isTwo && last == '=') ? 4 : 0;
  case '=':
  case '!':
    return isTwo && last == '=' ? 4 : 0;
  case '&':
  case '|':
    return isOne || (isTwo && last == first) ? (first == '&' ? 2 : 1) : 0;
  default:
    return 0;
  }
}

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SYNTAX_INTERNAL_OPERATORLEVELS_H
