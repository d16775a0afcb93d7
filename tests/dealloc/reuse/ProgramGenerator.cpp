//===- ProgramGenerator.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/tests/dealloc/reuse/ProgramGenerator.h"

#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include <array>
#include <random>
#include <vector>

using namespace onnxfold;

namespace {

// Of type Row, Square and Open are views of each other.
enum Type { Row, Square, Open, Words, Floats, numTypes };
const char *const typeText[] = {"memref<16xi64>", "memref<4x4xi64>",
                                "memref<?xi64>", "memref<40xi32>",
                                "memref<40xf32>"};
const char *const elementText[] = {"i64", "i64", "i64", "i32", "f32"};

struct Buffer {
  std::string name;
  Type type;
};

struct Function {
  std::string name;
  std::vector<Type> parameters, results;
};

class Generator {
public:
  explicit Generator(const GeneratorOptions &options)
      : options(options), random(options.seed * 2654435761u + 12345),
        aligned(chance(30)) {}

  std::string program() {
    unsigned functionCount = below(3);
    for (unsigned i = 0; i < functionCount; ++i)
      function("f" + std::to_string(i));
    text += "func.func @main() {\n";
    constants();
    std::vector<Type> none;
    body(6 + below(10), 3);
    for (unsigned i = below(4); i > 0; --i)
      observe();
    text += "return\n}\n";
    return std::string(declarations) + text;
  }

private:
  // The numbers of std::uniform_int_distribution differ between libraries.
  unsigned below(unsigned limit) { return random() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string fresh() { return "%v" + std::to_string(++counter); }
  void line(const std::string &content) { text += content + "\n"; }
  Type anyType() { return Type(below(numTypes)); }

  void constants() {
    for (unsigned i = 0; i < 5; ++i)
      line("%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) +
           " : index");
    line("%c16 = arith.constant 16 : index");
    line("%n16 = func.call @opaque_index(%c16) : (index) -> index");
    line("%on = arith.constant true\n%off = arith.constant false");
    line("%true = func.call @opaque_i1(%on) : (i1) -> i1");
    line("%false = func.call @opaque_i1(%off) : (i1) -> i1");
    condition = options.everythingRuns || chance(60) ? "%true" : "%false";
  }

  /// A buffer in scope, now and then a new one. `type` is numTypes for any.
  Buffer pick(Type type = numTypes) {
    std::vector<Buffer> found;
    for (const Buffer &buffer : scope)
      if (type == numTypes || buffer.type == type)
        found.push_back(buffer);
    if (found.empty() || chance(10))
      return allocate(type == numTypes ? anyType() : type);
    // The later ones are more likely.
    unsigned back = std::min(below(found.size()), below(found.size()));
    return found[found.size() - 1 - back];
  }

  Buffer add(const std::string &name, Type type) {
    scope.push_back({name, type});
    return scope.back();
  }

  std::string constant(const std::string &element) {
    std::string name = fresh(), value = std::to_string(1 + below(1000));
    line(name + " = arith.constant " + value + (element == "f32" ? ".0" : "") +
         " : " + element);
    return name;
  }

  Buffer allocate(Type type) {
    std::string name = fresh();
    std::string alignment = aligned ? " {alignment = 64 : i64}" : "";
    line(name + " = memref.alloc(" + (type == Open ? "%n16" : "") + ")" +
         alignment + " : " + typeText[type]);
    std::string value = constant(elementText[type]);
    line("linalg.fill ins(" + value + " : " + elementText[type] + ") outs(" +
         name + " : " + typeText[type] + ")");
    return add(name, type);
  }

  /// Bytes, looked at as numbers.
  void bytes() {
    std::string memory = fresh(), view = fresh();
    line(memory + " = memref.alloc() : memref<192xi8>");
    std::string shift = chance(50) ? "%c0" : "%c16";
    line(view + " = memref.view " + memory + "[" + shift +
         "][] : memref<192xi8> to memref<16xi64>");
    std::string value = constant("i64");
    line("linalg.fill ins(" + value + " : i64) outs(" + view +
         " : memref<16xi64>)");
    add(view, Row);
  }

  std::string position(Type type) {
    auto index = [&] { return "%c" + std::to_string(below(4)); };
    return type == Square ? index() + ", " + index() : index();
  }

  void store() {
    Buffer buffer = pick();
    std::string value = constant(elementText[buffer.type]);
    line("memref.store " + value + ", " + buffer.name + "[" +
         position(buffer.type) + "] : " + typeText[buffer.type]);
  }

  void observe() {
    Buffer buffer = pick();
    std::string element = elementText[buffer.type], value = fresh();
    line(value + " = memref.load " + buffer.name + "[" + position(buffer.type) +
         "] : " + typeText[buffer.type]);
    line("func.call @observe_" + element + "(" + value + ") : (" + element +
         ") -> ()");
  }

  void combine() {
    Type type = anyType();
    Buffer a = pick(type), b = pick(type);
    Buffer to = chance(60) ? allocate(type) : pick(type);
    std::string t = typeText[type];
    line("linalg.add ins(" + a.name + ", " + b.name + " : " + t + ", " + t +
         ") outs(" + to.name + " : " + t + ")");
  }

  void copy() {
    Type type = anyType();
    Buffer from = pick(type);
    Buffer to = chance(60) ? allocate(type) : pick(type);
    std::string t = typeText[type];
    line("memref.copy " + from.name + ", " + to.name + " : " + t + " to " + t);
  }

  void select() {
    Type type = anyType();
    Buffer a = pick(type), b = pick(type);
    std::string name = fresh();
    line(name + " = arith.select " + condition + ", " + a.name + ", " + b.name +
         " : " + typeText[type]);
    add(name, type);
  }

  void view() {
    std::string name = fresh();
    Buffer from = pick(Type(below(3)));
    switch (from.type) {
    case Row:
      if (chance(40)) {
        line(name + " = memref.expand_shape " + from.name +
             " [[0, 1]] output_shape [4, 4] : memref<16xi64> into "
             "memref<4x4xi64>");
        add(name, Square);
        return;
      }
      if (chance(30)) {
        part(from, name);
        return;
      }
      line(name + " = memref.cast " + from.name +
           " : memref<16xi64> to memref<?xi64>");
      add(name, Open);
      return;
    case Square:
      line(name + " = memref.collapse_shape " + from.name +
           " [[0, 1]] : memref<4x4xi64> into memref<16xi64>");
      add(name, Row);
      return;
    default:
      line(name + " = memref.cast " + from.name +
           " : memref<?xi64> to memref<16xi64>");
      add(name, Row);
    }
  }

  /// Writes into a piece of a buffer.
  void part(const Buffer &from, const std::string &name) {
    std::string type = "memref<8xi64, strided<[1], offset: 4>>";
    line(name + " = memref.subview " + from.name +
         "[4] [8] [1] : memref<16xi64> to " + type);
    std::string value = constant("i64");
    line("memref.store " + value + ", " + name + "[%c2] : " + type);
  }

  std::string list(const std::vector<std::string> &parts) {
    std::string all;
    for (const std::string &part : parts)
      all += (all.empty() ? "" : ", ") + part;
    return all;
  }
  std::string types(const std::vector<Type> &types) {
    std::vector<std::string> parts;
    for (Type type : types)
      parts.push_back(typeText[type]);
    return list(parts);
  }
  std::vector<std::string> names(const std::vector<Type> &types) {
    std::vector<std::string> parts;
    for (Type type : types)
      parts.push_back(pick(type).name);
    return parts;
  }
  std::vector<Type> someTypes(unsigned most) {
    std::vector<Type> types(below(most + 1));
    Type same = anyType();
    for (Type &type : types)
      type = chance(60) ? same : anyType();
    return types;
  }
  /// `%r:2 = `, and the results in scope afterwards.
  std::string results(const std::string &name, unsigned count) {
    return count ? name + ":" + std::to_string(count) + " = " : "";
  }
  void addResults(const std::string &name, const std::vector<Type> &types,
                  unsigned skipped = 0) {
    for (unsigned i = 0; i < types.size(); ++i)
      add(name + "#" + std::to_string(i + skipped), types[i]);
  }

  /// A region: what it adds to the scope is gone afterwards.
  template <typename F> void nested(F content) {
    size_t size = scope.size();
    std::string outer = condition;
    content();
    condition = outer;
    scope.resize(size);
  }

  void parity(const std::string &counter) {
    std::string rest = fresh(), odd = fresh();
    line(rest + " = arith.remui " + counter + ", %c2 : index");
    line(odd + " = arith.cmpi eq, " + rest + ", %c" + std::to_string(below(2)) +
         " : index");
    condition = odd;
  }

  void branch(unsigned depth) {
    std::vector<Type> yielded = someTypes(2);
    std::string name = fresh();
    std::string t = types(yielded);
    line(results(name, yielded.size()) + "scf.if " + condition +
         (yielded.empty() ? " {" : " -> (" + t + ") {"));
    auto arm = [&](bool runs) {
      nested([&] {
        // An arm that is never taken allocates nothing where all must run.
        if (runs || !options.everythingRuns)
          body(1 + below(4), depth - 1);
        if (!yielded.empty()) {
          std::vector<std::string> values = names(yielded);
          line("scf.yield " + list(values) + " : " + t);
        }
      });
    };
    arm(true);
    if (!yielded.empty() || (chance(40) && insideLoop)) {
      line("} else {");
      arm(insideLoop);
    }
    line("}");
    addResults(name, yielded);
  }

  std::string carried(const std::vector<Type> &types,
                      const std::vector<std::string> &arguments) {
    std::vector<std::string> values = names(types), parts;
    for (unsigned i = 0; i < types.size(); ++i)
      parts.push_back(arguments[i] + " = " + values[i]);
    return list(parts);
  }
  std::vector<std::string> freshNames(unsigned count) {
    std::vector<std::string> all(count);
    for (std::string &name : all)
      name = fresh();
    return all;
  }
  std::string trips() {
    // At least two where every branch of an iteration must be taken.
    return "%c" +
           std::to_string(options.everythingRuns ? 2 + below(3) : below(5));
  }

  void loop(unsigned depth) {
    std::vector<Type> types = someTypes(3);
    std::vector<std::string> arguments = freshNames(types.size());
    std::string name = fresh(), counter = fresh();
    std::string inits = carried(types, arguments), t = this->types(types);
    line(results(name, types.size()) + "scf.for " + counter + " = %c0 to " +
         trips() + " step %c1" +
         (types.empty() ? "" : " iter_args(" + inits + ") -> (" + t + ")") +
         " {");
    bool outer = std::exchange(insideLoop, true);
    nested([&] {
      for (unsigned i = 0; i < types.size(); ++i)
        add(arguments[i], types[i]);
      parity(counter);
      body(2 + below(4), depth - 1);
      if (!types.empty()) {
        std::vector<std::string> values = names(types);
        line("scf.yield " + list(values) + " : " + t);
      }
    });
    insideLoop = outer;
    line("}");
    addResults(name, types);
  }

  void whileLoop(unsigned depth) {
    std::vector<Type> before = someTypes(3), after = someTypes(3);
    std::vector<std::string> first = freshNames(before.size()),
                             second = freshNames(after.size());
    std::string name = fresh(), counter = fresh(), inner = fresh();
    std::string inits = carried(before, first), end = trips();
    auto withIndex = [&](const std::vector<Type> &more) {
      return more.empty() ? "index" : "index, " + types(more);
    };
    auto values = [&](const std::string &index, const std::vector<Type> &more) {
      std::vector<std::string> all = names(more);
      all.insert(all.begin(), index);
      return list(all);
    };
    line(name + ":" + std::to_string(after.size() + 1) + " = scf.while (" +
         counter + " = %c0" + (inits.empty() ? "" : ", " + inits) + ") : (" +
         withIndex(before) + ") -> (" + withIndex(after) + ") {");
    bool outer = std::exchange(insideLoop, true);
    nested([&] {
      for (unsigned i = 0; i < before.size(); ++i)
        add(first[i], before[i]);
      parity(counter);
      body(1 + below(3), depth - 1);
      std::string more = fresh();
      line(more + " = arith.cmpi slt, " + counter + ", " + end + " : index");
      std::string passed = values(counter, after);
      line("scf.condition(" + more + ") " + passed + " : " + withIndex(after));
    });
    line("} do {\n^bb0(" + inner + ": index" + parameters(second, after) +
         "):");
    nested([&] {
      for (unsigned i = 0; i < after.size(); ++i)
        add(second[i], after[i]);
      parity(inner);
      body(1 + below(3), depth - 1);
      std::string next = fresh();
      line(next + " = arith.addi " + inner + ", %c1 : index");
      std::string passed = values(next, before);
      line("scf.yield " + passed + " : " + withIndex(before));
    });
    insideLoop = outer;
    line("}");
    addResults(name, after, 1);
  }

  std::string parameters(const std::vector<std::string> &names,
                         const std::vector<Type> &types) {
    std::string all;
    for (unsigned i = 0; i < types.size(); ++i)
      all += ", " + names[i] + ": " + typeText[types[i]];
    return all;
  }

  void parallel() {
    std::string counter = fresh();
    line("scf.parallel (" + counter + ") = (%c0) to (%c3) step (%c1) {");
    nested([&] {
      Buffer scratch = allocate(anyType());
      observe();
      combine();
    });
    line("}");
  }

  void executeRegion(unsigned depth) {
    Type type = anyType();
    std::string name = fresh();
    line(name + " = scf.execute_region -> " + std::string(typeText[type]) +
         " {");
    nested([&] {
      body(1 + below(2), depth - 1);
      std::string value = pick(type).name;
      line("scf.yield " + value + " : " + typeText[type]);
    });
    line("}");
    add(name, type);
  }

  void function(const std::string &name) {
    Function function{name, someTypes(3), someTypes(2)};
    std::vector<std::string> arguments = freshNames(function.parameters.size());
    std::string list = parameters(arguments, function.parameters);
    std::string t = types(function.results);
    line("func.func private @" + name + "(" +
         (list.empty() ? list : list.substr(2)) + ") -> (" + t + ") {");
    constants();
    nested([&] {
      for (unsigned i = 0; i < arguments.size(); ++i)
        add(arguments[i], function.parameters[i]);
      body(2 + below(5), 2);
      std::vector<std::string> values = names(function.results);
      line("return " + this->list(values) + (values.empty() ? "" : " : " + t) +
           "\n}");
    });
    functions.push_back(function);
  }

  void call() {
    if (functions.empty())
      return combine();
    const Function &callee = functions[below(functions.size())];
    std::vector<std::string> values = names(callee.parameters);
    std::string name = fresh();
    line(results(name, callee.results.size()) + "func.call @" + callee.name +
         "(" + list(values) + ") : (" + types(callee.parameters) + ") -> (" +
         types(callee.results) + ")");
    addResults(name, callee.results);
  }

  void statement(unsigned depth) {
    unsigned kind = below(100);
    if (depth && kind < 14)
      return loop(depth);
    if (depth && kind < 26)
      return branch(depth);
    if (depth && kind < 33)
      return whileLoop(depth);
    if (depth && kind < 36)
      return executeRegion(depth);
    if (depth && kind < 38)
      return parallel();
    if (kind < 48)
      return combine();
    if (kind < 58)
      return select();
    if (kind < 68)
      return view();
    if (kind < 75)
      return call();
    if (kind < 80)
      return copy();
    if (kind < 82)
      return bytes();
    if (kind < 90)
      return store();
    return observe();
  }

  void body(unsigned statements, unsigned depth) {
    for (unsigned i = 0; i < statements; ++i)
      statement(depth);
  }

  GeneratorOptions options;
  std::minstd_rand random;
  /// All buffers, as bufferisation makes them. An aligned one asks for more
  /// bytes, and who takes its place then does as well.
  bool aligned;
  std::string text;
  unsigned counter = 0;
  bool insideLoop = false;
  std::string condition;
  std::vector<Buffer> scope;
  std::vector<Function> functions;
};

} // namespace

std::string onnxfold::generateProgram(const GeneratorOptions &options) {
  return Generator(options).program();
}
