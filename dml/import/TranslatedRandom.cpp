//===- TranslatedRandom.cpp - rand and sample -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "onnxfold/dml/import/internal/RandomNumbers.h"

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

/// Numbers that no known seed gives are refused where a result depends on them:
/// a layer may make a mask that it does not use.
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
  std::string name = call.node("Expand", {number, shape});
  if (!isFixed)
    name = call.unusable(name, "random numbers, on which a result depends");
  return DmlValue::matrix(name, rows->size(), columns->size());
}

/// sample(range, count), and TRUE if numbers may repeat, and a seed.
DmlValue onnxfold::dml::sampled(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  const DmlValue *mayRepeat = nullptr, *seed = nullptr;
  for (const DmlValue &one : given.drop_front(2))
    (one.type == DmlValue::Boolean ? mayRepeat : seed) = &one;
  bool isKnown = given[0].number && given[1].number && seed && seed->number &&
                 seed->size() != -1 && (!mayRepeat || mayRepeat->number);
  int64_t range = given[0].size(), count = given[1].size();
  if (!isKnown || range > INT32_MAX || count > mostNumbers)
    return call.refuse("its numbers are random, unless sizes and a seed are "
                       "known");
  bool isRepeated = mayRepeat && *mayRepeat->number != 0;
  if (range < 1 || count < 1 || (!isRepeated && range < count))
    return call.refuse(llvm::Twine(count) + " of " + llvm::Twine(range) +
                       " numbers");
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
