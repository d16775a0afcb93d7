//===- InputSearch.cpp - Inputs that no operator refuses ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/InputSearch.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace onnxfold;
using namespace mlir;

/// A search takes a second or two at most: attempts are short, because they end
/// at the operator that refuses.
static constexpr unsigned mostAttempts = 500;
static constexpr double mostWork = 2e10;
/// After this work one run leaves behind all that refuses, instead of a run for
/// each.
static constexpr double mostWorkOfAll = 1e11;
static constexpr int64_t largestSize = 1 << 17;

/// Sizes that networks are made for, the small ones first.
static const int64_t commonSizes[] = {
    1,   2,   3,   4,   5,   6,   8,   10,  16,  32,  48,   64,   80,   96,
    128, 160, 192, 224, 256, 320, 400, 480, 512, 640, 1024, 1536, 4096, 16000};

/// Models of pictures want larger sizes than others; equal names are the rule
/// and unequal names of equal sizes the exception.
static const InputChoice commonChoices[] = {
    {Sizes::ByPosition, 2, Integers::FromReaders, {}, {}},
    {Sizes::Equal, 2, Integers::FromReaders, {}, {}},
    {Sizes::ByName, 32, Integers::FromReaders, {}, {}},
    {Sizes::ByPosition, 64, Integers::FromReaders, {}, {}},
    {Sizes::ByName, 2, Integers::Zeros, {}, {}},
    {Sizes::ByPosition, 2, Integers::Ones, {}, {}},
    {Sizes::Equal, 1, Integers::FromReaders, {}, {}},
};

//===----------------------------------------------------------------------===//
// What refuses
//===----------------------------------------------------------------------===//

static void addSmall(SmallVector<int64_t> &numbers, int64_t number) {
  if (number > 0 && number <= largestSize &&
      !llvm::is_contained(numbers, number))
    numbers.push_back(number);
}

/// "a window of 256 does not fit into 2 padded elements": 256 and 2. Numbers of
/// inputs ("#0") are none.
static SmallVector<int64_t> numbersIn(StringRef text) {
  SmallVector<int64_t> numbers;
  for (size_t i = 0; i != text.size();) {
    StringRef digits = text.drop_front(i).take_while(llvm::isDigit);
    bool isPlace = i != 0 && text[i - 1] == '#';
    int64_t number;
    if (!digits.empty() && !isPlace && !digits.getAsInteger(10, number))
      addSmall(numbers, number);
    i += std::max<size_t>(1, digits.size());
  }
  return numbers;
}

static void addNumbersOf(const FoldedValue &value,
                         SmallVector<int64_t> &numbers) {
  if (!value.tensor)
    return;
  for (int64_t size : value.tensor.shape())
    addSmall(numbers, size);
  addSmall(numbers, value.tensor.size());
  if (!isInteger(value.tensor.type()) || value.tensor.size() > 16)
    return;
  double product = 1;
  for (int64_t i = 0; i != value.tensor.size(); ++i) {
    double number = value.tensor.number(i).to<double>();
    if (number < 1 || number > double(largestSize))
      continue;
    addSmall(numbers, int64_t(number));
    product *= number;
  }
  if (product <= double(largestSize))
    addSmall(numbers, int64_t(product));
}

/// The inputs of the graph that an operation depends on.
static SmallVector<unsigned> inputsBehind(Operation *op, Block &block) {
  llvm::SetVector<Value> values;
  values.insert_range(valuesReadBy(op, block));
  SmallVector<unsigned> inputs;
  for (size_t i = 0; i != values.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(values[i]))
      inputs.push_back(argument.getArgNumber());
    else if (Operation *maker = values[i].getDefiningOp())
      values.insert_range(valuesReadBy(maker, block));
  }
  llvm::sort(inputs);
  return inputs;
}

std::optional<Refusal> onnxfold::refusalOf(FunctionOpInterface graph,
                                           const Execution &run) {
  if (!run.stoppedAt)
    return std::nullopt;
  const Obstacle &obstacle = run.obstacles.back();
  Refusal result;
  result.key = obstacle.key;
  result.inputs = inputsBehind(run.stoppedAt, graph.getFunctionBody().front());
  result.named = numbersIn(obstacle.reason.text);
  result.signature = result.key + ": " + obstacle.reason.text;
  llvm::erase_if(result.signature, llvm::isDigit);
  for (const FoldedValue &value : obstacle.inputs)
    addNumbersOf(value, result.operands);
  return result;
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

InputSearch::InputSearch(FunctionOpInterface graph, const ModelNumbers &model,
                         bool isFree)
    : model(model), attemptsLeft(isFree ? mostAttempts : 0),
      workLeft(mostWork) {
  for (BlockArgument argument : graph.getArguments()) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    bool isInteger = type && type.getElementType().isInteger() &&
                     !type.getElementType().isInteger(1);
    integerInputs.push_back(isInteger ? valueName(argument).str() : "");
  }
}

llvm::Expected<InputSearch::Attempt>
InputSearch::attempt(const InputChoice &choice) {
  llvm::Expected<TriedInputs> tried =
      (*tryInputs)(choice, [&](const Obstacle &obstacle) {
        return !ignoresAll && !ignored.contains(obstacle.key);
      });
  if (!tried)
    return tried.takeError();
  workLeft -= tried->run.cost() + workOfDrawing(tried->inputs.values);
  return Attempt{choice, std::move(*tried)};
}

/// Tries a choice, and keeps it if the run gets further.
bool InputSearch::isBetter(InputChoice choice) {
  if (attemptsLeft == 0 || workLeft < 0)
    return false;
  --attemptsLeft;
  llvm::Expected<Attempt> found = attempt(choice);
  if (!found) { // inputs of that size would be too large
    llvm::consumeError(found.takeError());
    return false;
  }
  const Execution &run = found->tried.run;
  if (found->isDone() || run.numVisited > best.tried.run.numVisited) {
    best = std::move(*found);
    sideways.clear();
    return true;
  }
  // Another reason at the same operator: its body may have got further.
  if (run.numVisited == best.tried.run.numVisited &&
      seen.insert(found->tried.refusal->signature).second)
    sideways.push_back(std::move(choice));
  return false;
}

/// Goes on from a choice that is not worse than the best.
bool InputSearch::goSideways() {
  if (sideways.empty() || attemptsLeft == 0 || workLeft < 0)
    return false;
  --attemptsLeft;
  llvm::Expected<Attempt> found = attempt(sideways.front());
  sideways.erase(sideways.begin());
  if (found)
    best = std::move(*found);
  else
    llvm::consumeError(found.takeError());
  return true;
}

bool InputSearch::trySizes(ArrayRef<const OpenSize *> open, int64_t size) {
  InputChoice choice = best.choice;
  for (const OpenSize *one : open)
    choice.chosen[one->key] = size;
  return isBetter(std::move(choice));
}

/// Adds the sizes that one of some numbers may need so that two of them are
/// equal, if the operator's sizes grow as this one does, or with it.
static void addDerived(int64_t size, ArrayRef<int64_t> numbers,
                       llvm::SetVector<int64_t> &sizes) {
  for (int64_t wanted : numbers) {
    sizes.insert(wanted);
    for (int64_t found : numbers) {
      if (found != 0 && size * wanted % found == 0)
        sizes.insert(size * wanted / found);
      sizes.insert(size + wanted - found);
    }
  }
}

/// One open size after the other.
bool InputSearch::tryEach(ArrayRef<OpenSize> open, SizesToTry sizesToTry) {
  for (const OpenSize &one : open) {
    llvm::SetVector<int64_t> sizes;
    if (one.isRank)
      sizes.insert_range(std::initializer_list<int64_t>{3, 4, 1, 0, 2, 5});
    else
      sizesToTry(one, sizes);
    for (int64_t size : sizes)
      if (size >= !one.isRank && size <= largestSize && size != one.size &&
          trySizes(&one, size))
        return true;
  }
  return false;
}

/// Several that become equal: sides of pictures, lengths of two inputs.
bool InputSearch::tryEqual(ArrayRef<OpenSize> open) {
  SmallVector<const OpenSize *> all;
  for (const OpenSize &one : open)
    if (!one.isRank)
      all.push_back(&one);
  if (all.size() < 2)
    return false;
  for (int64_t size : commonSizes)
    if (size <= 512 && trySizes(all, size))
      return true;
  for (int64_t size : {32, 64, 128, 224, 512})
    for (size_t i = 0; i != all.size(); ++i)
      for (size_t k = i + 1; k != all.size(); ++k)
        if (all.size() > 2 && trySizes({all[i], all[k]}, size))
          return true;
  return false;
}

bool InputSearch::improveSizes(const Refusal &refusal) {
  // A better attempt replaces `best`, and its sizes.
  std::vector<OpenSize> open = best.tried.inputs.openSizes;
  llvm::erase_if(open, [&](const OpenSize &one) {
    return llvm::none_of(one.inputs, [&](unsigned input) {
      return llvm::is_contained(refusal.inputs, input);
    });
  });
  using Found = llvm::SetVector<int64_t>;
  return tryEach(open,
                 [&](const OpenSize &one, Found &sizes) {
                   addDerived(one.size, refusal.named, sizes);
                 }) ||
         tryEach(open,
                 [&](const OpenSize &, Found &sizes) {
                   sizes.insert_range(commonSizes);
                 }) ||
         tryEqual(open) ||
         tryEach(open, [&](const OpenSize &one, Found &sizes) {
           addDerived(one.size, ArrayRef(refusal.operands).take_front(6),
                      sizes);
           sizes.insert_range(ArrayRef(model.sizes).take_front(48));
         });
}

bool InputSearch::improveIntegers(const Refusal &refusal) {
  auto tryIntegers = [&](StringRef name, Integers integers, unsigned number) {
    InputChoice choice = best.choice;
    choice.integersOf[name] = {integers, number};
    return isBetter(std::move(choice));
  };
  for (unsigned input : refusal.inputs) {
    const std::string &name = integerInputs[input];
    if (name.empty())
      continue;
    for (Integers integers :
         {Integers::Zeros, Integers::Ones, Integers::Ascending})
      if (tryIntegers(name, integers, 0))
        return true;
    for (unsigned i = 0; i != std::min<size_t>(32, model.integers.size()); ++i)
      if (tryIntegers(name, Integers::FromModel, i))
        return true;
  }
  return false;
}

bool InputSearch::improve() {
  Refusal refusal = *best.tried.refusal;
  return improveIntegers(refusal) || improveSizes(refusal);
}

bool InputSearch::tryCommonChoices() {
  bool found = false;
  for (const InputChoice &choice : commonChoices) {
    if (best.isDone())
      break;
    found |= isBetter(choice);
  }
  return found;
}

/// The sizes that an earlier trial found, changed; or as they were.
bool InputSearch::tryOthersOfThisTrial(unsigned trial) {
  if (!hasKnown)
    return false;
  auto changed = [&](auto change) {
    InputChoice choice = known;
    for (auto &entry : choice.chosen)
      if (!StringRef(entry.first()).starts_with("rank of "))
        entry.second = change(entry.second);
    return isBetter(std::move(choice)) && best.isDone();
  };
  return changed([&](int64_t size) { return size + trial; }) ||
         changed([&](int64_t size) { return size * (1 + trial); }) ||
         changed([](int64_t size) { return size; });
}

/// Leaves operators behind that refuse everything.
void InputSearch::searchAll() {
  tryCommonChoices();
  while (!best.isDone()) {
    seen.insert(best.tried.refusal->signature);
    if (attemptsLeft != 0 && workLeft >= 0 && improve())
      continue;
    if (goSideways())
      continue;
    if (!ignored.insert(best.tried.refusal->key).second)
      break; // it stops the run all the same
    ignoresAll = workLeft < mostWork - mostWorkOfAll;
    llvm::Expected<Attempt> further = attempt(best.choice);
    if (!further) {
      llvm::consumeError(further.takeError());
      break;
    }
    best = std::move(*further);
  }
}

llvm::Expected<TriedInputs> InputSearch::next(unsigned trial,
                                              const Try &tryThese) {
  tryInputs = &tryThese;
  llvm::Expected<Attempt> first = attempt(start);
  if (!first)
    return first.takeError();
  best = std::move(*first);
  if (!best.isDone() && !tryOthersOfThisTrial(trial)) {
    searchAll();
    start = best.choice;
  }
  known = best.choice;
  hasKnown = true;
  for (const OpenSize &open : best.tried.inputs.openSizes)
    known.chosen[open.key] = open.size;
  return std::move(best.tried);
}
