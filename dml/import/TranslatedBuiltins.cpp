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
    return DmlValue::scalar(call.unusable(call.graph().number(0),
                                          "a length that depends on values"),
                            DmlValue::Double);
  return DmlValue::known(call.first().elements.size(), DmlValue::Int);
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
  return call.binary("*", rows, columns);
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
  return DmlValue::scalar(call.node("Reshape", {x.name, shape}),
                          DmlValue::Double);
}

/// A list of numbers is a column.
DmlValue onnxfold::dml::asMatrix(const BuiltinCall &call) {
  DmlValue x = call.first();
  if (x.type == DmlValue::List && x.elements.size() == 1)
    x = DmlValue(x.elements.front());
  if (x.type == DmlValue::List) {
    CallArguments inner{call.given.node, x.elements};
    return bindRows(call.with(inner));
  }
  if (x.type == DmlValue::Frame)
    x.type = DmlValue::Matrix;
  if (x.isMatrix() || x.isUnknown())
    return x;
  if (!x.isScalar())
    return call.refuse("a text");
  if (x.number)
    return DmlValue::matrix(call.graph().matrix({*x.number}, 1, 1), 1, 1);
  std::string value = call.to.real(x), shape = call.graph().integers({1, 1});
  return DmlValue::matrix(call.node("Reshape", {value, shape}), 1, 1);
}

/// What as.double() and its like take: of a text the number in it.
static DmlValue castOperand(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (x.type != DmlValue::Text || !x.parameter.empty())
    return x;
  StringRef text = x.text;
  double number;
  if (x.isOpenText)
    return call.refuse("a text that depends on values");
  if (text.equals_insensitive("TRUE") || text.equals_insensitive("FALSE"))
    return DmlValue::known(text.equals_insensitive("TRUE"), DmlValue::Boolean);
  if (text.getAsDouble(number))
    return call.refuse("a text that is no number");
  return DmlValue::known(number, DmlValue::Double);
}

static DmlValue asDouble(const BuiltinCall &call) {
  DmlValue x = castOperand(call);
  if (!x.isScalar())
    return x;
  return x.number ? DmlValue::known(*x.number, DmlValue::Double)
                  : DmlValue::scalar(call.to.real(x), DmlValue::Double);
}
/// Towards zero, and at most what 64 bits hold.
static DmlValue asInteger(const BuiltinCall &call) {
  DmlValue x = castOperand(call);
  if (x.number)
    return DmlValue::known(double(Emitter::toInteger(*x.number)),
                           DmlValue::Int);
  return x.isScalar() ? call.to.whole(x) : x;
}
static DmlValue asLogical(const BuiltinCall &call) {
  DmlValue x = castOperand(call);
  if (!x.isScalar())
    return x;
  return x.number ? DmlValue::known(*x.number != 0, DmlValue::Boolean)
                  : DmlValue::scalar(call.to.truth(x), DmlValue::Boolean);
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static constexpr BuiltinEntry ofKinds[] = {
    {"append", named(2, 2, "*"), append},
    {"as.boolean as.logical", oneValue, asLogical},
    {"as.double", oneValue, asDouble},
    {"as.frame", oneValue, asFrame},
    {"as.integer", oneValue, asInteger},
    {"as.list", oneValue, asList},
    {"as.matrix", oneValue, asMatrix},
    {"as.scalar castAsScalar", oneValue, asScalar},
    {"length", oneValue, length},
    {"list", named(0, 999, "*"), makeList},
    {"ncol", oneValue, sizeOf<1>},
    {"nrow", oneValue, sizeOf<0>},
    {"remove", anything(2, 2), nullptr, removed},
    {"time", named(0, 0, ""), timeOfDay},
    {"toString", anything(1, 9, "rows cols decimal sparse sep linesep"),
     openText},
};

static constexpr BuiltinEntry ofMatrices[] = {
    {"cbind", anything(1, 99), bindColumns},
    {"contains", named(2, 2, "target pattern"), contains},
    {"ctable table", anything(2, 6, "odim1 odim2 outputEmptyBlocks"),
     contingencyTable},
    {"cumsum", oneMatrix, cumulativeSum},
    {"det", oneMatrix, determinant},
    {"diag", oneMatrix, diagonal},
    {"einsum", anything(2, 9), sumOfProducts},
    {"lower.tri", named(1, 3, "target diag values"), lowerTriangle},
    {"matrix", named(3, 4, "data rows cols byrow"), makeMatrix},
    {"order", named(1, 4, "target by decreasing index.return"), ordered},
    {"outer", named(2, 3, "op"), outerProduct},
    {"rbind", anything(1, 99), bindRows},
    {"removeEmpty", named(2, 4, "target margin select empty.return"),
     removeEmpty},
    {"replace", named(3, 3, "target pattern replacement"), replace},
    {"rev", oneMatrix, reverse},
    {"rowcumsum", oneMatrix, cumulativeSumOfRows},
    {"seq", named(2, 3, "from to incr"), sequence},
    {"t", oneMatrix, transpose},
    {"tr trace", oneMatrix, trace},
    {"transformencode", named(2, 2, "target spec"), nullptr, encodedColumn},
    {"unique", Signature{Signature::Matrix, 1, 2, "dir"}, uniqueValues},
    {"upper.tri", named(1, 3, "target diag values"), upperTriangle},
};

constexpr llvm::StringLiteral windowKeys =
                                  "input_shape filter_shape stride padding",
                              poolKeys = "input_shape pool_size stride padding";

static constexpr BuiltinEntry ofImages[] = {
    {"avg_pool", named(4, 6, poolKeys), averagePool},
    {"avg_pool_backward", named(5, 7, poolKeys), averagePoolBackward},
    {"bias_add", anything(2, 2), biasAdd},
    {"bias_multiply", anything(2, 2), biasMultiply},
    {"conv2d", named(4, 8, windowKeys), convolution},
    {"conv2d_backward_data", named(4, 8, windowKeys), convolutionOfData},
    {"conv2d_backward_filter", named(4, 8, windowKeys), convolutionOfFilter},
    {"max_pool", named(4, 6, poolKeys), maxPool},
    {"max_pool_backward", named(4, 7, poolKeys), maxPoolBackward},
};

static constexpr BuiltinEntry ofStatistics[] = {
    {"cdf", named(2, 6, "target dist mean sd rate df df1 df2 lower.tail"),
     probability},
    {"centralMoment moment", numbers(2, 3), moment},
    {"colCountDistinct", oneMatrix, distinctInColumns},
    {"colCountDistinctApprox", anything(1, 2, "type"), distinctInColumns},
    {"countDistinct", named(1, 2, "target dir"), distinctValues},
    {"countDistinctApprox", named(1, 3, "target dir type"), distinctValues},
    {"cov", matrices(2, 3), covariance},
    {"icdf", named(2, 5, "target dist mean sd rate df df1 df2 lower.tail"),
     quantileOfDistribution},
    {"pchisq pt", named(2, 3, "target df lower.tail"), namedDistribution},
    {"pexp", named(1, 3, "target rate lower.tail"), namedDistribution},
    {"pf", named(3, 4, "target df1 df2 lower.tail"), namedDistribution},
    {"pnorm", named(1, 4, "target mean sd lower.tail"), namedDistribution},
    {"qchisq qt", named(2, 2, "target df"), namedDistribution},
    {"qexp", named(1, 2, "target rate"), namedDistribution},
    {"qf", named(3, 3, "target df1 df2"), namedDistribution},
    {"qnorm", named(1, 3, "target mean sd"), namedDistribution},
    {"Rand rand", named(2, 9, "rows cols min max sparsity seed pdf lambda"),
     randomMatrix},
    {"sample", numbers(2, 4), sampled},
    {"rowCountDistinct", oneMatrix, distinctInRows},
    {"rowCountDistinctApprox", anything(1, 2, "type"), distinctInRows},
};

static const BuiltinEntry *findBuiltin(StringRef name) {
  static const auto *byName = [] {
    auto *made = new llvm::StringMap<const BuiltinEntry *>;
    for (llvm::ArrayRef<BuiltinEntry> table :
         {elementBuiltins(), aggregateBuiltins(),
          llvm::ArrayRef<BuiltinEntry>(ofKinds),
          llvm::ArrayRef<BuiltinEntry>(ofMatrices),
          llvm::ArrayRef<BuiltinEntry>(ofImages),
          llvm::ArrayRef<BuiltinEntry>(ofStatistics)})
      for (const BuiltinEntry &entry : table)
        for (StringRef one : llvm::split(entry.names, ' '))
          made->try_emplace(one, &entry);
    return made;
  }();
  auto found = byName->find(name);
  return found == byName->end() ? nullptr : found->second;
}

StringRef onnxfold::dml::whyNotOnnx(StringRef name) {
  constexpr StringRef ofFrames =
      " applySchema colnames correctTypos detectSchema frameSort "
      "dropInvalidLength dropInvalidType freplicate map tokenize "
      "transformapply transformcolmap transformdecode "
      "transformmeta typeof valueSwap ";
  if (ofFrames.contains((" " + name + " ").str()))
    return ": it works on frames";
  return llvm::StringSwitch<StringRef>(name)
      .Case("evalList", ": it calls what a value names")
      .Case("federated", ": its data is on other machines")
      .Case("paramserv", ": it trains on other machines")
      .Default("");
}

//===----------------------------------------------------------------------===//
// Checks of arguments
//===----------------------------------------------------------------------===//

/// An argument has a name that the function does not know; "" if none has. (Some
/// functions of SystemDS ignore such an argument.)
static std::string problemOfNames(StringRef known, const CallArguments &given) {
  llvm::SmallVector<StringRef> keys;
  known.split(keys, ' ', -1, /*KeepEmpty=*/false);
  for (const Argument &one : given.node.arguments) {
    bool isKnown =
        one.key.empty() || known == "*" || llvm::is_contained(keys, one.key);
    if (!isKnown)
      return "no argument '" + one.key.str() + "', expected " +
             (keys.empty() ? "none with a name" : llvm::join(keys, ", "));
  }
  return "";
}

/// "" if there are as many as the signature says.
static std::string problemOfCount(const Signature &signature, size_t count) {
  auto [kind, least, most, keys] = signature;
  if (count >= least && count <= most)
    return "";
  return std::to_string(count) + " arguments, expected " +
         std::to_string(least) +
         (most == least ? "" : " to " + std::to_string(most));
}

/// What positional arguments are that the signature does not have; "" if all fit.
static StringRef problemOfKinds(const Signature &signature,
                                const CallArguments &given) {
  if (signature.kind == Signature::Numbers ||
      signature.kind == Signature::Matrix)
    for (const DmlValue &one : given.positional)
      if (!one.isMatrix() && !one.isScalar())
        return "a text or a list";
  return "";
}

/// What a value in the order of a hash table may be given to: what is the same in
/// any order, and what keeps it.
static bool takesUnordered(StringRef function) {
  return StringRef(" order nrow ncol length countDistinct unique rbind ")
      .contains((" " + function + " ").str());
}

static bool isAny(const CallArguments &given,
                  llvm::function_ref<bool(const DmlValue &)> is) {
  bool found = false;
  given.each([&](const DmlValue &one) { found |= is(one); });
  return found;
}

std::optional<std::vector<DmlValue>>
onnxfold::dml::callBuiltin(const BuiltinCall &call) {
  const CallArguments &given = call.given;
  StringRef name = given.node.text;
  const BuiltinEntry *found = findBuiltin(name);
  if (!found)
    return std::nullopt;
  const Signature &signature = found->signature;
  Refusals &refusals = call.refusals();
  Place place = given.node.place;
  auto refused = [&](const llvm::Twine &why) {
    return std::vector{refusals.refuse(place, name + why)};
  };
  if (std::string why = problemOfNames(signature.keys, given); !why.empty())
    return refused("() has " + why);
  if (std::string why = problemOfCount(signature, given.count()); !why.empty())
    return refused("() with " + why);
  if (isAny(given, [](auto &one) { return one.isUnknown(); }))
    return std::vector{DmlValue()};
  if (name != "toString" &&
      isAny(given, [&](auto &one) { return refusals.isMissing(place, one); }))
    return std::vector{DmlValue()};
  if (signature.kind != Signature::Named &&
      given.positional.size() < signature.least)
    return refused("() with arguments that have names");
  if (StringRef why = problemOfKinds(signature, given); !why.empty())
    return refused("() of " + why);
  if (std::string why = problemOfEmpty(given); !why.empty())
    return refused("(): " + why);
  if (signature.kind == Signature::Matrix && !call.first().isMatrix())
    return refused("() of something that is not a matrix");
  bool isTaken = takesUnordered(name),
       isUnordered = isAny(given, [&](auto &one) {
         return isTaken ? one.isUnordered : refusals.isUnordered(place, one);
       });
  if (isUnordered && !isTaken)
    return std::vector{DmlValue()};
  if (found->makeTwo) {
    auto [first, second] = found->makeTwo(call);
    return std::vector{std::move(first), std::move(second)};
  }
  DmlValue made = found->make(call);
  made.isUnordered |= isUnordered && name == "rbind";
  return std::vector{std::move(made)};
}
