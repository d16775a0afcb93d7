//===- ModelEntry.cpp - A whole model by its kernels ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/ModelEntry.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/programs/ProgramBytes.h"
#include "onnxfold/onnx/programs/ProgramTensors.h"
#include "onnxfold/onnx/programs/Signature.h"
#include "onnxfold/sequence/runtime/Sequence.h"
#include <atomic>

using namespace onnxfold;
using namespace mlir;

namespace {
/// The model of a text, which is kept until the process ends.
class ModelProgram {
public:
  llvm::Error read(StringRef text);
  /// The values of the results; reads the inputs from `words`.
  llvm::Expected<SmallVector<FoldedValue>> call(ArrayRef<FoldedValue> inputs);

  Signature signature;

private:
  llvm::Error whyUnknown(const Evaluation &evaluation, Value value);

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};
} // namespace

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

llvm::Error ModelProgram::read(StringRef text) {
  std::lock_guard guard(contextMutex());
  module = parseFunction(text, function);
  if (!function)
    return llvm::createStringError("the text of the model is not a function");
  return signatureOf(function).moveInto(signature);
}

/// The first operator that is to blame.
llvm::Error ModelProgram::whyUnknown(const Evaluation &evaluation,
                                     Value value) {
  Operation *blamed = value.getDefiningOp();
  for (Operation &op : function.front().without_terminator())
    if (const Reason &reason = evaluation.reason(&op);
        reason && reason.code != ReasonCode::InputNotConstant) {
      blamed = &op;
      break;
    }
  std::string name = "the model";
  if (Operator op = blamed ? Operator::from(blamed) : Operator())
    name = describeNode(op);
  return llvm::createStringError(
      name + ": " +
      (blamed ? evaluation.reason(blamed).text : "a result is not known"));
}

static ValueState stateOfInput(const FoldedValue &given, DataType type,
                               DimExprs &exprs) {
  ValueState state;
  state.isNothing = given.isNothing;
  state.sequence = given.sequence;
  if (!given.tensor)
    return state;
  state.type = type;
  state.value = given.tensor;
  state.shape.emplace();
  for (int64_t size : given.tensor.shape())
    state.shape->push_back(exprs.constant(size));
  return state;
}

llvm::Expected<SmallVector<FoldedValue>>
ModelProgram::call(ArrayRef<FoldedValue> given) {
  std::lock_guard guard(contextMutex());
  EvaluationOptions options = onnxEvaluationOptions();
  auto byType = options.stateOfArgument;
  constexpr uint64_t unlimited = ~uint64_t(0) >> 1;
  options.limits = {unlimited, unlimited, unlimited};
  options.policy = [](Operation *) -> Reason { return {}; };
  options.stateOfArgument = [&](BlockArgument argument, DimExprs &exprs) {
    if (argument.getOwner()->getParentOp() != function)
      return byType(argument, exprs);
    unsigned number = argument.getArgNumber();
    return stateOfInput(given[number], signature.inputs[number].type, exprs);
  };
  Evaluation evaluation(function, options);
  evaluation.run();
  SmallVector<FoldedValue> results;
  for (auto [i, value] :
       llvm::enumerate(function.front().getTerminator()->getOperands())) {
    const ValueState &state = evaluation.state(value);
    FoldedValue result = state.known();
    if (!result && state.isSymbolic()) // sizes
      if (Elements plain = resolveSymbols(
              state.value, signature.outputs[i].type, evaluation.exprs());
          plain.type() != DataType::Opaque)
        result = plain;
    if (!result)
      return whyUnknown(evaluation, value);
    results.push_back(std::move(result));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Words in
//===----------------------------------------------------------------------===//

namespace {
/// The inputs of a call, which it holds as long as it lives.
class ProgramInputs {
public:
  ProgramInputs(ArrayRef<ValueSignature> types, const int64_t *words);

  SmallVector<FoldedValue> values;

private:
  void addTensor(const ValueSignature &type, const std::string &what);
  void addSequence(const ValueSignature &type, const std::string &what);

  const int64_t *words;
  std::vector<sequence::Sequence> lists;
};
} // namespace

ProgramInputs::ProgramInputs(ArrayRef<ValueSignature> types,
                             const int64_t *words)
    : words(words) {
  for (auto [i, type] : llvm::enumerate(types)) {
    std::string what = "input " + std::to_string(i) + " of the model";
    type.isSequence ? addSequence(type, what) : addTensor(type, what);
    if (type.isOptional && !(*this->words++ & 1))
      values.back() = FoldedValue::nothing();
  }
}

void ProgramInputs::addTensor(const ValueSignature &type,
                              const std::string &what) {
  auto *descriptor = std::bit_cast<int64_t *>(*words++);
  int64_t rank = type.shape ? int64_t(type.shape->size()) : descriptor[0];
  if (!type.shape)
    descriptor = std::bit_cast<int64_t *>(descriptor[1]);
  int64_t bytes = programElementBytes(type.type);
  int64_t alignment =
      typeClass(type.type) == TypeClass::Complex ? bytes / 2 : bytes;
  onnxfoldSequenceCheckBuffer(rank, descriptor,
                              type.shape ? type.shape->data() : nullptr,
                              alignment, what.c_str());
  values.push_back(
      elementsOfTensor(DescriptorView(descriptor, rank), bytes, type.type));
}

/// The call takes the reference.
void ProgramInputs::addSequence(const ValueSignature &type,
                                const std::string &what) {
  auto *storage = std::bit_cast<sequence::SequenceStorage *>(words[0]);
  int64_t length = words[1];
  words += 2;
  onnxfoldSequenceCheck(storage, length, /*expectedLength=*/-1, type.code,
                        type.shape ? int64_t(type.shape->size()) : -1,
                        type.shape ? type.shape->data() : nullptr,
                        what.c_str());
  lists.emplace_back(sequence::SequenceValue{storage, length});
  std::vector<Elements> elements;
  for (int64_t i = 0; i < length; ++i) {
    sequence::SequenceRecord *record = storage->slots()[i];
    elements.push_back(
        elementsOfTensor(DescriptorView(&record->allocated, record->rank),
                         programElementBytes(type.type), type.type));
  }
  values.push_back(makeSequence(elements));
}

//===----------------------------------------------------------------------===//
// Words out
//===----------------------------------------------------------------------===//

static llvm::Error outOfMemory() {
  return llvm::createStringError("out of memory");
}

/// Writes the words of a tensor.
static llvm::Error giveTensor(const Elements &tensor,
                              const ValueSignature &type, int64_t *words) {
  int64_t bytes = programElementBytes(type.type);
  std::optional<DescriptorView> view = allocateTensor(tensor, bytes);
  if (!view)
    return outOfMemory();
  writeProgramBytes(tensor, view->data(bytes));
  int64_t count = 3 + 2 * tensor.rank();
  if (!type.shape) {
    // The caller frees descriptor and data each.
    auto *descriptor =
        static_cast<int64_t *>(allocateForProgram(count * sizeof(int64_t)));
    if (!descriptor)
      return outOfMemory();
    words[0] = tensor.rank();
    words[1] = std::bit_cast<int64_t>(descriptor);
    words = descriptor;
  }
  std::copy_n(view->words, count, words);
  return llvm::Error::success();
}

static void giveSequence(const Sequence &list, const ValueSignature &type,
                         int64_t *words) {
  int64_t bytes = programElementBytes(type.type);
  sequence::Sequence given;
  std::vector<char> buffer;
  for (const Elements &element :
       list ? list->tensors() : std::vector<Elements>()) {
    buffer.resize(element.size() * bytes);
    writeProgramBytes(element, buffer.data());
    given.append(sequence::ElementCode(type.code), bytes,
                 {element.shape().begin(), element.shape().end()},
                 buffer.data());
  }
  sequence::SequenceValue value = std::move(given).give();
  words[0] = std::bit_cast<int64_t>(value.storage);
  words[1] = value.length;
}

static llvm::Error giveResult(const FoldedValue &value, unsigned number,
                              const ValueSignature &type, int64_t *words) {
  bool isNothing = value.isNothing && type.isOptional;
  if (type.isOptional)
    words[type.words() - 1] = !isNothing;
  auto wrong = [&](const Elements &tensor) {
    return llvm::createStringError(
        "output " + std::to_string(number) + " of the model is " +
        (tensor ? onnxfold::name(tensor.type()).str() + toString(tensor.shape())
         : type.isSequence ? "no sequence"
                           : "no tensor") +
        ", expected " + type.text());
  };
  if (type.isSequence) {
    if (!isNothing && !value.sequence)
      return wrong(value.tensor);
    for (const Elements &element :
         isNothing ? std::vector<Elements>() : value.sequence->tensors())
      if (!type.covers(element))
        return wrong(element);
    giveSequence(isNothing ? Sequence() : value.sequence, type, words);
    return llvm::Error::success();
  }
  Elements tensor = isNothing ? type.placeholder() : value.tensor;
  if (!type.covers(tensor))
    return wrong(tensor);
  return giveTensor(tensor, type, words);
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

static llvm::Expected<ModelProgram *> programOf(void **slot, StringRef text) {
  std::atomic_ref<void *> place(*slot);
  if (void *program = place.load())
    return static_cast<ModelProgram *>(program);
  auto made = std::make_unique<ModelProgram>();
  if (llvm::Error error = made->read(text))
    return error;
  void *other = nullptr;
  if (!place.compare_exchange_strong(other, made.get()))
    return static_cast<ModelProgram *>(other);
  return made.release();
}

static llvm::Error callModel(void **slot, StringRef text, int64_t *words) {
  llvm::Expected<ModelProgram *> program = programOf(slot, text);
  if (!program)
    return program.takeError();
  ArrayRef<ValueSignature> outputs = (*program)->signature.outputs;
  int64_t *results = nullptr;
  if (!outputs.empty())
    results = std::bit_cast<int64_t *>(*words++);
  ProgramInputs inputs((*program)->signature.inputs, words);
  for (const FoldedValue &value : inputs.values)
    if (!value)
      return llvm::createStringError("a string is the number of no text");
  auto values = (*program)->call(inputs.values);
  if (!values)
    return values.takeError();
  for (auto [i, type] : llvm::enumerate(outputs)) {
    if (llvm::Error error = giveResult((*values)[i], i, type, results))
      return error;
    results += type.words();
  }
  return llvm::Error::success();
}

/// The message of an error; null if there is none. It holds until the next one
/// of this thread. A handler may leave by longjmp, so no object is alive where
/// the program is stopped.
static const char *messageOfModel(void **slot, StringRef text, int64_t *words) {
  llvm::Error error = callModel(slot, text, words);
  if (!error)
    return nullptr;
  static thread_local std::string message;
  message = llvm::toString(std::move(error));
  return message.c_str();
}

extern "C" void onnxfoldModelCall(void **slot, const char *text,
                                  int64_t textBytes, int64_t *words) {
  if (const char *message =
          messageOfModel(slot, StringRef(text, textBytes), words))
    onnxfoldSequenceStop(message);
}
