//===- Call.cpp - Values in and out of a compiled model -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/Call.h"
#include "onnxfold/onnx/programs/ProgramBytes.h"
#include "onnxfold/onnx/programs/ProgramTensors.h"
#include <algorithm>
#include <bit>
#include <chrono>

using namespace onnxfold;

/// The bytes of a tensor as programs have them.
static llvm::IntrusiveRefCntPtr<HeapBuffer> bytesOf(const Elements &elements) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(std::max<uint64_t>(
      elements.size() * programElementBytes(elements.type()), 1));
  writeProgramBytes(elements, buffer->data());
  return buffer;
}

static Elements copyOf(DataType type, void *descriptor, int64_t rank) {
  return copyOfTensor(DescriptorView(descriptor, rank),
                      programElementBytes(type), type);
}

/// The model says how large a tensor that is not given is, so that may be
/// anything.
static llvm::Expected<Elements> nothing(const ValueSignature &value) {
  constexpr int64_t mostElements = 1 << 27;
  Shape known;
  for (int64_t size : value.shape.value_or(std::vector<int64_t>()))
    known.push_back(std::max<int64_t>(size, 0));
  std::optional<int64_t> count = checkedNumElements(known);
  if (count && *count <= mostElements)
    return value.placeholder();
  return makeRunError(
      "input '" + value.name +
      "' is not given, and is too large to be left out: " + value.text());
}

static std::string textOf(const FoldedValue &value) {
  if (value.tensor)
    return onnxfold::name(value.tensor.type()).str() +
           toString(value.tensor.shape());
  if (value.sequence)
    return "a sequence of " + std::to_string(value.sequence->size()) +
           " tensors" +
           (value.sequence->empty()
                ? ""
                : ", the first " + textOf(value.sequence->front()));
  return "nothing";
}

static bool matches(const ValueSignature &value, const FoldedValue &given) {
  if (given.isNothing)
    return value.isOptional;
  if (!value.isSequence)
    return value.covers(given.tensor);
  return given.sequence &&
         given.sequence->isTrueOfAll(
             [&](const Elements &element) { return value.covers(element); });
}

llvm::Error Call::setInputs(llvm::ArrayRef<FoldedValue> values) {
  for (auto [value, given] : llvm::zip_equal(signature.inputs, values)) {
    if (!matches(value, given))
      return makeRunError("input '" + value.name + "' is " + textOf(given) +
                          ", expected " + value.text());
    if (value.isSequence) {
      addSequence(value, given.sequence ? given.sequence->tensors()
                                        : std::vector<Elements>());
    } else if (!given.isNothing) {
      addTensor(value, given.tensor);
    } else {
      llvm::Expected<Elements> elements = nothing(value);
      if (!elements)
        return elements.takeError();
      addTensor(value, *elements);
    }
    if (value.isOptional)
      arguments.push_back({!given.isNothing, nullptr});
  }
  return llvm::Error::success();
}

void Call::addTensor(const ValueSignature &value, const Elements &elements) {
  buffers.push_back(bytesOf(elements));
  auto data = std::bit_cast<int64_t>(
      memoryOfInput(buffers.back()->data(),
                    elements.size() * programElementBytes(elements.type())));
  auto &words = *descriptors.emplace_back(
      std::make_unique<std::vector<int64_t>>(3 + 2 * elements.rank()));
  words[0] = words[1] = data;
  uint64_t stride = 1; // may overflow beside a size of 0
  for (int64_t axis = elements.rank(); axis-- > 0;
       stride *= elements.dim(axis)) {
    words[3 + axis] = elements.dim(axis);
    words[3 + elements.rank() + axis] = stride;
  }
  auto address = std::bit_cast<int64_t>(words.data());
  if (!value.shape) {
    auto &unranked =
        *descriptors.emplace_back(std::make_unique<std::vector<int64_t>>(2));
    unranked = {elements.rank(), address};
    address = std::bit_cast<int64_t>(unranked.data());
  }
  arguments.push_back({address, nullptr});
}

void Call::addSequence(const ValueSignature &value,
                       llvm::ArrayRef<Elements> elements) {
  auto &list = *sequences.emplace_back(std::make_unique<sequence::Sequence>());
  for (const Elements &element : elements) {
    auto bytes = bytesOf(element);
    list.append(
        sequence::ElementCode(value.code), programElementBytes(value.type),
        {element.shape().begin(), element.shape().end()}, bytes->data());
  }
  arguments.push_back({0, &list});
}

FoldedValue Call::takeTensor(const ValueSignature &value, int64_t *&words) {
  int64_t rank = value.shape ? value.shape->size() : words[0];
  auto *descriptor = value.shape ? words : std::bit_cast<int64_t *>(words[1]);
  words += value.shape ? 3 + 2 * rank : 2;
  Elements elements = copyOf(value.type, descriptor, rank);
  freeOfProgram(std::bit_cast<void *>(descriptor[0]));
  if (!value.shape)
    freeOfProgram(descriptor);
  return elements;
}

FoldedValue Call::takeSequence(const ValueSignature &value, int64_t *&words) {
  auto *storage = std::bit_cast<sequence::SequenceStorage *>(words[0]);
  sequence::Sequence list(sequence::SequenceValue{storage, words[1]});
  words += 2;
  std::vector<Elements> elements;
  for (int64_t i = 0; i < list.length(); ++i) {
    sequence::SequenceRecord *record = storage->slots()[i];
    elements.push_back(copyOf(value.type, &record->allocated, record->rank));
  }
  return makeSequence(elements);
}

FoldedValue Call::take(const ValueSignature &value, int64_t *&words) {
  FoldedValue taken =
      value.isSequence ? takeSequence(value, words) : takeTensor(value, words);
  if (!value.isOptional)
    return taken;
  bool isThere = *words++ & 1; // an i1
  return isThere ? taken : FoldedValue::nothing();
}

std::vector<FoldedValue> Call::run() {
  size_t size = 1;
  for (const ValueSignature &value : signature.outputs)
    size += value.words();
  std::vector<int64_t> results(size), words;
  if (!signature.outputs.empty())
    words.push_back(std::bit_cast<int64_t>(results.data()));
  for (const Argument &argument : arguments)
    if (argument.list) {
      sequence::SequenceValue shared = argument.list->share();
      words.push_back(std::bit_cast<int64_t>(shared.storage));
      words.push_back(shared.length);
    } else {
      words.push_back(argument.word);
    }
  auto start = std::chrono::steady_clock::now();
  machine.run(words.data());
  microseconds = std::chrono::duration<double, std::micro>(
                     std::chrono::steady_clock::now() - start)
                     .count();
  std::vector<FoldedValue> values;
  int64_t *place = results.data();
  for (const ValueSignature &value : signature.outputs)
    values.push_back(take(value, place));
  return values;
}
