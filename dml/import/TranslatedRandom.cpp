//===- TranslatedRandom.cpp - rand and sample -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "onnxfold/dml/import/internal/RandomNumbers.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold::dml;
using llvm::StringRef;

/// More numbers than that are a constant that nobody wants.
constexpr int64_t mostNumbers = 1 << 22;

/// The known number of an argument; `otherwise` if it is not given.
static std::optional<double> knownOf(const DmlValue *value, double otherwise) {
  return value ? value->number : otherwise;
}

/// What rand() gets, if a seed and all else are known. SystemDS draws a seed of
/// its own for -1.
static std::optional<SeededMatrix> seededOf(const BuiltinCall &call) {
  auto value = [&](StringRef key) { return call.get(key); };
  const DmlValue *pdf = value("pdf"), *seed = value("seed");
  std::optional<double> least = knownOf(value("min"), 0),
                        most = knownOf(value("max"), 1),
                        share = knownOf(value("sparsity"), 1);
  StringRef kind = pdf ? StringRef(pdf->text) : "uniform";
  int64_t rows = value("rows")->size(), columns = value("cols")->size();
  if (!seed || !seed->number || !seed->mayCount() || seed->size() == -1 ||
      !least || !most || !share || (kind != "uniform" && kind != "normal") ||
      rows < 1 || columns < 1 || rows > mostNumbers / columns)
    return std::nullopt;
  SeededMatrix made{rows,  columns, seed->size(),    *least,
                    *most, *share,  kind == "normal"};
  if (!(made.share > 0 && made.share <= 1) || !made.isDense())
    return std::nullopt;
  return made;
}

/// Numbers of rand() that each run of the model draws.
static DmlValue drawnMatrix(const BuiltinCall &call, const DmlValue &zeros,
                            bool isNormal) {
  auto number = [&](StringRef key, double otherwise) {
    const DmlValue *given = call.get(key);
    return given ? *given : DmlValue::known(otherwise, DmlValue::Double);
  };
  DmlValue drawn = like(zeros, call.to.drawn(zeros.name, isNormal));
  if (!isNormal) {
    DmlValue least = number("min", 0);
    drawn = call.binary("*", drawn, call.binary("-", number("max", 1), least));
    drawn = call.binary("+", drawn, least);
  }
  DmlValue share = number("sparsity", 1);
  if (share.number && *share.number >= 1)
    return drawn;
  DmlValue places = like(zeros, call.to.drawn(zeros.name));
  return call.binary("*", drawn, call.binary("<", places, share));
}

/// Numbers that no known seed gives are refused where a result depends on them:
/// a layer may make a mask that it does not use.
static DmlValue unseeded(const BuiltinCall &call, const DmlValue &zeros) {
  const DmlValue *pdf = call.get("pdf");
  bool isNormal = pdf && pdf->text == "normal",
       isUniform = !pdf || pdf->text == "uniform";
  if (!isNormal && !isUniform)
    return like(zeros, call.unusable(zeros.name,
                                     "random numbers that are neither uniform "
                                     "nor normal, on which a result depends"));
  if (call.to.drawsNumbers)
    return drawnMatrix(call, zeros, isNormal);
  return like(
      zeros,
      call.unusable(zeros.name, "random numbers, on which a result depends (" +
                                    onnxfold::setting("random") +
                                    " draws them in each run)"));
}

DmlValue onnxfold::dml::randomMatrix(const BuiltinCall &call) {
  const DmlValue *rows = call.get("rows"), *columns = call.get("cols"),
                 *least = call.get("min"), *most = call.get("max"),
                 *share = call.get("sparsity");
  if (!rows || !columns || !rows->isScalar() || !columns->isScalar())
    return call.refuse("rows and cols are not given");
  if (!rows->mayCount() || !columns->mayCount())
    return call.refuse("rows and cols that are not sizes");
  const DmlValue *pdf = call.get("pdf");
  bool isUniform = !pdf || pdf->text == "uniform";
  bool isFixed = least && most && least->number && most->number && isUniform &&
                 *least->number == *most->number &&
                 (!share || share->number == 1);
  if (std::optional<SeededMatrix> seeded = seededOf(call); seeded && !isFixed)
    return DmlValue::matrix(call.graph().matrix(seededNumbers(*seeded),
                                                seeded->rows, seeded->columns),
                            seeded->rows, seeded->columns);
  std::string number = call.graph().number(isFixed ? *least->number : 0),
              shape = call.to.list({*rows, *columns});
  DmlValue same = DmlValue::matrix(call.node("Expand", {number, shape}),
                                   rows->size(), columns->size());
  return isFixed ? same : unseeded(call, same);
}

/// Numbers of sample() that each run of the model draws: those that repeat, or
/// the places of the largest of as many random numbers.
static DmlValue drawnSample(const BuiltinCall &call, bool mayRepeat) {
  DmlValue range = call.to.whole(call.given.positional[0]),
           count = call.to.whole(call.given.positional[1]),
           one = DmlValue::known(1, DmlValue::Int);
  auto drawn = [&](const DmlValue &rows) {
    std::string zeros = call.node(
        "Expand", {call.graph().number(0), call.to.list({rows, one})});
    return DmlValue::matrix(call.to.drawn(zeros), rows.size(), 1);
  };
  DmlValue places;
  if (mayRepeat) {
    DmlValue scaled = call.binary("*", drawn(count), range);
    places = like(scaled, call.node("Floor", {scaled.name}));
  } else {
    std::string largest =
        call.graph()
            .nodes("TopK", {drawn(range).name, call.to.list({count})}, 2,
                   {{"axis", {0}}})
            .back();
    places = DmlValue::matrix(call.graph().cast(largest, call.graph().real()),
                              count.size(), 1);
  }
  return call.binary("+", places, one);
}

/// sample(range, count), and TRUE if numbers may repeat, and a seed.
DmlValue onnxfold::dml::sampled(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  const DmlValue *mayRepeat = nullptr, *seed = nullptr;
  for (const DmlValue &one : given.drop_front(2))
    (one.type == DmlValue::Boolean ? mayRepeat : seed) = &one;
  bool isRepeatKnown = !mayRepeat || mayRepeat->number;
  bool isRepeated = mayRepeat && mayRepeat->number.value_or(0) != 0;
  bool areScalars = given[0].isScalar() && given[1].isScalar();
  bool isKnown = given[0].number && given[1].number && seed && seed->number &&
                 seed->size() != -1 && isRepeatKnown;
  int64_t range = given[0].size(), count = given[1].size();
  bool areNone =
      (given[0].number && range < 1) || (given[1].number && count < 1);
  bool areTooFew = given[0].number && given[1].number && isRepeatKnown &&
                   !isRepeated && range < count;
  if (areNone || areTooFew)
    return call.refuse(llvm::Twine(count) + " of " + llvm::Twine(range) +
                       " numbers");
  if (!isKnown && isRepeatKnown && areScalars && call.to.drawsNumbers)
    return drawnSample(call, isRepeated);
  if (!isKnown || range > INT32_MAX || count > mostNumbers)
    return call.refuse("its numbers are random, unless sizes and a seed are "
                       "known (" +
                       onnxfold::setting("random") +
                       " draws them in each run)");
  // SystemDS draws one number for each of the range.
  if (!isRepeated && range > mostNumbers)
    return call.refuse("a range of " + llvm::Twine(range) +
                       " numbers that do not repeat, expected at most " +
                       llvm::Twine(mostNumbers));
  return DmlValue::matrix(
      call.graph().matrix(seededSample(range, count, isRepeated, seed->size()),
                          count, 1),
      count, 1);
}
