//===- Call.cpp - Values in and out of a compiled model -------------------===//

#include "Call.h"
#include "onnxfold/onnx/programs/ProgramBytes.h"
#include <bit>
#include <chrono>
#include <cstring>

using namespace onnxfold;

/// The bytes of a tensor as programs have them.
static llvm::IntrusiveRefCntPtr<HeapBuffer> bytesOf(const Elements &elements) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(
      std::max<uint64_t>(elements.bytes(), 1));
  writeProgramBytes(elements, buffer->data());
  return buffer;
}

static Elements elementsOf(DataType type, ShapeRef shape, const char *data) {
  uint64_t size = numElements(shape) * byteWidth(type);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(size);
  if (size)
    std::memcpy(buffer->data(), data, size);
  fromProgramBytes(type, {buffer->data(), size});
  return Elements::fromBuffer(type, shape, buffer);
}

static bool matches(const ValueSignature &value, const Elements &elements) {
  if (!elements || elements.type() != value.type)
    return false;
  if (!value.shape)
    return true;
  if (int64_t(value.shape->size()) != elements.rank())
    return false;
  for (auto [size, actual] : llvm::zip_equal(*value.shape, elements.shape()))
    if (size >= 0 && size != actual)
      return false;
  return true;
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

llvm::Error Call::setInputs(llvm::ArrayRef<FoldedValue> values) {
  for (auto [value, given] : llvm::zip_equal(signature.inputs, values)) {
    bool isRight =
        value.isSequence
            ? given.sequence && llvm::all_of(*given.sequence,
                                             [&](const Elements &element) {
                                               return matches(value, element);
                                             })
            : matches(value, given.tensor);
    if (!isRight)
      return makeRunError("input '" + value.name + "' is " + textOf(given) +
                          ", expected " + value.text());
    if (value.isSequence)
      addSequence(value, given.sequence);
    else
      addTensor(value, given.tensor);
  }
  return llvm::Error::success();
}

void Call::addTensor(const ValueSignature &value, const Elements &elements) {
  buffers.push_back(bytesOf(elements));
  auto data = std::bit_cast<int64_t>(buffers.back()->data());
  auto &words = *descriptors.emplace_back(
      std::make_unique<std::vector<int64_t>>(3 + 2 * elements.rank()));
  words[0] = words[1] = data;
  int64_t stride = 1;
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

void Call::addSequence(const ValueSignature &value, const Sequence &elements) {
  auto &list = *sequences.emplace_back(std::make_unique<sequence::Sequence>());
  for (const Elements &element : *elements) {
    auto bytes = bytesOf(element);
    list.append(sequence::ElementCode(value.code), byteWidth(value.type),
                {element.shape().begin(), element.shape().end()},
                bytes->data());
  }
  arguments.push_back({0, &list});
}

FoldedValue Call::takeTensor(const ValueSignature &value, int64_t *&words) {
  int64_t rank = value.shape ? value.shape->size() : words[0];
  auto *descriptor = value.shape ? words : std::bit_cast<int64_t *>(words[1]);
  words += value.shape ? 3 + 2 * rank : 2;
  const char *data = std::bit_cast<const char *>(descriptor[1]) +
                     descriptor[2] * byteWidth(value.type);
  Elements elements =
      elementsOf(value.type, ShapeRef(descriptor + 3, rank), data);
  freeOfProgram(std::bit_cast<void *>(descriptor[0]));
  if (!value.shape)
    freeOfProgram(descriptor);
  return elements;
}

FoldedValue Call::takeSequence(const ValueSignature &value, int64_t *&words) {
  auto *storage = std::bit_cast<sequence::SequenceStorage *>(words[0]);
  sequence::Sequence list(sequence::SequenceValue{storage, words[1]});
  words += 2;
  auto elements = std::make_shared<std::vector<Elements>>();
  for (int64_t i = 0; i < list.length(); ++i) {
    const sequence::SequenceRecord *record = storage->slots()[i];
    elements->push_back(elementsOf(value.type,
                                   ShapeRef(record->sizes(), record->rank),
                                   static_cast<char *>(record->aligned)));
  }
  return Sequence(std::move(elements));
}

std::vector<FoldedValue> Call::run() {
  size_t size = 1;
  for (const ValueSignature &value : signature.outputs)
    size += value.isSequence || !value.shape ? 2 : 3 + 2 * value.shape->size();
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
    values.push_back(value.isSequence ? takeSequence(value, place)
                                      : takeTensor(value, place));
  return values;
}
