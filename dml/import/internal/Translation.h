//===- Translation.h - DML statements as ONNX nodes -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The translation interprets the script: it computes known sizes and scalars,
// and turns everything else into nodes. So it takes a branch whose condition is
// known, unrolls a short loop whose numbers are known, and inlines the calls of
// functions.
//
//   Translation           statements, expressions and calls
//     ScriptPorts         read(), write(), $parameters
//     Parts               X[a:b, c], L["key"]
//     callBuiltin()       the tables of builtins (BuiltinCall.h)
//     ControlFlow         if, for, while: taken, unrolled, or If and Loop nodes
//       Variables         what is known of each variable
//     Operators           + - * / %*% ...; ScalarOperator: those of known scalars
//       Emitter           a value's name in the graph
//         OnnxGraph       nodes, constants, graphs in nodes
//     Refusals            why a statement has no nodes
//
// Thread safety: none. Errors: `refusals`. The value is unknown then. Values
// computed from it are unknown too, without a further refusal.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_TRANSLATION_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_TRANSLATION_H

#include "onnxfold/dml/import/internal/ControlFlow.h"
#include "onnxfold/dml/import/internal/Module.h"
#include "onnxfold/dml/import/internal/ScriptPorts.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxfold::dml {

class Translation : private StatementRunner {
public:
  /// The script of a builtin function that is written in DML, or null.
  using FindScript =
      std::function<llvm::Expected<const Module *>(llvm::StringRef name)>;

  Translation(OnnxGraph &graph, FindScript findScript)
      : emitter(graph), operators(emitter, refusals), ports(graph, refusals),
        findScript(std::move(findScript)),
        flow(*this, operators, emitter, refusals, steps) {}

  /// Runs the statements of a script that are in no function.
  void runScript(const Module &script);
  /// Runs a function and returns its results.
  std::vector<DmlValue> call(const Module &where, const Function &function,
                             Variables arguments);
  /// The default of a parameter of that type.
  DmlValue defaultOf(const Module &where, const Expr &expr,
                     llvm::StringRef type);
  /// A function of dml/builtins/<file>.dml with one result.
  DmlValue callOwn(llvm::StringRef file, llvm::StringRef function,
                   const CallArguments &given);

  Refusals refusals;
  Emitter emitter;
  Operators operators;
  ScriptPorts ports;
  /// A function was refused because it is unknown; SystemDS's own scripts may
  /// have it.
  bool missesFunction = false;

private:
  // Statements
  void run(const Body &body, Variables &variables) override;
  void assign(const Statement &statement, Variables &variables);
  void runCall(const Statement &statement, Variables &variables);

  // Expressions
  DmlValue evaluate(const Expr &expr, Variables &variables) override {
    return evaluateNode(*expr, variables);
  }
  DmlValue evaluateNode(const Expr::Node &node, Variables &variables);
  DmlValue evaluateName(const Expr::Node &node, Variables &variables);
  DmlValue read(const Expr::Node &call, Variables &variables);
  std::vector<DmlValue> evaluateCall(const Expr::Node &node,
                                     Variables &variables);
  CallArguments argumentsOf(const Expr::Node &node, Variables &variables);
  DmlValue refuse(Place place, const llvm::Twine &reason) {
    return refusals.refuse(place, reason);
  }

  // Calls.cpp
  std::vector<DmlValue> callFunction(const Module &where,
                                     const Function &function,
                                     const CallArguments &given);
  /// A function of dml/builtins, once for the same arguments: the folder would
  /// compute the loops of each call.
  std::vector<DmlValue> callBuiltinScript(const Module &where,
                                          const Function &function,
                                          const CallArguments &given);
  /// Nothing if an argument is wrong.
  std::optional<Variables> parametersOf(const Function &function,
                                        const CallArguments &given);
  std::vector<DmlValue> callByName(const CallArguments &given);
  std::optional<std::vector<DmlValue>> callScript(llvm::StringRef name,
                                                  const CallArguments &given);
  /// eval(): the function of the module, or the script, that a text names.
  DmlValue callNamed(const CallArguments &given);
  std::optional<std::vector<DmlValue>> callText(llvm::StringRef text,
                                                const CallArguments &given);
  std::vector<DmlValue> builtin(const CallArguments &given);

  /// Statements are those of this module.
  void enter(const Module *where) {
    module = where;
    refusals.setFile(where ? where->file : "");
  }

  /// The statements of the running function or script.
  struct Frame {
    const Body *body = nullptr;
    const std::vector<Parameter> *results = nullptr;
  };
  const llvm::StringMap<unsigned> &reads() override;

  FindScript findScript;
  StepCount steps;
  ControlFlow flow;
  const Module *module = nullptr; ///< that of the running statements
  Frame frame;
  unsigned depth = 0;      ///< of calls in calls
  llvm::StringRef reading; ///< the variable of the running assignment
  llvm::DenseMap<const Body *, llvm::StringMap<unsigned>> readCounts;
  /// Results of callBuiltinScript() outside of graphs in nodes, by keyOfCall().
  llvm::StringMap<std::vector<DmlValue>> builtinResults;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_TRANSLATION_H
