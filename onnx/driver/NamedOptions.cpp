//===- NamedOptions.cpp - FoldOptions by the names of flags ---------------===//

#include "onnxfold/onnx/driver/NamedOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

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

/// One option. Gives what was expected, or "".
struct NamedOption {
  StringRef name;
  std::string (*set)(FoldOptions &options, StringRef value);
};

} // namespace

template <typename T>
static std::string setNumber(T &member, StringRef value, T least, T most) {
  T number;
  if (value.getAsInteger(10, number) || number < least || number > most)
    return "a number from " + std::to_string(least) + " to " +
           std::to_string(most);
  member = number;
  return "";
}

static std::string setSwitch(bool &member, StringRef value) {
  if (!value.empty() && value != "true" && value != "false")
    return "true or false";
  member = value != "false";
  return "";
}

static std::string setSeconds(std::optional<double> &member, StringRef value) {
  double seconds;
  if (value.getAsDouble(seconds) || !std::isfinite(seconds) || seconds < 0)
    return "a number of seconds";
  member = seconds;
  return "";
}

template <typename T> static std::string setBytes(T &member, StringRef value) {
  std::optional<uint64_t> bytes = parseByteSize(value);
  if (!bytes)
    return "SIZE[K|M|G]";
  member = *bytes;
  return "";
}

static std::string setGrowth(FoldOptions &options, StringRef value) {
  std::optional<GrowthLimit> limit = parseGrowthLimit(value);
  if (!limit)
    return "SIZE[K|M|G], N% or unlimited";
  options.maxGrowth = *limit;
  return "";
}

static std::string setQuantization(FoldOptions &options, StringRef value) {
  if (value == "none")
    options.quantization = FoldQuantization::None;
  else if (value == "weights")
    options.quantization = FoldQuantization::Weights;
  else if (value == "compute")
    options.quantization = FoldQuantization::Compute;
  else if (value == "all" || value.empty())
    options.quantization = FoldQuantization::All;
  else
    return "none, weights, compute or all";
  return "";
}

static std::string setPrecision(FoldOptions &options, StringRef value) {
  if (value != "exact" && value != "wide")
    return "exact or wide";
  options.precision = value == "wide" ? Precision::Wide : Precision::Exact;
  return "";
}

/// Names that are separated by commas.
static std::string disable(FoldOptions &options, StringRef value) {
  llvm::SmallVector<StringRef> names;
  value.split(names, ',', -1, /*KeepEmpty=*/false);
  options.disabled.insert(names.begin(), names.end());
  return "";
}

static std::string setRunOnce(FoldOptions &options, StringRef value) {
  if (value.empty())
    options.runOnce.leftOut = true;
  else
    options.runOnce.names.push_back(value.str());
  return "";
}

static std::string setVerify(FoldOptions &options, StringRef value) {
  return setNumber<unsigned>(options.verifyTrials, value.empty() ? "3" : value,
                             1, 1000);
}

static std::string setVerifyInputs(FoldOptions &options, StringRef value) {
  options.verifyInputs = value.str();
  options.verifyTrials = std::max(options.verifyTrials, 1u);
  return value.empty() ? "a folder or a .npz file" : "";
}

llvm::Error onnxfold::readExternalData(FoldOptions &options, StringRef text) {
  llvm::SmallVector<StringRef> items;
  text.split(items, ',');
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
      return llvm::createStringError("--external-data has " + name + "=" +
                                     before->second + " and " + name + "=" +
                                     value + ", expected one value");
    if (!isSize || !size)
      return llvm::createStringError(
          "--external-data has '" + item +
          "', expected FILE, then any of shard=SIZE, "
          "threshold=SIZE and align=SIZE, with commas in "
          "between");
    if (name == "shard")
      options.dataLayout.shard = size;
    else if (name == "threshold")
      options.dataLayout.threshold = *size;
    else
      options.dataLayout.alignment = *size;
  }
  return llvm::Error::success();
}

static std::string setInline(FoldOptions &options, StringRef value) {
  bool isInline = false;
  std::string expected = setSwitch(isInline, value);
  if (isInline)
    options.placement = DataPlacement::Inline;
  return expected;
}

static std::string setReport(FoldOptions &options, StringRef value) {
  options.report = ReportFormat::Json;
  return value == "nodes" ? "" : "nodes";
}

/// In a list: one more.
#define LIST(flag, member)                                                     \
  {                                                                            \
    flag, [](FoldOptions &options, StringRef value) -> std::string {           \
      options.member.push_back(value.str());                                   \
      return "";                                                               \
    }                                                                          \
  }
#define SET(flag, call)                                                        \
  {                                                                            \
    flag, [](FoldOptions &options, StringRef value) -> std::string {           \
      return call;                                                             \
    }                                                                          \
  }

static constexpr NamedOption namedOptions[] = {
    SET("level", setNumber(options.level, value, 0, 2)),
    {"max-growth", setGrowth},
    SET("max-result", setBytes(options.limits.maxResultBytes, value)),
    SET("max-work",
        setNumber<uint64_t>(options.limits.maxWork, value, 0, UINT64_MAX)),
    SET("max-trip-count",
        setNumber<uint64_t>(options.limits.maxTripCount, value, 0, UINT64_MAX)),
    SET("max-time", setSeconds(options.maxSeconds, value)),
    SET("max-memory", setBytes(options.maxMemory, value)),
    SET("unroll",
        setNumber<uint64_t>(options.mostUnrolled, value, 0, UINT64_MAX)),
    {"disable", disable},
    LIST("only", only),
    LIST("skip", skip),
    LIST("keep-initializer", keepInitializers),
    LIST("schemas", schemas),
    LIST("data-root", dataRoots),
    LIST("inputs", cut.inputs),
    LIST("outputs", cut.outputs),
    {"fold-quantization", setQuantization},
    {"precision", setPrecision},
    {"run-once", setRunOnce},
    SET("once-output", (options.runOnce.file = value.str(), std::string())),
    SET("target-opset",
        setNumber<int64_t>(options.targetOpset, value, 1, 1000)),
    SET("shapes", setSwitch(options.shapes, value)),
    SET("strict", setSwitch(options.strict, value)),
    SET("provenance", setSwitch(options.provenance, value)),
    SET("sync", setSwitch(options.sync, value)),
    {"inline-data", setInline},
    {"verify", setVerify},
    {"verify-inputs", setVerifyInputs},
    SET("in-place", setSwitch(options.inPlace, value)),
    SET("cache", (options.cacheFolder = value.str(),
                  value.empty() ? "a folder" : std::string())),
    SET("cache-size", setBytes(options.cacheBytes, value)),
    SET("threads", setNumber<unsigned>(options.threads, value, 0, UINT32_MAX)),
    {"report", setReport},
};

#undef LIST
#undef SET

llvm::Error onnxfold::setOption(FoldOptions &options, StringRef name,
                                StringRef value) {
  // These say themselves what is wrong.
  if (name == "input-shape")
    return options.fixed.addShape(value);
  if (name == "dim")
    return options.fixed.addDimension(value);
  if (name == "bind")
    return options.fixed.addValue(value);
  if (name == "external-data") {
    options.placement = DataPlacement::External;
    if (llvm::Error error = readExternalData(options, value))
      return error;
    return checkValues(options);
  }
  for (const NamedOption &option : namedOptions) {
    if (option.name != name)
      continue;
    std::string expected = option.set(options, value);
    if (!expected.empty())
      return llvm::createStringError("--" + name + " is '" + value +
                                     "', expected " + expected);
    return checkValues(options);
  }
  return llvm::createStringError("option '" + name +
                                 "' is not known, expected one of "
                                 "docs/reference.md without dashes");
}
