//===- Names.cpp - Names of a model as names of a script ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace onnxfold::dml;
using llvm::StringRef;

/// Words of DML, its constants, and keywords of Python.
static constexpr StringRef reservedWords[] = {"as",
                                              "boolean",
                                              "Boolean",
                                              "double",
                                              "Double",
                                              "else",
                                              "externalFunction",
                                              "for",
                                              "function",
                                              "FALSE",
                                              "if",
                                              "ifdef",
                                              "implemented",
                                              "in",
                                              "int",
                                              "integer",
                                              "Int",
                                              "Integer",
                                              "parfor",
                                              "return",
                                              "setwd",
                                              "source",
                                              "string",
                                              "String",
                                              "TRUE",
                                              "while",
                                              "unknown",
                                              "Unknown",
                                              "Inf",
                                              "NaN",
                                              "pi",
                                              "True",
                                              "False",
                                              "None",
                                              "and",
                                              "assert",
                                              "async",
                                              "await",
                                              "break",
                                              "class",
                                              "continue",
                                              "def",
                                              "del",
                                              "elif",
                                              "except",
                                              "finally",
                                              "from",
                                              "global",
                                              "import",
                                              "is",
                                              "lambda",
                                              "nonlocal",
                                              "not",
                                              "or",
                                              "pass",
                                              "raise",
                                              "try",
                                              "with",
                                              "yield",
                                              "matrix",
                                              "scalar",
                                              "frame",
                                              "list",
                                              "true",
                                              "false"};

/// Functions of DML: a variable of such a name would work, and confuse.
static constexpr StringRef builtinNames[] = {
    "abs",      "acos",     "asin",          "atan",
    "avg_pool", "bias_add", "bias_multiply", "cbind",
    "ceil",     "ceiling",  "colMeans",      "colMaxs",
    "colMins",  "colProds", "colSums",       "conv2d",
    "cos",      "cosh",     "cummax",        "cummin",
    "cumprod",  "cumsum",   "det",           "diag",
    "exp",      "floor",    "format",        "ifelse",
    "inv",      "isInf",    "isNA",          "isNaN",
    "log",      "max",      "max_pool",      "mean",
    "min",      "ncol",     "nrow",          "order",
    "outer",    "print",    "prod",          "rand",
    "rbind",    "read",     "removeEmpty",   "rev",
    "roll",     "round",    "rowIndexMax",   "rowIndexMin",
    "rowMaxs",  "rowMeans", "rowMins",       "rowProds",
    "rowSums",  "sd",       "seq",           "sigmoid",
    "sign",     "sin",      "sinh",          "softmax",
    "sqrt",     "stop",     "sum",           "t",
    "table",    "tan",      "tanh",          "toString",
    "trace",    "var",      "weights",       "write",
    "xor"};

NameTable::NameTable() {
  for (StringRef word : reservedWords)
    reserve(word);
  for (StringRef name : builtinNames)
    reserve(name);
}

std::string NameTable::make(StringRef wanted, StringRef otherwise) {
  std::string name;
  for (char c : wanted) {
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_' && !wanted.ends_with("_"))
    name.pop_back();
  if (name.empty() || name == "_")
    name = otherwise.str();
  if (llvm::isDigit(name.front()))
    name = "v" + name;
  if (take(name))
    return name;
  StringRef known(name);
  bool isWord = llvm::is_contained(reservedWords, known) ||
                llvm::is_contained(builtinNames, known);
  if (isWord && take(name + "_"))
    return name + "_";
  for (unsigned i = taken[name];; ++i)
    if (std::string next = (name + "_" + llvm::Twine(i)).str(); take(next)) {
      taken[name] = i + 1;
      return next;
    }
}
