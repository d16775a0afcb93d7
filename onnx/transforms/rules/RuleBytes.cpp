//===- RuleBytes.cpp - Rules as bytes that a program holds ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/RuleBytes.h"
#include "llvm/ADT/bit.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

/// Writes values, or reads them: fields() says once which they are.
class Bytes {
public:
  Bytes() = default;
  explicit Bytes(StringRef rest) : reads(true), rest(rest) {}

  template <typename... T> void operator()(T &...values) { (one(values), ...); }
  std::string written;

private:
  /// Seven bits a byte, the lowest first.
  uint64_t word(uint64_t value) {
    if (!reads) {
      for (; value >= 128; value >>= 7)
        written += char(value | 128);
      written += char(value);
      return 0;
    }
    uint64_t result = 0;
    for (unsigned shift = 0;; shift += 7) {
      uint8_t byte = rest.front();
      rest = rest.drop_front();
      result |= uint64_t(byte & 127) << shift;
      if (byte < 128)
        return result;
    }
  }
  template <typename T> void one(T &value);
  template <typename T> void one(std::vector<T> &values) { list(values); }
  template <typename T, unsigned N> void one(llvm::SmallVector<T, N> &values) {
    list(values);
  }
  template <typename T> void one(std::optional<T> &value) {
    bool has = value.has_value();
    one(has);
    if (reads && has)
      value.emplace();
    if (has)
      one(*value);
  }
  template <typename List> void list(List &values) {
    size_t size = word(values.size());
    if (reads)
      values.resize(size);
    for (auto &value : values)
      one(value);
  }

  bool reads = false;
  StringRef rest;
};

} // namespace

static void fields(Bytes &all, RuleTerm &term) {
  all(term.kind, term.integer, term.real, term.name, term.index, term.other,
      term.operands);
}

static void fields(Bytes &all, RuleDim &dim) {
  all(dim.kind, dim.number, dim.name);
}

static void fields(Bytes &all, RuleValue &value) {
  all(value.node, value.result, value.isOptional, value.isVariadic,
      value.mayBeReused, value.types, value.shape);
}

static void fields(Bytes &all, RuleAttribute &attribute) {
  all(attribute.name, attribute.parameter);
}

static void fields(Bytes &all, RuleNode &node) {
  all(node.kind, node.opType, node.inputs, node.outputs, node.attributes,
      node.isCommutative, node.hasAnyAttributes, node.number);
}

static void fields(Bytes &all, RuleParameter &attribute) {
  all(attribute.name, attribute.kind, attribute.computed);
}

static void fields(Bytes &all, RewriteRule &rule) {
  all(rule.name, rule.level, rule.firstOpset, rule.lastOpset, rule.values,
      rule.numParameters, rule.nodes, rule.attributes, rule.patterns,
      rule.replacement, rule.conditions);
}

template <typename T> void Bytes::one(T &value) {
  if constexpr (std::is_same_v<T, double>) {
    uint64_t bits = word(llvm::bit_cast<uint64_t>(value));
    if (reads)
      value = llvm::bit_cast<double>(bits);
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    uint64_t bits = word(uint64_t(value));
    if (reads)
      value = T(bits);
  } else if constexpr (std::is_same_v<T, std::string>) {
    size_t size = word(value.size());
    if (reads)
      value = rest.take_front(size).str();
    if (reads)
      rest = rest.drop_front(size);
    else
      written += value;
  } else {
    fields(*this, value);
  }
}

/// The replacement has a constant, whose type would have to be found.
static bool makes(const RewriteRule &rule, const RuleNode &constant) {
  std::vector<bool> made = rule.nodesOf(rule.replacement);
  return made[&constant - rule.nodes.data()];
}

llvm::Expected<std::string> onnxfold::packRule(const RewriteRule &rule) {
  for (const RuleNode &node : rule.nodes) {
    bool hasValue = node.kind == RuleNode::Tensor;
    if (node.kind == RuleNode::Number)
      hasValue |= makes(rule, node);
    for (const RuleAttribute &attribute : node.attributes)
      hasValue |= bool(attribute.value);
    if (hasValue)
      return llvm::createStringError(
          rule.file + ":" + llvm::Twine(rule.line) + ": " + rule.name +
          " states an attribute, a tensor or a number of the replacement, "
          "expected an attribute that is a parameter, and a condition");
  }
  Bytes bytes;
  RewriteRule copy = rule;
  fields(bytes, copy);
  return std::move(bytes.written);
}

RewriteRule onnxfold::unpackRule(StringRef text) {
  RewriteRule rule;
  Bytes bytes(text);
  fields(bytes, rule);
  return rule;
}
