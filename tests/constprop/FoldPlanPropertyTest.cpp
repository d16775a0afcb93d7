//===- FoldPlanPropertyTest.cpp - Plans of random graphs ------------------===//
//
// For random graphs and budgets: the growth that a plan reports is what a
// recount of the rewritten IR finds, it is within the budget, what stays
// computes the same values, equal runs give equal IR, and folding the result
// again changes nothing.
//
//===----------------------------------------------------------------------===//

#include "TestDialect.h"
#include "mlir/IR/Verifier.h"
#include <cstdint>
#include <cstdlib>
#include <random>

using namespace onnxfold;

namespace {

/// Text of a random module: constants, chains that grow and shrink, shapes,
/// unknown inputs, several results, bodies. All values are rank 1 or scalars
/// made rank 1 again, so that any operation may follow any other.
class RandomGraph {
public:
  explicit RandomGraph(unsigned seed) : random(seed) {}

  std::string text() {
    out << "func.func @f(%x: tensor<?xi64>, %y: tensor<5xi64>) {\n";
    values = {{"%x", "?"}, {"%y", "5"}};
    unsigned size = 1 + pick(40);
    for (unsigned i = 0; i < size; ++i)
      addOperation();
    out << "  return\n}\n";
    return body;
  }

private:
  struct Value {
    std::string name, size; // "?" or a number
  };

  unsigned pick(unsigned n) { return random() % n; }
  const Value &any() { return values[pick(values.size())]; }
  std::string type(llvm::StringRef size) {
    return ("tensor<" + size + "xi64>").str();
  }
  std::string next() { return "%v" + std::to_string(counter++); }

  void addConstant() {
    std::string size = std::to_string(1 + pick(200)), name = next();
    out << "  " << name << " = arith.constant dense<" << pick(9)
        << "> : " << type(size) << "\n";
    values.push_back({name, size});
  }

  void unary(llvm::StringRef op, llvm::StringRef size) {
    Value x = any();
    std::string name = next(), result = size.empty() ? x.size : size.str();
    out << "  " << name << " = \"" << op << "\"(" << x.name << ") : ("
        << type(x.size) << ") -> " << type(result) << "\n";
    values.push_back({name, result});
  }

  void concat() {
    Value x = any(), y = any();
    std::string name = next(), size = "?";
    if (x.size != "?" && y.size != "?")
      size = std::to_string(std::stoll(x.size) + std::stoll(y.size));
    if (size.size() > 6)
      return;
    out << "  " << name << " = \"t.concat\"(" << x.name << ", " << y.name
        << ") : (" << type(x.size) << ", " << type(y.size) << ") -> "
        << type(size) << "\n";
    values.push_back({name, size});
  }

  void both() {
    Value x = any();
    std::string name = next();
    out << "  " << name << ":2 = \"t.both\"(" << x.name << ", " << x.name
        << ") : (" << type(x.size) << ", " << type(x.size) << ") -> ("
        << type(x.size) << ", " << type(x.size) << ")\n";
    values.push_back({name + "#0", x.size});
    if (pick(2))
      values.push_back({name + "#1", x.size});
  }

  void use() {
    Value x = any();
    out << "  \"other.use\"(" << x.name << ") : (" << type(x.size)
        << ") -> ()\n";
  }

  void bodyOf() {
    out << "  \"t.body\"() ({\n";
    size_t outside = values.size();
    for (unsigned i = 0, n = 1 + pick(4); i < n; ++i)
      addOperation();
    use();
    values.resize(outside); // invisible from here on
    out << "  }) : () -> ()\n";
  }

  void addOperation() {
    switch (pick(10)) {
    case 0:
    case 1:
      return addConstant();
    case 2:
      return unary(pick(3) ? "t.neg" : "t.sticky", "");
    case 3:
      return unary("t.shape", "1");
    case 4:
      return unary("t.first", "1");
    case 5:
    case 6:
      return concat();
    case 7:
      return both();
    case 8:
      return pick(4) ? use() : bodyOf();
    default:
      return use();
    }
  }

  std::mt19937 random;
  std::string body;
  llvm::raw_string_ostream out{body};
  std::vector<Value> values;
  unsigned counter = 0;
};

struct FoldPlanPropertyTest : ConstpropTest {
  /// The operands of all "other.use", as far as they are known.
  std::vector<std::string> observed() {
    Evaluation table(*module, {});
    table.run();
    std::vector<std::string> result;
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() != "other.use")
        return;
      const Fact &fact = table.fact(op->getOperand(0));
      std::string text = "unknown";
      if (fact.isConstant()) {
        text.clear();
        for (int64_t v : fact.value.ints())
          text += std::to_string(v) + " ";
      }
      result.push_back(text);
    });
    return result;
  }

  /// Folds the module and returns the plan's growth.
  int64_t fold(std::optional<int64_t> budget, bool &limited, bool &changed) {
    evaluate();
    FoldPlan plan(*evaluation, budget);
    limited = plan.isLimited();
    changed = plan.changesAnything();
    int64_t growth = plan.growth();
    plan.apply();
    evaluation.reset();
    return growth;
  }

  void check(const std::string &source, std::optional<int64_t> budget) {
    bool limited, changed;
    parse(source);
    std::vector<std::string> before = observed();
    int64_t bytes = countConstantBytes(*module);
    int64_t growth = fold(budget, limited, changed);
    ASSERT_TRUE(mlir::succeeded(mlir::verify(*module)));
    EXPECT_EQ(countConstantBytes(*module) - bytes, growth);
    EXPECT_LE(growth, budget.value_or(INT64_MAX));
    EXPECT_EQ(observed(), before);
    std::string first = text();
    parse(source);
    fold(budget, limited, changed);
    EXPECT_EQ(text(), first) << "two runs differ";
    // The budget is used up, as the tool's record says in its second run.
    fold(limited ? 0 : budget, limited, changed);
    EXPECT_FALSE(changed);
    EXPECT_EQ(text(), first) << "folding again changed something";
  }
};

} // namespace

TEST_F(FoldPlanPropertyTest, randomGraphsAndBudgets) {
  const char *forced = std::getenv("ONNXFOLD_SEED");
  unsigned base = forced ? std::atoi(forced) : 20260;
  unsigned count = forced ? 1 : std::getenv("ONNXFOLD_LONG") ? 20'000 : 600;
  for (unsigned seed = base; seed < base + count; ++seed) {
    std::string source = RandomGraph(seed).text();
    for (std::optional<int64_t> budget :
         {std::optional<int64_t>(), std::optional<int64_t>(0),
          std::optional<int64_t>(100), std::optional<int64_t>(1000),
          std::optional<int64_t>(5000)}) {
      check(source, budget);
      if (HasFailure()) {
        FAIL() << "ONNXFOLD_SEED=" << seed << " budget " << budget.value_or(-1)
               << "\n"
               << source << text();
      }
    }
  }
}
