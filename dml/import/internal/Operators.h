//===- Operators.h - Operators of DML as nodes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Applies an operator to values. ScalarOperator.h says what known scalars give;
// the others become nodes. ONNX broadcasts all that DML broadcasts.
//
//   Operators operators(emitter, refusals);
//   DmlValue y = operators.binary(place, "+", x, DmlValue::known(1, DmlValue::Int));
//
// Thread safety: none. Errors: refusals, for operands that SystemDS refuses too,
// and for those that are no numbers.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_OPERATORS_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_OPERATORS_H

#include "onnxfold/dml/import/internal/Emitter.h"
#include "onnxfold/dml/import/internal/Refusals.h"

namespace onnxfold::dml {

/// Operands of an operator may have these sizes: DML broadcasts rows and columns
/// on the right only, and not to nothing.
bool canBroadcast(const DmlValue &a, const DmlValue &b);

class Operators {
public:
  Operators(Emitter &emitter, Refusals &refusals)
      : emitter(emitter), graph(emitter.onnx()), refusals(refusals) {}

  DmlValue binary(Place place, llvm::StringRef op, const DmlValue &a,
                  const DmlValue &b);
  /// + - !
  DmlValue unary(Place place, llvm::StringRef op, DmlValue value);

private:
  DmlValue product(Place place, const DmlValue &a, const DmlValue &b);
  DmlValue ofMatrices(llvm::StringRef op, const DmlValue &a, const DmlValue &b);
  DmlValue ofScalars(Place place, llvm::StringRef op, const DmlValue &a,
                     const DmlValue &b);
  DmlValue ofIntegers(llvm::StringRef op, const DmlValue &a, const DmlValue &b);
  DmlValue ofTexts(Place place, llvm::StringRef op, const DmlValue &a,
                   const DmlValue &b);
  std::optional<DmlValue> hasText(const DmlValue &number, const DmlValue &text);

  Emitter &emitter;
  OnnxGraph &graph;
  Refusals &refusals;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_OPERATORS_H
