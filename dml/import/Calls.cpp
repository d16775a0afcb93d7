//===- Calls.cpp - Calls of functions of DML ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the script are inlined, and so are builtins that are scripts
// themselves. The other builtins stand in tables.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <map>

using namespace onnxfold::dml;
using llvm::StringRef;

/// Of calls in calls.
constexpr unsigned mostCalls = 100;

std::vector<DmlValue> Translation::callByName(const CallArguments &given) {
  const Expr::Node &node = given.node;
  auto [space, name] = StringRef(node.text).split("::");
  const Module *where = module;
  if (!name.empty()) {
    auto found = module->sourced.find(space);
    if (found == module->sourced.end())
      return {refuse(node.place, "'" + space + "' is not sourced")};
    where = found->second;
  } else {
    name = space;
  }
  if (const Function *function = where->function(name))
    return callFunction(*where, *function, given);
  if (where != module)
    return {
        refuse(node.place, "'" + space + "' has no function '" + name + "'")};
  return builtin(given);
}

std::vector<DmlValue> Translation::builtin(const CallArguments &given) {
  if (auto results = callBuiltin({*this, given}))
    return std::move(*results);
  StringRef name = given.node.text;
  if (auto results = callScript(name, given))
    return std::move(*results);
  StringRef why = whyNotOnnx(name);
  missesFunction |= why.empty();
  return {refuse(given.node.place,
                 "the function '" + name + "' has no translation" + why)};
}

/// A text that two calls of a function share if they are the same; "" if an
/// argument is not a number or a tensor.
static std::string keyOfCall(StringRef function, const CallArguments &given) {
  std::string key = function.str();
  bool hasKey = true;
  auto add = [&](StringRef name, const DmlValue &value) {
    hasKey &= value.isMatrix() || value.isScalar();
    key += (";" + name + "=" + llvm::Twine(int(value.type)) + value.name).str();
    if (value.number)
      key += " " + numberText(*value.number);
  };
  for (const DmlValue &one : given.positional)
    add("", one);
  std::map<StringRef, const DmlValue *> named; // in order
  for (const auto &one : given.named)
    named[one.getKey()] = &one.getValue();
  for (auto [name, value] : named)
    add(name, *value);
  return hasKey ? key : "";
}

std::vector<DmlValue>
Translation::callBuiltinScript(const Module &where, const Function &function,
                               const CallArguments &given) {
  std::string key =
      flow.isInBody() ? "" : keyOfCall(where.file + " " + function.name, given);
  if (auto found = builtinResults.find(key); found != builtinResults.end())
    return found->second;
  unsigned random = emitter.onnx().randomNodes();
  std::vector<DmlValue> results = callFunction(where, function, given);
  // Two calls draw different numbers.
  if (!key.empty() && random == emitter.onnx().randomNodes())
    builtinResults[key] = results;
  return results;
}

/// A builtin function that is written in DML: m_, s_ or f_ and its name.
std::optional<std::vector<DmlValue>>
Translation::callScript(StringRef name, const CallArguments &given) {
  llvm::Expected<const Module *> script = findScript(name);
  if (!script)
    return std::vector{
        refuse(given.node.place, llvm::toString(script.takeError()))};
  if (!*script)
    return std::nullopt;
  for (StringRef prefix : {"m_", "s_", "f_", ""}) {
    std::string whole = (prefix + name).str();
    const Function *function = (*script)->function(whole);
    if (!function)
      continue;
    if (auto *weighted = (*script)->function(whole + "_weighted");
        weighted && given.positional.size() == weighted->parameters.size())
      function = weighted;
    // Of several numbers, which are the last argument.
    if (auto *each = (*script)->function(function->name + "_each");
        each && !given.positional.empty() && given.positional.back().isMatrix())
      function = each;
    return callBuiltinScript(**script, *function, given);
  }
  return std::nullopt;
}

/// The arguments of the function that eval() calls; a list has them in it.
static CallArguments argumentsOfEval(const CallArguments &given) {
  CallArguments inner{given.node, given.positional, given.named};
  inner.positional.erase(inner.positional.begin());
  if (inner.positional.size() == 1 && inner.named.empty() &&
      inner.positional.front().type == DmlValue::List) {
    DmlValue list = std::move(inner.positional.front());
    inner.positional.clear();
    for (auto [i, one] : llvm::enumerate(list.elements))
      if (i < list.keys.size() && !list.keys[i].empty())
        inner.named[list.keys[i]] = one;
      else
        inner.positional.push_back(one);
  }
  return inner;
}

/// What a script sources under that name, or from that file; null if it does not.
static const Module *sourcedAs(const Module &script, StringRef space) {
  if (auto found = script.sourced.find(space); found != script.sourced.end())
    return found->second;
  StringRef file = llvm::sys::path::remove_leading_dotslash(space);
  const Module *only = nullptr;
  for (const auto &one : script.sourced) {
    StringRef path = one.getValue()->file;
    if (!path.consume_back(file) || !(path.empty() || path.ends_with("/")))
      continue;
    if (only && only != one.getValue())
      return nullptr; // two files have this name
    only = one.getValue();
  }
  return only;
}

/// "f", or "space::f".
std::optional<std::vector<DmlValue>>
Translation::callText(StringRef text, const CallArguments &given) {
  auto [space, name] = text.rsplit("::");
  const Module *where = name.empty() ? module : sourcedAs(*module, space);
  const Function *function =
      where ? where->function(name.empty() ? space : name) : nullptr;
  if (function)
    return callFunction(*where, *function, given);
  return name.empty() ? callScript(space, given) : std::nullopt;
}

DmlValue Translation::callNamed(const CallArguments &given) {
  const DmlValue *name = given.find("", 0);
  Place place = given.node.place;
  if (!name || name->type != DmlValue::Text || name->isOpenText)
    return refuse(place, "eval() of a name that is not known");
  std::optional<std::vector<DmlValue>> results =
      callText(name->text, argumentsOfEval(given));
  if (!results)
    return refuse(place,
                  "eval() of '" + name->text + "', which is no function");
  if (results->empty())
    return refuse(place, "eval() of '" + name->text + "', which has no result");
  DmlValue &result = results->front();
  if (!result.isScalar())
    return result;
  CallArguments one{given.node, {result}};
  return asMatrix({*this, one});
}

DmlValue Translation::callOwn(StringRef file, StringRef function,
                              const CallArguments &given) {
  const Module &script = *llvm::cantFail(findScript(file));
  return callFunction(script, *script.function(function), given).front();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Whether a parameter of that type takes the value; numbers become those of the
/// type.
static bool fitsParameter(DmlValue &value, StringRef type) {
  if (type.starts_with("matrix"))
    return value.isMatrix();
  if (type.starts_with("frame"))
    return value.type == DmlValue::Frame;
  if (type.starts_with("list"))
    return value.type == DmlValue::List;
  if (type == "string")
    return value.type == DmlValue::Text;
  if (!value.isScalar())
    return false;
  if (type == "double" && value.number && value.type == DmlValue::Int)
    value.type = DmlValue::Double;
  if (type == "int" && value.number && value.type == DmlValue::Double &&
      std::trunc(*value.number) == *value.number)
    value.type = DmlValue::Int;
  return true;
}

DmlValue Translation::defaultOf(const Module &where, const Expr &expr,
                                StringRef type) {
  enter(&where);
  Variables nothing;
  DmlValue value = evaluate(expr, nothing);
  if (!value.isUnknown() && !fitsParameter(value, type))
    return refuse((*expr).place, "a default that is no " + type);
  return value;
}

std::optional<Variables> Translation::parametersOf(const Function &function,
                                                   const CallArguments &given) {
  auto refused = [&](const llvm::Twine &why) {
    refuse(given.node.place, why);
    return std::nullopt;
  };
  for (const auto &one : given.named)
    if (llvm::none_of(function.parameters,
                      [&](auto &other) { return other.name == one.getKey(); }))
      return refused("'" + function.name + "' has no parameter '" +
                     one.getKey() + "'");
  size_t count = function.parameters.size();
  if (given.positional.size() > count)
    return refused("'" + function.name + "' has " + llvm::Twine(count) +
                   " parameters, not " + llvm::Twine(given.positional.size()));
  Variables parameters;
  for (size_t i = 0; i < count; ++i) {
    const Parameter &one = function.parameters[i];
    const DmlValue *value = given.find(one.name, i);
    auto refusedOne = [&](const llvm::Twine &why) {
      return refused("parameter '" + one.name + "' of '" + function.name +
                     "' is " + why);
    };
    if (!value && !one.byDefault)
      return refusedOne("not given");
    Variables nothing;
    DmlValue taken = value ? *value : evaluate(one.byDefault, nothing);
    if (one.type != "string" && refusals.isMissing(given.node.place, taken))
      taken = {};
    if (!taken.isUnknown() && !fitsParameter(taken, one.type))
      return refusedOne("no " + one.type);
    parameters[one.name] = std::move(taken);
  }
  return parameters;
}

std::vector<DmlValue> Translation::callFunction(const Module &where,
                                                const Function &function,
                                                const CallArguments &given) {
  LoopMemory::Within inCall(flow.memory, &given.node);
  if (std::optional<Variables> parameters = parametersOf(function, given))
    return call(where, function, std::move(*parameters));
  return std::vector<DmlValue>(std::max<size_t>(function.results.size(), 1));
}

std::vector<DmlValue> Translation::call(const Module &where,
                                        const Function &function,
                                        Variables arguments) {
  std::vector<DmlValue> results;
  if (depth >= mostCalls || steps.isTooManyForCall()) {
    refuse(function.place, depth >= mostCalls
                               ? "calls are nested more than " +
                                     std::to_string(mostCalls) + " deep"
                               : "calls of too many statements");
    results.resize(std::max<size_t>(function.results.size(), 1));
    return results;
  }
  ++depth;
  const Module *caller = module;
  enter(&where);
  Frame outer = std::exchange(frame, {&function.body, &function.results});
  run(function.body, arguments);
  for (const Parameter &one : function.results) {
    const DmlValue *result = arguments.find(one.name);
    results.push_back(result ? *result
                             : unreadable("is a result '" + one.name +
                                          "' of '" + function.name +
                                          "' that is not assigned"));
  }
  frame = outer;
  enter(caller);
  --depth;
  return results;
}
