//===- CarriedAnnotations.cpp - Annotations of replaced nodes -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {

/// Looks from a node upwards for the nodes that lead to a leaf.
class PartSearch {
public:
  PartSearch(Operation *root, ArrayRef<Value> leaves,
             const Evaluation &evaluation)
      : root(root), leaves(leaves.begin(), leaves.end()),
        evaluation(evaluation) {}

  void run() {
    parts.push_back(root);
    for (Value operand : root->getOperands())
      (void)leadsToLeaf(operand, 0);
  }
  SmallVector<Operation *, 4> parts;

private:
  bool leadsToLeaf(Value value, unsigned depth);

  Operation *root;
  llvm::SmallPtrSet<Value, 8> leaves;
  const Evaluation &evaluation;
  llvm::SmallDenseMap<Operation *, bool> seen;
};

} // namespace

bool PartSearch::leadsToLeaf(Value value, unsigned depth) {
  // No pattern looks further, or at more.
  constexpr unsigned deepest = 12, most = 64;
  if (leaves.contains(value))
    return true;
  Operation *maker = value.getDefiningOp();
  if (!maker || maker->getBlock() != root->getBlock() ||
      !Operator::from(maker) || depth == deepest || seen.size() == most)
    return false;
  const ValueState &state = evaluation.state(value);
  if (state.isConstant() || state.isSymbolic())
    return false; // sizes, which are not what is computed of data
  auto [known, isNew] = seen.try_emplace(maker, false);
  if (!isNew)
    return known->second;
  bool leads = false;
  for (Value operand : maker->getOperands())
    leads |= leadsToLeaf(operand, depth + 1);
  if (leads) {
    seen[maker] = true;
    parts.push_back(maker);
  }
  return leads;
}

SmallVector<Operation *, 4> onnxfold::partsOf(Operation *op,
                                              ArrayRef<Value> leaves,
                                              const Evaluation &evaluation) {
  PartSearch search(op, leaves, evaluation);
  search.run();
  return std::move(search.parts);
}

//===----------------------------------------------------------------------===//
// Device configurations
//===----------------------------------------------------------------------===//

namespace {

using Specs = SmallVector<std::string, 1>;

/// The annotations on which several nodes agree.
class Agreement {
public:
  /// Values that stand for others: results of replaced nodes.
  explicit Agreement(const llvm::SmallDenseMap<Value, Value> &replaced)
      : replaced(replaced) {}

  /// Returns why the node does not agree with those before; or "".
  std::string add(Operation *op);
  /// The configurations, as `op` has them. Values for which it is given the
  /// spec are removed from `open`.
  DeviceConfigurations givenTo(Operation *op,
                               llvm::SmallSetVector<Value, 4> &open) const;
  llvm::SmallSetVector<Value, 4> values() const;
  bool empty() const { return all.empty(); }
  std::string id() const { return DeviceConfiguration{all[0].head, {}}.id(); }

private:
  struct Configuration {
    std::string head;
    llvm::SmallMapVector<Value, Specs, 4> specs;
  };
  const llvm::SmallDenseMap<Value, Value> &replaced;
  SmallVector<Configuration, 1> all;
  Operation *first = nullptr;
};

} // namespace

std::string Agreement::add(Operation *op) {
  DeviceConfigurations own = deviceConfigurationsOf(Operator::from(op));
  bool isFirst = !std::exchange(first, first ? first : op);
  auto differs = [&] {
    return "device_configurations of " + nodeText(op) +
           " differ from those of " + nodeText(first);
  };
  if (!isFirst && own.size() != all.size())
    return differs();
  for (const DeviceConfiguration &one : own) {
    auto *known = llvm::find_if(all, [&](const Configuration &other) {
      return other.head == one.head;
    });
    if (known == all.end() && !isFirst)
      return differs();
    if (known == all.end()) {
      all.push_back({one.head, {}});
      known = &all.back();
    }
    llvm::SmallMapVector<Value, Specs, 4> specs;
    for (const DeviceConfiguration::Spec &spec : one.specs) {
      if (!spec.value)
        return "its device configuration '" + one.id() +
               "' shards a tensor that " + nodeText(op) +
               " neither reads nor makes";
      Value value = replaced.lookup(spec.value);
      specs[value ? value : spec.value].push_back(spec.message);
    }
    for (auto &[value, messages] : specs)
      if (auto [there, isNew] = known->specs.insert({value, messages});
          !isNew && there->second != messages)
        return differs() + " for '" + valueName(value).str() + "'";
  }
  return "";
}

llvm::SmallSetVector<Value, 4> Agreement::values() const {
  llvm::SmallSetVector<Value, 4> result;
  for (const Configuration &one : all)
    for (const auto &[value, specs] : one.specs)
      result.insert(value);
  return result;
}

DeviceConfigurations
Agreement::givenTo(Operation *op, llvm::SmallSetVector<Value, 4> &open) const {
  DeviceConfigurations result;
  for (const Configuration &one : all) {
    DeviceConfiguration &own = result.emplace_back();
    own.head = one.head;
    for (const auto &[value, specs] : one.specs) {
      if (!llvm::is_contained(op->getOperands(), value) &&
          value.getDefiningOp() != op)
        continue;
      open.remove(value);
      for (const std::string &spec : specs)
        own.specs.push_back({value, spec});
    }
  }
  return result;
}

static std::string lostSpec(const Agreement &agreement, Value value) {
  return "device configuration '" + agreement.id() + "' shards '" +
         valueName(value).str() +
         "', which would be neither read nor made by the node in its place";
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

/// Values between the replaced nodes, which nobody else reads.
static std::string whyNotUnread(ArrayRef<Operation *> parts) {
  for (Operation *part : parts.drop_front())
    for (Value result : part->getResults()) {
      auto isPart = [&](Operation *user) { // or was replaced before
        return llvm::is_contained(parts, user) ||
               (Operator::from(user) && !Operator::from(user).isCustom() &&
                user->use_empty());
      };
      if (!quantizationOf(result).empty() &&
          llvm::all_of(result.getUsers(), isPart))
        return "quantization_annotation names '" + valueName(result).str() +
               "', which would be no value of the graph any more";
    }
  return "";
}

static bool isAnnotated(Operation *op) {
  Operator node = Operator::from(op);
  return node && node.annotations();
}

std::string onnxfold::carryTo(ArrayRef<Operation *> parts,
                              ArrayRef<Operation *> made, ValueRange values) {
  if (llvm::none_of(parts, isAnnotated))
    return "";
  llvm::SmallDenseMap<Value, Value> replaced;
  for (auto [old, value] : llvm::zip(parts.front()->getResults(), values))
    replaced[old] = value;
  Agreement agreement(replaced);
  for (Operation *part : parts)
    if (std::string why = agreement.add(part); !why.empty())
      return why;
  if (std::string why = whyNotUnread(parts); !why.empty())
    return why;
  llvm::SmallSetVector<Value, 4> open = agreement.values();
  SmallVector<std::pair<Operator, DeviceConfigurations>> given;
  for (Operation *op : made)
    if (Operator node = Operator::from(op))
      given.emplace_back(node, agreement.givenTo(op, open));
  if (!open.empty())
    return lostSpec(agreement, open.front());
  for (auto &[node, configurations] : given)
    setDeviceConfigurations(node, configurations);
  for (auto [old, value] : replaced)
    if (StringRef message = quantizationOf(old); !message.empty())
      setQuantization(value, message);
  return "";
}

/// The quantization annotation of a result, if the value can have it.
static std::string whyNotAnnotated(Value old, Value value) {
  StringRef message = quantizationOf(old), own = quantizationOf(value);
  if (message.empty() || message == own)
    return "";
  std::string text =
      "quantization_annotation of '" + valueName(old).str() + "' ";
  if (!own.empty())
    return text + "differs from that of '" + valueName(value).str() + "'";
  return mayHaveQuantization(value) &&
                 value.getParentBlock() == old.getParentBlock()
             ? ""
             : text + "cannot be that of '" + valueName(value).str() +
                   "', which is no input of the graph nor made by a node of it";
}

std::string onnxfold::carryTo(ArrayRef<Operation *> parts, ValueRange values) {
  if (llvm::none_of(parts, isAnnotated))
    return "";
  Operation *root = parts.front(), *maker = values[0].getDefiningOp();
  llvm::SmallDenseMap<Value, Value> replaced;
  for (auto [old, value] : llvm::zip(root->getResults(), values))
    replaced[old] = value;
  for (auto [old, value] : replaced)
    if (std::string why = whyNotAnnotated(old, value); !why.empty())
      return why;
  if (llvm::any_of(parts, [](Operation *part) {
        return hasDeviceConfigurations(Operator::from(part));
      })) {
    Agreement agreement(replaced);
    for (Operation *part : parts)
      if (std::string why = agreement.add(part); !why.empty())
        return why;
    bool isNode =
        Operator::from(maker) && hasDeviceConfigurations(Operator::from(maker));
    if (!isNode)
      return "its device configuration '" + agreement.id() +
             "' would be lost with it";
    llvm::SmallSetVector<Value, 4> open = agreement.values();
    if (std::string why = agreement.add(maker); !why.empty())
      return why;
    for (const DeviceConfiguration &own :
         deviceConfigurationsOf(Operator::from(maker)))
      for (const DeviceConfiguration::Spec &spec : own.specs)
        open.remove(spec.value);
    if (!open.empty())
      return lostSpec(agreement, open.front());
  }
  if (std::string why = whyNotUnread(parts); !why.empty())
    return why;
  for (auto [old, value] : replaced)
    if (StringRef message = quantizationOf(old);
        !message.empty() && quantizationOf(value).empty())
      setQuantization(value, message);
  return "";
}

std::string onnxfold::whyNotEdited(Operation *op, unsigned i, bool isLast) {
  Value operand = op->getOperand(i);
  for (const DeviceConfiguration &one :
       deviceConfigurationsOf(Operator::from(op)))
    for (const DeviceConfiguration::Spec &spec : one.specs)
      if (spec.value == operand)
        return "device configuration '" + one.id() + "' shards '" +
               valueName(operand).str() +
               "', which the node would read no more";
  Operation *maker = operand.getDefiningOp();
  if (maker && isAnnotated(maker) && isLast)
    return "annotations of " + nodeText(maker) +
           " would be lost with it, as nothing else reads '" +
           valueName(operand).str() + "'";
  return "";
}

/// Functions have no field for quantization annotations.
static bool wouldLeaveGraph(Operation *op) {
  auto function = dyn_cast_or_null<SymbolOpInterface>(op->getParentOp());
  if (!function || function.getName() == mainGraphSymbol)
    return false;
  for (Region &body : op->getRegions())
    for (Operation &inner : body.front())
      for (Value result : inner.getResults())
        if (!quantizationOf(result).empty())
          return true;
  return false;
}

/// The importer's own operators stand for initializers that are no constants,
/// which stay in their graph.
static bool hasOpaqueInitializers(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &body) {
    return llvm::any_of(body.getOps(), [](Operation &inner) {
      Operator node = Operator::from(&inner);
      return node && node.domain() == "onnx-fold";
    });
  });
}

std::string onnxfold::whyNotInlined(Operation *op) {
  Operator node = Operator::from(op);
  if (hasOpaqueInitializers(op))
    return "an initializer of its body is sparse, or stated twice";
  if (node && wouldLeaveGraph(op))
    return "quantization_annotation of a body has no place in the function";
  if (!node || !node.annotations())
    return "";
  if (hasDeviceConfigurations(node))
    return "its device configuration '" +
           deviceConfigurationsOf(node).front().id() +
           "' would be lost with it";
  if (hasFixedBodies(node))
    return "quantization_annotation of a body names values of that body";
  return "quantization_annotation names its results";
}
