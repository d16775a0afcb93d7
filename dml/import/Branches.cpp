//===- Branches.cpp - Branches of DML as nodes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

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

bool ControlFlow::isCondition(Place place, const DmlValue &condition) {
  if (condition.isScalar())
    return true;
  if (!condition.isUnknown() && !refusals.isMissing(place, condition))
    refusals.refuse(place, "a condition that is not a scalar");
  return false;
}

void ControlFlow::choose(const Statement &statement, Variables &variables) {
  DmlValue condition = runner.evaluate(statement.value, variables);
  if (!isCondition(statement.place, condition)) {
    variables.forget(statement.body);
    variables.forget(statement.otherwise);
    return;
  }
  if (condition.number)
    return runner.run(*condition.number != 0 ? statement.body
                                             : statement.otherwise,
                      variables);
  // Who gets a result has not come to stop().
  if (stops(statement.body))
    return runner.run(statement.otherwise, variables);
  if (stops(statement.otherwise))
    return runner.run(statement.body, variables);
  if (!onlyPrints(statement.body) || !onlyPrints(statement.otherwise))
    branch(statement, condition, variables);
}

/// The value after both ends of a variable; where only one assigned it, the
/// other one gets a value of that type.
static DmlValue joinedEnds(Emitter &emitter, DmlValue &a, DmlValue &b) {
  bool isPartial = a.isUnassigned != b.isUnassigned;
  if (isPartial)
    (a.isUnassigned ? a : b) = emitter.standIn(a.isUnassigned ? b : a);
  DmlValue value = joined(a, b);
  value.isPartial |= isPartial || a.isPartial || b.isPartial;
  return value;
}

void ControlFlow::branch(const Statement &statement, const DmlValue &condition,
                         Variables &variables) {
  Names names;
  addAssigned(statement.body, names);
  addAssigned(statement.otherwise, names);
  for (const std::string &name : names)
    variables.declare(name, "is assigned on one path only");
  Variables::Saved before = variables.save(names);
  std::vector<DmlValue> ends[2], values;
  std::string test = emitter.truth(condition);
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  ++bodies;
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    runner.run(i == 0 ? statement.body : statement.otherwise, variables);
    for (const std::string &name : names)
      ends[i].push_back(variables[name]);
    variables.restore(before);
  }
  --bodies;
  if (!isInBody())
    memory.clear();
  for (auto [a, b] : llvm::zip(ends[0], ends[1]))
    values.push_back(joinedEnds(emitter, a, b));
  std::vector<DmlValue *> open;
  for (auto [value, a, b] : llvm::zip(values, ends[0], ends[1])) {
    std::vector<DmlValue *> leaves;
    eachLeaf(value, [&](DmlValue &one) { leaves.push_back(&one); });
    for (int i : {0, 1}) {
      InBody inside(graph, *graphs[i]);
      size_t next = 0;
      eachLeaf(i == 0 ? a : b, [&](DmlValue &one) {
        DmlValue *leaf = next < leaves.size() ? leaves[next++] : nullptr;
        if (leaf && isOpen(*leaf))
          graph.addBodyOutput(emitter.as(one, *leaf),
                              emitter.elementType(*leaf),
                              emitter.bodySizes(one));
      });
    }
    llvm::copy_if(leaves, std::back_inserter(open),
                  [](DmlValue *leaf) { return isOpen(*leaf); });
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
