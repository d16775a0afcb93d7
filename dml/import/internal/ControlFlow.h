//===- ControlFlow.h - Branches and loops of DML as nodes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Translates `if`, `for` and `while`. What is known decides:
//
//   the condition or the trip count      becomes
//   known (and at most 64 iterations)    the statements of each iteration
//   open                                 an If (Branches.cpp), a Loop
//                                        (LoopNodes.cpp)
//
// A graph in a node sees the values around it. Its outputs are the variables
// that statements in it assign; a value after it is open until the node has
// given it a name (DmlValue.h).
//
// The statements themselves are run by a StatementRunner, which the translation
// is, and in tests a class of a few lines.
//
// Thread safety: none. Errors: refusals; the variables that the statement
// assigns are unknown then.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_CONTROLFLOW_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_CONTROLFLOW_H

#include "onnxfold/dml/import/internal/LoopMemory.h"
#include "onnxfold/dml/import/internal/Operators.h"
#include "onnxfold/dml/import/internal/Variables.h"

namespace onnxfold::dml {

/// Counts translated statements, those of all iterations and calls.
class StepCount {
public:
  void add() { ++count; }
  /// Nothing is unrolled or translated again.
  bool isTooManyForLoop() const { return count >= 200000; }
  /// No function is called.
  bool isTooManyForCall() const { return count >= 1000000; }

private:
  unsigned count = 0;
};

/// What control flow needs of the translation around it.
class StatementRunner {
public:
  virtual ~StatementRunner() = default;
  virtual void run(const Body &body, Variables &variables) = 0;
  virtual DmlValue evaluate(const Expr &expr, Variables &variables) = 0;
  /// How often the running function or script reads each variable, its results
  /// included.
  virtual const llvm::StringMap<unsigned> &reads() = 0;
};

/// The numbers that a for loop counts: first, first + step, ...
struct LoopCount {
  DmlValue first, step;
  std::optional<int64_t> rounds; ///< the trip count, if known
  DmlValue trips;                ///< an Int
};

class ControlFlow {
public:
  ControlFlow(StatementRunner &runner, Operators &operators, Emitter &emitter,
              Refusals &refusals, StepCount &steps)
      : runner(runner), operators(operators), emitter(emitter),
        graph(emitter.onnx()), refusals(refusals), steps(steps) {}

  /// An `if`, and a `for` or `while`.
  void choose(const Statement &statement, Variables &variables);
  void loop(const Statement &statement, Variables &variables);
  /// Statements that run belong to the graph of an If or a Loop.
  bool isInBody() const { return bodies > 0; }

  LoopMemory memory;

private:
  friend class LoopNodes;

  /// Refuses a condition that is not a scalar; false then.
  bool isCondition(Place place, const DmlValue &condition);
  void branch(const Statement &statement, const DmlValue &condition,
              Variables &variables);
  std::optional<LoopCount> countOf(const Statement &statement,
                                   Variables &variables);
  void loopFor(const Statement &statement, Variables &variables);
  void loopWhile(const Statement &statement, Variables &variables);
  bool unroll(const Statement &statement, const LoopCount &count,
              Variables &variables);
  /// Adds a Loop. `count`: of a `for`; `condition`: of a `while`.
  void emitLoop(const Statement &statement, const LoopCount *count,
                const DmlValue &condition, Variables &variables);

  StatementRunner &runner;
  Operators &operators;
  Emitter &emitter;
  OnnxGraph &graph;
  Refusals &refusals;
  StepCount &steps;
  unsigned bodies = 0; ///< graphs in nodes around the running statement
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_CONTROLFLOW_H
