//===- Operations.cpp - The operations that a script can name -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Script.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/Sort.h"

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static constexpr Entry views[] = {
    {"transpose",
     [](const Call &c) -> Results { return c.x().transpose(c.list("perm")); }},
    {"reshape",
     [](const Call &c) -> Results { return c.x().reshape(c.list("shape")); }},
    {"expand",
     [](const Call &c) -> Results { return c.x().expand(c.list("shape")); }},
    {"slice",
     [](const Call &c) -> Results {
       return c.x().slice(c.list("starts"), c.list("sizes"), c.list("steps"));
     }},
    {"split",
     [](const Call &c) -> Results {
       return c.x().split(c.integer("axis"), c.list("sizes"));
     }},
    {"squeeze",
     [](const Call &c) -> Results { return c.x().squeeze(c.list("axes")); }},
    {"unsqueeze",
     [](const Call &c) -> Results { return c.x().unsqueeze(c.list("axes")); }},
};

std::optional<Results> onnxfold::runView(const Call &c) {
  return runFrom(views, c);
}

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

static constexpr Entry arithmetic[] = {
    {"negate",
     [](const Call &c) -> Results {
       return map(c.x(), [](auto v) { return negate(v); });
     }},
    {"absolute",
     [](const Call &c) -> Results {
       return map(c.x(), [](auto v) { return absolute(v); });
     }},
    {"add",
     [](const Call &c) -> Results {
       return zip(c.x(), c.y(), [](auto a, auto b) { return add(a, b); });
     }},
    {"subtract",
     [](const Call &c) -> Results {
       return zip(c.x(), c.y(), [](auto a, auto b) { return subtract(a, b); });
     }},
    {"multiply",
     [](const Call &c) -> Results {
       return zip(c.x(), c.y(), [](auto a, auto b) { return multiply(a, b); });
     }},
    {"divide",
     [](const Call &c) -> Results {
       return zip(c.x(), c.y(), [](auto a, auto b) {
         if constexpr (std::is_floating_point_v<decltype(a)>)
           return a / b;
         else
           return a;
       });
     }},
    {"minimum",
     [](const Call &c) -> Results {
       return zip(c.x(), c.y(), [](auto a, auto b) { return minimum(a, b); });
     }},
    {"maximum",
     [](const Call &c) -> Results {
       return zip(c.x(), c.y(), [](auto a, auto b) { return maximum(a, b); });
     }},
    {"pow",
     [](const Call &c) -> Results { return zipWide(c.x(), c.y(), wide::pow); }},
};

static constexpr Entry comparisons[] = {
    {"less",
     [](const Call &c) -> Results {
       return zipTo<bool>(c.x(), c.y(), [](auto a, auto b) { return a < b; });
     }},
    {"equal",
     [](const Call &c) -> Results {
       return zipTo<bool>(c.x(), c.y(), [](auto a, auto b) { return a == b; });
     }},
    {"greaterEqual",
     [](const Call &c) -> Results {
       return zipTo<bool>(c.x(), c.y(), [](auto a, auto b) { return a >= b; });
     }},
    {"select",
     [](const Call &c) -> Results { return select(c.x(), c.y(), c.in(2)); }},
};

static constexpr Entry conversions[] = {
    {"cast",
     [](const Call &c) -> Results {
       return cast(c.x(), c.type(), c.castOptions());
     }},
    {"widened", [](const Call &c) -> Results { return c.x().widened(); }},
    {"materialize",
     [](const Call &c) -> Results { return c.x().materialize(); }},
};

static constexpr std::pair<const char *, WideFunction> functions[] = {
    {"exp", wide::exp},           {"expm1", wide::expm1},
    {"log", wide::log},           {"log1p", wide::log1p},
    {"erf", wide::erf},           {"sin", wide::sin},
    {"cos", wide::cos},           {"tan", wide::tan},
    {"asin", wide::asin},         {"acos", wide::acos},
    {"atan", wide::atan},         {"sinh", wide::sinh},
    {"cosh", wide::cosh},         {"tanh", wide::tanh},
    {"asinh", wide::asinh},       {"acosh", wide::acosh},
    {"atanh", wide::atanh},       {"sigmoid", wide::sigmoid},
    {"softplus", wide::softplus},
};

std::optional<Results> onnxfold::runElementwise(const Call &c) {
  for (auto &[name, function] : functions)
    if (c.operation() == name)
      return mapWide(c.x(), function);
  if (auto results = runFrom(arithmetic, c))
    return results;
  if (auto results = runFrom(comparisons, c))
    return results;
  return runFrom(conversions, c);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static ScatterReduction reductionOf(const Call &c) {
  llvm::StringRef text = c.text("reduction");
  using R = ScatterReduction;
  return text == "add"   ? R::Add
         : text == "mul" ? R::Mul
         : text == "min" ? R::Min
         : text == "max" ? R::Max
                         : R::None;
}

static PadMode padModeOf(const Call &c) {
  llvm::StringRef text = c.text("mode");
  return text == "reflect" ? PadMode::Reflect
         : text == "edge"  ? PadMode::Edge
         : text == "wrap"  ? PadMode::Wrap
                           : PadMode::Constant;
}

static constexpr Entry movement[] = {
    {"concat",
     [](const Call &c) -> Results {
       return concat(c.all(), c.integer("axis"));
     }},
    {"tile",
     [](const Call &c) -> Results { return tile(c.x(), c.list("repeats")); }},
    {"pad",
     [](const Call &c) -> Results {
       return pad(c.x(), c.list("begins"), c.list("ends"), padModeOf(c), c.y());
     }},
    {"gather",
     [](const Call &c) -> Results {
       return gather(c.x(), c.y(), c.integer("axis"));
     }},
    {"gatherElements",
     [](const Call &c) -> Results {
       return gatherElements(c.x(), c.y(), c.integer("axis"));
     }},
    {"gatherND",
     [](const Call &c) -> Results {
       return gatherND(c.x(), c.y(), c.integer("batchDims"));
     }},
    {"scatterElements",
     [](const Call &c) -> Results {
       return scatterElements(c.x(), c.y(), c.in(2), c.integer("axis"),
                              reductionOf(c));
     }},
    {"scatterND",
     [](const Call &c) -> Results {
       return scatterND(c.x(), c.y(), c.in(2), reductionOf(c));
     }},
    {"trilu",
     [](const Call &c) -> Results {
       return trilu(c.x(), c.flag("upper"), c.integer("k"));
     }},
    {"compress",
     [](const Call &c) -> Results {
       return compress(c.x(), c.y(), c.integer("axis"));
     }},
    {"firstOutOfRange",
     [](const Call &c) {
       return Results::of(firstOutOfRange(c.x(), c.integer("n")));
     }},
};

std::optional<Results> onnxfold::runMovement(const Call &c) {
  return runFrom(movement, c);
}

//===----------------------------------------------------------------------===//
// Reductions, searches, scans
//===----------------------------------------------------------------------===//

static constexpr std::pair<const char *, Reduction> reductions[] = {
    {"sum", Reduction::Sum},       {"product", Reduction::Product},
    {"min", Reduction::Min},       {"max", Reduction::Max},
    {"mean", Reduction::Mean},     {"sumSquare", Reduction::SumSquare},
    {"l1", Reduction::L1},         {"l2", Reduction::L2},
    {"logSum", Reduction::LogSum}, {"logSumExp", Reduction::LogSumExp},
};

static std::optional<int64_t> optionalAxis(const Call &c) {
  return c.has("axis") ? std::optional<int64_t>(c.integer("axis"))
                       : std::nullopt;
}

static constexpr Entry searches[] = {
    {"argReduce",
     [](const Call &c) -> Results {
       return argReduce(c.x(), c.integer("axis"), c.flag("keepDims"),
                        c.flag("largest"), c.flag("selectLast"));
     }},
    {"topK",
     [](const Call &c) -> Results {
       TopK r =
           topK(c.x(), c.integer("k"), c.integer("axis"), c.flag("largest"));
       return std::vector<Elements>{r.values, r.indices};
     }},
    {"sort",
     [](const Call &c) -> Results {
       return sort(c.x(), c.integer("axis"), c.flag("descending"));
     }},
    {"argSort",
     [](const Call &c) -> Results {
       return argSort(c.x(), c.integer("axis"), c.flag("descending"));
     }},
    {"unique",
     [](const Call &c) -> Results {
       UniqueOptions options;
       options.axis = optionalAxis(c);
       options.sorted = !c.flag("asTheyCome");
       options.nansAreEqual = !c.flag("nansDiffer");
       Unique u = unique(c.x(), options);
       return std::vector<Elements>{u.values, u.first, u.inverse, u.counts};
     }},
    {"cumulativeSum",
     [](const Call &c) -> Results {
       return cumulativeSum(c.x(), c.integer("axis"), c.flag("exclusive"),
                            c.flag("reverse"));
     }},
    {"cumulativeProduct",
     [](const Call &c) -> Results {
       return cumulativeProduct(c.x(), c.integer("axis"), c.flag("exclusive"),
                                c.flag("reverse"));
     }},
    {"nonZero", [](const Call &c) -> Results { return nonZero(c.x()); }},
    {"softmax",
     [](const Call &c) -> Results {
       return softmax(c.x(), c.integer("axis"));
     }},
    {"logSoftmax",
     [](const Call &c) -> Results {
       return logSoftmax(c.x(), c.integer("axis"));
     }},
};

std::optional<Results> onnxfold::runReduction(const Call &c) {
  for (auto &[name, kind] : reductions)
    if (c.operation() == name)
      return reduce(c.x(), c.list("axes"), c.flag("keepDims"), kind);
  return runFrom(searches, c);
}

//===----------------------------------------------------------------------===//
// Products, generators, quantisation
//===----------------------------------------------------------------------===//

static QuantizeOptions quantizeOptionsOf(const Call &c) {
  QuantizeOptions options;
  options.to = c.type("to");
  options.axis = c.integer("axis");
  options.blockSize = c.integer("blockSize");
  options.precision = c.type("precision");
  options.cast = c.castOptions();
  return options;
}

static constexpr Entry others[] = {
    {"matmul", [](const Call &c) -> Results { return matmul(c.x(), c.y()); }},
    {"gemm",
     [](const Call &c) -> Results {
       GemmOptions options;
       options.alpha = c.number("alpha", 1);
       options.beta = c.number("beta", 1);
       options.transA = c.flag("transA");
       options.transB = c.flag("transB");
       return gemm(c.x(), c.y(), c.in(2), options);
     }},
    {"range",
     [](const Call &c) -> Results {
       return range(c.x().type(), c.x().number(), c.y().number(),
                    c.integer("count"));
     }},
    {"rangeCount",
     [](const Call &c) {
       return Results::of(
           rangeCount(c.x().number(), c.y().number(), c.in(2).number()));
     }},
    {"iota",
     [](const Call &c) -> Results {
       return iota(c.list("shape"), c.integer("axis"));
     }},
    {"oneHot",
     [](const Call &c) -> Results {
       return oneHot(c.x(), c.integer("depth"), c.integer("axis"), c.y(),
                     c.in(2));
     }},
    {"eye",
     [](const Call &c) -> Results {
       return eye(c.type(), c.list("shape"), c.integer("k"));
     }},
    {"quantize",
     [](const Call &c) -> Results {
       return quantize(c.x(), c.y(), c.in(2), quantizeOptionsOf(c));
     }},
    {"dequantize",
     [](const Call &c) -> Results {
       return dequantize(c.x(), c.y(), c.in(2), quantizeOptionsOf(c));
     }},
    {"sameHash",
     [](const Call &c) {
       return Results::of(contentHash(c.x()) == contentHash(c.y()));
     }},
};

std::optional<Results> onnxfold::runOther(const Call &c) {
  return runFrom(others, c);
}
