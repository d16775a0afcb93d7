//===- RuleProof.cpp - Whether a rule holds -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/ruleproof/RuleProof.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/ruleproof/internal/RuleCases.h"
#include "onnxfold/onnx/transforms/ruleproof/internal/RuleModel.h"
#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "onnxfold/onnx/verify/Difference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <cmath>
#include <cstring>

using namespace onnxfold;
using namespace mlir;

namespace {

/// A graph of an opset in which sides of rules are computed.
class Bench {
public:
  Bench(MLIRContext &context, int64_t opset);

  NodeBuilder &nodes() { return *builder; }
  Evaluation &evaluation() { return *table; }
  /// Erases what was made.
  void clear();

private:
  void begin();

  OwningOpRef<ModuleOp> module;
  Operation *end;
  std::optional<Evaluation> table;
  std::optional<NodeBuilder> builder;
  unsigned uses = 0;
};

/// One opset of a pattern of a rule.
class Trial {
public:
  Trial(const RewriteRule &given, unsigned pattern, MLIRContext &context,
        int64_t opset, const RuleProofOptions &options, RuleProof &proof)
      : rule(given), pattern(pattern), context(context), opset(opset),
        options(options), proof(proof), bench(context, opset),
        random(options.seed) {}

  /// False if nothing more need be tried.
  bool run();
  bool isThere = false; ///< the opset has the pattern

private:
  enum class Outcome { Equal, Undefined, Unmet, Differs };

  bool tryCase(const RuleCases &cases, const RuleCase &one);
  bool tryAllNumbers(const RuleCases &cases, const RuleCase &one);
  Elements numbers(const RuleCase &one, unsigned value, const Shape &shape,
                   unsigned round);
  using Draws =
      llvm::function_ref<Elements(unsigned value, const Shape &shape)>;
  Outcome compare(const RuleCases &cases, const RuleCase &one, Draws numbers);
  std::string differenceOf(const RuleBindings &bindings, Value before,
                           Value after);
  void addSamples(const RuleBindings &bindings, Value before);
  void note(const RuleBindings &bindings, std::string difference, Value before,
            Value after);

  RewriteRule rule; // as it is in this opset
  unsigned pattern;
  MLIRContext &context;
  int64_t opset;
  const RuleProofOptions &options;
  RuleProof &proof;
  Bench bench;
  Random random;
  unsigned rounds = 0;
  bool hasSamples = false;
  std::vector<bool> hasEqualHalves;   ///< values of which a condition says so
  llvm::DenseSet<unsigned> exhausted; ///< types
};

} // namespace

//===----------------------------------------------------------------------===//
// Bench
//===----------------------------------------------------------------------===//

Bench::Bench(MLIRContext &context, int64_t opset) {
  OpBuilder at(&context);
  module = ModuleOp::create(at.getUnknownLoc());
  setOpsetImports(*module, {{"", opset}});
  at.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(at, at.getUnknownLoc(), mainGraphSymbol,
                                       at.getFunctionType({}, {}));
  at.setInsertionPointToStart(function.addEntryBlock());
  end = func::ReturnOp::create(at, at.getUnknownLoc());
  begin();
}

void Bench::begin() {
  EvaluationOptions options = onnxEvaluationOptions();
  options.policy = [](Operation *) { return Reason(); }; // all is computed
  builder.reset();
  table.emplace(*module, std::move(options));
  table->run();
  builder.emplace(*table);
  builder->begin(end);
}

void Bench::clear() {
  builder->discard();
  // Missing inputs are no nodes.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*end->getBlock())))
    if (&op != end) {
      table->forget(&op);
      op.erase();
    }
  constexpr unsigned mostUses = 500; // symbols are never freed
  if (++uses % mostUses == 0)
    begin();
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

/// The distance of a number of this size from the next one.
static double unitOf(DataType type, double size) {
  int digits = type == DataType::Float64    ? 53
               : type == DataType::Float32  ? 24
               : type == DataType::Float16  ? 11
               : type == DataType::BFloat16 ? 8
                                            : 0;
  if (digits == 0)
    return 1; // of integers
  int least = type == DataType::Float64   ? -1022
              : type == DataType::Float16 ? -14
                                          : -126;
  int exponent = size > 0 ? std::max(std::ilogb(size), least) : least;
  return std::ldexp(1.0, exponent - (digits - 1));
}

/// Says what is wrong, or "".
std::string Trial::differenceOf(const RuleBindings &bindings, Value before,
                                Value after) {
  const Evaluation &known = bench.evaluation();
  FoldedValue a = known.state(before).known(), b = known.state(after).known();
  if (!b) {
    Operation *op = after.getDefiningOp();
    std::string why = op ? known.reason(op).text : "";
    return "the replacement gives nothing" + (why.empty() ? "" : ": " + why);
  }
  std::optional<Difference> found = difference(a, b, Tolerance::exact());
  if (!found)
    return "";
  if (rule.level == 1 || !found->reason.empty())
    return found->text();
  if (rule.bound.of < 0)
    return found->ulps <= rule.bound.ulps ? "" : found->text();
  double largest = 0;
  for (Value of : bindings.values[rule.bound.of])
    largest = std::max(largest, largestNumber(known.state(of).known()));
  double unit =
      unitOf(a.tensor ? a.tensor.type() : DataType::Undefined, largest);
  double apart = distance(a, b);
  return apart <= rule.bound.ulps * unit ? "" : found->text();
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

Trial::Outcome Trial::compare(const RuleCases &cases, const RuleCase &one,
                              Draws numbers) {
  RuleBindings bindings(rule);
  for (unsigned i = 0; i < one.attributes.size(); ++i) {
    bindings.attributes[i] = one.attributes[i];
    bindings.hasAttribute[i] = true;
  }
  NodeBuilder &nodes = bench.nodes();
  llvm::scope_exit clear([&] { bench.clear(); });
  for (unsigned i = 0; i < rule.values.size(); ++i) {
    if (!cases.isGiven(i))
      continue;
    const RuleCase::Given &given = one.values[i];
    bindings.isBound[i] = true;
    for (const Shape &shape : given.shapes) {
      Elements value = numbers(i, shape);
      if (!value)
        return Outcome::Undefined;
      bindings.values[i].push_back(nodes.constant(value));
    }
  }
  const Evaluation &known = bench.evaluation();
  Value before = makeValue(rule, pattern, bindings, known, nodes);
  if (!before || !known.state(before).known())
    return Outcome::Undefined;
  bindPatterns(rule, before, bindings);
  if (testConditions(rule, bindings, known, nodes.exprs(),
                     [](unsigned) { return true; }) != RuleTruth::Yes)
    return Outcome::Unmet;
  RuleBindings both = bindings;
  Value after = makeValue(rule, rule.replacement, both, known, nodes);
  if (!after)
    return Outcome::Unmet; // the opset lacks an operator: no rewrite
  if (rule.bound.of >= 0)
    (void)makeValue(rule, rule.bound.of, both, known, nodes);
  std::string difference = differenceOf(both, before, after);
  if (difference.empty()) {
    addSamples(bindings, before);
    return Outcome::Equal;
  }
  note(bindings, std::move(difference), before, after);
  return Outcome::Differs;
}

/// The first case of more than one element shows where the rule applies.
void Trial::addSamples(const RuleBindings &bindings, Value before) {
  const Evaluation &known = bench.evaluation();
  Elements result = known.state(before).known().tensor;
  if (hasSamples || !result || result.size() < 2)
    return;
  hasSamples = true;
  for (bool hasOneInput : {false, true})
    proof.samples.push_back(
        sampleOf(rule, pattern, bindings, known, opset, hasOneInput));
}

void Trial::note(const RuleBindings &bindings, std::string difference,
                 Value before, Value after) {
  const Evaluation &known = bench.evaluation();
  Counterexample found;
  found.opset = opset;
  found.pattern = rule.values[pattern].name;
  found.difference = std::move(difference);
  found.before = known.state(before).known().tensor;
  found.after = known.state(after).known().tensor;
  for (unsigned i = 0; i < rule.values.size(); ++i) {
    if (!bindings.isBound[i] || bindings.values[i].empty() ||
        rule.values[i].node >= 0)
      continue;
    for (auto [j, value] : llvm::enumerate(bindings.values[i]))
      found.inputs.emplace_back(
          nameOfInput(rule, i, j),
          known.state(value).known().tensor.materialize());
  }
  for (auto [i, attribute] : llvm::enumerate(bindings.attributes)) {
    if (!attribute)
      continue;
    std::string text;
    llvm::raw_string_ostream out(text);
    attribute.print(out, /*elideType=*/true);
    found.attributes.emplace_back(rule.attributes[i].name, text);
  }
  addModel(rule, pattern, bindings.attributes, bindings, known, found);
  proof.counterexample = std::move(found);
}

/// The number of a Constant of the rule, in the type and shape of the case.
static Elements numberOf(double number, DataType type, const Shape &shape) {
  if (type == DataType::String || typeClass(type) == TypeClass::Complex)
    return {};
  Elements one = ops::cast(Elements::splat(Shape(), number), type);
  if (!one || (!isFloat(type) && one.number().to<double>() != number))
    return {};
  return one.expand(shape).materialize();
}

/// A condition says that halves of the value are equal, as random ones never
/// are.
static bool asksForHalves(llvm::ArrayRef<RuleTerm> terms, unsigned value) {
  return llvm::any_of(terms, [&](const RuleTerm &term) {
    return (term.kind == RuleTerm::HalvesEqual && term.index == value) ||
           asksForHalves(term.operands, value);
  });
}

static Elements repeatHalf(const Elements &value) {
  int64_t last = value.rank() - 1;
  if (last < 0 || value.dim(last) % 2 != 0)
    return value;
  Elements half = value.slice(last, 0, value.dim(last) / 2);
  return ops::concat({half, half}, last);
}

/// The part of a range that an integer type has; least > most if it has none.
static NumberRange numbersIn(DataType type, double least, double most) {
  if (!isInteger(type))
    return {least, most};
  double limit = std::ldexp(1.0, int(bitWidth(type)) - isSigned(type));
  return {std::max(least, isSigned(type) ? -limit : 0.0),
          std::min(most, limit - 1)};
}

/// The first rounds are of numbers at the limits.
Elements Trial::numbers(const RuleCase &one, unsigned value, const Shape &shape,
                        unsigned round) {
  const RuleValue &about = rule.values[value];
  DataType type = one.values[value].type;
  if (Elements tried = one.values[value].tried)
    return ops::cast(tried, type);
  if (about.node >= 0) {
    const RuleNode &node = rule.nodes[about.node];
    auto stated = node.kind == RuleNode::Parameter
                      ? dyn_cast_or_null<FloatAttr>(
                            one.attributes[node.attributes.front().parameter])
                      : FloatAttr();
    return numberOf(stated ? stated.getValueAsDouble() : node.number, type,
                    shape);
  }
  static constexpr Numbers kinds[] = {Numbers::Special, Numbers::Moderate,
                                      Numbers::Usual,   Numbers::Same,
                                      Numbers::Wide,    Numbers::Sparse};
  Draw draw;
  draw.numbers = kinds[round % std::size(kinds)];
  draw.round = random.below(16);
  if (about.range) {
    draw.usual = numbersIn(type, about.range->first, about.range->second);
    if (draw.usual.least > draw.usual.most)
      return {};
    draw.isBound = true;
  } else if (!isFloat(type) && (round % 3 == 2 || random.below(3) == 0)) {
    draw.usual = {type == DataType::Bool ? 0.0 : -2.0,
                  type == DataType::Bool ? 1.0 : 3.0}; // axes, sizes, indices
    draw.isBound = true;
  }
  Elements result = randomTensor(type, shape, draw, random);
  return hasEqualHalves[value] ? repeatHalf(result) : result;
}

bool Trial::tryCase(const RuleCases &cases, const RuleCase &one) {
  bool isDefined = false, isUnmet = false;
  unsigned most = cases.hasNumbers(one) ? rounds : 1,
           enough = cases.isDecidedByShapes(one) ? 1 : 3;
  for (unsigned round = 0; round < most; ++round) {
    Outcome outcome =
        compare(cases, one, [&](unsigned value, const Shape &shape) {
          return numbers(one, value, shape, round);
        });
    if (outcome == Outcome::Differs)
      return false;
    if (outcome == Outcome::Equal)
      ++proof.cases;
    isDefined |= outcome == Outcome::Equal;
    isUnmet |= outcome == Outcome::Unmet;
    if (!isDefined && round + 1 >= enough)
      break;
  }
  ++(isDefined ? proof.instances : isUnmet ? proof.unmet : proof.undefined);
  if (isDefined) {
    for (unsigned i = 0; i < rule.values.size(); ++i)
      if (cases.isGiven(i) && !one.values[i].shapes.empty() &&
          !llvm::is_contained(proof.types, one.values[i].type))
        proof.types.push_back(one.values[i].type);
    return tryAllNumbers(cases, one);
  }
  return true;
}

/// Element i has the bits i / divisor.
static Elements allBits(DataType type, const Shape &shape, int64_t divisor) {
  unsigned width = byteWidth(type);
  return Elements::fromReader(
      type, shape, [=](int64_t first, int64_t count, void *out) {
        for (int64_t i = 0; i < count; ++i) {
          uint16_t bits = (first + i) / divisor;
          std::memcpy(static_cast<char *>(out) + i * width, &bits, width);
        }
      });
}

/// Tries all numbers of a type of 8 or 16 bits, or of two parameters of 8 bits,
/// once for each type. False if the sides differ.
bool Trial::tryAllNumbers(const RuleCases &cases, const RuleCase &given) {
  llvm::SmallVector<unsigned, 2> parameters;
  unsigned key = 0;
  for (unsigned i = 0; i < rule.values.size(); ++i) {
    if (!cases.isGiven(i))
      continue;
    const RuleCase::Given &value = given.values[i];
    if (rule.values[i].node >= 0 || value.shapes.empty())
      continue;
    unsigned bits = bitWidth(value.type);
    if (rule.values[i].shape || rule.values[i].range || value.tried ||
        value.type == DataType::Bool || (bits != 8 && bits != 16))
      return true;
    parameters.push_back(i);
    key = key * 64 + unsigned(value.type) + 1;
  }
  if (parameters.empty() || parameters.size() > 2 ||
      (parameters.size() == 2 && llvm::any_of(parameters, [&](unsigned i) {
         return bitWidth(given.values[i].type) != 8;
       })))
    return true;
  if (exhausted.contains(key))
    return true;
  RuleCase one = given;
  for (unsigned i = 0; i < rule.values.size(); ++i)
    if (cases.isGiven(i) && !one.values[i].shapes.empty())
      one.values[i].shapes.assign(
          1, llvm::is_contained(parameters, i) ? Shape{65536} : Shape{});
  Outcome outcome =
      compare(cases, one, [&](unsigned value, const Shape &shape) {
        if (rule.values[value].node >= 0)
          return numbers(one, value, shape, 0);
        DataType type = one.values[value].type;
        bool isFirst = parameters.size() == 2 && value == parameters[0];
        return allBits(type, shape, isFirst ? 256 : 1);
      });
  if (outcome == Outcome::Equal) {
    exhausted.insert(key);
    ++proof.exhausted;
  }
  return outcome != Outcome::Differs;
}

/// A node that may have any attributes has parameters for all that the opset
/// knows.
static void stateAllAttributes(RewriteRule &rule, int64_t opset) {
  for (RuleNode &node : rule.nodes) {
    const onnx::OpSchema *schema =
        node.hasAnyAttributes ? lookupSchema("", node.opType, opset) : nullptr;
    if (!schema)
      continue;
    llvm::SmallVector<RuleAttribute, 2> stated = node.attributes;
    for (const auto &known : schema->attributes()) {
      if (llvm::any_of(stated, [&](const RuleAttribute &one) {
            return one.name == known.first;
          }))
        continue;
      node.attributes.push_back(
          {known.first, {}, unsigned(rule.attributes.size())});
      RuleParameter &parameter = rule.attributes.emplace_back();
      parameter.name = known.first;
      parameter.kind = int32_t(known.second.type);
      parameter.mayBeMissing = !known.second.required;
    }
  }
}

bool Trial::run() {
  if (llvm::Error error = inferTypeClasses(rule, pattern, opset)) {
    llvm::consumeError(std::move(error));
    return true; // the opset has no such pattern
  }
  isThere = true;
  stateAllAttributes(rule, opset);
  RuleCases cases(rule, pattern, context, options.mostInstances,
                  options.seed + opset);
  for (unsigned i = 0; i < rule.values.size(); ++i)
    hasEqualHalves.push_back(asksForHalves(rule.conditions, i));
  // Few shapes leave room for more numbers.
  constexpr int64_t wanted = 4000, mostRounds = 250;
  rounds = std::clamp<int64_t>(wanted / std::max<int64_t>(cases.size(), 1),
                               options.rounds, mostRounds);
  cases.forEach([&](const RuleCase &one) {
    return !(options.isCancelled && options.isCancelled()) &&
           tryCase(cases, one);
  });
  return !proof.counterexample;
}

/// The first of the opsets in which the operators have the same versions.
static std::vector<int64_t> differentOpsets(const RewriteRule &rule) {
  std::vector<int64_t> result;
  std::vector<std::optional<int>> last;
  for (int64_t opset = rule.firstOpset; opset <= rule.lastOpset; ++opset) {
    std::vector<std::optional<int>> versions;
    for (const RuleNode &node : rule.nodes)
      if (node.kind == RuleNode::Operator)
        versions.push_back(resolveSince("", node.opType, opset));
    if (opset == rule.firstOpset || versions != last)
      result.push_back(opset);
    last = std::move(versions);
  }
  return result;
}

RuleProof onnxfold::proveRule(const RewriteRule &rule, MLIRContext &context,
                              const RuleProofOptions &options) {
  RuleProof proof;
  proof.opsets = differentOpsets(rule);
  for (int64_t opset : proof.opsets)
    for (unsigned pattern : rule.patterns) {
      int64_t before = proof.cases;
      Trial trial(rule, pattern, context, opset, options, proof);
      if (!trial.run())
        return proof;
      if (trial.isThere && proof.cases == before && proof.problem.empty())
        proof.problem =
            ("in opset " + Twine(opset) + " no case of '" +
             rule.values[pattern].name +
             "' was found in which it is defined and the conditions hold (of " +
             Twine(proof.undefined) + " it was not defined, of " +
             Twine(proof.unmet) +
             " the conditions did not hold): state types and shapes of the "
             "parameters")
                .str();
    }
  if (proof.cases == 0 && proof.problem.empty())
    proof.problem = "no opset was found that has the nodes of a pattern with "
                    "these types";
  llvm::sort(proof.types);
  return proof;
}
