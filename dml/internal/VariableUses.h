//===- VariableUses.h - Which variables statements use ----------*- C++ -*-===//
//
// Of statements as they stand, whatever their conditions are. Control flow by
// values (Branches.cpp, LoopNodes.cpp) asks what a branch or a loop changes, and
// which of them somebody reads.
//
// Thread safety: pure. Errors: none. Time: linear.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_VARIABLEUSES_H
#define ONNXFOLD_DML_INTERNAL_VARIABLEUSES_H

#include "onnxfold/dml/Syntax.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold::dml {

/// Each once, in the order in which they came.
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

/// What they may assign, in the order of the text. A part of a matrix is the
/// matrix.
void addAssigned(const Body &body, Names &names);

/// How often each is read.
void countReads(const Statement &statement, llvm::StringMap<unsigned> &counts);
void countReads(const Body &body, llvm::StringMap<unsigned> &counts);

/// What they may read before they have assigned it.
Names readFirst(const Body &body);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_VARIABLEUSES_H
