//===- TranslatedBuiltins.cpp - Builtin functions of DML as ONNX nodes ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Tables of names, and the functions that make their nodes. What a function of
// DML means stands in docs/dml.md where it is not what its name says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Sizes and kinds
//===----------------------------------------------------------------------===//

/// Of a list, its elements.
static std::optional<DmlValue> lengthOfList(const BuiltinCall &call) {
  if (call.first().type != DmlValue::List)
    return std::nullopt;
  if (call.first().isOpenText)
    return call.to.scalar(call.to.unusable(call.given.node.place,
                                           call.graph().number(0),
                                           "a length that depends on values"),
                          DmlValue::Double);
  return call.to.known(call.first().elements.size(), DmlValue::Int);
}
template <int axis> static DmlValue sizeOf(const BuiltinCall &call) {
  if (std::optional<DmlValue> count = lengthOfList(call); count && axis == 0)
    return *count;
  if (!call.first().isMatrix() && call.first().type != DmlValue::Frame)
    return call.refuse("something that is not a matrix");
  return call.to.size(call.first(), axis);
}
static DmlValue length(const BuiltinCall &call) {
  if (std::optional<DmlValue> count = lengthOfList(call))
    return *count;
  if (!call.first().isMatrix())
    return call.refuse("something that is not a matrix");
  DmlValue rows = call.to.size(call.first(), 0);
  DmlValue columns = call.to.size(call.first(), 1);
  return call.to.binary(call.given.node.place, "*", rows, columns);
}

static DmlValue asScalar(const BuiltinCall &call) {
  DmlValue x = call.first();
  if (x.type == DmlValue::List && x.elements.size() == 1)
    x = DmlValue(x.elements.front());
  if (x.type == DmlValue::List)
    return call.refuse("a list of " + llvm::Twine(x.elements.size()) +
                       " elements");
  bool isFrame = x.type == DmlValue::Frame;
  if (!x.isMatrix() && !isFrame)
    return x;
  if ((x.rows >= 0 && x.rows != 1) || (x.columns >= 0 && x.columns != 1))
    return call.refuse(isFrame ? "a frame of more than one element"
                               : "a matrix of more than one element");
  std::string shape = call.graph().integers({});
  return call.to.scalar(call.node("Reshape", {x.name, shape}),
                        DmlValue::Double);
}

/// A list of numbers is a column.
DmlValue onnxfold::dml::asMatrix(const BuiltinCall &call) {
  DmlValue x = call.first();
  if (x.type == DmlValue::List && x.elements.size() == 1)
    x = DmlValue(x.elements.front());
  if (x.type == DmlValue::List) {
    CallArguments inner{call.given.node, x.elements, {}};
    return bindRows({call.to, inner});
  }
  if (x.type == DmlValue::Frame)
    x.type = DmlValue::Matrix;
  if (x.isMatrix() || x.isUnknown())
    return x;
  if (!x.isScalar())
    return call.refuse("a text");
  if (x.number)
    return call.to.matrix(call.graph().matrix({*x.number}, 1, 1), 1, 1);
  std::string value = call.to.real(x), shape = call.graph().integers({1, 1});
  return call.to.matrix(call.node("Reshape", {value, shape}), 1, 1);
}

static DmlValue asDouble(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (!x.isScalar())
    return x;
  return x.number ? call.to.known(*x.number, DmlValue::Double)
                  : call.to.scalar(call.to.real(x), DmlValue::Double);
}
/// Towards zero.
static DmlValue asInteger(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (!x.isScalar())
    return x;
  return x.number ? call.to.known(std::trunc(*x.number), DmlValue::Int)
                  : call.to.scalar(call.to.integer(x), DmlValue::Int);
}
static DmlValue asLogical(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (!x.isScalar())
    return x;
  return x.number ? call.to.known(*x.number != 0, DmlValue::Boolean)
                  : call.to.scalar(call.to.truth(x), DmlValue::Boolean);
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static constexpr BuiltinEntry kinds[] = {
    {"append", append, 2, 2, Takes::Named, "*"},
    {"as.boolean", asLogical, 1, 1, Takes::Anything},
    {"as.double", asDouble, 1, 1, Takes::Anything},
    {"as.frame", asFrame, 1, 1, Takes::Anything},
    {"as.integer", asInteger, 1, 1, Takes::Anything},
    {"as.list", asList, 1, 1, Takes::Anything},
    {"as.logical", asLogical, 1, 1, Takes::Anything},
    {"as.matrix", asMatrix, 1, 1, Takes::Anything},
    {"as.scalar", asScalar, 1, 1, Takes::Anything},
    {"castAsScalar", asScalar, 1, 1, Takes::Anything},
    {"length", length, 1, 1, Takes::Anything},
    {"list", makeList, 0, 999, Takes::Named, "*"},
    {"ncol", sizeOf<1>, 1, 1, Takes::Anything},
    {"nrow", sizeOf<0>, 1, 1, Takes::Anything},
    {"time", timeOfDay, 0, 0, Takes::Named},
    {"toString", openText, 1, 9, Takes::Anything,
     "rows cols decimal sparse sep linesep"},
};

static constexpr BuiltinEntry matrices[] = {
    {"cbind", bindColumns, 1, 99, Takes::Numbers},
    {"contains", contains, 2, 2, Takes::Named, "target pattern"},
    {"ctable", contingencyTable, 2, 6, Takes::Anything,
     "odim1 odim2 outputEmptyBlocks"},
    {"cumsum", cumulativeSum, 1, 1, Takes::Matrix},
    {"det", determinant, 1, 1, Takes::Matrix},
    {"diag", diagonal, 1, 1, Takes::Matrix},
    {"einsum", sumOfProducts, 2, 9, Takes::Anything},
    {"lower.tri", lowerTriangle, 1, 3, Takes::Named, "target diag values"},
    {"matrix", makeMatrix, 3, 4, Takes::Named, "data rows cols byrow"},
    {"order", ordered, 1, 4, Takes::Named, "target by decreasing index.return"},
    {"outer", outerProduct, 2, 3, Takes::Named, "op"},
    {"rbind", bindRows, 1, 99, Takes::Numbers},
    {"removeEmpty", removeEmpty, 2, 4, Takes::Named,
     "target margin select empty.return"},
    {"replace", replace, 3, 3, Takes::Named, "target pattern replacement"},
    {"rev", reverse, 1, 1, Takes::Matrix},
    {"rowcumsum", cumulativeSumOfRows, 1, 1, Takes::Matrix},
    {"seq", sequence, 2, 3, Takes::Named, "from to incr"},
    {"t", transpose, 1, 1, Takes::Matrix},
    {"table", contingencyTable, 2, 6, Takes::Anything,
     "odim1 odim2 outputEmptyBlocks"},
    {"tr", trace, 1, 1, Takes::Matrix},
    {"trace", trace, 1, 1, Takes::Matrix},
    {"transformencode", encodedColumn, 2, 2, Takes::Named, "target spec"},
    {"unique", uniqueValues, 1, 1, Takes::Matrix},
    {"upper.tri", upperTriangle, 1, 3, Takes::Named, "target diag values"},
};

static constexpr BuiltinEntry images[] = {
    {"avg_pool", averagePool, 4, 6, Takes::Named,
     "input_shape pool_size stride padding"},
    {"avg_pool_backward", averagePoolBackward, 5, 7, Takes::Named,
     "input_shape pool_size stride padding"},
    {"bias_add", biasAdd, 2, 2, Takes::Anything},
    {"bias_multiply", biasMultiply, 2, 2, Takes::Anything},
    {"conv2d", convolution, 4, 8, Takes::Named,
     "input_shape filter_shape stride padding"},
    {"conv2d_backward_data", convolutionOfData, 4, 8, Takes::Named,
     "input_shape filter_shape stride padding"},
    {"conv2d_backward_filter", convolutionOfFilter, 4, 8, Takes::Named,
     "input_shape filter_shape stride padding"},
    {"max_pool", maxPool, 4, 6, Takes::Named,
     "input_shape pool_size stride padding"},
    {"max_pool_backward", maxPoolBackward, 4, 7, Takes::Named,
     "input_shape pool_size stride padding"},
};

static constexpr BuiltinEntry statistics[] = {
    {"cdf", probability, 2, 6, Takes::Named,
     "target dist mean sd rate df df1 df2 lower.tail"},
    {"centralMoment", moment, 2, 3, Takes::Numbers},
    {"colCountDistinct", distinctInColumns, 1, 1, Takes::Matrix},
    {"colCountDistinctApprox", distinctInColumns, 1, 1, Takes::Matrix},
    {"countDistinct", distinctValues, 1, 1, Takes::Matrix},
    {"countDistinctApprox", distinctValues, 1, 1, Takes::Matrix},
    {"cov", covariance, 2, 3, Takes::Matrix},
    {"icdf", quantileOfDistribution, 2, 5, Takes::Named,
     "target dist mean sd rate df df1 df2 lower.tail"},
    {"moment", moment, 2, 3, Takes::Numbers},
    {"pchisq", namedDistribution, 2, 3, Takes::Named, "target df lower.tail"},
    {"pexp", namedDistribution, 1, 3, Takes::Named, "target rate lower.tail"},
    {"pf", namedDistribution, 3, 4, Takes::Named, "target df1 df2 lower.tail"},
    {"pnorm", namedDistribution, 1, 4, Takes::Named,
     "target mean sd lower.tail"},
    {"pt", namedDistribution, 2, 3, Takes::Named, "target df lower.tail"},
    {"qexp", namedDistribution, 1, 2, Takes::Named, "target rate"},
    {"qnorm", namedDistribution, 1, 3, Takes::Named, "target mean sd"},
    {"Rand", randomMatrix, 2, 9, Takes::Named,
     "rows cols min max sparsity seed pdf lambda"},
    {"rand", randomMatrix, 2, 9, Takes::Named,
     "rows cols min max sparsity seed pdf lambda"},
    {"sample", sampled, 2, 4, Takes::Numbers},
    {"rowCountDistinct", distinctInRows, 1, 1, Takes::Matrix},
    {"rowCountDistinctApprox", distinctInRows, 1, 1, Takes::Matrix},
};

static const BuiltinEntry *findBuiltin(StringRef name) {
  static const auto *byName = [] {
    auto *made = new llvm::StringMap<const BuiltinEntry *>;
    for (llvm::ArrayRef<BuiltinEntry> table :
         {elementBuiltins(), aggregateBuiltins(),
          llvm::ArrayRef<BuiltinEntry>(kinds),
          llvm::ArrayRef<BuiltinEntry>(matrices),
          llvm::ArrayRef<BuiltinEntry>(images),
          llvm::ArrayRef<BuiltinEntry>(statistics)})
      for (const BuiltinEntry &one : table)
        made->try_emplace(one.name, &one);
    return made;
  }();
  auto found = byName->find(name);
  return found == byName->end() ? nullptr : found->second;
}

/// An argument has a name that the function does not know; "" if none has. (Some
/// functions of SystemDS ignore such an argument.)
static std::string problemOfNames(const BuiltinEntry &entry,
                                  const CallArguments &given) {
  llvm::SmallVector<StringRef> keys;
  entry.keys.split(keys, ' ', -1, /*KeepEmpty=*/false);
  for (const Argument &one : given.node.arguments) {
    bool isKnown = one.key.empty() || entry.keys == "*" ||
                   llvm::is_contained(keys, one.key);
    if (!isKnown)
      return "no argument '" + one.key.str() + "', expected " +
             (keys.empty() ? "none with a name" : llvm::join(keys, ", "));
  }
  return "";
}

/// What a value in the order of a hash table may be given to: what is the same in
/// any order, and what keeps it.
static bool takesUnordered(StringRef function) {
  return StringRef(" order nrow ncol length countDistinct unique rbind ")
      .contains((" " + function + " ").str());
}

/// Refuses it, unless the function takes it.
bool Translation::hasUnordered(const CallArguments &given) {
  bool isAny = false, isTaken = takesUnordered(given.node.text);
  auto look = [&](const DmlValue &one) {
    isAny |= isTaken ? one.isUnordered : isUnordered(given.node.place, one);
  };
  for (const DmlValue &one : given.positional)
    look(one);
  for (const auto &one : given.named)
    look(one.getValue());
  return isAny;
}

static bool hasUnknown(const CallArguments &given) {
  return llvm::any_of(given.positional,
                      [](auto &one) { return one.isUnknown(); }) ||
         llvm::any_of(given.named,
                      [](auto &one) { return one.second.isUnknown(); });
}

/// Why ONNX cannot have a function of SystemDS; "" if we just do not.
static StringRef whyNotOnnx(StringRef name) {
  constexpr StringRef ofFrames =
      " applySchema colnames correctTypos detectSchema frameSort "
      "dropInvalidLength dropInvalidType freplicate map tokenize "
      "transformapply transformcolmap transformdecode "
      "transformmeta typeof valueSwap ";
  if (ofFrames.contains((" " + name + " ").str()))
    return ": it works on frames";
  return llvm::StringSwitch<StringRef>(name)
      .Case("evalList", ": it calls what a value names")
      .Cases({"svd", "qr"}, ": ONNX has no such decomposition")
      .Case("federated", ": its data is on other machines")
      .Case("paramserv", ": it trains on other machines")
      .Default("");
}

/// An argument needs the value of a $name that has none.
bool Translation::hasMissing(const CallArguments &given) {
  bool isAny = false;
  for (const DmlValue &one : given.positional)
    isAny |= isMissing(given.node.place, one);
  for (const auto &one : given.named)
    isAny |= isMissing(given.node.place, one.getValue());
  return isAny;
}

std::vector<DmlValue> Translation::builtin(const CallArguments &given) {
  const Expr::Node &node = given.node;
  const BuiltinEntry *found = findBuiltin(node.text);
  if (!found) {
    if (auto results = callScript(node.text, given))
      return *results;
    StringRef why = whyNotOnnx(node.text);
    missesFunction |= why.empty();
    return {refuse(node.place, "the function '" + node.text +
                                   "' has no translation" + why)};
  }
  const BuiltinEntry &entry = *found;
  if (std::string why = problemOfNames(entry, given); !why.empty())
    return {refuse(node.place, node.text + "() has " + why)};
  size_t count = given.positional.size() + given.named.size();
  if (count < entry.least || count > entry.most)
    return {refuse(node.place,
                   node.text + "() with " + llvm::Twine(count) +
                       " arguments, expected " + llvm::Twine(entry.least) +
                       (entry.most == entry.least
                            ? ""
                            : " to " + std::to_string(entry.most)))};
  if (hasUnknown(given) || (node.text != "toString" && hasMissing(given)))
    return {DmlValue()};
  bool isNamed = entry.takes == Takes::Named;
  if (!isNamed && given.positional.size() < entry.least)
    return {
        refuse(node.place, node.text + "() with arguments that have names")};
  if (!isNamed && entry.takes != Takes::Anything)
    for (const DmlValue &one : given.positional)
      if (!one.isMatrix() && !one.isScalar())
        return {refuse(node.place, node.text + "() of a text or a list")};
  if (std::string why = problemOfEmpty(given); !why.empty())
    return {refuse(node.place, node.text + "(): " + why)};
  if (entry.takes == Takes::Matrix && !given.positional.front().isMatrix())
    return {
        refuse(node.place, node.text + "() of something that is not a matrix")};
  bool isAnyUnordered = hasUnordered(given);
  if (isAnyUnordered && !takesUnordered(node.text))
    return {DmlValue()};
  DmlValue made = entry.make({*this, given});
  made.isUnordered |= isAnyUnordered && node.text == "rbind";
  if (node.text == "transformencode")
    return {made, unreadable("is the frame of codes")};
  return {made};
}
