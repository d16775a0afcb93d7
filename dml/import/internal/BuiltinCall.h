//===- BuiltinCall.h - One call of a builtin function -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A builtin is a row of a table: its names, its signature, and the function that
// makes its nodes. callBuiltin() finds the row and checks the arguments, and the
// function gets them as a BuiltinCall:
//
//   DmlValue onnxfold::dml::transpose(const BuiltinCall &call) {
//     const DmlValue &x = call.first();
//     std::string turned =
//         call.node("Transpose", {x.name}, {{"perm", {1, 0}, true}});
//     return DmlValue::matrix(turned, x.columns, x.rows);
//   }
//
// A function that is not one node has its family's file; the declarations are
// below.
//
// Thread safety: none. Errors: as Translation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_BUILTINCALL_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_BUILTINCALL_H

#include "onnxfold/dml/import/internal/Translation.h"
#include <algorithm>
#include <array>

namespace onnxfold::dml {

/// One call of a builtin.
class BuiltinCall {
public:
  BuiltinCall(Translation &translation, const CallArguments &given)
      : given(given), to(translation.emitter), translation(translation) {}

  const CallArguments &given;
  Emitter &to;

  OnnxGraph &graph() const { return to.onnx(); }
  const DmlValue *get(llvm::StringRef key, size_t index) const {
    return given.find(key, index);
  }
  const DmlValue *get(llvm::StringRef key) const { return given.find(key); }
  size_t count() const { return given.count(); }
  /// The first positional argument. REQUIRES: the table says that there is one.
  const DmlValue &first() const { return given.positional.front(); }

  std::string node(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                   llvm::ArrayRef<NodeAttribute> attributes = {}) const {
    return graph().node(op, inputs, attributes);
  }
  DmlValue binary(llvm::StringRef op, const DmlValue &a,
                  const DmlValue &b) const {
    return translation.operators.binary(given.node.place, op, a, b);
  }
  DmlValue refuse(const llvm::Twine &why) const {
    return translation.refusals.refuse(
        given.node.place, llvm::Twine(given.node.text) + "(): " + why);
  }
  /// A node like another one that is refused where a result depends on it.
  std::string unusable(const std::string &like, const llvm::Twine &why) const {
    std::string place = translation.refusals.placeText(given.node.place);
    return to.unusable(like, (place + why).str());
  }
  /// The same call of the same translation with other arguments.
  BuiltinCall with(const CallArguments &inner) const {
    return {translation, inner};
  }
  DmlValue callOwn(llvm::StringRef file, llvm::StringRef function,
                   const CallArguments &inner) const {
    return translation.callOwn(file, function, inner);
  }
  Refusals &refusals() const { return translation.refusals; }

private:
  Translation &translation;
};

/// The results of a builtin that the tables have; nothing for other functions.
std::optional<std::vector<DmlValue>> callBuiltin(const BuiltinCall &call);
/// Why ONNX cannot have a function of SystemDS, after its name; "" if we just do
/// not.
llvm::StringRef whyNotOnnx(llvm::StringRef name);

/// The value of this name: a matrix of the sizes of `value`, or a scalar if
/// `value` is one.
DmlValue like(const DmlValue &value, std::string name);
/// Where elements are a number, a BOOL; NaN is equal to NaN.
std::string equalTo(const BuiltinCall &call, const DmlValue &x,
                    const DmlValue &number);
DmlValue asMatrix(const BuiltinCall &call);
/// Why the function is not translated for a matrix without elements; "" if it
/// is.
std::string problemOfEmpty(const CallArguments &given);
/// n - 1, and 1 for one value: SystemDS's variance of it is 0.
DmlValue degreesOfFreedom(const BuiltinCall &call, const DmlValue &count);

using Builtin = DmlValue (*)(const BuiltinCall &);
using BuiltinOfTwo = std::array<DmlValue, 2> (*)(const BuiltinCall &);

/// How many arguments a builtin has, and which.
struct Signature {
  /// What the positional ones are: numbers or matrices, a matrix first, or what
  /// the function itself says; Named: all may have keys.
  enum Kind { Numbers, Matrix, Anything, Named };
  Kind kind;
  size_t least, most;
  /// Names that arguments may have, separated by spaces; "*": any.
  llvm::StringLiteral keys = "";
};

constexpr Signature oneNumber{Signature::Numbers, 1, 1};
constexpr Signature oneMatrix{Signature::Matrix, 1, 1};
constexpr Signature oneValue{Signature::Anything, 1, 1};
constexpr Signature numbers(size_t least, size_t most) {
  return {Signature::Numbers, least, most};
}
constexpr Signature matrices(size_t least, size_t most) {
  return {Signature::Matrix, least, most};
}
constexpr Signature anything(size_t least, size_t most,
                             llvm::StringLiteral keys = "") {
  return {Signature::Anything, least, most, keys};
}
constexpr Signature named(size_t least, size_t most, llvm::StringLiteral keys) {
  return {Signature::Named, least, most, keys};
}

/// A row of a table: {"ceil ceiling", oneNumber, each<"Ceil", std::ceil>}.
struct BuiltinEntry {
  llvm::StringLiteral names; ///< separated by spaces
  Signature signature;
  Builtin make = nullptr;
  BuiltinOfTwo makeTwo = nullptr; ///< instead, if there are two results
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
std::array<DmlValue, 2> encodedColumn(const BuiltinCall &call);

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
std::array<DmlValue, 2> removed(const BuiltinCall &call);
DmlValue asList(const BuiltinCall &call);
DmlValue openText(const BuiltinCall &call);
DmlValue timeOfDay(const BuiltinCall &call);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_BUILTINCALL_H
