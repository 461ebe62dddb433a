#include "report/checkpoint_report.h"

#include <algorithm>

#include "report/display_width.h"
#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kShown = 5;  // of each list; JSON has them all
constexpr std::size_t kLineWidth = 100;

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t length : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(length);
  }
  return text + "]";
}

std::string shape_text(const LogicalTensor& tensor) {
  return tensor.shape ? shape_text(*tensor.shape) : "[" + std::to_string(tensor.elements) + "]";
}

std::string bits(double bits_per_weight) {
  return significant(bits_per_weight);
}

/// The heading and the first lines of a list.
std::string list_text(Message heading, const std::vector<std::string>& lines, const Voice& say) {
  if (lines.empty()) {
    return {};
  }
  std::string text = "  " + say(heading, {{"count", std::to_string(lines.size())}}) + "\n";
  for (std::size_t i = 0; i < std::min(lines.size(), kShown); ++i) {
    text += "    " + lines[i] + "\n";
  }
  if (lines.size() > kShown) {
    text += "    " + say(Message::checkpoint_more, {{"count", std::to_string(lines.size() - kShown)}}) + "\n";
  }
  return text;
}

template <class Items, class ToLine>
std::vector<std::string> lines_of(const Items& items, const ToLine& to_line) {
  std::vector<std::string> lines;
  lines.reserve(items.size());
  for (const auto& item : items) {
    lines.push_back(to_line(item));
  }
  return lines;
}

std::string packing_text(const CheckpointContents& contents, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const PackingTotal& total : contents.by_packing) {
    rows.push_back({spoken("packing", total.packing, say),
                    whole(total.weights),
                    gb(Bytes{static_cast<double>(total.bytes)}),
                    bits(total.bits_per_weight())});
  }
  return table({{std::string(say(Message::checkpoint_packing))},
                {std::string(say(Message::checkpoint_weights)), Align::right},
                {std::string(say(Message::checkpoint_size)), Align::right},
                {std::string(say(Message::checkpoint_bits_per_weight)), Align::right}},
               rows,
               "  ");
}

std::string finding_text(const CheckpointFinding& finding, const Voice& say) {
  return say(message_of("checkpoint_finding." + std::string(enum_name(finding.kind))),
             {{"file", finding.file}, {"tensor", finding.tensor}, {"other", finding.other}});
}

std::string comparison_text(const CheckpointComparison& comparison, const Voice& say) {
  const auto expected_line = [](const ExpectedTensor& tensor) { return tensor.name + " " + shape_text(tensor.shape); };
  const auto found_line = [](const LogicalTensor& tensor) { return tensor.name + " " + shape_text(tensor); };
  const auto shape_line = [](const ShapeDifference& difference) {
    return difference.expected.name + " " + shape_text(difference.expected.shape) + " -> " +
           shape_text(difference.found);
  };
  return list_text(Message::checkpoint_missing, lines_of(comparison.missing, expected_line), say) +
         list_text(Message::checkpoint_other_shape, lines_of(comparison.other_shape, shape_line), say) +
         list_text(Message::checkpoint_unexpected, lines_of(comparison.unexpected, found_line), say);
}

std::string verdict_text(const CheckpointCheck& check, const Voice& say) {
  return say(message_of("checkpoint_verdict." + std::string(enum_name(check.verdict))),
             {{"weights", whole(check.contents.weight_count)},
              {"expected", whole(check.expected_weights)},
              {"tensors", std::to_string(check.comparison ? check.comparison->equal : check.contents.weights.size())}});
}

Json shape_json(const LogicalTensor& tensor) {
  return tensor.shape ? Json(*tensor.shape) : Json(nullptr);
}

Json comparison_json(const CheckpointComparison& comparison) {
  Json json = {{"equal", comparison.equal},
               {"missing", Json::array()},
               {"other_shape", Json::array()},
               {"unexpected", Json::array()},
               {"buffers", Json::array()}};
  for (const ExpectedTensor& tensor : comparison.missing) {
    json["missing"].push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  }
  for (const ShapeDifference& difference : comparison.other_shape) {
    json["other_shape"].push_back({{"name", difference.expected.name},
                                   {"expected", difference.expected.shape},
                                   {"found", shape_json(difference.found)},
                                   {"found_elements", difference.found.elements}});
  }
  for (const LogicalTensor& tensor : comparison.unexpected) {
    json["unexpected"].push_back({{"name", tensor.name}, {"shape", shape_json(tensor)}, {"elements", tensor.elements}});
  }
  for (const LogicalTensor& tensor : comparison.buffers) {
    json["buffers"].push_back(tensor.name);
  }
  return json;
}

Json contents_json(const CheckpointContents& contents) {
  Json json = {{"bytes", contents.bytes},
               {"stored_elements", contents.stored_elements},
               {"weights", contents.weight_count},
               {"scale_elements", contents.scale_elements},
               {"by_dtype", Json::array()},
               {"by_packing", Json::array()},
               {"unrecognized", contents.unrecognized}};
  for (const DtypeTotal& total : contents.by_dtype) {
    json["by_dtype"].push_back({{"dtype", enum_name(total.dtype)},
                                {"tensors", total.tensors},
                                {"elements", total.elements},
                                {"bytes", total.bytes}});
  }
  for (const PackingTotal& total : contents.by_packing) {
    json["by_packing"].push_back({{"packing", enum_name(total.packing)},
                                  {"tensors", total.tensors},
                                  {"weights", total.weights},
                                  {"bytes", total.bytes},
                                  {"bits_per_weight", rounded(total.bits_per_weight())}});
  }
  return json;
}

}  // namespace

std::string checkpoint_text(const CheckpointAnswer& answer, const Voice& say) {
  const CheckpointCheck& check = answer.check;
  const std::size_t tensors =
      check.contents.weights.size() + check.contents.scales.size() + check.contents.unrecognized.size();
  std::string text = say(Message::checkpoint_heading,
                         {{"folder", answer.folder},
                          {"files", std::to_string(answer.files.size())},
                          {"tensors", std::to_string(tensors)},
                          {"size", gb(Bytes{static_cast<double>(check.contents.bytes)})}}) +
                     "\n";
  text += packing_text(check.contents, say);
  text += "  " + wrapped(verdict_text(check, say), kLineWidth - 2, "  ") + "\n";
  if (!check.comparison && check.verdict != CheckpointVerdict::unknown) {
    text += "  " + std::string(say(Message::checkpoint_names_unknown)) + "\n";
  }
  if (check.head_copy > 0) {
    text += "  " + say(Message::stored_tied_head_copy, {{"elements", whole(check.head_copy)}}) + "\n";
  }
  text += list_text(Message::checkpoint_findings,
                    lines_of(check.findings, [&](const CheckpointFinding& f) { return finding_text(f, say); }),
                    say);
  text += list_text(Message::checkpoint_unrecognized, check.contents.unrecognized, say);
  // A damaged checkpoint lacks tensors by the file; those lines would only repeat the findings.
  if (check.comparison && check.verdict == CheckpointVerdict::differs) {
    text += comparison_text(*check.comparison, say);
  }
  return text;
}

Json checkpoint_json(const CheckpointAnswer& answer) {
  const CheckpointCheck& check = answer.check;
  Json json = {{"folder", answer.folder}, {"files", answer.files}, {"verdict", enum_name(check.verdict)}};
  if (answer.method.empty()) {
    json["quantization"] = "none";
  } else {
    json["quantization"] = answer.method;
  }
  json.update(contents_json(check.contents));
  json["expected_weights"] = check.expected_weights;
  json["tied_head_copy"] = check.head_copy;
  json["findings"] = Json::array();
  for (const CheckpointFinding& finding : check.findings) {
    json["findings"].push_back({{"kind", enum_name(finding.kind)},
                                {"file", finding.file},
                                {"tensor", finding.tensor},
                                {"other", finding.other}});
  }
  if (check.comparison) {
    json["comparison"] = comparison_json(*check.comparison);
  } else {
    add_unknown(json, "comparison", "the tensor names of this family are not known");
  }
  return json;
}

}  // namespace mekiki
