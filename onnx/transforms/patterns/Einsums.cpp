//===- Einsums.cpp - Einstein summations of constants and of one value ----===//
// SPDX-License-Identifier: Apache-2.0
//
// An Einsum is taken apart where a part of it folds and what is left is no
// larger: its constants become one, summed over what nothing else has. What
// only permutes dimensions is a Transpose, of which other patterns know more.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/EinsumEquation.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace onnxfold;
using namespace mlir;

/// The equation of an Einsum in which every label is a letter.
static std::optional<EinsumEquation> lettersOf(Operator op) {
  if (!op.is("Einsum") || op.hasReferences())
    return std::nullopt;
  auto equation =
      parseEinsumEquation(op.getString("equation").value_or("").str());
  auto isLetter = [](int label) { return label < 128; };
  auto hasLetters = [&](const ops::Labels &term) {
    return llvm::all_of(term, isLetter);
  };
  if (!equation || equation->terms.size() != op.numInputs() ||
      !hasLetters(equation->result) ||
      !llvm::all_of(equation->terms, hasLetters))
    return std::nullopt;
  return equation;
}

Value patterns::matchEinsumTranspose(const CleanUpContext &cx) {
  auto equation = lettersOf(cx.op);
  if (!equation || equation->terms.size() != 1 ||
      !cx.nodes.sinceOf("Transpose"))
    return {};
  const ops::Labels &term = equation->terms[0];
  SmallVector<int64_t, 6> order;
  for (int label : equation->result)
    if (llvm::count(term, label) == 1)
      order.push_back(llvm::find(term, label) - term.begin());
  llvm::SmallDenseSet<int64_t> places(order.begin(), order.end());
  if (order.empty() || order.size() != equation->result.size() ||
      places.size() != term.size())
    return {};
  return cx.nodes.create(
      "Transpose", {cx.op.input(0)},
      cx.nodes.attribute("perm", llvm::ArrayRef<int64_t>(order)));
}

namespace {

/// The constants of an Einsum as one.
struct Constants {
  SmallVector<unsigned, 3> inputs; ///< which ones they are
  ops::Labels kept;                ///< of what they become
};

} // namespace

/// Whether the new constant has no more elements than the erased ones. The work
/// to compute it is bounded: otherwise it would be kept as a node.
static bool pays(const CleanUpContext &cx, const EinsumEquation &equation,
                 const Constants &constants) {
  constexpr double mostWork = 1e9;
  std::map<int, int64_t> sizes;
  double before = 0, after = 1, work = 1;
  for (unsigned i : constants.inputs) {
    const ops::Labels &term = equation.terms[i];
    Elements value = cx.constant(i);
    if (value.rank() != int64_t(term.size()))
      return false;
    for (auto [label, size] : llvm::zip_equal(term, value.shape())) {
      int64_t &known = sizes.try_emplace(label, size).first->second;
      known = std::max(known, size);
    }
    // A constant that others read is not erased.
    if (cx.isReadOnce(cx.op.input(i)))
      before += double(value.size());
  }
  for (auto [label, size] : sizes) {
    work *= double(size);
    after *= llvm::is_contained(constants.kept, label) ? double(size) : 1;
  }
  return work <= mostWork &&
         (constants.inputs.size() > 1 ? after <= before : after < before);
}

/// The inputs that are constant, if that helps.
static std::optional<Constants> constantsOf(const CleanUpContext &cx,
                                            const EinsumEquation &equation) {
  Constants constants;
  ops::Labels needed = equation.result;
  for (auto [i, term] : llvm::enumerate(equation.terms))
    if (cx.constant(i))
      constants.inputs.push_back(i);
    else
      llvm::append_range(needed, term);
  if (constants.inputs.empty() ||
      constants.inputs.size() == equation.terms.size())
    return std::nullopt;
  for (unsigned i : constants.inputs)
    for (int label : equation.terms[i])
      if (llvm::is_contained(needed, label) &&
          !llvm::is_contained(constants.kept, label))
        constants.kept.push_back(label);
  // Some runtimes refuse a term without letters.
  if (constants.kept.empty() || !pays(cx, equation, constants))
    return std::nullopt;
  return constants;
}

static Value einsum(const CleanUpContext &cx, ValueRange inputs,
                    ArrayRef<ops::Labels> terms, const ops::Labels &result) {
  std::string text;
  for (const ops::Labels &term : terms) {
    text += text.empty() ? "" : ",";
    text.append(term.begin(), term.end());
  }
  text += "->";
  text.append(result.begin(), result.end());
  Builder builder(cx.op->getContext());
  return cx.nodes.create(
      "Einsum", inputs,
      builder.getNamedAttr("equation", builder.getStringAttr(text)));
}

static Value contractConstants(const CleanUpContext &cx) {
  auto equation = lettersOf(cx.op);
  auto constants =
      equation ? constantsOf(cx, *equation) : std::optional<Constants>();
  if (!constants || !cx.nodes.sinceOf("Einsum"))
    return {};
  SmallVector<Value, 3> fixed, open;
  SmallVector<ops::Labels, 3> fixedTerms, openTerms;
  for (auto [i, term] : llvm::enumerate(equation->terms)) {
    bool isFixed = llvm::is_contained(constants->inputs, i);
    (isFixed ? fixed : open).push_back(cx.op.input(i));
    (isFixed ? fixedTerms : openTerms).push_back(term);
  }
  open.push_back(einsum(cx, fixed, fixedTerms, constants->kept));
  openTerms.push_back(constants->kept);
  return einsum(cx, open, openTerms, equation->result);
}

Value patterns::matchEinsumOfIntegers(const CleanUpContext &cx) {
  return cx.op.is("Einsum") && isInteger(cx.typeOf(cx.op->getResult(0)))
             ? contractConstants(cx)
             : Value();
}

/// Products with the constant may be infinite, which those with all constants
/// together need not be.
static bool isLarge(const Elements &constant) {
  double most = constant.type() == DataType::Float16 ? 0x1p7 : 0x1p32;
  return ops::firstWhere<double>(
             ops::cast(constant, DataType::Float64),
             [=](double v) { return !(std::fabs(v) <= most); })
      .has_value();
}

Value patterns::matchEinsumOfFloats(const CleanUpContext &cx) {
  if (!cx.op.is("Einsum") ||
      typeClass(cx.typeOf(cx.op->getResult(0))) != TypeClass::Float)
    return {};
  for (unsigned i = 0; i < cx.op.numInputs(); ++i)
    if (cx.constant(i) && isLarge(cx.constant(i)))
      return {};
  return contractConstants(cx);
}
