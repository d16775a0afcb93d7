//===- VariableUses.h - Which variables statements use ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds the variables that statements assign and read, whatever the conditions
// in them are. The translation of branches and loops (Branches.cpp,
// LoopNodes.cpp) asks which variables they change, and which of these are read.
//
// Thread safety: pure. Errors: none. Time: linear.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_VARIABLEUSES_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_VARIABLEUSES_H

#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold::dml {

/// Names without duplicates, in the order of insertion.
class Names {
public:
  void insert(llvm::StringRef name) {
    if (known.insert(name).second)
      order.push_back(name.str());
  }
  bool contains(llvm::StringRef name) const { return known.contains(name); }
  auto begin() const { return order.begin(); }
  auto end() const { return order.end(); }

private:
  std::vector<std::string> order;
  llvm::StringSet<> known;
};

/// Adds the variables that statements may assign, in the order of the text. An
/// assignment to a part of a matrix counts as one to the matrix.
void addAssigned(const Body &body, Names &names);

/// Counts how often each variable is read.
void countReads(const Statement &statement, llvm::StringMap<unsigned> &counts);
void countReads(const Body &body, llvm::StringMap<unsigned> &counts);

/// The variables that an iteration of a loop may read before it assigns them;
/// the condition of a `while` is read at the end.
Names readFirst(const Statement &loop);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_VARIABLEUSES_H
