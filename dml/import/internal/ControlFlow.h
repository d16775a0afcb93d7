//===- ControlFlow.h - Values of branches and loops of DML ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value after a branch or a loop is *open* if it has a type but no name yet.
// Its name will be that of an output of the If or the Loop. Each leaf of a list
// is open or not.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_CONTROLFLOW_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_CONTROLFLOW_H

#include "onnxfold/dml/import/internal/Translation.h"

namespace onnxfold::dml {

/// The limit of translated statements, those of all iterations and calls
/// counted.
constexpr unsigned mostSteps = 200000;

/// The value after one path or the other, open where they differ. It is
/// unreadable if no type holds both.
DmlValue joined(const DmlValue &a, const DmlValue &b);

/// A matrix or a scalar that has no name yet.
bool isOpen(const DmlValue &value);

/// The sizes that a graph states for a value.
BodySizes bodySizesOf(const DmlValue &value);

/// Makes the variables unknown that statements may assign.
void forget(const Body &body, Variables &variables);

/// Calls `use` for a value, or for all leaves of a list.
template <typename Value, typename Use> void eachLeaf(Value &value, Use use) {
  if (value.type == DmlValue::List)
    for (auto &one : value.elements)
      eachLeaf(one, use);
  else
    use(value);
}

/// The numbers that a for loop counts: first, first + step, ...
struct Translation::LoopCount {
  DmlValue first, step;
  std::optional<int64_t> rounds; ///< the trip count, if known
  DmlValue trips;                ///< an Int
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_CONTROLFLOW_H
