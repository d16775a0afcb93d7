//===- ScriptPorts.h - What a script reads and writes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The $parameters of a script, the inputs that its read() makes, and the outputs
// of its write().
//
//   ScriptPorts ports(graph, refusals);
//   ports.parameters["rows"] = "5";                 // --bind=rows=5
//   DmlValue x = ports.read(given, "x");            // the input x
//
// Thread safety: none. Errors: refusals.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_SCRIPTPORTS_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_SCRIPTPORTS_H

#include "onnxfold/dml/import/internal/CallArguments.h"
#include "onnxfold/dml/import/internal/OnnxGraph.h"
#include "onnxfold/dml/import/internal/Refusals.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace onnxfold::dml {

class ScriptPorts {
public:
  /// Reads a file of constants into a matrix of the graph. Nothing if there is
  /// no such file.
  using ReadFile = std::function<llvm::Expected<std::optional<DmlValue>>(
      llvm::StringRef file, int64_t rows, int64_t columns)>;
  struct Port {
    std::string name;
    DmlValue value;
  };

  ScriptPorts(OnnxGraph &graph, Refusals &refusals)
      : graph(graph), refusals(refusals) {}

  llvm::StringMap<std::string> parameters; ///< the values of $name, as text
  ReadFile readFile;                       ///< may be empty
  /// Known sizes of inputs that read() does not state.
  llvm::StringMap<std::pair<int64_t, int64_t>> inputSizes;
  std::vector<Port> outputs;
  std::vector<std::string> inputs;

  /// $name: its value, or a text that is not known.
  DmlValue parameter(llvm::StringRef name) const;
  /// ifdef($name, byDefault); `name` may be something else.
  DmlValue parameter(const Expr &name, DmlValue byDefault) const;
  /// $name as the first argument of read().
  DmlValue fileOf(llvm::StringRef parameter) const;
  /// `target = read(...)`: a file of constants, if the script says where it is,
  /// else the input `target`.
  DmlValue read(const CallArguments &call, llvm::StringRef target);
  /// write(variable, ...), of the value that the variable has.
  void write(const Expr::Node &call, const DmlValue &value);

private:
  /// Nothing if it is to be an input.
  std::optional<DmlValue> constants(Place place, const DmlValue *file,
                                    const DmlValue &sizes);

  OnnxGraph &graph;
  Refusals &refusals;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_SCRIPTPORTS_H
