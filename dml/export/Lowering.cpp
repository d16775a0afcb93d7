//===- Lowering.cpp - How one operator becomes statements -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/export/WeightFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::ArrayRef;
using llvm::StringRef;

Size dml::sizeOf(ArrayRef<int64_t> dims) {
  Size size;
  for (int64_t d : dims) {
    if (d == batchDim)
      size.perBatch = true;
    else
      size.count *= d;
  }
  return size;
}

std::string dml::typeText(DataType type) {
  std::string bits = std::to_string(bitWidth(type));
  switch (typeClass(type)) {
  case TypeClass::Bool:
    return "bool";
  case TypeClass::Signed:
    return "int" + bits;
  case TypeClass::Unsigned:
    return "uint" + bits;
  case TypeClass::Float:
    return type == DataType::BFloat16 ? "bfloat16" : "float" + bits;
  case TypeClass::SmallFloat: // f8E4M3FN
    return "float" + StringRef(name(type)).drop_front().lower();
  case TypeClass::String:
    return "string";
  default:
    return name(type).str();
  }
}

std::pair<Size, Size> dml::naturalSizes(ArrayRef<int64_t> dims) {
  if (dims.size() == 1 && dims[0] == batchDim)
    return {sizeOf(dims), {}};
  if (dims.size() < 2)
    return {{}, sizeOf(dims)};
  return {sizeOf(dims.take_front()), sizeOf(dims.drop_front())};
}

bool LoweringContext::isUsed(unsigned result) const {
  return result < operation.numOutputs() &&
         !operation->getResult(result).use_empty();
}

Elements LoweringContext::constant(unsigned i) {
  return hasInput(i) ? input(i).constant : Elements();
}

std::optional<Shape> LoweringContext::ints(unsigned input, StringRef attribute,
                                           bool &isKnown) {
  if (hasInput(input)) {
    Elements value = constant(input);
    if (!value || value.type() == DataType::Float32) {
      isKnown = false;
      return std::nullopt;
    }
    return Shape(value.ints());
  }
  if (auto list = operation.getInts(attribute))
    return Shape(std::move(*list));
  return std::nullopt;
}

View LoweringContext::natural(unsigned i) {
  auto [rows, columns] = naturalSizes(input(i).dims);
  return {matrix(i), rows, columns};
}

View LoweringContext::view(unsigned i, int64_t split) {
  return splitAt(natural(i), input(i).dims, split);
}

Expr LoweringContext::scalar(unsigned i) {
  if (Elements value = constant(i))
    return asDoubles(value).value<double>();
  return call("as.scalar", {matrix(i)});
}

Expr LoweringContext::expr(Size size) {
  if (!size.perBatch)
    return size.count;
  if (size.count == 1)
    return graph.batchSize();
  return graph.batchSize() * size.count;
}

View LoweringContext::reshape(const View &view, Size rows, Size columns) {
  if (view.rows == rows && view.columns == columns)
    return view;
  return {dml::matrix(view.expr, expr(rows), expr(columns)), rows, columns};
}

View LoweringContext::splitAt(const View &view, ArrayRef<int64_t> dims,
                              int64_t split) {
  return reshape(view, sizeOf(dims.take_front(split)),
                 sizeOf(dims.drop_front(split)));
}

Expr LoweringContext::filled(double value, Size rows, Size columns) {
  return dml::matrix(value, expr(rows), expr(columns));
}

Expr LoweringContext::asCompared(Expr value) {
  if (!graph.isCompared(operation->getResult(0)))
    return value;
  return helper("round_float",
                {value, 24, -126, double(std::numeric_limits<float>::max())});
}

void LoweringContext::define(unsigned i, Expr natural) {
  natural = asCompared(std::move(natural));
  llvm::StringRef name = result(i).name, onnxName = operation.outputName(i);
  graph.add(Statement::assign(name, natural,
                              name == onnxName ? StringRef() : onnxName));
}

void LoweringContext::define(unsigned i, const View &view) {
  auto [rows, columns] = naturalSizes(result(i).dims);
  define(i, reshape(view, rows, columns).expr);
}

Expr LoweringContext::local(StringRef hint, Expr value) {
  if (value.isName())
    return value;
  std::string name = graph.makeName(hint);
  graph.add(Statement::assign(name, value));
  return Expr::name(name);
}

llvm::SmallVector<Expr, 2> LoweringContext::locals(ArrayRef<StringRef> hints,
                                                   Expr call) {
  llvm::SmallVector<Expr, 2> names;
  for (StringRef hint : hints)
    names.push_back(Expr::name(graph.makeName(hint)));
  graph.add(Statement::assign(Expr::list(names), std::move(call)));
  return names;
}

Expr LoweringContext::helper(StringRef name, ArrayRef<Argument> arguments) {
  graph.use(name);
  return call(name, arguments);
}

//===----------------------------------------------------------------------===//
// The registry
//===----------------------------------------------------------------------===//

void LoweringRegistry::add(StringRef op, std::initializer_list<int> versions,
                           Lowering lowering) {
  lowerings[op] = {lowering, llvm::SmallVector<int, 6>(versions)};
}

/// Why there is no lowering.
static std::string reasonWithout(Operator op) {
  constexpr StringRef ofValues[] = {"NonMaxSuppression", "NonZero", "Unique"};
  if (!op.isCustom() && op.domain().empty() &&
      llvm::is_contained(ofValues, op.opType()))
    return "the size of its result depends on values";
  constexpr StringRef ofTexts[] = {
      "MurmurHash3", "RegexFullMatch",  "StringConcat", "StringNormalizer",
      "StringSplit", "TfIdfVectorizer", "Tokenizer"};
  if (llvm::is_contained(ofTexts, op.opType()))
    return "it reads texts, and DML computes with numbers; export what follows "
           "it, which reads the features";
  if (llvm::is_contained({"CastMap", "DictVectorizer"}, op.opType()))
    return "it reads dictionaries, and DML has matrices; export what follows "
           "it, which reads the features";
  if (op.domain() == "onnx-fold") // onnx/io/read/GraphImport.h
    return "the file has no value that can be read for it";
  return "the exporter does not know the operator";
}

Lowering LoweringRegistry::lookup(Operator op, std::string &reason) const {
  auto it = lowerings.find(op.domain().empty()
                               ? op.opType().str()
                               : (op.domain() + "." + op.opType()).str());
  if (it == lowerings.end() || op.isCustom()) {
    reason = reasonWithout(op);
    return nullptr;
  }
  if (!llvm::is_contained(it->second.versions, op.since())) {
    reason = ("the exporter does not know version " + llvm::Twine(op.since()) +
              " of the operator")
                 .str();
    return nullptr;
  }
  return it->second.lowering;
}

std::vector<std::pair<std::string, llvm::SmallVector<int, 6>>>
LoweringRegistry::entries() const {
  std::vector<std::pair<std::string, llvm::SmallVector<int, 6>>> result;
  for (const auto &entry : lowerings)
    result.emplace_back(entry.getKey().str(), entry.getValue().versions);
  llvm::sort(result);
  return result;
}

namespace onnxfold::dml {
#define LOWERING(Op) void register##Op##Lowering(LoweringRegistry &);
#include "onnxfold/dml/AllLowerings.def"
#undef LOWERING
} // namespace onnxfold::dml

const LoweringRegistry &dml::allLowerings() {
  static const LoweringRegistry registry = [] {
    LoweringRegistry made;
#define LOWERING(Op) register##Op##Lowering(made);
#include "onnxfold/dml/AllLowerings.def"
#undef LOWERING
    return made;
  }();
  return registry;
}
