//===- Branches.cpp - Branches of DML as ONNX nodes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A branch whose condition is known is taken. Another becomes an If, whose graphs
// see the values around them: its outputs are the variables that one of the
// branches assigns.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;

static bool stops(const Body &body) {
  return llvm::any_of(body, [](const Statement &one) {
    return one.kind == Statement::Kind::Call && (*one.value).text == "stop";
  });
}

/// Statements that no result depends on.
static bool onlyPrints(const Body &body) {
  return llvm::all_of(body, [](const Statement &one) {
    if (one.kind == Statement::Kind::If)
      return onlyPrints(one.body) && onlyPrints(one.otherwise);
    return one.kind == Statement::Kind::Comment ||
           (one.kind == Statement::Kind::Call &&
            ((*one.value).text == "print" || (*one.value).text == "assert"));
  });
}

void Translation::choose(const Statement &statement, Variables &variables) {
  DmlValue condition = evaluate(statement.value, variables);
  if (condition.isScalar() && condition.number)
    return run(*module,
               *condition.number != 0 ? statement.body : statement.otherwise,
               variables);
  if (!condition.isScalar()) {
    if (!condition.isUnknown() && !isMissing(statement.place, condition))
      refuse(statement.place, "a condition that is not a scalar");
    forget(statement.body, variables);
    forget(statement.otherwise, variables);
    return;
  }
  // Who gets a result has not come to stop().
  if (stops(statement.body))
    return run(*module, statement.otherwise, variables);
  if (stops(statement.otherwise))
    return run(*module, statement.body, variables);
  if (!onlyPrints(statement.body) || !onlyPrints(statement.otherwise))
    branch(statement, condition, variables);
}

void Translation::branch(const Statement &statement, const DmlValue &condition,
                         Variables &variables) {
  Names names;
  addAssigned(statement.body, names);
  addAssigned(statement.otherwise, names);
  std::vector<DmlValue> before, ends[2];
  for (const std::string &name : names)
    before.push_back(
        variables.try_emplace(name, unassigned("is assigned on one path only"))
            .first->second);
  std::string test = truth(condition);
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  ++bodies;
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    run(*module, i == 0 ? statement.body : statement.otherwise, variables);
    for (auto [name, value] : llvm::zip(names, before)) {
      ends[i].push_back(variables[name]);
      variables[name] = value;
    }
  }
  --bodies;
  std::vector<DmlValue *> open;
  std::vector<DmlValue> values;
  for (auto [a, b] : llvm::zip(ends[0], ends[1])) {
    bool isPartial = a.isUnassigned != b.isUnassigned;
    if (isPartial)
      (a.isUnassigned ? a : b) = standIn(a.isUnassigned ? b : a);
    values.push_back(joined(a, b));
    values.back().isPartial |= isPartial || a.isPartial || b.isPartial;
  }
  for (auto [value, a, b] : llvm::zip(values, ends[0], ends[1])) {
    std::vector<DmlValue *> leaves;
    eachLeaf(value, [&](DmlValue &one) { leaves.push_back(&one); });
    for (int i : {0, 1}) {
      InBody inside(graph, *graphs[i]);
      size_t next = 0;
      eachLeaf(i == 0 ? a : b, [&](DmlValue &one) {
        DmlValue *leaf = next < leaves.size() ? leaves[next++] : nullptr;
        if (leaf && isOpen(*leaf))
          graph.addBodyOutput(portOf(one, *leaf), elementType(*leaf),
                              bodySizesOf(one));
      });
    }
    for (DmlValue *leaf : leaves)
      if (isOpen(*leaf))
        open.push_back(leaf);
  }
  if (!open.empty()) {
    std::vector<std::string> outputs =
        graph.branch(test, *graphs[0], *graphs[1]);
    for (auto [leaf, name] : llvm::zip(open, outputs))
      leaf->name = name;
  }
  for (auto [name, value] : llvm::zip(names, values))
    variables[name] = value;
}

DmlValue Translation::select(const DmlValue &condition, const DmlValue &yes,
                             const DmlValue &no) {
  if (condition.number)
    return *condition.number != 0 ? yes : no;
  DmlValue value = joined(yes, no);
  if (!isOpen(value))
    return value;
  std::string test = truth(condition);
  if (value.isScalar() || (value.rows >= 0 && value.columns >= 0)) {
    std::string a = portOf(yes, value), b = portOf(no, value);
    value.name = graph.node("Where", {test, a, b});
    return value;
  }
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    const DmlValue &one = i == 0 ? yes : no;
    graph.addBodyOutput(portOf(one, value), elementType(value),
                        bodySizesOf(one));
  }
  value.name = graph.branch(test, *graphs[0], *graphs[1]).front();
  return value;
}
