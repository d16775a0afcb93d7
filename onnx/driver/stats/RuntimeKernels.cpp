//===- RuntimeKernels.cpp - Nodes that ONNX Runtime cannot run ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/ModelCosts.h"
#include "onnxfold/onnx/driver/stats/internal/StatsParts.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// A row of OnnxRuntimeKernels.inc, which says what `kernels` means.
struct KernelRow {
  StringRef domain, type;
  int64_t since;
  StringRef kernels;
};
} // namespace

static constexpr KernelRow rows[] = {
#define ONNXFOLD_RUNTIME_KERNELS(domain, type, since, kernels)                 \
  {domain, type, since, kernels},
#include "onnxfold/onnx/driver/stats/OnnxRuntimeKernels.inc"
};
static constexpr StringRef release =
    "ONNX Runtime " ONNXFOLD_RUNTIME_VERSION " (CPU)";

/// The type of a letter of the table.
static DataType typeOf(char letter) {
  static const std::pair<char, DataType> types[] = {
      {'f', DataType::Float32},      {'d', DataType::Float64},
      {'h', DataType::Float16},      {'b', DataType::BFloat16},
      {'B', DataType::Bool},         {'S', DataType::String},
      {'c', DataType::Int8},         {'s', DataType::Int16},
      {'i', DataType::Int32},        {'l', DataType::Int64},
      {'C', DataType::UInt8},        {'H', DataType::UInt16},
      {'I', DataType::UInt32},       {'L', DataType::UInt64},
      {'n', DataType::Int4},         {'N', DataType::UInt4},
      {'t', DataType::Int2},         {'T', DataType::UInt2},
      {'z', DataType::Complex64},    {'Z', DataType::Complex128},
      {'1', DataType::Float8E4M3FN}, {'2', DataType::Float8E4M3FNUZ},
      {'3', DataType::Float8E5M2},   {'4', DataType::Float8E5M2FNUZ},
      {'5', DataType::Float4E2M1},   {'6', DataType::Float8E8M0},
  };
  for (auto [each, type] : types)
    if (each == letter)
      return type;
  return DataType::Undefined;
}

/// "f32, f64"
static std::string namesOf(StringRef letters) {
  std::string text;
  for (char letter : letters)
    text += (text.empty() ? "" : ", ") + name(typeOf(letter)).str();
  return text;
}

/// The rows are sorted by domain and operator.
static llvm::ArrayRef<KernelRow> rowsOf(Operator op) {
  std::pair wanted(op.domain(), op.opType());
  auto keyOf = [](const KernelRow &row) {
    return std::pair(row.domain, row.type);
  };
  const KernelRow *first = llvm::partition_point(
      rows, [&](const KernelRow &row) { return keyOf(row) < wanted; });
  return {first, std::find_if(first, std::end(rows), [&](const KernelRow &row) {
            return keyOf(row) != wanted;
          })};
}

//===----------------------------------------------------------------------===//
// One node
//===----------------------------------------------------------------------===//

namespace {
/// Compares a node with the kernels of its operator.
class NodeCheck {
public:
  NodeCheck(Operator op, const ValueSizes &sizes, bool halfIsFloat)
      : op(op), sizes(sizes), halfIsFloat(halfIsFloat) {}

  /// Why no kernel takes the node; "" if one does, or may.
  std::string run(StringRef kernels);

private:
  std::optional<DataType> typeOfTensor(Value value) const;
  unsigned countMismatches(StringRef kernel, std::string &first) const;
  bool takes(StringRef operand, StringRef letters, std::string &why) const;

  Operator op;
  const ValueSizes &sizes;
  bool halfIsFloat; ///< f16 counts as f32
};
} // namespace

/// Nothing for what is no tensor, is not there, or has an unknown type.
std::optional<DataType> NodeCheck::typeOfTensor(Value value) const {
  if (isAbsent(value) ||
      !isa<mlir::TensorType, OnnxUnknownType>(value.getType()))
    return std::nullopt;
  std::optional<DataType> type = sizes.elementTypeOf(value);
  return halfIsFloat && type == DataType::Float16 ? DataType::Float32 : type;
}

/// `operand`: "0", ">1", "2+".
bool NodeCheck::takes(StringRef operand, StringRef letters,
                      std::string &why) const {
  bool isResult = operand.consume_front(">"),
       isList = operand.consume_back("+");
  unsigned first = 0;
  operand.getAsInteger(10, first);
  unsigned count = isResult ? op.numOutputs() : op.numInputs();
  for (unsigned i = first; i < (isList ? count : std::min(first + 1, count));
       ++i) {
    Value value = isResult ? Value(op->getResult(i)) : op->getOperand(i);
    std::optional<DataType> type = typeOfTensor(value);
    if (!type || llvm::any_of(letters, [&](char letter) {
          return typeOf(letter) == *type;
        }))
      continue;
    why = (Twine(isResult ? "output #" : "input #") + Twine(i) + " is " +
           name(*type) + ", a kernel takes " + namesOf(letters))
              .str();
    return false;
  }
  return true;
}

unsigned NodeCheck::countMismatches(StringRef kernel,
                                    std::string &first) const {
  unsigned count = 0;
  for (StringRef limit : llvm::split(kernel, ';')) {
    auto [operands, letters] = limit.split('=');
    for (StringRef operand : llvm::split(operands, ',')) {
      std::string why;
      if (operand.empty() || takes(operand, letters, why))
        continue;
      if (count++ == 0)
        first = why;
    }
  }
  return count;
}

std::string NodeCheck::run(StringRef kernels) {
  std::string nearest;
  unsigned fewest = ~0u;
  for (StringRef kernel : llvm::split(kernels, '|')) {
    std::string first;
    unsigned count = countMismatches(kernel, first);
    if (count == 0)
      return "";
    if (count < fewest)
      std::tie(fewest, nearest) = std::pair(count, first);
  }
  return nearest;
}

/// Whether the operator is defined by other nodes in the words of the opset.
static bool isFunction(Operator op) {
  // ONNX Runtime has these operators of com.microsoft as functions, too.
  if (op.domain() == "com.microsoft")
    return llvm::is_contained({"FastGelu", "Gelu", "QuickGelu"}, op.opType());
  const onnx::OpSchema *schema = op.schema();
  int64_t opset = importedOpset(op.getOperation(), op.domain()).value_or(0);
  auto isKnown = [&](int version) { return version <= opset; };
  return schema &&
         (llvm::any_of(schema->function_opset_versions(), isKnown) ||
          llvm::any_of(schema->context_dependent_function_opset_versions(),
                       isKnown));
}

/// The row of the node's version; null if there is none. ONNX Runtime takes the
/// latest version of a domain that is not imported.
static const KernelRow *rowOf(Operator op) {
  const KernelRow *row = nullptr;
  for (const KernelRow &each : rowsOf(op))
    if (each.since <= op.since() || (op.isCustom() && op.since() == 0))
      row = &each;
  return row && (op.isCustom() || row->since == op.since()) ? row : nullptr;
}

/// Why no kernel takes the node, or "".
static std::string whyNone(Operator op, const ValueSizes &sizes,
                           bool halfIsFloat) {
  llvm::ArrayRef<KernelRow> all = rowsOf(op);
  if (all.empty())
    return "it has no such operator";
  const KernelRow *row = rowOf(op);
  if (!row)
    return "it does not know this version of the operator";
  if (row->kernels != "-")
    return NodeCheck(op, sizes, halfIsFloat).run(row->kernels);
  std::string others;
  for (const KernelRow &each : all)
    if (each.kernels != "-")
      others += (others.empty() ? "" : ", ") + std::to_string(each.since);
  return others.empty() ? "there is no kernel"
                        : "there are kernels for version " + others;
}

//===----------------------------------------------------------------------===//
// All nodes
//===----------------------------------------------------------------------===//

static bool isDomainOfTable(Operator op) {
  return op.domain().empty() || op.domain() == "ai.onnx.ml" ||
         (op.domain() == "com.microsoft" && !rowsOf(op).empty());
}

void onnxfold::addMissingKernels(Operation *main, const ValueSizes &sizes,
                                 ModelStats &stats) {
  std::map<std::pair<OperatorKey, std::string>, ModelStats::NoKernel> missing;
  int64_t numHalf = 0;
  std::string firstHalf;
  main->walk([&](Operation *operation) {
    Operator op = Operator::from(operation);
    if (!op || !isDomainOfTable(op) || isFunction(op))
      return;
    std::string why = whyNone(op, sizes, /*halfIsFloat=*/false);
    if (why.empty())
      return;
    if (whyNone(op, sizes, /*halfIsFloat=*/true).empty()) {
      if (numHalf++ == 0)
        firstHalf = nodeText(op);
      return;
    }
    const KernelRow *row = rowOf(op);
    OperatorKey key{op.domain().str(), op.opType().str()};
    ModelStats::NoKernel &one = missing[{key, why}];
    if (one.nodes++ == 0)
      one = {release.str(),
             printableText(key.first),
             printableText(key.second),
             row ? row->since : op.since(),
             1,
             printableText(nodeLabel(op)),
             why};
  });
  for (auto &[key, one] : missing)
    stats.noKernel.push_back(std::move(one));
  if (numHalf != 0)
    stats.runtimeNotes.push_back((release + " runs " + Twine(numHalf) +
                                  (numHalf == 1 ? " node" : " nodes") +
                                  " of f16 in f32, between Casts: " + firstHalf)
                                     .str());
}
