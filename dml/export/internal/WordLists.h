//===- WordLists.h - Which strings a tensor may have ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A string is the number of a word in a list, which tensors share whose strings
// are compared or moved to one place. The words are those that stand in the
// graph: constants, and lists of encoders and classifiers. Strings of inputs may
// be others, which have the number -1.
//
// Thread safety: none. Errors: none; a tensor of strings that is not known has no
// words.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_WORDLISTS_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_WORDLISTS_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace onnxfold::dml {

class WordLists {
public:
  /// REQUIRES: the block and the types outlive the lists.
  WordLists(mlir::Block &graph, const KnownTypes &types);

  /// No tensor has strings.
  bool empty() const { return lists.empty(); }
  /// The words of a tensor; none if it has no strings that are known.
  llvm::ArrayRef<std::string> of(mlir::Value value);
  /// The place of a word in the list of a tensor; nothing if it is not there.
  std::optional<int64_t> numberOf(mlir::Value value, llvm::StringRef word);
  /// The tensor may have strings of an input, which are not in its list.
  bool areOpen(mlir::Value value);

private:
  struct List {
    size_t parent;
    std::vector<std::string> words = {};
    llvm::StringMap<int64_t> numbers = {};
    bool isOpen = false;

    void add(llvm::StringRef word) {
      if (numbers.try_emplace(word, words.size()).second)
        words.push_back(word.str());
    }
  };
  bool isString(mlir::Value value) const;
  size_t listOf(mlir::Value value);
  void join(mlir::Value a, mlir::Value b);
  void add(mlir::Value value, llvm::ArrayRef<llvm::StringRef> words);
  void addConstant(mlir::Value value);
  void visit(Operator op);

  const KnownTypes &types;
  llvm::DenseMap<mlir::Value, size_t> numbers;
  std::vector<List> lists;
};

/// The node handles strings as numbers in one list, whatever that is.
bool handlesWords(Operator op);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_WORDLISTS_H
