//===- LoopNodes.h - A Loop for a loop of DML -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes one Loop. Its state are the variables that the body reads before it
// assigns them, and those that are read after it; its graph sees the other
// values around it. Types and sizes of a state are those that hold in all
// iterations: the body is translated with those of the start, and again with
// what it made of them, until nothing changes. In a loop around it the states
// begin with what they came to the last time (LoopMemory.h).
//
//   LoopNodes nodes(flow, statement, &count, variables);
//   nodes.emit(condition);
//
// Thread safety: none. Errors: refusals; the assigned variables are unknown
// then.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_LOOPNODES_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_LOOPNODES_H

#include "onnxfold/dml/import/internal/ControlFlow.h"

namespace onnxfold::dml {

class LoopNodes {
public:
  /// `count`: of a `for`; null for a `while`.
  LoopNodes(ControlFlow &flow, const Statement &statement,
            const LoopCount *count, Variables &variables);
  /// Adds the Loop, and gives the variables their values after it. `condition`:
  /// of a `while`, before the first iteration.
  void emit(const DmlValue &condition);

private:
  /// A variable that the Loop carries.
  struct State {
    std::string name;
    bool hasInitial = true; ///< false: its first value is never read
    bool isRefused = false; ///< its first value is, with a reason of its own
    DmlValue initial;
    /// The same in all iterations: what has a name or is known is never changed.
    DmlValue value;
    DmlValue end = {};      ///< after one iteration
    bool isPartial = false; ///< DmlValue::isPartial, after the loop
  };

  void findStates();
  /// Of a loop in a loop: states begin with what they came to before.
  void recallStates();
  void rememberStates();
  /// Translates the body until the states are those of all iterations. Returns
  /// whether the loop continues; unknown if it is refused.
  DmlValue settle();
  DmlValue runBody();
  bool widenStates(bool isFirst);
  std::vector<DmlValue *> carry(State &state,
                                std::vector<std::string> &initials);
  DmlValue endOfCount(const DmlValue &before);

  ControlFlow &flow;
  Emitter &emitter;
  OnnxGraph &graph;
  const Statement &statement;
  const LoopCount *count;
  Variables &variables;
  Names assigned;
  std::vector<State> states;
  GraphBody &body;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_LOOPNODES_H
