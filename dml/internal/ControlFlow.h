//===- ControlFlow.h - Values of branches and loops of DML ------*- C++ -*-===//
//
// A value after a branch or a loop is *open* if it has a type and no name yet:
// an output of the If or the Loop becomes its name. Lists are open leaf by leaf.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_CONTROLFLOW_H
#define ONNXFOLD_DML_INTERNAL_CONTROLFLOW_H

#include "onnxfold/dml/internal/Translation.h"

namespace onnxfold::dml {

/// Statements that are translated, of all iterations and calls.
constexpr unsigned mostSteps = 200000;

/// The value after one path or the other, open where they differ. Unreadable if
/// no type has both.
DmlValue joined(const DmlValue &a, const DmlValue &b);

/// A matrix or a scalar that has no name yet.
bool isOpen(const DmlValue &value);

/// The sizes that a graph states for it.
BodySizes bodySizesOf(const DmlValue &value);

/// Variables that statements may assign become unknown.
void forget(const Body &body, Variables &variables);

/// Calls `use` for a value, or for all leaves of a list.
template <typename Value, typename Use> void eachLeaf(Value &value, Use use) {
  if (value.type == DmlValue::List)
    for (auto &one : value.elements)
      eachLeaf(one, use);
  else
    use(value);
}

/// The numbers of a for: first, first + step, ...
struct Translation::LoopCount {
  DmlValue first, step;
  std::optional<int64_t> rounds; ///< if it is known
  DmlValue trips;                ///< an Int
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_CONTROLFLOW_H
