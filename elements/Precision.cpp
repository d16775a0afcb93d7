//===- Precision.cpp - Wide tensors ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A wide tensor is two: the f64 one that was computed, and the one that rounds
// it, a program of the steps of the first and one more. As long as nothing was
// rounded (a constant, also one that was moved) both are the tensor itself.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/internal/CastStep.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

static bool hasWideForm(DataType type) {
  return type == DataType::Float32 || type == DataType::Float16 ||
         type == DataType::BFloat16;
}

Elements Elements::widened() const {
  Elements result = *this;
  if (state && hasWideForm(type()) && !isWide())
    result.wide = state;
  return result;
}

Elements Elements::unrounded() const {
  if (!state || type() == DataType::Float64)
    return *this;
  if (!wide || wide == state)
    return apply(castStep(DataType::Float64, type()), shape(), narrowed());
  Elements result;
  result.state = wide;
  return result;
}

Elements Elements::narrowed() const {
  Elements result;
  result.state = state;
  return result;
}

Elements Elements::rounded(const Elements &values, DataType type) {
  if (!values)
    return {};
  assert(values.type() == DataType::Float64 && hasWideForm(type));
  // Composed, not applied: perhaps nobody reads the rounded values, so that
  // they do not count as a use of the others, which would end the chain there.
  ElementsStep rounding = castStep(type, DataType::Float64);
  bool oneElement = values.rank() > 0 && values.size() > 0 && values.isSplat();
  Elements result = oneElement ? apply(rounding, values.shape(), values)
                               : compose(rounding, values.shape(), values);
  result.wide = values.state;
  return result;
}

Elements Elements::lifted(llvm::ArrayRef<Elements> operands, Function f,
                          bool moves) {
  auto *first = llvm::find_if(
      operands, [](const Elements &e) { return e && e.isWide(); });
  if (first == operands.end())
    return {};
  DataType type = first->type();
  auto takesPart = [&](const Elements &e) { return e && e.type() == type; };
  bool inType = moves && llvm::all_of(operands, [&](const Elements &e) {
                  return !takesPart(e) || !e.wide || e.wide == e.state;
                });
  llvm::SmallVector<Elements, 3> plain;
  for (const Elements &e : operands)
    plain.push_back(!takesPart(e) ? e : inType ? e.narrowed() : e.unrounded());
  Elements result = f(plain);
  if (!result || inType)
    return result ? result.widened() : result;
  return result.type() == DataType::Float64 ? rounded(result, type) : result;
}

Elements onnxfold::inWide(llvm::ArrayRef<Elements> operands,
                          Elements::Function f) {
  return Elements::lifted(operands, f, /*moves=*/false);
}

Elements onnxfold::movedInWide(llvm::ArrayRef<Elements> operands,
                               Elements::Function f) {
  return Elements::lifted(operands, f, /*moves=*/true);
}
