//===- NamedOptions.cpp - FoldOptions by the names of flags ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/NamedOptions.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/options/OptionError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <limits>

using namespace onnxfold;
using llvm::StringRef;

std::optional<uint64_t> onnxfold::parseByteSize(StringRef text) {
  unsigned shift = 0;
  if (text.consume_back_insensitive("K"))
    shift = 10;
  else if (text.consume_back_insensitive("M"))
    shift = 20;
  else if (text.consume_back_insensitive("G"))
    shift = 30;
  uint64_t value;
  if (text.getAsInteger(10, value) || value > (UINT64_MAX >> 1) >> shift)
    return std::nullopt;
  return value << shift;
}

std::optional<GrowthLimit> onnxfold::parseGrowthLimit(StringRef text) {
  if (text == "unlimited")
    return GrowthLimit{GrowthLimit::Kind::Unlimited, 0};
  double percent;
  StringRef number = text;
  if (number.consume_back("%") && !number.getAsDouble(percent) &&
      percent >= 0 && std::isfinite(percent))
    return GrowthLimit{GrowthLimit::Kind::Percent, percent};
  if (std::optional<uint64_t> bytes = parseByteSize(text))
    return GrowthLimit{GrowthLimit::Kind::Bytes, double(*bytes)};
  return std::nullopt;
}

namespace {

/// An option by its name, and its value.
struct Given {
  StringRef name, value;

  llvm::Error expected(const llvm::Twine &what) const {
    return wrongOption(setting(name), value, what);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// What options/Options.td calls
//===----------------------------------------------------------------------===//

template <typename T>
static llvm::Error readNumber(T &member, const Given &given, T least = 0,
                              T most = std::numeric_limits<T>::max()) {
  T number;
  if (given.value.getAsInteger(10, number) || number < least || number > most)
    return given.expected("a number from " + llvm::Twine(least) + " to " +
                          llvm::Twine(most));
  member = number;
  return llvm::Error::success();
}

static llvm::Error readPositive(int64_t &member, const Given &given) {
  int64_t number;
  if (given.value.getAsInteger(10, number) || number <= 0)
    return given.expected("a number above 0");
  member = number;
  return llvm::Error::success();
}

static llvm::Error readLevel(int &member, const Given &given) {
  unsigned level;
  if (given.value.getAsInteger(10, level) || level > 2)
    return llvm::make_error<OptionError>(
        "-O",
        ("the level is -O" + given.value + ", expected -O0, -O1 or -O2").str(),
        ("-O" + given.value).str(), "-O0, -O1 or -O2");
  member = int(level);
  return llvm::Error::success();
}

static llvm::Error readSwitch(bool &member, const Given &given) {
  if (!given.value.empty() && given.value != "true" && given.value != "false")
    return given.expected("true or false");
  member = given.value != "false";
  return llvm::Error::success();
}

static llvm::Error readSeconds(std::optional<double> &member,
                               const Given &given) {
  double seconds;
  if (given.value.getAsDouble(seconds) || !std::isfinite(seconds) ||
      seconds < 0)
    return given.expected("a number of seconds");
  member = seconds;
  return llvm::Error::success();
}

template <typename T>
static llvm::Error readBytes(T &member, const Given &given) {
  std::optional<uint64_t> bytes = parseByteSize(given.value);
  if (!bytes)
    return given.expected("SIZE[K|M|G]");
  member = *bytes;
  return llvm::Error::success();
}

static llvm::Error readGrowth(GrowthLimit &member, const Given &given) {
  std::optional<GrowthLimit> limit = parseGrowthLimit(given.value);
  if (!limit)
    return given.expected("SIZE[K|M|G], N% or unlimited");
  member = *limit;
  return llvm::Error::success();
}

static llvm::Error readQuantization(FoldQuantization &member,
                                    const Given &given) {
  if (given.value == "none")
    member = FoldQuantization::None;
  else if (given.value == "weights")
    member = FoldQuantization::Weights;
  else if (given.value == "compute")
    member = FoldQuantization::Compute;
  else if (given.value == "all" || given.value.empty())
    member = FoldQuantization::All;
  else
    return given.expected("none, weights, compute or all");
  return llvm::Error::success();
}

static llvm::Error readPrecision(Precision &member, const Given &given) {
  if (given.value != "exact" && given.value != "wide")
    return given.expected("exact or wide");
  member = given.value == "wide" ? Precision::Wide : Precision::Exact;
  return llvm::Error::success();
}

static llvm::Error readConstantForm(ConstantForm &member, const Given &given) {
  if (given.value != "initializers" && given.value != "nodes")
    return given.expected("initializers or nodes");
  member =
      given.value == "nodes" ? ConstantForm::Nodes : ConstantForm::Initializers;
  return llvm::Error::success();
}

static llvm::Error readFormat(OutputFormat &member, const Given &given) {
  if (given.value != "onnx" && given.value != "mlir")
    return given.expected("onnx or mlir");
  member = given.value == "mlir" ? OutputFormat::Mlir : OutputFormat::Onnx;
  return llvm::Error::success();
}

static llvm::Error readText(std::string &member, const Given &given) {
  member = given.value.str();
  return llvm::Error::success();
}

/// checkValues() says the rest.
static llvm::Error readBatch(std::string &member, const Given &given) {
  member = given.value.str();
  return member.empty() ? given.expected("open or open:NAME")
                        : llvm::Error::success();
}

static llvm::Error readFolder(std::string &member, const Given &given) {
  member = given.value.str();
  return member.empty() ? given.expected("a folder") : llvm::Error::success();
}

/// One more of a list.
static llvm::Error readEach(std::vector<std::string> &member,
                            const Given &given) {
  member.push_back(given.value.str());
  return llvm::Error::success();
}

/// One more of a list of globs; without a name: all.
static llvm::Error readGlobs(std::vector<std::string> &member,
                             const Given &given) {
  member.push_back(given.value.empty() ? "*" : given.value.str());
  return llvm::Error::success();
}

/// Names that are separated by commas.
static llvm::Error readNames(llvm::StringSet<> &member, const Given &given) {
  llvm::SmallVector<StringRef> names;
  given.value.split(names, ',', -1, /*KeepEmpty=*/false);
  member.insert(names.begin(), names.end());
  return llvm::Error::success();
}

static llvm::Error readRunOnce(FoldOptions::RunOnceOptions &member,
                               const Given &given) {
  if (given.value.empty())
    member.leftOut = true;
  else
    member.names.push_back(given.value.str());
  return llvm::Error::success();
}

static llvm::Error readVerify(FoldOptions &options, const Given &given) {
  if (given.value.empty()) {
    options.verifyTrials = defaultTrials;
    return llvm::Error::success();
  }
  return readNumber<unsigned>(options.verifyTrials, given, 1, 1000);
}

static llvm::Error readVerifyInputs(FoldOptions &options, const Given &given) {
  options.verifyInputs = given.value.str();
  if (options.verifyTrials == 0)
    options.verifyTrials = defaultTrials;
  return given.value.empty() ? given.expected("a folder or a .npz file")
                             : llvm::Error::success();
}

/// text, json, either with :FILE, html:FILE or model-explorer:FILE; empty is
/// text.
static llvm::Error readReport(FoldOptions &options, const Given &given) {
  auto [format, file] = given.value.split(':');
  if (format.empty() || format == "text")
    options.report = ReportFormat::Text;
  else if (format == "json")
    options.report = ReportFormat::Json;
  else if (format == "html")
    options.report = ReportFormat::Html;
  else if (format == "model-explorer")
    options.report = ReportFormat::ModelExplorer;
  else
    return given.expected("text or json, then :FILE if wanted, html:FILE or "
                          "model-explorer:FILE");
  if (file.empty() && options.report != ReportFormat::Text &&
      options.report != ReportFormat::Json)
    return given.expected(format + ":FILE");
  options.reportFile = file.str();
  return llvm::Error::success();
}

/// One member says where data are, so that a second option is seen here.
static llvm::Error setPlacement(FoldOptions &options, DataPlacement placement) {
  if (options.placement != DataPlacement::Keep &&
      options.placement != placement)
    return ModelFault()
        .option(setting("external-data"))
        .says("and " + setting("inline-data") + " are given")
        .expected("one of them");
  options.placement = placement;
  return llvm::Error::success();
}

static llvm::Error readExternalData(FoldOptions &options, const Given &value) {
  if (llvm::Error error = setPlacement(options, DataPlacement::External))
    return error;
  llvm::SmallVector<StringRef> items;
  value.value.split(items, ',');
  llvm::StringMap<StringRef> given;
  for (auto [i, item] : llvm::enumerate(items)) {
    auto [name, value] = item.split('=');
    bool isSize = name == "shard" || name == "threshold" || name == "align";
    // A name with '=' in it says so by a folder: './a=b'.
    if (i == 0 && !isSize && (!item.contains('=') || item.contains('/'))) {
      options.dataFile = item.str();
      continue;
    }
    std::optional<uint64_t> size = parseByteSize(value);
    auto [before, isFirst] = given.try_emplace(name, value);
    if (!isFirst && before->second != value)
      return ModelFault()
          .option(setting("external-data"))
          .has(name + "=" + before->second + " and " + name + "=" + value)
          .expected("one value");
    if (!isSize || !size)
      return ModelFault()
          .option(setting("external-data"))
          .has("'" + item + "'")
          .expected("FILE, then any of shard=SIZE, threshold=SIZE and "
                    "align=SIZE, with commas in between");
    if (name == "shard")
      options.dataLayout.shard = size;
    else if (name == "threshold")
      options.dataLayout.threshold = *size;
    else
      options.dataLayout.alignment = *size;
  }
  return llvm::Error::success();
}

static llvm::Error readInline(FoldOptions &options, const Given &given) {
  bool isInline = false;
  if (llvm::Error error = readSwitch(isInline, given))
    return error;
  return isInline ? setPlacement(options, DataPlacement::Inline)
                  : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

struct NamedOption {
  StringRef name;
  llvm::Error (*read)(FoldOptions &options, const Given &given);
};

} // namespace

static constexpr NamedOption namedOptions[] = {
#define FOLD_OPTION(name, read)                                                \
  {name, [](FoldOptions &options, const Given &given) { return read; }},
#include "onnxfold/options/FoldSettings.inc"
#undef FOLD_OPTION
};

llvm::Error onnxfold::setOption(FoldOptions &options, StringRef name,
                                StringRef value) {
  const NamedOption *option = llvm::find_if(
      namedOptions, [&](const NamedOption &one) { return one.name == name; });
  if (option == std::end(namedOptions)) {
    llvm::SmallVector<StringRef> names;
    for (const NamedOption &one : namedOptions)
      names.push_back(one.name);
    return ModelFault("option '" + name + "' is not known")
        .expected("one of docs/reference.md without dashes" +
                  nearNames(names, name));
  }
  if (llvm::Error error = option->read(options, {name, value}))
    return error;
  return checkValues(options);
}

bool onnxfold::isFoldOption(StringRef name) {
  return llvm::any_of(namedOptions, [&](const NamedOption &option) {
    return option.name == name;
  });
}
