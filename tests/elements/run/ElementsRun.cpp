//===- ElementsRun.cpp - elements-run: a script of operations -------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   elements-run [threads] < script > results
//
// See Script.h for the language.
//
//===----------------------------------------------------------------------===//

#include "Script.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>

using namespace onnxfold;
namespace json = llvm::json;

void onnxfold::fail(const llvm::Twine &message) {
  llvm::errs() << "elements-run: " << message << "\n";
  std::exit(1);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

Call::Call(const json::Object &line, llvm::ArrayRef<Elements> known)
    : line(line) {
  for (int64_t number : list("in")) {
    if (number < 0 || number >= int64_t(known.size()) || !known[number])
      fail("no operand " + llvm::Twine(number) + " for " + operation());
    operands.push_back(known[number]);
  }
}

const Elements &Call::in(size_t i) const {
  static const Elements none;
  return i < operands.size() ? operands[i] : none;
}

int64_t Call::integer(llvm::StringRef key, int64_t otherwise) const {
  return line.getInteger(key).value_or(otherwise);
}

double Call::number(llvm::StringRef key, double otherwise) const {
  return line.getNumber(key).value_or(otherwise);
}

bool Call::flag(llvm::StringRef key) const {
  return line.getBoolean(key).value_or(false);
}

llvm::StringRef Call::text(llvm::StringRef key) const {
  return line.getString(key).value_or("");
}

Shape Call::list(llvm::StringRef key) const {
  Shape result;
  if (const json::Array *array = line.getArray(key))
    for (const json::Value &value : *array)
      result.push_back(value.getAsInteger().value_or(0));
  return result;
}

DataType Call::type(llvm::StringRef key) const {
  for (int64_t i = 0; i < 256; ++i)
    if (isDataType(i) && name(DataType(i)) == text(key))
      return DataType(i);
  if (has(key))
    fail("no element type '" + text(key) + "'");
  return DataType::Undefined;
}

CastOptions Call::castOptions() const {
  CastOptions options;
  options.saturate = !flag("noSaturation");
  using Mode = CastOptions::RoundMode;
  options.roundMode = text("roundMode") == "down"      ? Mode::Down
                      : text("roundMode") == "nearest" ? Mode::Nearest
                                                       : Mode::Up;
  return options;
}

//===----------------------------------------------------------------------===//
// Tensors as text
//===----------------------------------------------------------------------===//

static Elements parseTensor(const Call &c) {
  Shape shape = c.list("shape");
  if (c.type() == DataType::String) {
    std::vector<llvm::StringRef> texts;
    for (const json::Value &value : *c.object().getArray("strings"))
      texts.push_back(*value.getAsString());
    if (int64_t(texts.size()) != numElements(shape))
      fail("the strings do not fit the shape");
    return Elements::fromStrings(shape, texts);
  }
  std::string bytes;
  if (!llvm::tryGetFromHex(c.text("hex"), bytes) ||
      int64_t(bytes.size()) != numElements(shape) * byteWidth(c.type()))
    fail("the bytes do not fit the shape");
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), buffer->data());
  return Elements::fromBuffer(c.type(), shape, buffer);
}

static void print(const Elements &x) {
  if (!x) {
    llvm::outs() << "null\n";
    return;
  }
  json::Object result;
  result["type"] = name(x.type());
  result["shape"] = json::Array(x.shape());
  if (x.type() == DataType::String) {
    json::Array texts;
    for (llvm::StringRef text : x.values<llvm::StringRef>())
      texts.push_back(text.str());
    result["strings"] = std::move(texts);
  } else {
    ElementsBytes bytes(x);
    result["hex"] = llvm::toHex(llvm::StringRef(bytes.data(), x.bytes()),
                                /*LowerCase=*/true);
  }
  llvm::outs() << json::Value(std::move(result)) << "\n";
}

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

static Results run(const Call &c) {
  if (c.operation() == "tensor")
    return parseTensor(c);
  for (auto *family :
       {runView, runElementwise, runMovement, runReduction, runOther})
    if (std::optional<Results> results = family(c))
      return *results;
  fail("no operation '" + c.operation() + "'");
}

static void runLine(llvm::StringRef text, std::vector<Elements> &known) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    fail(llvm::toString(value.takeError()));
  const json::Object *line = value->getAsObject();
  if (!line)
    fail("a line is not an object");
  if (line->getString("op") == llvm::StringRef("clear"))
    return known.clear();
  Call call(*line, known);
  Results results = run(call);
  if (call.flag("print")) {
    if (results.number)
      llvm::outs() << "{\"number\":" << *results.number << "}\n";
    for (const Elements &x : results.tensors)
      print(x);
  }
  known.insert(known.end(), results.tensors.begin(), results.tensors.end());
}

int main(int argc, char **argv) {
  unsigned threads = argc > 1 ? std::atoi(argv[1]) : 1;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  ParallelScope scope(pool);
  std::vector<Elements> known;
  std::string line;
  while (std::getline(std::cin, line))
    if (!line.empty())
      runLine(line, known);
  return 0;
}
