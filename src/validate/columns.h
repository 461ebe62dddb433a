// The one list of column names: which column of a file fills which field of a row. Readers, header checks and tests
// walk it; `visit(column, field)` is called once per column.
#pragma once

#include "validate/rows.h"

namespace mekiki {

template <class Visitor>
void visit_columns(KnownMemoryRow& row, Visitor&& visit) {
  visit("model", row.model);
  visit("method", row.method);
  visit("framework", row.framework);
  visit("torch_version", row.torch_version);
  visit("era", row.era);
  visit("gpu", row.gpu);
  visit("gpu_mem_gb", row.gpu_memory_gb);
  visit("n_gpus", row.gpus);
  visit("seq_len", row.sequence_length);
  visit("micro_batch", row.micro_batch_size);
  visit("grad_accum", row.gradient_accumulation_steps);
  visit("max_length_in_batch", row.longest_in_batch);
  visit("precision", row.precision);
  visit("float8", row.float8);
  visit("weights_dtype", row.weights_dtype);
  visit("grads_dtype", row.gradients_dtype);
  visit("optimizer_state_dtype", row.optimizer_state_dtype);
  visit("master_weights", row.master_weights);
  visit("optimizer", row.optimizer);
  visit("optimizer_impl", row.optimizer_implementation);
  visit("recompute", row.recompute);
  visit("attention", row.attention);
  visit("fused_ce", row.loss);
  visit("compile", row.compile);
  visit("offload", row.offload);
  visit("activation_offload", row.activation_offload);
  visit("expandable_segments", row.expandable_segments);
  visit("lora_rank", row.lora_rank);
  visit("lora_targets", row.lora_targets);
  visit("quant", row.quantization);
  visit("zero_stage", row.zero_stage);
  visit("fsdp", row.fsdp);
  visit("fsdp_version", row.fsdp_version);
  visit("pp_schedule", row.pipeline_schedule);
  visit("tp", row.tensor_parallel);
  visit("pp", row.pipeline_parallel);
  visit("cp", row.context_parallel);
  visit("ep", row.expert_parallel);
  visit("packing", row.packing);
  visit("lengths", row.lengths);
}

template <class Visitor>
void visit_columns(MeasuredMemoryRow& row, Visitor&& visit) {
  visit("metric", row.metric);
  visit("value_gib", row.value_gib);
}

template <class Visitor>
void visit_columns(KnownThroughputRow& row, Visitor&& visit) {
  visit("model", row.model);
  visit("method", row.method);
  visit("framework", row.framework);
  visit("precision", row.precision);
  visit("era", row.era);
  visit("gpu", row.gpu);
  visit("interconnect", row.interconnect);
  visit("n_gpus", row.gpus);
  visit("n_nodes", row.nodes);
  visit("seq_len", row.sequence_length);
  visit("global_batch", row.global_batch_size);
  visit("micro_batch", row.micro_batch_size);
  visit("grad_accum", row.gradient_accumulation_steps);
  visit("tp", row.tensor_parallel);
  visit("pp", row.pipeline_parallel);
  visit("vpp", row.virtual_pipeline);
  visit("cp", row.context_parallel);
  visit("ep", row.expert_parallel);
  visit("dp", row.data_parallel);
  visit("zero_or_fsdp", row.sharding);
  visit("recompute", row.recompute);
  visit("attention", row.attention);
  visit("compile", row.compile);
  visit("launch", row.launch);
  visit("lengths", row.lengths);
  visit("lora_rank", row.lora_rank);
}

template <class Visitor>
void visit_columns(MeasuredThroughputRow& row, Visitor&& visit) {
  visit("tokens_per_s_total", row.tokens_per_s_total);
  visit("tokens_per_s_per_gpu", row.tokens_per_s_per_gpu);
  visit("tflops_per_gpu", row.tflops_per_gpu);
  visit("step_time_s", row.step_time_s);
  visit("flops_convention", row.flops_convention);
}

}  // namespace mekiki
