//===- FoldedProgram.cpp - Programs with folded constants -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"

#include "onnxfold/tensorfolding/runtime/internal/Descriptors.h"
#include "onnxfold/tensorfolding/runtime/internal/Implementation.h"

namespace onnxfold::tensorfolding {
using namespace internal;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

FoldedProgram::Implementation::Implementation(Metadata given,
                                              LoadOptions options)
    : metadata(std::move(given)), options(options),
      isNeeded(metadata.arguments.size()) {
  for (const Part &part : metadata.parts)
    for (uint32_t input : part.inputs)
      isNeeded[input] = true;
  std::vector<uint32_t> places(metadata.arguments.size());
  for (uint32_t i = 0; i < metadata.arguments.size(); ++i) {
    if (metadata.arguments[i].role != ArgumentRole::Input)
      continue;
    places[i] = uint32_t(inputArguments.size());
    inputArguments.push_back(i);
    inputWords += descriptorWords(metadata.arguments[i].type.shape.size());
  }
  for (uint32_t i = 0; i < metadata.entryArguments.size(); ++i) {
    EntryArgument from = metadata.entryArguments[i];
    if (from.kind == EntryArgument::Kind::Folded)
      continue;
    const Argument &argument = metadata.arguments[from.index];
    if (argument.role == ArgumentRole::Input)
      inputSlots.push_back({i, places[from.index], argument.type.isScalar});
    else
      isNeeded[from.index] = true;
  }
  if (metadata.entry.convention == ResultConvention::OutParameters)
    for (const TensorType &result : metadata.results)
      if (!result.isScalar) {
        outParameters.push_back(&result);
        outputWords += descriptorWords(result.shape.size());
      }
  active = std::make_shared<ConstantSet>();
  active->weights.resize(metadata.arguments.size());
  for (uint32_t i = 0; i < metadata.parts.size(); ++i)
    active->parts.push_back(makePart(i, active->weights));
}

FoldedProgram::Implementation::~Implementation() {
  freeInactive();
  active.reset();
  std::unique_lock wait(Store::get().hashing);
}

/// The types of a function's arguments or results.
template <typename Numbers, typename Values>
static std::vector<const TensorType *> typesOf(const Numbers &numbers,
                                               const Values &values) {
  std::vector<const TensorType *> types;
  types.reserve(numbers.size());
  for (uint32_t number : numbers)
    types.push_back(&values[number].type);
  return types;
}

Error FoldedProgram::Implementation::findFunctions(const Resolver &resolve) {
  std::vector<const TensorType *> parameters, results;
  for (EntryArgument from : metadata.entryArguments)
    parameters.push_back(from.kind == EntryArgument::Kind::Folded
                             ? &metadata.foldedValues[from.index].type
                             : &metadata.arguments[from.index].type);
  for (const TensorType &result : metadata.results)
    results.push_back(&result);
  if (Error error = CompiledFunction::find(metadata.entry, parameters, results,
                                           resolve, entry))
    return error;
  // The vector is filled in place, because libffi points into it.
  foldFunctions.resize(metadata.parts.size());
  for (size_t i = 0; i < metadata.parts.size(); ++i) {
    const Part &part = metadata.parts[i];
    if (Error error = CompiledFunction::find(
            part.function, typesOf(part.inputs, metadata.arguments),
            typesOf(part.outputs, metadata.foldedValues), resolve,
            foldFunctions[i]))
      return error;
  }
  return Error();
}

std::unique_ptr<FoldedProgram>
FoldedProgram::load(const void *bytes, size_t size, const Resolver &resolve,
                    Error &error, LoadOptions options) {
  std::string text;
  std::optional<Metadata> metadata = readMetadata(bytes, size, text);
  if (!metadata) {
    error = Error(ErrorCode::BadMetadata, text);
    return nullptr;
  }
  auto program =
      std::make_unique<Implementation>(std::move(*metadata), options);
  error = program->findFunctions(resolve);
  if (error)
    return nullptr;
  return std::unique_ptr<FoldedProgram>(new FoldedProgram(std::move(program)));
}

FoldedProgram::FoldedProgram(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}
FoldedProgram::~FoldedProgram() = default;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

Error FoldedProgram::Implementation::wrong(ErrorCode code, uint32_t argument,
                                           const std::string &what) const {
  std::string text = "entry '" + metadata.entry.symbol + "': argument " +
                     std::to_string(argument);
  if (argument < metadata.arguments.size() &&
      !metadata.arguments[argument].name.empty())
    text += " '" + metadata.arguments[argument].name + "'";
  return Error(code, text + " " + what);
}

/// Makes a weight of a tensor, which must fit the argument. Takes `release` if
/// it does.
Error FoldedProgram::Implementation::bind(
    uint32_t argument, const Tensor &value, std::function<void()> &release,
    std::shared_ptr<const Weight> &bound) const {
  if (argument >= metadata.arguments.size())
    return wrong(ErrorCode::BadArgument, argument,
                 "does not exist, expected a number below " +
                     std::to_string(metadata.arguments.size()));
  const Argument &declared = metadata.arguments[argument];
  if (declared.role == ArgumentRole::Input)
    return wrong(ErrorCode::BadArgument, argument,
                 "is an input, expected a constant");
  if (std::string what = wrongTensor(value, declared.type); !what.empty())
    return wrong(ErrorCode::BadTensor, argument, what);
  bound = std::make_shared<Weight>(value, std::exchange(release, nullptr));
  bool entryTakesIt = false;
  for (EntryArgument from : metadata.entryArguments)
    entryTakesIt |= from == original(argument);
  // The entry needs the copy in every call, a fold function makes its own.
  if (entryTakesIt && declared.type.layout == Layout::RowMajor &&
      !declared.type.isScalar && !isRowMajor(value))
    bound = rowMajorCopy(*bound);
  if (!bound)
    return wrong(ErrorCode::OutOfMemory, argument,
                 "has no memory for a row-major copy");
  return Error();
}

std::shared_ptr<PartState>
FoldedProgram::Implementation::makePart(uint32_t number,
                                        const Weights &weights) const {
  auto part = std::make_shared<PartState>();
  part->number = number;
  part->evictions = const_cast<std::atomic<uint64_t> *>(&evictions);
  for (uint32_t input : metadata.parts[number].inputs)
    part->inputs.push_back(weights[input]);
  return part;
}

Error FoldedProgram::Implementation::setWeight(uint32_t argument,
                                               const Tensor &value,
                                               std::function<void()> release,
                                               bool isUpdate) {
  // Values that an update replaces die after the lock.
  std::shared_ptr<const Weight> weight;
  SharedSet fresh;
  if (Error error = bind(argument, value, release, weight)) {
    if (release)
      release();
    return error;
  }
  if (isUpdate && !isNeeded[argument])
    return wrong(ErrorCode::BadArgument, argument,
                 "was folded when the program was compiled, expected one that "
                 "is folded at run time");
  return isUpdate ? putUpdate(argument, weight, fresh)
                  : putFirst(argument, weight);
}

Error FoldedProgram::Implementation::putFirst(
    uint32_t argument, std::shared_ptr<const Weight> &weight) {
  std::lock_guard lock(Store::get().mutex);
  if (active->weights[argument])
    return wrong(ErrorCode::BadState, argument,
                 "has a value already, expected updateWeight for another one");
  if (!isNeeded[argument])
    return Error(); // and it is released
  active->weights[argument] = weight;
  for (const std::shared_ptr<PartState> &part : active->parts) {
    const std::vector<uint32_t> &inputs = metadata.parts[part->number].inputs;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i] == argument)
        part->inputs[i] = weight;
  }
  return Error();
}

Error FoldedProgram::Implementation::findMissing(const ConstantSet &set) const {
  for (uint32_t i = 0; i < metadata.arguments.size(); ++i)
    if (isNeeded[i] && !set.weights[i])
      return wrong(ErrorCode::WeightMissing, i,
                   "(" + typeName(metadata.arguments[i].type) +
                       ") has no value, expected one by setWeight before the "
                       "first call");
  return Error();
}

SharedSet FoldedProgram::Implementation::copyOf(const ConstantSet &set) const {
  auto copy = std::make_shared<ConstantSet>();
  copy->weights = set.weights;
  copy->parts = set.parts;
  return copy;
}

/// Makes the inactive set one with that weight. `dead` gets what the caller
/// destroys without the lock.
Error FoldedProgram::Implementation::putUpdate(
    uint32_t argument, std::shared_ptr<const Weight> &weight, SharedSet &dead) {
  std::lock_guard lock(Store::get().mutex);
  if (Error error = findMissing(*active))
    return error;
  dead = inactive ? inactive : active;
  // A set of its own: threads may be folding the one before.
  SharedSet updated = copyOf(*dead);
  updated->weights[argument] = weight;
  for (std::shared_ptr<PartState> &part : updated->parts) {
    const std::vector<uint32_t> &inputs = metadata.parts[part->number].inputs;
    if (std::find(inputs.begin(), inputs.end(), argument) != inputs.end())
      part = makePart(part->number, updated->weights);
  }
  inactive = std::move(updated);
  return Error();
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

static Error noInactiveSet(const Metadata &metadata, const char *function) {
  return Error(ErrorCode::BadState,
               "entry '" + metadata.entry.symbol + "': " + function +
                   " without an inactive set, expected updateWeight before");
}

Error FoldedProgram::Implementation::foldInactive() {
  SharedSet set;
  {
    std::lock_guard lock(Store::get().mutex);
    set = inactive;
  }
  if (!set)
    return noInactiveSet(metadata, "foldInactive");
  Snapshot *pinned;
  if (Error error = prepare(set, pinned))
    return error;
  unpin(*pinned);
  return Error();
}

Error FoldedProgram::Implementation::swap() {
  std::lock_guard lock(Store::get().mutex);
  if (!inactive)
    return noInactiveSet(metadata, "swap");
  std::swap(active, inactive);
  if (inactive->snapshot)
    inactive->snapshot->published = nullptr;
  if (active->snapshot)
    active->snapshot->published = &ready;
  ready = active->snapshot;
  return Error();
}

void FoldedProgram::Implementation::freeInactive() {
  SharedSet dead;
  {
    std::lock_guard lock(Store::get().mutex);
    dead = std::exchange(inactive, nullptr);
  }
  dead.reset();
  // Nobody begins to hash its weights any more.
  std::unique_lock wait(Store::get().hashing);
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

const Metadata &FoldedProgram::metadata() const {
  return implementation->metadata;
}

std::optional<uint32_t>
FoldedProgram::argumentNamed(std::string_view name) const {
  const std::vector<Argument> &arguments = metadata().arguments;
  for (uint32_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].name == name)
      return i;
  return std::nullopt;
}

bool FoldedProgram::needsWeight(uint32_t argument) const {
  return argument < implementation->isNeeded.size() &&
         implementation->isNeeded[argument];
}

Error FoldedProgram::setWeight(uint32_t argument, const Tensor &value,
                               std::function<void()> release) {
  return implementation->setWeight(argument, value, std::move(release),
                                   /*isUpdate=*/false);
}

Error FoldedProgram::updateWeight(uint32_t argument, const Tensor &value,
                                  std::function<void()> release) {
  return implementation->setWeight(argument, value, std::move(release),
                                   /*isUpdate=*/true);
}

Error FoldedProgram::foldInactive() { return implementation->foldInactive(); }
Error FoldedProgram::swap() { return implementation->swap(); }
void FoldedProgram::freeInactive() { implementation->freeInactive(); }
Error FoldedProgram::fold() { return implementation->fold(); }

Error FoldedProgram::call(std::span<const Tensor> inputs,
                          std::vector<OwnedTensor> &results) {
  return implementation->call(inputs, &results, {});
}

Error FoldedProgram::call(std::span<const Tensor> inputs,
                          std::span<const Tensor> outputs) {
  return implementation->call(inputs, nullptr, outputs);
}

Error FoldedProgram::callUnchecked(void *const *arguments, void *returned) {
  return implementation->callUnchecked(arguments, returned);
}

ProgramStatistics FoldedProgram::statistics() const {
  return {implementation->folds, implementation->shared,
          implementation->evictions};
}

} // namespace onnxfold::tensorfolding
