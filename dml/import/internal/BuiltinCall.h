//===- BuiltinCall.h - One call of a builtin function -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The argument of functions that translate builtins, and the declarations of
// such functions. The table of builtins (TranslatedBuiltins.cpp) checks the
// arguments of a call before it calls one of these. Simple builtins are
// translated in the file of the table.
//
// Thread safety: none. Errors: as Translation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_BUILTINCALL_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_BUILTINCALL_H

#include "onnxfold/dml/import/internal/Translation.h"
#include <algorithm>

namespace onnxfold::dml {

/// One call of a builtin.
struct BuiltinCall {
  Translation &to;
  const CallArguments &given;

  OnnxGraph &graph() const { return to.onnx(); }
  DmlValue refuse(const llvm::Twine &why) const {
    return to.refuse(given.node.place,
                     llvm::Twine(given.node.text) + "(): " + why);
  }
  const DmlValue *get(llvm::StringRef key, size_t index) const {
    return given.find(key, index);
  }
  size_t count() const { return given.positional.size() + given.named.size(); }
  /// The first positional argument. The table has checked that there is one.
  const DmlValue &first() const { return given.positional.front(); }
  std::string node(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                   llvm::ArrayRef<NodeAttribute> attributes = {}) const {
    return graph().node(op, inputs, attributes);
  }
};

/// The value of this name: a matrix of the sizes of `value`, or a scalar if
/// `value` is one.
DmlValue like(const BuiltinCall &call, const DmlValue &value, std::string name);
DmlValue asMatrix(const BuiltinCall &call);
/// Why the function is not translated for a matrix without elements; "" if it is.
std::string problemOfEmpty(const CallArguments &given);
/// n - 1, and 1 for one value: SystemDS's variance of it is 0.
DmlValue degreesOfFreedom(const BuiltinCall &call, const DmlValue &count);

using Builtin = DmlValue (*)(const BuiltinCall &);

/// What the first arguments are: numbers or matrices, a matrix first, or what
/// the function itself says; Named: they may have keys.
enum class Takes { Numbers, Matrix, Anything, Named };

struct BuiltinEntry {
  llvm::StringLiteral name;
  Builtin make;
  size_t least, most; ///< arguments
  Takes takes;
  /// Names that arguments may have, separated by spaces; "*": any.
  llvm::StringLiteral keys = "";
};

llvm::ArrayRef<BuiltinEntry> elementBuiltins();   ///< TranslatedElements.cpp
llvm::ArrayRef<BuiltinEntry> aggregateBuiltins(); ///< TranslatedAggregates.cpp

/// A text as an argument of a template.
template <size_t N> struct OpName {
  constexpr OpName(const char (&text)[N]) { std::copy_n(text, N, value); }
  char value[N];
};

DmlValue makeMatrix(const BuiltinCall &call);
DmlValue sequence(const BuiltinCall &call);
DmlValue transpose(const BuiltinCall &call);
DmlValue reverse(const BuiltinCall &call);
DmlValue cumulativeSum(const BuiltinCall &call);
DmlValue cumulativeSumOfRows(const BuiltinCall &call);
DmlValue sumOfProducts(const BuiltinCall &call);
DmlValue diagonal(const BuiltinCall &call);
DmlValue trace(const BuiltinCall &call);
DmlValue determinant(const BuiltinCall &call);
DmlValue outerProduct(const BuiltinCall &call);
DmlValue replace(const BuiltinCall &call);
DmlValue bindRows(const BuiltinCall &call);
DmlValue bindColumns(const BuiltinCall &call);
DmlValue lowerTriangle(const BuiltinCall &call);
DmlValue upperTriangle(const BuiltinCall &call);

// TranslatedTables.cpp
DmlValue contingencyTable(const BuiltinCall &call);
DmlValue ordered(const BuiltinCall &call);
DmlValue removeEmpty(const BuiltinCall &call);
DmlValue contains(const BuiltinCall &call);

// TranslatedFrames.cpp
DmlValue asFrame(const BuiltinCall &call);
DmlValue uniqueValues(const BuiltinCall &call);
DmlValue encodedColumn(const BuiltinCall &call);

// TranslatedRandom.cpp
DmlValue randomMatrix(const BuiltinCall &call);
DmlValue sampled(const BuiltinCall &call);

// TranslatedStatistics.cpp
DmlValue weightedMean(const BuiltinCall &call);
DmlValue covariance(const BuiltinCall &call);
DmlValue moment(const BuiltinCall &call);
DmlValue distinctInRows(const BuiltinCall &call);
DmlValue distinctInColumns(const BuiltinCall &call);
DmlValue distinctValues(const BuiltinCall &call);
DmlValue probability(const BuiltinCall &call);
DmlValue quantileOfDistribution(const BuiltinCall &call);
DmlValue namedDistribution(const BuiltinCall &call);

// TranslatedImages.cpp
DmlValue convolution(const BuiltinCall &call);
DmlValue convolutionOfData(const BuiltinCall &call);
DmlValue convolutionOfFilter(const BuiltinCall &call);
DmlValue maxPool(const BuiltinCall &call);
DmlValue maxPoolBackward(const BuiltinCall &call);
DmlValue averagePool(const BuiltinCall &call);
DmlValue averagePoolBackward(const BuiltinCall &call);
DmlValue biasAdd(const BuiltinCall &call);
DmlValue biasMultiply(const BuiltinCall &call);

// TranslatedLists.cpp
DmlValue makeList(const BuiltinCall &call);
DmlValue append(const BuiltinCall &call);
DmlValue asList(const BuiltinCall &call);
DmlValue openText(const BuiltinCall &call);
DmlValue timeOfDay(const BuiltinCall &call);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_BUILTINCALL_H
