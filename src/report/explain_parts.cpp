#include "report/explain_parts.h"

#include <cmath>
#include <string_view>

#include "report/fit_parts.h"
#include "report/numbers.h"

namespace mekiki {
namespace {

std::string count_text(double value) {
  const bool exact = std::abs(value) < 9e15 && value == std::floor(value);
  return exact ? whole(static_cast<std::int64_t>(value)) : figure(value);
}

std::string amount(double value, Unit unit, const Voice& say) {
  switch (unit) {
    case Unit::none:
      return count_text(value);
    case Unit::bytes:
      return byte_size(Bytes{value});
    case Unit::seconds:
      return duration(Seconds{value}, say);
    case Unit::flops:
      return flops(Flops{value});
    case Unit::flops_per_second:
      return tflop_per_second(FlopsPerSecond{value}) + " TFLOP/s";
    case Unit::bytes_per_second:
      return significant(value / kGBPerSecond.base()) + " GB/s";
    case Unit::tokens:
      return count_text(value);
    case Unit::tokens_per_second:
      return tokens_per_second(TokensPerSecond{value}) + " tokens/s";
    case Unit::share:
      return percent(value);
  }
  return count_text(value);
}

std::string power(std::int64_t base, int exponent) {
  return std::to_string(base) + (exponent == 2 ? "^2" : "") + " x ";
}

}  // namespace

std::string term_name(Term term, const Voice& say) {
  const std::string name(enum_name(term));
  for (const std::string_view prefix : {"term.", "category.", "cause."}) {
    if (const std::optional<Message> message = find_message(std::string(prefix) + name)) {
      return std::string(say(*message));
    }
  }
  return name;
}

std::string amount_text(const std::variant<std::monostate, double, std::string>& value, Unit unit, const Voice& say) {
  if (const auto* number = std::get_if<double>(&value)) {
    return amount(*number, unit, say);
  }
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr ? *word : std::string(say(Message::explain_unknown));
}

std::string origin_text(const Input& input, const Voice& say) {
  return say(message_of("origin." + std::string(enum_name(input.origin))), {{"place", input.place}});
}

std::string place_text(const LiveItem& item, const Voice& say) {
  const std::string part = item.part == StagePart::layer
                               ? say(Message::explain_layer_kind, {{"kind", std::to_string(item.layer_kind)}})
                               : spoken("stage_part", item.part, say);
  return part + separator(say) + spoken("live", item.place, say);
}

std::string size_text(const LiveItem& item, const ResolvedJob& job, const Voice& say) {
  if (item.elements && *item.elements > 0) {
    return say(Message::explain_size_elements, {{"elements", count_text(*item.elements)}}) + " x " +
           byte_size(item.bytes / *item.elements);
  }
  if (!item.size.follows_batch()) {
    return byte_size(item.bytes) + (item.size.known ? " (" + std::string(say(Message::explain_size_fixed)) + ")" : "");
  }
  const double tokens = std::pow(static_cast<double>(job.micro_batch_size), item.size.micro_batch) *
                        std::pow(static_cast<double>(job.sequence_length), item.size.sequence);
  return (item.size.micro_batch > 0 ? power(job.micro_batch_size, item.size.micro_batch) : "") +
         (item.size.sequence > 0 ? power(job.sequence_length, item.size.sequence) : "") +
         count_text(item.bytes / kByte / tokens) + " bytes";
}

std::string part_name(const StepPart& part, const Voice& say) {
  return part.kind == StepPartKind::op ? std::string(part.op) : spoken("step_part", part.kind, say);
}

std::string part_place(const StepPart& part, const Voice& say) {
  const bool of_segment = part.kind == StepPartKind::op || part.kind == StepPartKind::launch_wait ||
                          part.kind == StepPartKind::gathers_beside;
  if (!of_segment) {
    return "";
  }
  const std::string layer = part.layer_kind < 0 ? ""
                                                : separator(say) + say(Message::explain_layer_kind,
                                                                       {{"kind", std::to_string(part.layer_kind)}});
  return spoken("segment", part.segment, say) + layer;
}

std::string work_text(const StepPart& part) {
  const auto number = [](double value) { return figure(value); };
  if (const auto* gemm = std::get_if<GemmWork>(&part.work)) {
    return (gemm->count != 1 ? number(gemm->count) + " x " : "") + "[" + number(gemm->m) + ", " + number(gemm->k) +
           "] [" + number(gemm->k) + ", " + number(gemm->n) + "] " + std::string(enum_name(gemm->dtype));
  }
  if (const auto* attention = std::get_if<AttentionWork>(&part.work)) {
    return number(attention->batch) + " x " + number(attention->heads) + " x " + number(attention->sequence_length) +
           "^2 x (" + number(attention->qk_dim) + " + " + number(attention->v_dim) + ")";
  }
  if (const auto* memory = std::get_if<MemoryWork>(&part.work)) {
    return byte_size(memory->traffic);
  }
  if (const auto* collective = std::get_if<CollectiveWork>(&part.work)) {
    return std::string(enum_name(collective->kind)) + " " + byte_size(collective->message);
  }
  const auto* host = std::get_if<HostWork>(&part.work);
  return host != nullptr ? byte_size(host->bytes) : "";
}

}  // namespace mekiki
