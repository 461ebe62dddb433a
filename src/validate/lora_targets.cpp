#include "validate/lora_targets.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <variant>

#include "model/ops.h"

namespace mekiki {
namespace {

constexpr std::string_view kListColumn = "lora_targets";
constexpr std::string_view kWordColumn = "lora_target";
constexpr std::string_view kWholeBlock = "group ";
constexpr std::string_view kAllLinear = "all-linear";

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return words;
}

std::set<std::string_view> linear_names(const Arch& arch) {
  std::set<std::string_view> names;
  for (const LayerGroup& group : arch.layer_groups) {
    for (const SubLayer& sub : group.layer.sub_layers) {
      for (const ModelOp& op : ops_of(sub.block, arch.hidden_size)) {
        if (const auto* linear = std::get_if<LinearOp>(&op)) {
          names.insert(linear->name);
        }
      }
    }
  }
  return names;
}

/// The module that plays a role in a block; empty: none does.
Name module_of(const Attention& attention, std::string_view role) {
  if (role == "output") {
    return attention.names.output;
  }
  const bool query = role == "query", key = role == "key", value = role == "value";
  if (attention.fused_qkv && (query || key || value)) {
    return attention.names.fused;
  }
  return query ? attention.names.query : key ? attention.names.key : value ? attention.names.value : Name{};
}

Name ffn_module(bool gated, bool fused, const FfnNames& names, std::string_view role) {
  if (role == "down") {
    return names.down;
  }
  const bool gate = role == "gate", up = role == "up";
  if (gated && fused && (gate || up)) {
    return names.fused;
  }
  return gate && gated ? names.gate : up ? names.up : Name{};
}

Name module_of(const DenseFfn& ffn, std::string_view role) {
  return ffn_module(ffn.gated, ffn.fused_gate_up, ffn.names, role);
}

Name module_of(const MoeFfn& moe, std::string_view role) {
  return role == "router" ? moe.router_name : ffn_module(moe.gated, moe.fused_gate_up, moe.names, role);
}

/// Blocks of kinds that have none of these roles.
template <class OtherBlock>
Name module_of(const OtherBlock&, std::string_view) {
  return {};
}

void add_modules(const Arch& arch, std::string_view roles, std::set<std::string>& modules) {
  for (const std::string_view role : words_of(roles, " ")) {
    for (const LayerGroup& group : arch.layer_groups) {
      for (const SubLayer& sub : group.layer.sub_layers) {
        const Name module = std::visit([&](const auto& block) { return module_of(block, role); }, sub.block);
        if (!module.empty()) {
          modules.insert(std::string(module));
        }
      }
    }
  }
}

}  // namespace

std::vector<std::string> lora_targets_of(std::string_view text, const Arch& arch, RowReader& reader) {
  std::set<std::string> single, whole;
  const std::string_view list = reader.word(kListColumn, text);
  if (list == kAllLinear) {
    return {std::string(kAllLinear)};
  }
  add_modules(arch, list, single);
  const std::set<std::string_view> known = linear_names(arch);
  for (const std::string_view word : words_of(list.empty() ? text : std::string_view{}, " ,;()[]{}|.+\\/'\"")) {
    if (known.count(word) > 0) {
      single.insert(std::string(word));
      continue;
    }
    const std::string_view roles = reader.word(kWordColumn, word);
    if (roles.starts_with(kWholeBlock)) {
      add_modules(arch, roles.substr(kWholeBlock.size()), whole);
    } else {
      add_modules(arch, roles, single);
    }
  }
  const std::set<std::string>& found = single.empty() ? whole : single;
  if (found.empty()) {
    reader.note({ErrorCode::invalid_input,
                 std::string(kListColumn),
                 "'" + std::string(text) + "' names no linear layer of the model",
                 ""});
  }
  return {found.begin(), found.end()};
}

}  // namespace mekiki
