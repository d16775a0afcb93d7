//===- VariableUses.cpp - Which variables statements use ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/VariableUses.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

static void eachName(const Expr &expr,
                     llvm::function_ref<void(StringRef)> use) {
  if (!expr)
    return;
  if (expr.isName())
    return use((*expr).text);
  for (const Expr &one : (*expr).operands)
    eachName(one, use);
  for (const Argument &one : (*expr).arguments)
    eachName(one.value, use);
}

/// A name, several, or the matrix of a part.
static void eachTarget(const Statement &statement,
                       llvm::function_ref<void(StringRef)> use) {
  if (statement.kind != Statement::Kind::Assign &&
      statement.kind != Statement::Kind::For)
    return;
  const Expr::Node &target = *statement.target;
  if (target.kind == Expr::Kind::Name)
    use(target.text);
  else if (target.kind == Expr::Kind::Slice)
    use((*target.operands[0]).text);
  else
    for (const Expr &one : target.operands)
      use((*one).text);
}

/// What a statement reads itself, without its blocks.
static void eachRead(const Statement &statement,
                     llvm::function_ref<void(StringRef)> use) {
  eachName(statement.value, use);
  if (statement.kind == Statement::Kind::Assign &&
      statement.target.kind() == Expr::Kind::Slice)
    eachName(statement.target, use); // the rest of it is kept
}

void onnxfold::dml::addAssigned(const Body &body, Names &names) {
  for (const Statement &one : body) {
    eachTarget(one, [&](StringRef name) { names.insert(name); });
    addAssigned(one.body, names);
    addAssigned(one.otherwise, names);
  }
}

void onnxfold::dml::countReads(const Statement &statement,
                               llvm::StringMap<unsigned> &counts) {
  eachRead(statement, [&](StringRef name) { ++counts[name]; });
  countReads(statement.otherwise, counts);
  if (statement.kind != Statement::Kind::For)
    return countReads(statement.body, counts);
  // The number of the loop is a variable of the loop.
  StringRef number = (*statement.target).text;
  unsigned before = counts.lookup(number);
  countReads(statement.body, counts);
  counts[number] = before;
}

void onnxfold::dml::countReads(const Body &body,
                               llvm::StringMap<unsigned> &counts) {
  for (const Statement &one : body)
    countReads(one, counts);
}

/// Adds to `assigned` what surely is.
static void addReadFirst(const Body &body, llvm::StringSet<> &assigned,
                         Names &names) {
  for (const Statement &one : body) {
    eachRead(one, [&](StringRef name) {
      if (!assigned.contains(name))
        names.insert(name);
    });
    if (one.body.empty() && one.otherwise.empty()) {
      eachTarget(one, [&](StringRef name) { assigned.insert(name); });
      continue;
    }
    llvm::StringSet<> inBody = assigned, inOther = assigned;
    if (one.kind == Statement::Kind::For)
      eachTarget(one, [&](StringRef name) { inBody.insert(name); });
    addReadFirst(one.body, inBody, names);
    addReadFirst(one.otherwise, inOther, names);
    if (one.kind == Statement::Kind::If)
      for (const auto &name : inBody)
        if (inOther.contains(name.getKey()))
          assigned.insert(name.getKey());
  }
}

Names onnxfold::dml::readFirst(const Statement &loop) {
  llvm::StringSet<> assigned;
  Names names;
  addReadFirst(loop.body, assigned, names);
  if (loop.kind == Statement::Kind::While)
    eachName(loop.value, [&](StringRef name) {
      if (!assigned.contains(name))
        names.insert(name);
    });
  return names;
}
