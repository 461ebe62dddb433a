// The answer of `model` as text and as JSON: one model, two side by side, or all that are bundled.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/check.h"
#include "model/config_notes.h"
#include "model/count.h"
#include "model/family.h"
#include "model/tensors.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// A checkpoint that lies beside the config.
struct CheckpointAnswer {
  std::string folder;
  std::vector<std::string> files;  // whose headers were read
  std::string method;              // of quantisation, as the config says; empty: none
  CheckpointCheck check;
};

struct ModelAnswer {
  ParsedModel model;
  std::int64_t sequence_length = 4096;
  std::string source;  // where the config comes from: a path, an address, or the repository of a bundled one
  std::string status;  // of a bundled config: verified, reconstructed, ...; empty for a file
  ConfigNotes notes;
  std::optional<std::string> license;  // unset: no model card says it
  std::optional<CheckpointAnswer> checkpoint;
};

std::string model_text(const ModelAnswer& answer, const Voice& say);
Json model_json(const ModelAnswer& answer, const Envelope& envelope, const Voice& say);

/// Names and shapes of the text model's tensors, as a checkpoint stores them.
std::string tensors_text(const ModelAnswer& answer, std::span<const StoredTensor> tensors, const Voice& say);
Json tensors_json(const ModelAnswer& answer, std::span<const StoredTensor> tensors, const Envelope& envelope);

/// The same without what stands at the top of an answer.
Json model_object(const ModelAnswer& answer, const Voice& say);

/// Two models side by side.
std::string model_pair_text(const ModelAnswer& first, const ModelAnswer& second, const Voice& say);
Json model_pair_json(const ModelAnswer& first, const ModelAnswer& second, const Envelope& envelope, const Voice& say);

/// A bundled config that is not supported.
struct RefusedModel {
  std::string id;
  Error error;
};

std::string model_list_text(std::span<const ModelAnswer> models,
                            std::span<const RefusedModel> refused,
                            const Voice& say);
Json model_list_json(std::span<const ModelAnswer> models,
                     std::span<const RefusedModel> refused,
                     const Envelope& envelope,
                     const Voice& say);

}  // namespace mekiki
