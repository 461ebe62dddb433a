#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/corpus_report.h"
#include "report/fit_money.h"
#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr double kBarWidth = 40.0;

std::string line(std::string_view text) {
  return wrapped(text, kLineWidth, "  ") + "\n";
}

std::string item(std::string_view text) {
  return "- " + wrapped(text, kLineWidth - 2, "  ") + "\n";
}

std::string coloured(std::string text, std::optional<Verdict> verdict, Colour colour) {
  if (colour == Colour::off || !verdict) {
    return text;
  }
  constexpr std::string_view kCodes[] = {"\x1b[1;32m", "\x1b[1;33m", "\x1b[1;31m"};
  return std::string(kCodes[static_cast<std::size_t>(*verdict)]) + std::move(text) + "\x1b[0m";
}

std::string range_gib(const Estimate<Bytes>& estimate) {
  return gib_number(estimate.low) + " - " + gib(estimate.high);
}

std::string verdict_text(const FitAnswer& answer, const Voice& say, Colour colour) {
  const FitReport& fit = answer.fit;
  const Estimate<Bytes>& device = fit.memory.device;
  if (!fit.verdict) {
    return line(say(Message::fit_needs, {{"device", gib(device.mid)}, {"range", range_gib(device)}})) +
           line(no_verdict_reason(say));
  }
  std::string text = coloured(spoken("verdict", *fit.verdict, say), fit.verdict, colour);
  text += "  " + say(Message::fit_oom_probability, {{"probability", percent(*fit.oom_probability)}}) + "\n";
  text += line(say(Message::fit_needs_of,
                   {{"device", gib(device.mid)},
                    {"range", range_gib(device)},
                    {"capacity", capacity_gib(*fit.capacity)},
                    {"capacity_gb", gb(*fit.capacity)},
                    {"headroom", percent(fit.job.headroom)},
                    {"with_headroom", gib(device.mid * (1.0 + fit.job.headroom))}}));
  if (answer.inefficient) {
    const Inefficiency& inefficient = *answer.inefficient;
    text +=
        line(inefficient.slowdown
                 ? say(Message::fit_inefficient,
                       {{"change", inefficient.without}, {"slowdown", fmt::format("{:.2f}", *inefficient.slowdown)}})
                 : say(Message::fit_inefficient_unknown, {{"change", inefficient.without}}));
  }
  return text;
}

std::string numbers_text(const FitAnswer& answer, const Voice& say) {
  const auto row = [&](Message name, Message meaning, const Estimate<Bytes>& e) {
    return std::vector<std::string>{
        std::string(say(name)), gib_number(e.low), gib_number(e.mid), gib_number(e.high), std::string(say(meaning))};
  };
  const MemoryReport& memory = answer.fit.memory;
  return table({{"GiB"},
                {std::string(say(Message::column_low)), Align::right},
                {std::string(say(Message::column_mid)), Align::right},
                {std::string(say(Message::column_high)), Align::right},
                {""}},
               {row(Message::fit_allocated, Message::fit_allocated_meaning, memory.allocated),
                row(Message::fit_reserved, Message::fit_reserved_meaning, memory.reserved),
                row(Message::fit_device, Message::fit_device_meaning, memory.device)}) +
         line(say(Message::fit_band,
                  {{"basis", std::string(say(message_of("basis." + std::string(name(memory.device.basis)))))}}));
}

std::string bar(Bytes bytes, Bytes whole) {
  const double cells = whole > Bytes{} ? kBarWidth * (bytes / whole) : 0.0;
  return std::string(static_cast<std::size_t>(std::lround(std::clamp(cells, 0.0, kBarWidth))), '#');
}

std::string categories_text(const FitAnswer& answer, const Voice& say) {
  const MemoryReport& memory = answer.fit.memory;
  const Bytes device = memory.device.mid;
  const Bytes whole = std::max(device, answer.fit.capacity.value_or(device));
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string label, Bytes bytes) {
    if (bytes >= 0.005 * kGiB) {
      rows.push_back({std::move(label), gib_number(bytes), bar(bytes, whole)});
    }
  };
  for (std::size_t i = 0; i < kCategories; ++i) {
    add(spoken("category", static_cast<Category>(i), say), memory.categories[i]);
  }
  add(std::string(say(Message::category_allocator)), memory.allocator);
  add(std::string(say(Message::category_context)), memory.context);
  if (answer.fit.capacity && *answer.fit.capacity > device) {
    const Bytes left = *answer.fit.capacity - device;
    const std::string dots(bar(left, whole).size(), '.');
    rows.push_back({std::string(say(Message::category_free)), gib_number(left), dots});
  }
  return line(say(Message::fit_peak, {{"moment", moment_text(memory.peak, say)}})) +
         table({{""}, {"", Align::right}, {""}}, rows, "  ");
}

std::string phases_text(const FitAnswer& answer, const Voice& say) {
  std::string phases;
  for (std::size_t i = 0; i < kPhases; ++i) {
    const Bytes peak = answer.fit.memory.phase_peaks[i];
    if (peak > Bytes{}) {
      phases += (phases.empty() ? "" : separator(say)) + spoken("phase", static_cast<PhaseKind>(i), say) + " " +
                gib_number(peak);
    }
  }
  return line(say(Message::fit_phases, {{"phases", phases}}));
}

std::string ranks_text(const FitAnswer& answer, const Voice& say) {
  const std::vector<StageMemory>& stages = answer.fit.memory.stages;
  if (stages.size() < 2) {
    return "";
  }
  std::string text;
  for (const StageMemory& stage : stages) {
    text += (text.empty() ? "" : separator(say)) + say(Message::fit_stage,
                                                       {{"stage", std::to_string(stage.stage)},
                                                        {"allocated", gib_number(stage.allocated)},
                                                        {"phase", spoken("phase", stage.worst_phase, say)}});
  }
  return line(say(Message::fit_ranks, {{"stages", text}}));
}

std::string host_text(const FitAnswer& answer, const Voice& say) {
  const Bytes host = answer.fit.memory.host;
  if (!(host > Bytes{})) {
    return "";
  }
  const auto ranks = static_cast<double>(std::min(answer.gpus, answer.gpus_per_node));
  return line(
      say(Message::fit_host_memory,
          {{"host", gib(host)}, {"total", gib(ranks * host)}, {"ranks", std::to_string(static_cast<int>(ranks))}}));
}

std::string inference_text(const FitAnswer& answer, const Voice& say) {
  const InferenceMemory inference = inference_memory(answer);
  return line(say(Message::fit_inference,
                  {{"weights", gib(inference.weights)},
                   {"cache", gib(inference.cache)},
                   {"sequence_length", std::to_string(answer.fit.job.sequence_length)}}));
}

std::string largest_text(const FitAnswer& answer, const Voice& say) {
  if (!answer.fit.largest) {
    return "";
  }
  const LargestThatFits& largest = *answer.fit.largest;
  const auto number = [&](std::int64_t value) {
    return value > 0 ? std::to_string(value) : std::string(say(Message::fit_largest_none));
  };
  return line(say(Message::fit_largest,
                  {{"micro_batch_size", number(largest.micro_batch_size)},
                   {"sequence_length", std::to_string(answer.fit.job.sequence_length)},
                   {"longest", number(largest.sequence_length)},
                   {"at_micro_batch_size", std::to_string(answer.fit.job.micro_batch_size)}}));
}

std::string causes_text(const TimeReport& time, const Voice& say) {
  std::vector<std::pair<Seconds, TimeCause>> causes;
  for (std::size_t i = 0; i < kTimeCauses; ++i) {
    if (time.causes[i] / time.step_time.mid >= 0.005) {
      causes.emplace_back(time.causes[i], static_cast<TimeCause>(i));
    }
  }
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [seconds, cause] : causes) {
    text += (text.empty() ? "" : separator(say)) + spoken("cause", cause, say) + " " +
            percent(seconds / time.step_time.mid);
  }
  return text;
}

std::string step_text(const FitAnswer& answer, const Voice& say) {
  if (!answer.fit.time) {
    return line(say(message_of(answer.no_step_time)));
  }
  const TimeReport& time = *answer.fit.time;
  const Tokens tokens{time.tokens_per_step};
  std::string text = line(say(Message::fit_step,
                              {{"time", duration(time.step_time.mid, say)},
                               {"low", duration(time.step_time.low, say)},
                               {"high", duration(time.step_time.high, say)},
                               {"rate", tokens_per_second(time.tokens_per_s)},
                               {"rate_low", tokens_per_second(tokens / time.step_time.high)},
                               {"rate_high", tokens_per_second(tokens / time.step_time.low)},
                               {"mfu", percent(time.mfu)},
                               {"hfu", percent(time.hfu)}}));
  if (time.real_token_share < 1.0) {
    text += line(say(Message::fit_padding, {{"share", percent(1.0 - time.real_token_share)}}));
  }
  text += line(say(Message::fit_causes, {{"causes", causes_text(time, say)}}));
  if (answer.gpus > 1) {
    text += line(say(Message::fit_utilization, {{"utilization", percent(time.gpu_utilization())}}));
  }
  if (answer.fit.job.tokens && time.tokens_per_step > 0.0) {
    const Band tokens_band = answer.corpus ? answer.corpus->band() : Band{};
    const double steps = static_cast<double>(*answer.fit.job.tokens) / time.tokens_per_step;
    text += line(say(Message::fit_training_time,
                     {{"tokens", whole(*answer.fit.job.tokens)},
                      {"time", duration(time.step_time.mid * steps, say)},
                      {"low", duration(time.step_time.low * steps * tokens_band.low, say)},
                      {"high", duration(time.step_time.high * steps * tokens_band.high, say)}}));
  }
  const std::string money = money_text(answer, say);
  text += money.empty() ? "" : line(money);
  return text;
}

std::string step_time_of(const std::optional<Estimate<Seconds>>& step_time, const Voice& say) {
  return step_time ? duration(step_time->mid, say) : "-";
}

/// Per billion tokens; without an asked GPU, whose tokens per step are unknown, what an hour of this one costs.
std::string cost_of(const FitAnswer& answer, const Gpu& gpu, const std::optional<Estimate<Seconds>>& step) {
  if (answer.gpu == nullptr) {
    const GpuHour* hour = gpu_hour_of(answer.gpu_hours, gpu.id);
    return hour == nullptr ? "-" : usd(hour->per_gpu * kHour);
  }
  const std::optional<Usd> cost = cost_per_billion(answer, gpu, step);
  return cost ? usd(*cost) : "-";
}

std::string ways_text(const FitAnswer& answer, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const WayOut& way : answer.fit.ways_out) {
    rows.push_back({way.change,
                    gib_number(way.device.mid),
                    spoken("verdict", way.verdict, say),
                    step_time_of(way.step_time, say),
                    cost_of(answer, *answer.gpu, way.step_time)});
  }
  for (const OtherGpu& other : answer.other_gpus) {
    rows.push_back({"gpu=" + std::string(other.gpu->id),
                    say(Message::fit_of_capacity,
                        {{"device", gib_number(answer.fit.memory.device.mid)},
                         {"capacity", gib_number(other.gpu->memory_reported)}}),
                    spoken("verdict", other.verdict, say),
                    step_time_of(other.step_time, say),
                    cost_of(answer, *other.gpu, other.step_time)});
  }
  if (rows.empty()) {
    return "";
  }
  const bool unnamed = answer.gpu == nullptr;
  const Message title = unnamed ? Message::fit_smallest_gpus : Message::fit_ways_out;
  return "\n" + line(say(title)) +
         table({{std::string(say(Message::column_change))},
                {"GiB", Align::right},
                {std::string(say(Message::column_verdict))},
                {std::string(say(Message::column_step)), Align::right},
                {std::string(say(unnamed ? Message::column_per_gpu_hour : Message::column_per_billion)), Align::right}},
               rows,
               "  ");
}

std::string defaults_text(const FitAnswer& answer, const Voice& say) {
  std::string text;
  for (std::string_view key : answer.fit.job.defaults_used) {
    const Json value = value_in_force(answer.fit, key);
    text += (text.empty() ? "" : separator(say)) + std::string(key) + " " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text.empty() ? "" : "\n" + line(say(Message::fit_defaults, {{"defaults", text}}));
}

std::string list_text(Message title, const std::vector<std::string>& sentences, const Voice& say) {
  std::string text = sentences.empty() ? "" : line(say(title));
  for (const std::string& sentence : sentences) {
    text += item(sentence);
  }
  return text;
}

}  // namespace

std::string fit_heading(const FitAnswer& answer, const Voice& say) {
  const ResolvedJob& job = answer.fit.job;
  const std::string gpu =
      answer.gpu == nullptr ? std::string(say(Message::fit_gpu_unnamed)) : std::string(answer.gpu->name);
  const std::string tokens =
      job.tokens ? say(Message::fit_heading_tokens, {{"tokens", whole(*job.tokens)}}) : std::string();
  return line(say(Message::fit_heading,
                  {{"model", answer.arch.id},
                   {"weights", short_count(static_cast<double>(answer.counts.trainable))},
                   {"method", spoken("method", job.method, say)},
                   {"framework", job.framework},
                   {"precision", std::string(enum_name(job.precision))},
                   {"sequence_length", std::to_string(job.sequence_length)},
                   {"micro_batch_size", std::to_string(job.micro_batch_size)},
                   {"gpus", std::to_string(answer.gpus)},
                   {"gpu", gpu},
                   {"layout", layout_text(answer.fit.layout, say)}}) +
              tokens) +
         (answer.corpus ? line(corpus_sentence(answer.corpus, say)) : "");
}

std::string fit_text(const FitAnswer& answer, const Voice& say, Colour colour) {
  return fit_heading(answer, say) + "\n" + verdict_text(answer, say, colour) + "\n" + categories_text(answer, say) +
         "\n" + numbers_text(answer, say) + phases_text(answer, say) + ranks_text(answer, say) +
         host_text(answer, say) + largest_text(answer, say) + "\n" + step_text(answer, say) + ways_text(answer, say) +
         "\n" + quick_rules_text(quick_question(answer), say) + inference_text(answer, say) +
         defaults_text(answer, say) + list_text(Message::fit_warnings, warnings_of(answer, say), say) +
         list_text(Message::fit_not_modelled, not_modelled(answer, say), say);
}

}  // namespace mekiki
