//===- Evaluate.cpp - Compile-time fold functions become constants --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/tensorfolding/ConstantTensors.h"
#include "onnxfold/tensorfolding/evaluation/CompiledModule.h"
#include "onnxfold/tensorfolding/evaluation/Passes.h"
#include "onnxfold/tensorfolding/evaluation/internal/PendingFold.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace onnxfold {
#define GEN_PASS_DEF_EVALUATECONSTANTTENSORSPASS
#include "onnxfold/tensorfolding/evaluation/Passes.h.inc"
} // namespace onnxfold

using namespace onnxfold;
using namespace mlir;

/// Puts the values of arguments that are known where they are read.
static LogicalResult bindArguments(PendingFold &fold,
                                   ArrayRef<int64_t> arguments,
                                   const CompileTimeOptions &options) {
  if (!options.valueOf)
    return success();
  OpBuilder builder = OpBuilder::atBlockBegin(&fold.function.front());
  for (auto [argument, number] :
       llvm::zip(fold.function.getArguments(), arguments)) {
    Elements value = options.valueOf(fold.entry, number);
    if (!value || argument.use_empty())
      continue;
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    auto type = tensor ? tensor : RankedTensorType::get({}, argument.getType());
    if (toDataType(type.getElementType()) != value.type() ||
        type.getShape() != value.shape())
      return fold.entry.emitError()
             << "argument " << number << " of function '"
             << fold.entry.getName() << "' is given " << toString(value.shape())
             << " of " << name(value.type()) << ", expected "
             << argument.getType();
    auto attribute =
        tensor ? cast<TypedAttr>(toAttribute(value, type))
               : cast<TypedAttr>(
                     toDenseAttribute(value, type).getSplatValue<Attribute>());
    auto constant =
        arith::ConstantOp::create(builder, argument.getLoc(), attribute);
    argument.replaceAllUsesWith(constant.getResult());
  }
  return success();
}

/// Constant propagation, and the values of what it has folded.
static unsigned propagate(PendingFold &fold) {
  propagateConstants(fold.function, {});
  unsigned count = 0;
  if (!fold.function.getBody().hasOneBlock())
    return 0;
  Operation *end = fold.function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    ElementsAttr known;
    if (isa<RankedTensorType>(value.getType()) &&
        matchPattern(value, m_Constant(&known)))
      fold.values[i] = fromAttribute(known);
    count += bool(fold.values[i]);
  }
  return count;
}

/// Takes the results with values out of the function.
static void eraseResults(func::FuncOp function, const BitVector &erased) {
  Operation *end = function.front().getTerminator();
  (void)function.eraseResults(erased);
  end->eraseOperands(erased);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {

/// One entry whose folded values become constants.
class EntryUpdate {
public:
  EntryUpdate(func::FuncOp entry, ConstantTensors &tensors)
      : entry(entry), tensors(tensors),
        erasedArguments(entry.getNumArguments()),
        erasedFolded(tensors.folded.size()), erasedParts(tensors.parts.size()) {
  }

  void replace(PendingFold &fold) {
    ConstantTensors::Part &part = tensors.parts[fold.part];
    BitVector known(fold.values.size());
    SmallVector<int64_t> left;
    std::string reason;
    for (auto [i, folded] : llvm::enumerate(part.folded)) {
      if (!fold.values[i]) {
        left.push_back(folded);
        reason = reason.empty()
                     ? "result " + std::to_string(i) + ": " + fold.reasons[i]
                     : reason;
        continue;
      }
      known.set(i);
      erasedFolded.set(folded);
      makeConstant(tensors.folded[folded], fold.values[i]);
    }
    if (left.empty()) {
      erasedParts.set(fold.part);
      fold.function.erase();
      return;
    }
    part.folded = std::move(left);
    part.tier = ConstantTier::Runtime;
    part.hash.clear(); // of the function as it was
    if (known.any())
      eraseResults(fold.function, known);
    fold.function->setAttr("onnxfold.not_evaluated",
                           StringAttr::get(entry.getContext(), reason));
  }

  /// Removes the arguments, and numbers what is left anew.
  void finish() {
    SmallVector<int64_t> arguments = renumber(erasedArguments);
    SmallVector<int64_t> foldedNumbers = renumber(erasedFolded);
    for (ConstantTensors::Argument &argument : tensors.arguments)
      if (argument.entry != ConstantTensors::notTaken)
        argument.entry = arguments[argument.entry];
    for (ConstantTensors::Folded &folded : tensors.folded)
      if (folded.entry != ConstantTensors::notTaken)
        folded.entry = arguments[folded.entry];
    erase(tensors.folded, erasedFolded);
    erase(tensors.parts, erasedParts);
    for (ConstantTensors::Part &part : tensors.parts)
      for (int64_t &folded : part.folded)
        folded = foldedNumbers[folded];
    (void)entry.eraseArguments(erasedArguments);
    setConstantTensors(entry, tensors);
  }

private:
  void makeConstant(const ConstantTensors::Folded &folded,
                    const Elements &value) {
    if (folded.entry == ConstantTensors::notTaken)
      return;
    BlockArgument argument = entry.getArgument(folded.entry);
    OpBuilder builder = OpBuilder::atBlockBegin(&entry.front());
    auto type = cast<RankedTensorType>(argument.getType());
    auto constant = arith::ConstantOp::create(
        builder, argument.getLoc(), cast<TypedAttr>(toAttribute(value, type)));
    argument.replaceAllUsesWith(constant.getResult());
    erasedArguments.set(folded.entry);
  }

  static SmallVector<int64_t> renumber(const BitVector &erased) {
    SmallVector<int64_t> numbers;
    int64_t next = 0;
    for (unsigned i = 0; i != erased.size(); ++i)
      numbers.push_back(erased.test(i) ? ConstantTensors::notTaken : next++);
    return numbers;
  }
  template <class List> static void erase(List &list, const BitVector &erased) {
    unsigned i = 0;
    llvm::erase_if(list, [&](const auto &) { return erased.test(i++); });
  }

  func::FuncOp entry;
  ConstantTensors &tensors;
  BitVector erasedArguments, erasedFolded, erasedParts;
};

struct Entry {
  func::FuncOp function;
  ConstantTensors tensors;
};

} // namespace

static LogicalResult findFolds(Entry &entry, const SymbolTable &symbols,
                               const CompileTimeOptions &options,
                               std::vector<PendingFold> &folds) {
  for (auto [i, part] : llvm::enumerate(entry.tensors.parts)) {
    if (part.tier != ConstantTier::CompileTime)
      continue;
    auto function = symbols.lookup<func::FuncOp>(part.function.getValue());
    if (!function || function.isExternal())
      return entry.function.emitError()
             << "function '" << entry.function.getName() << "' names "
             << part.function << ", expected a function of the module";
    PendingFold fold{entry.function, function, unsigned(i), {}, {}};
    fold.values.resize(function.getNumResults());
    fold.reasons.resize(function.getNumResults());
    if (failed(bindArguments(fold, part.arguments, options)))
      return failure();
    folds.push_back(std::move(fold));
  }
  return success();
}

/// Erases the functions that only call all parts of a fold one after the other:
/// some of them have other results now.
static void eraseCallers(ModuleOp module, MutableArrayRef<PendingFold> folds) {
  llvm::StringSet<> changed;
  for (PendingFold &fold : folds)
    if (llvm::any_of(fold.values,
                     [](const Elements &value) { return bool(value); }))
      changed.insert(fold.function.getName());
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    auto result = function.walk([&](func::CallOp call) {
      return changed.contains(call.getCallee()) ? WalkResult::interrupt()
                                                : WalkResult::advance();
    });
    if (result.wasInterrupted() && !function->hasAttr(constantTensorsAttrName))
      function.erase();
  }
}

FailureOr<CompileTimeResult>
onnxfold::evaluateConstantTensors(ModuleOp module,
                                  const CompileTimeOptions &options) {
  SymbolTable symbols(module);
  std::vector<Entry> entries;
  std::vector<PendingFold> folds;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(constantTensorsAttrName))
      continue;
    FailureOr<ConstantTensors> tensors = getConstantTensors(function);
    if (failed(tensors))
      return failure();
    entries.push_back({function, *tensors});
  }
  for (Entry &entry : entries)
    if (failed(findFolds(entry, symbols, options, folds)))
      return failure();

  CompileTimeResult result;
  for (PendingFold &fold : folds) {
    result.propagated += propagate(fold);
    findReasons(fold);
  }
  if (options.compile)
    compileAndRun(folds);
  unsigned known = 0;
  for (PendingFold &fold : folds)
    for (auto [value, reason] : llvm::zip_equal(fold.values, fold.reasons)) {
      known += bool(value);
      result.left += !value;
      if (!value && reason.empty())
        reason = "constant propagation cannot fold it, and nothing is compiled";
    }
  result.compiled = known - result.propagated;

  eraseCallers(module, folds);
  for (Entry &entry : entries) {
    EntryUpdate update(entry.function, entry.tensors);
    for (PendingFold &fold : folds)
      if (fold.entry == entry.function)
        update.replace(fold);
    update.finish();
  }
  return result;
}

namespace {

struct EvaluateConstantTensorsPass
    : onnxfold::impl::EvaluateConstantTensorsPassBase<
          EvaluateConstantTensorsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerConstantTensorDialects(registry);
    registerCompilation(registry);
  }

  void runOnOperation() override {
    std::map<std::pair<std::string, int64_t>, Elements> values;
    for (const std::string &weight : weights)
      if (failed(readWeight(weight, values)))
        return signalPassFailure();
    CompileTimeOptions options;
    options.compile = compile;
    options.valueOf = [&](func::FuncOp entry, int64_t number) {
      auto found = values.find({entry.getName().str(), number});
      if (found == values.end())
        found = values.find({"", number});
      return found == values.end() ? Elements() : found->second;
    };
    if (failed(evaluateConstantTensors(getOperation(), options)))
      signalPassFailure();
  }

private:
  LogicalResult
  readWeight(StringRef text,
             std::map<std::pair<std::string, int64_t>, Elements> &values) {
    auto [place, file] = text.split('=');
    auto [entry, digits] = place.rsplit(':');
    if (digits.empty())
      std::swap(entry, digits);
    int64_t number;
    if (digits.getAsInteger(10, number) || number < 0 || file.empty())
      return emitError(getOperation().getLoc())
             << "weights has '" << text << "', expected [ENTRY:]NUMBER=FILE";
    FailureOr<Type> type = typeOfWeight(text, entry, number);
    if (failed(type))
      return failure();
    auto value = readNpy(file, toDataType(getElementTypeOrSelf(*type)));
    if (!value)
      return emitError(getOperation().getLoc())
             << llvm::toString(value.takeError());
    values[{entry.str(), number}] = *value;
    return success();
  }

  /// The type of the argument that a weight is for. An error if no entry has a
  /// compile-time argument with that number.
  FailureOr<Type> typeOfWeight(StringRef text, StringRef entry,
                               int64_t number) {
    std::string what; // is wrong with the first entry
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(constantTensorsAttrName) ||
          (!entry.empty() && function.getName() != entry))
        continue;
      FailureOr<ConstantTensors> tensors = getConstantTensors(function);
      if (failed(tensors))
        return failure();
      ArrayRef<ConstantTensors::Argument> arguments = tensors->arguments;
      bool exists = size_t(number) < arguments.size();
      if (exists && arguments[number].tier == ConstantTier::CompileTime)
        return arguments[number].type;
      if (!what.empty())
        continue;
      what = "'" + function.getName().str() + "' has ";
      if (exists)
        what += (nameOf(arguments[number].tier) + " argument " + Twine(number) +
                 ": expected one that is compiletime")
                    .str();
      else
        what += std::to_string(arguments.size()) +
                " arguments: expected numbers of arguments, from 0 on";
    }
    if (what.empty())
      what = entry.empty() ? "no function is an entry: expected one that "
                             "constant-tensor-folding made"
                           : "'" + entry.str() +
                                 "' is not an entry: expected a function that "
                                 "constant-tensor-folding made one";
    return emitError(getOperation().getLoc())
           << "weights has '" << text << "', but " << what;
  }
};

} // namespace
