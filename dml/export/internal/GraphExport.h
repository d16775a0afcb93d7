//===- GraphExport.h - The main graph as a function of DML ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks the folded main graph in its order, which is topological, lowers node
// by node and collects the refusals. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_GRAPHEXPORT_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_GRAPHEXPORT_H

#include "onnxfold/dml/export/ExportModel.h"
#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/export/Names.h"
#include "onnxfold/dml/export/internal/BatchFront.h"
#include "onnxfold/dml/export/internal/WordLists.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace onnxfold::dml {

/// A matrix that the driver part reads from a file and hands to the function.
struct Weight {
  std::string name;
  Elements values; ///< doubles
  int64_t rows, columns;
};

/// The operator of a node in messages: "Conv", "ai.onnx.ml.Scaler".
std::string operatorName(Operator op);
class GraphExport : GraphWriter {
public:
  GraphExport(mlir::FunctionOpInterface function, llvm::StringRef graphName,
              const KnownTypes &types, const MovedPorts &moved);

  /// Lowers the graph and fills the members below. Call it once.
  void run();

  std::vector<DmlRefusal> refusals;
  /// Nodes that have no lowering or were refused. Other nodes may replace them
  /// (Expansion.h).
  struct Refused {
    Operator op;
    std::string reason, help; ///< of a lowering; empty if there is none
  };
  std::vector<Refused> refused;
  llvm::SetVector<llvm::StringRef> helpers; ///< each after what it calls
  std::vector<Function> functions;          ///< that of the graph is the last
  std::vector<Weight> weights;
  std::vector<Weight> defaults; ///< of inputs, by their names
  struct Port {
    std::string name, onnxName;
    Shape dims;
    DataType type;
    std::string text;                    ///< "x: float32 (N, 20)"
    std::vector<std::string> words = {}; ///< of strings, which are numbers
    bool isEmpty = false;  ///< nothing is read, or nothing but its size written
    bool isUnread = false; ///< strings of an input that no node reads
    std::string defaultFile = {}; ///< of an input that has one
    int64_t batchAxis = 0;        ///< of the model; it is dimension 0 of `dims`
    /// As the model has them.
    Shape modelDims() const;
  };
  std::vector<Port> inputs, outputs;
  NameTable names;
  std::string batchName; ///< of the free batch size; empty if there is none

private:
  // GraphWriter.
  const Tensor &tensor(mlir::Value value) override;
  Expr matrixOf(mlir::Value value) override;
  void add(Statement statement) override;
  std::string makeName(llvm::StringRef wanted) override;
  Expr batchSize() override;
  Expr addConstant(llvm::StringRef hint, const Elements &values, int64_t rows,
                   int64_t columns) override;
  bool isCompared(mlir::Value value) override {
    return compared.contains(value);
  }
  void use(llvm::StringRef helper) override;
  llvm::ArrayRef<std::string> words(mlir::Value value) override;
  std::optional<int64_t> numberOfWord(mlir::Value value,
                                      llvm::StringRef word) override;
  Body collect(llvm::function_ref<void()> write) override;
  Lowered check(mlir::Value value) override;
  void nameArgument(mlir::Value argument, llvm::StringRef name) override;
  bool lowerNodes(mlir::Block &graph) override;

  void findBatch();
  bool isUnreadText(mlir::Value argument);
  void addInputs();
  void nameResults();
  void addResults();
  void lowerNode(Operator op);
  void dropCopy(Operator op, size_t before);
  Lowered checkWords(Operator op);
  std::optional<DmlRefusal> problemOfNode(Operator op);
  /// The reason why a value cannot be a matrix, if there is one.
  std::optional<DmlRefusal> problemOf(mlir::Value value);
  std::optional<DmlRefusal> findProblem(mlir::Value value);
  Shape dimsOf(mlir::Value value, llvm::SmallVectorImpl<std::string> &names);
  Expr nameConstant(llvm::StringRef wanted, llvm::StringRef comment,
                    const Elements &values, int64_t rows, int64_t columns);
  Port portOf(mlir::Value value, llvm::StringRef onnxName, int64_t batchAxis);
  void refuse(Operator op, const Lowered &why);
  Function graphFunction();

  mlir::FunctionOpInterface function;
  const KnownTypes &types;
  const MovedPorts &moved;
  WordLists wordLists;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Tensor>> tensors;
  llvm::DenseSet<mlir::Value> matrices; ///< values without a problem
  llvm::DenseSet<mlir::Value> compared; ///< those that trees compare
  llvm::DenseMap<mlir::Value, std::string> resultNames; ///< given to values
  std::string graphName, functionName, batchVariable;
  Body constants, body;
  bool hasUnknownInputs = false;
  std::string problem; ///< of a constant, while a node is lowered
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_GRAPHEXPORT_H
