#include "report/fit_money.h"

#include "report/fit_parts.h"
#include "report/numbers.h"

namespace mekiki {
namespace {

constexpr double kBillion = 1e9;

const GpuHour* asked_hour(const FitAnswer& answer) {
  return answer.gpu == nullptr ? nullptr : gpu_hour_of(answer.gpu_hours, answer.gpu->id);
}

}  // namespace

std::optional<Usd> cost_per_billion(const FitAnswer& answer,
                                    const Gpu& gpu,
                                    std::optional<Estimate<Seconds>> step_time) {
  const GpuHour* hour = gpu_hour_of(answer.gpu_hours, gpu.id);
  if (hour == nullptr || !step_time || !answer.fit.time || answer.fit.time->tokens_per_step <= 0.0) {
    return std::nullopt;
  }
  return cost_of_gpu_hours(*hour, answer.gpus, step_time->mid, answer.fit.time->tokens_per_step, kBillion);
}

std::string money_text(const FitAnswer& answer, const Voice& say) {
  const GpuHour* hour = asked_hour(answer);
  if (hour == nullptr || !answer.fit.time) {
    return "";
  }
  return say(Message::fit_money,
             {{"cost", usd(*cost_per_billion(answer, *answer.gpu, answer.fit.time->step_time))},
              {"rate", usd(hour->per_gpu * kHour)},
              {"provider", std::string(hour->provider)},
              {"date", format_date(hour->as_of)},
              {"staleness", spoken("staleness", hour->staleness, say)}});
}

void add_money(Json& json, const FitAnswer& answer, const Voice& say) {
  const GpuHour* hour = asked_hour(answer);
  if (hour == nullptr) {
    add_unknown(
        json, "gpu_hours", answer.gpu == nullptr ? no_verdict_reason(say) : std::string(say(Message::fit_no_price)));
    return;
  }
  Json money = {{"usd_per_gpu_hour", rounded(hour->per_gpu / kUsdPerHour)},
                {"provider", hour->provider},
                {"price_id", hour->price_id},
                {"as_of", format_date(hour->as_of)},
                {"age_days", hour->age_days},
                {"staleness", enum_name(hour->staleness)}};
  if (answer.fit.time) {
    money["usd_per_billion_tokens"] =
        rounded(*cost_per_billion(answer, *answer.gpu, answer.fit.time->step_time) / kUsd);
  } else {
    add_unknown(money, "usd_per_billion_tokens", say(message_of(answer.no_step_time)));
  }
  json["gpu_hours"] = std::move(money);
}

}  // namespace mekiki
