#include "explain/memory_terms.h"

#include <string>

#include "explain/inputs.h"
#include "explain/resident_shares.h"
#include "memory/memory.h"
#include "program/layer_graph.h"

namespace mekiki {
namespace {

double number(Bytes bytes) {
  return bytes / kByte;
}

double per_element(Dtype dtype) {
  return number(bytes_per_element(dtype));
}

std::string dtype_key(const Subject& subject, std::string_view what) {
  return "dtypes." + std::string(enum_name(subject.job().precision)) + "." + std::string(what);
}

void dtype_of(Inputs& inputs, const Subject& subject, std::string_view what, Dtype dtype) {
  inputs.profile(dtype_key(subject, what), enum_name(dtype));
  inputs.computed("bytes_per_element", per_element(dtype), Unit::bytes);
}

double vocabulary_rows_of(const Subject& subject) {
  return vocabulary_rows({.model = &subject.model,
                          .job = &subject.job(),
                          .profile = &subject.profile(),
                          .layout = subject.report->layout,
                          .micro_batch_size = static_cast<double>(subject.job().micro_batch_size)});
}

void tokens_of(Inputs& inputs, const Subject& subject) {
  inputs.job("micro_batch_size", static_cast<double>(subject.job().micro_batch_size));
  inputs.job("sequence_length", static_cast<double>(subject.job().sequence_length), Unit::tokens);
}

void trained(Inputs& inputs, const Subject& subject, const LiveSet& live) {
  const ResolvedJob& job = subject.job();
  inputs.job("method", enum_name(job.method));
  if (live.stage != nullptr) {
    inputs.computed("trained_elements", live.stage->trained_elements);
  }
  inputs.computed("state_shards", subject.sharding.shards.states);
}

void weights(Inputs& inputs, const Subject& subject, const LiveSet& live) {
  const ResolvedJob& job = subject.job();
  if (live.stage != nullptr) {
    inputs.computed("stored_elements", live.stage->stored_elements);
  }
  if (job.quantization == Quantization::none) {
    dtype_of(inputs, subject, "weights", job.dtypes.weights);
  } else {
    inputs.job("quantization", enum_name(job.quantization));
    inputs.computed("bytes_per_quantized_weight", number(bytes_per_quantized_weight(job)), Unit::bytes);
    inputs.profile("unquantized", enum_name(job.dtypes.unquantized));
  }
  if (uses_lora(job.method)) {
    inputs.job("lora_rank", static_cast<double>(job.lora.rank));
    inputs.profile("adapter", enum_name(job.dtypes.adapter));
  }
  inputs.computed("weight_shards", subject.sharding.shards.weights);
  inputs.job("offload", enum_name(job.offload));
}

void gradients(Inputs& inputs, const Subject& subject, const LiveSet& live) {
  trained(inputs, subject, live);
  dtype_of(inputs, subject, "gradients", subject.job().dtypes.gradients);
  inputs.computed("gradient_shards", subject.sharding.shards.gradients);
  inputs.computed("micro_batches", static_cast<double>(subject.program.micro_batches));
}

void optimizer_states(Inputs& inputs, const Subject& subject, const LiveSet& live) {
  const ResolvedJob& job = subject.job();
  trained(inputs, subject, live);
  inputs.job("optimizer", enum_name(job.optimizer));
  inputs.profile(dtype_key(subject, "optimizer_states"), enum_name(job.dtypes.optimizer_states));
  inputs.computed("state_bytes_per_element", subject.model.optimizer.bytes_per_element, Unit::bytes);
  inputs.job("offload", enum_name(job.offload));
}

void activations(Inputs& inputs, const Subject& subject, const LiveSet& live) {
  const ResolvedJob& job = subject.job();
  tokens_of(inputs, subject);
  inputs.model("hidden_size", static_cast<double>(subject.model.hidden_size));
  inputs.model("layers", static_cast<double>(subject.model.layer_count));
  inputs.job("activation_recompute", enum_name(job.activation_recompute));
  inputs.job("attention", enum_name(job.attention));
  inputs.profile(dtype_key(subject, "compute"), enum_name(job.dtypes.compute));
  if (live.stage != nullptr) {
    inputs.computed("micro_batches_in_flight", live.stage->micro_batches_in_flight);
  }
}

void logits_and_loss(Inputs& inputs, const Subject& subject) {
  const LossRule& loss = subject.job().loss;
  tokens_of(inputs, subject);
  inputs.model("vocab_size", static_cast<double>(subject.model.vocab_size));
  inputs.computed("vocabulary_rows", vocabulary_rows_of(subject));
  inputs.job("loss", enum_name(loss.kind));
  inputs.profile("loss.bytes_per_logit", loss.bytes_per_logit, Unit::bytes);
  inputs.profile("loss.chunks", static_cast<double>(loss.chunks));
}

void temporary(Inputs& inputs, const Subject& subject, const LiveSet& live) {
  trained(inputs, subject, live);
  inputs.profile("optimizer", enum_name(subject.job().optimizer_implementation));
}

void communication(Inputs& inputs, const Subject& subject) {
  inputs.computed("weight_shards", subject.sharding.shards.weights);
  inputs.profile("data_parallel", enum_name(subject.sharding.style));
  inputs.job("reshard_after_forward", subject.report->layout.reshard_after_forward ? "yes" : "no");
}

void context(Inputs& inputs, const Subject& subject) {
  const DeviceOverheads& rule = subject.profile().memory.device;
  inputs.profile("device.context_gib", number(rule.context), Unit::bytes);
  inputs.computed("communicators", static_cast<double>(communicators(subject.report->layout)));
  inputs.profile("device.first_communicator_gib", number(rule.first_communicator), Unit::bytes);
  inputs.profile("device.further_communicator_gib", number(rule.further_communicator), Unit::bytes);
}

void allocator(Inputs& inputs, const Subject& subject) {
  const MemoryReport& memory = subject.report->memory;
  inputs.computed("reserved", number(memory.reserved.mid), Unit::bytes);
  inputs.computed("allocated", number(memory.allocated.mid), Unit::bytes);
  inputs.profile("allocator.caching", subject.profile().memory.allocator.caching ? "yes" : "no");
}

void band(Inputs& inputs, const Estimate<Bytes>& estimate) {
  inputs.computed("low", number(estimate.low), Unit::bytes);
  inputs.computed("high", number(estimate.high), Unit::bytes);
}

void capacity(Inputs& inputs, const Subject& subject) {
  const FitTarget& target = subject.request->target;
  if (target.gpu != nullptr) {
    inputs.gpu("memory_gib_reported", number(target.gpu->memory_reported), Unit::bytes);
    inputs.job("held_by_others", number(target.held_by_others), Unit::bytes);
  }
}

void add_category_inputs(Inputs& inputs, const Subject& subject, const LiveSet& live, Category category) {
  switch (category) {
    case Category::weights:
      weights(inputs, subject, live);
      break;
    case Category::gradients:
      gradients(inputs, subject, live);
      break;
    case Category::optimizer_states:
      optimizer_states(inputs, subject, live);
      break;
    case Category::master_weights:
      trained(inputs, subject, live);
      inputs.profile(dtype_key(subject, "master_weights"), subject.job().dtypes.master_weights ? "yes" : "no");
      inputs.computed("bytes_per_element", per_element(Dtype::fp32), Unit::bytes);
      break;
    case Category::activations:
      activations(inputs, subject, live);
      break;
    case Category::logits_and_loss:
      logits_and_loss(inputs, subject);
      break;
    case Category::temporary:
      temporary(inputs, subject, live);
      break;
    case Category::communication:
      communication(inputs, subject);
      break;
  }
  inputs.layout();
}

Explanation category(const Subject& subject, const LiveSet& live, Category of) {
  Explanation e{.term = static_cast<Term>(of),
                .value = number(subject.report->memory.categories[static_cast<std::size_t>(of)]),
                .unit = Unit::bytes,
                .at = subject.report->memory.peak};
  for (const LiveItem& item : live.items) {
    if (item.category == of) {
      e.live.push_back(item);
    }
  }
  Inputs inputs(subject);
  add_category_inputs(inputs, subject, live, of);
  e.inputs = std::move(inputs).finish();
  return e;
}

void add_number_inputs(Inputs& inputs, const Subject& subject, Term term) {
  const MemoryReport& memory = subject.report->memory;
  if (term == Term::allocated) {
    for (std::size_t i = 0; i < kCategories; ++i) {
      inputs.computed(EnumNames<Category>::value[i], number(memory.categories[i]), Unit::bytes);
    }
    band(inputs, memory.allocated);
  } else if (term == Term::reserved) {
    inputs.computed("allocated", number(memory.allocated.mid), Unit::bytes);
    inputs.computed("allocator", number(memory.allocator), Unit::bytes);
    band(inputs, memory.reserved);
  } else {
    inputs.computed("reserved", number(memory.reserved.mid), Unit::bytes);
    inputs.computed("context", number(memory.context), Unit::bytes);
    band(inputs, memory.device);
  }
}

Explanation judged(const Subject& subject, Term term) {
  const FitReport& report = *subject.report;
  Explanation e{.term = term};
  Inputs inputs(subject);
  if (term == Term::verdict) {
    if (report.verdict) {
      e.value = std::string(enum_name(*report.verdict));
    }
    inputs.computed("device", number(report.memory.device.mid), Unit::bytes);
    inputs.job("headroom", report.job.headroom, Unit::share);
  } else {
    e.unit = Unit::share;
    if (report.oom_probability) {
      e.value = *report.oom_probability;
    }
    inputs.computed("needed", number(report.memory.needed.mid), Unit::bytes);
    band(inputs, report.memory.needed);
  }
  capacity(inputs, subject);
  e.inputs = std::move(inputs).finish();
  return e;
}

}  // namespace

Explanation explain_memory(const Subject& subject, const LiveSet& live, Term term) {
  if (static_cast<std::size_t>(term) < kCategories) {
    return category(subject, live, static_cast<Category>(term));
  }
  if (term == Term::verdict || term == Term::oom_probability) {
    return judged(subject, term);
  }
  const MemoryReport& memory = subject.report->memory;
  Explanation e{.term = term, .unit = Unit::bytes};
  Inputs inputs(subject);
  switch (term) {
    case Term::allocator:
      e.value = number(memory.allocator);
      allocator(inputs, subject);
      break;
    case Term::context:
      e.value = number(memory.context);
      context(inputs, subject);
      break;
    case Term::host_memory:
      e.value = number(memory.host);
      e.live = host_items(subject);
      inputs.job("offload", enum_name(subject.job().offload));
      break;
    default:
      e.value = number(term == Term::allocated  ? memory.allocated.mid
                       : term == Term::reserved ? memory.reserved.mid
                                                : memory.device.mid);
      e.at = memory.peak;
      add_number_inputs(inputs, subject, term);
      break;
  }
  e.inputs = std::move(inputs).finish();
  return e;
}

}  // namespace mekiki
