//===- FoldReportGroups.cpp - Why nodes are kept, and what to do about it -===//

#include "onnxfold/elements/Shape.h"
#include "onnxfold/onnx/driver/FoldReport.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

/// As a shell takes it for one word.
static std::string shellWord(StringRef text) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || StringRef("_-+=./:,@%").contains(c);
  };
  if (!text.empty() && llvm::all_of(text, isPlain))
    return text.str();
  std::string word = "'";
  for (char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

/// The next round number of bytes, as options take it: "12M".
static std::string sizeOption(int64_t bytes) {
  for (auto [unit, shift] : {std::pair('K', 10), {'M', 20}, {'G', 30}}) {
    int64_t count = (bytes + (int64_t(1) << shift) - 1) >> shift;
    if (count < 1024 || unit == 'G')
      return std::to_string(std::max<int64_t>(1, count)) + unit;
  }
  return std::to_string(bytes);
}

/// The command line of this run with one option more, in place of the same one
/// if it was given.
std::string FoldReport::commandWith(StringRef option) const {
  std::string command = "onnx-fold";
  // Options that may be repeated name something before ':' or '='.
  StringRef flag = option.split(' ').first.split('=').first;
  bool isRepeated = flag == "--dim" || flag == "--input-shape";
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef given = arguments[i];
    bool isOption = given.consume_front("--") || given.consume_front("-");
    if (!isOption || isRepeated || given.split('=').first != flag.ltrim('-'))
      command += " " + shellWord(arguments[i]);
    else if (!given.contains('=') && flag != "--fold-quantization")
      ++i; // its value is an argument of its own
  }
  if (arguments.empty())
    command += " " + shellWord(input);
  return command + " " + option.str();
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// "takes 20000 iterations, ...": 20000.
static std::optional<uint64_t> numberIn(StringRef text) {
  size_t at = text.find("takes ");
  uint64_t number;
  if (at == StringRef::npos || text.substr(at + 6).consumeInteger(10, number))
    return std::nullopt;
  return number;
}

/// Bytes of the largest result by its type; 0 if that is open, or has no 64
/// bits.
static int64_t largestResult(Operation *op) {
  int64_t most = 0;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.getElementType().isIntOrFloat())
      continue;
    int64_t bytes = (tensor.getElementTypeBitWidth() + 7) / 8;
    std::optional<int64_t> size = checkedNumElements(tensor.getShape());
    if (size && !llvm::MulOverflow(*size, bytes, bytes))
      most = std::max(most, bytes);
  }
  return most;
}

/// What an option would have to say for this node to fold; 0: not known.
static uint64_t neededFor(ReasonCode code, StringRef text, Operation *op) {
  if (code == ReasonCode::ResultLimit)
    return largestResult(op);
  return numberIn(text).value_or(0);
}

void FoldReport::countKept(const Node &node, Operation *op,
                           const FoldPlan &plan, const Evaluation &evaluation) {
  const Reason &reason = plan.reason(op);
  if (reason.code == ReasonCode::Constant || reason.code == ReasonCode::None ||
      node.op == "Constant")
    return;
  Tally &tally = tallies[reason.code];
  ++tally.nodes;
  if (reason.code == ReasonCode::Growth)
    for (Value result : op->getResults())
      if (evaluation.state(result).value)
        tally.bytes += plan.bytesOf(result);
  if (reason.code == ReasonCode::ResultLimit ||
      reason.code == ReasonCode::WorkLimit ||
      reason.code == ReasonCode::TripLimit)
    tally.needed =
        std::max(tally.needed, neededFor(reason.code, reason.text, op));
}

/// The options that would fix what is open in the types of inputs.
void FoldReport::noteFreeInputs(Operation *root) {
  FunctionOpInterface graph;
  for (Region &region : root->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      if (!graph)
        graph = function;
  if (!graph || graph->hasAttr(domainAttrName))
    return;
  constexpr size_t most = 4;
  auto add = [&](std::string option) {
    if (freeInputs.size() < most && !llvm::is_contained(freeInputs, option))
      freeInputs.push_back(std::move(option));
  };
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    auto name = graph.getArgAttrOfType<StringAttr>(i, nameAttrName);
    if (!name || !shaped || !shaped.hasRank() || shaped.hasStaticShape())
      continue;
    auto dims = graph.getArgAttrOfType<ArrayAttr>(i, dimsAttrName);
    std::string shape;
    bool hasUnnamed = false;
    for (auto [axis, size] : llvm::enumerate(shaped.getShape())) {
      StringRef dim = dims && axis < dims.size()
                          ? cast<StringAttr>(dims[axis]).getValue()
                          : StringRef();
      bool isUnnamed = ShapedType::isDynamic(size) && dim.empty();
      if (ShapedType::isDynamic(size) && !dim.empty())
        add("--dim=" + shellWord((dim + ":1").str()));
      hasUnnamed |= isUnnamed;
      shape += axis ? "," : "";
      shape += isUnnamed ? "1" : "?";
    }
    if (hasUnnamed)
      add("--input-shape=" + shellWord((name.getValue() + ":" + shape).str()));
  }
}

//===----------------------------------------------------------------------===//
// Remedies
//===----------------------------------------------------------------------===//

static StringRef remedyOf(ReasonCode code) {
  switch (code) {
  case ReasonCode::None:
  case ReasonCode::Constant:
    return "nothing to do";
  case ReasonCode::InputNotConstant:
    return "they compute with the model's inputs: nothing to do, unless an "
           "input is the same in every run (--bind)";
  case ReasonCode::NoKernel:
    return "onnx-fold cannot compute these operators: give functions that do "
           "(--schemas), or replace them in the model";
  case ReasonCode::UnknownVersion:
    return "convert the model to an opset that is known here "
           "(--target-opset, to a later one), or use a newer onnx-fold";
  case ReasonCode::NotDeterministic:
    return "they are random in every run: nothing to do but to replace them "
           "in the model";
  case ReasonCode::Undefined:
    return "repair the model: what they compute is left open by the "
           "specification";
  case ReasonCode::Invalid:
    return "repair the model: these nodes break the specification";
  case ReasonCode::UnsupportedType:
    return "cast to another element type in the model";
  case ReasonCode::ResultLimit:
    return "raise the limit on the size of a result";
  case ReasonCode::MemoryLimit:
    return "raise the limit on memory";
  case ReasonCode::WorkLimit:
    return "raise the limit on work";
  case ReasonCode::TimeLimit:
    return "raise the limits on time and work";
  case ReasonCode::Growth:
    return "raise the limit on growth";
  case ReasonCode::Filtered:
    return "leave out --only and --skip";
  case ReasonCode::Quantization:
    return "fold quantization too";
  case ReasonCode::ControlFlow:
    return "fix what their conditions and trip counts depend on, or unroll "
           "loops (--unroll)";
  case ReasonCode::NoTensor:
    return "save the model with IR version 4 or newer; sequences and optionals "
           "cannot be stored";
  case ReasonCode::TripLimit:
    return "raise the limit on iterations";
  case ReasonCode::Inconsistent:
    return "report it: a mistake of the model or of onnx-fold";
  }
  return "";
}

FoldReport::KeptGroup FoldReport::groupOf(ReasonCode code) const {
  const Tally &tally = tallies.at(code);
  KeptGroup group{code, tally.nodes, tally.bytes, remedyOf(code).str(), {}, {}};
  auto atLeast = [&](uint64_t byDefault) {
    return std::to_string(std::max(tally.needed, byDefault));
  };
  switch (code) {
  case ReasonCode::InputNotConstant:
    if (!freeInputs.empty()) {
      group.remedy = "fix the open dimensions of the inputs, if they are the "
                     "same in every run";
      group.option = llvm::join(freeInputs, " ");
    }
    break;
  case ReasonCode::ResultLimit:
    group.option =
        "--max-result=" +
        sizeOption(std::max<int64_t>(tally.needed, int64_t(4) << 30));
    break;
  case ReasonCode::WorkLimit:
    group.option = "--max-work=" + atLeast(1'000'000'000'000);
    break;
  case ReasonCode::TripLimit:
    group.option = "--max-trip-count=" + atLeast(100'000);
    break;
  case ReasonCode::Growth:
    group.option = "--max-growth=" +
                   sizeOption(std::max<int64_t>(0, growth.limit.value_or(0)) +
                              tally.bytes);
    break;
  case ReasonCode::Quantization:
    group.option = "--fold-quantization=all";
    break;
  default:
    break;
  }
  if (!group.option.empty())
    group.command = commandWith(group.option);
  return group;
}

std::vector<FoldReport::KeptGroup> FoldReport::keptGroups() const {
  std::vector<KeptGroup> groups;
  for (const auto &[code, tally] : tallies)
    groups.push_back(groupOf(code));
  llvm::stable_sort(groups, [](const KeptGroup &a, const KeptGroup &b) {
    return a.nodes > b.nodes;
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// The short form
//===----------------------------------------------------------------------===//

void FoldReport::printHighlights(llvm::raw_ostream &out, StringRef file) const {
  constexpr size_t most = 3;
  std::vector<std::pair<int64_t, StringRef>> gains;
  for (const auto &[op, counts] : ops)
    if (counts.first > counts.second)
      gains.emplace_back(counts.first - counts.second, op);
  llvm::stable_sort(gains, [](auto a, auto b) { return a.first > b.first; });
  if (!gains.empty()) {
    out << "largest gains: ";
    llvm::interleaveComma(
        llvm::ArrayRef(gains).take_front(most), out, [&](auto gain) {
          out << gain.first << " " << printableName(gain.second);
        });
    out << " fewer\n";
  }
  std::vector<KeptGroup> groups = keptGroups();
  for (const KeptGroup &group : llvm::ArrayRef(groups).take_front(most)) {
    out << "kept: " << group.nodes << " " << nameOf(group.code) << ": "
        << printableText(group.remedy);
    if (!group.option.empty())
      out << ": " << printableText(group.option);
    out << "\n";
  }
  out << (file.empty() ? "--report=html:FILE" : printableText(file))
      << " shows more\n";
}
