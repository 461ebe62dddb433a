#include "checkpoint/safetensors.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "base/json.h"

namespace mekiki {
namespace {

using nlohmann::json;

constexpr std::string_view kDamaged = "the file is damaged or was not written to its end: fetch or save it again";
constexpr std::string_view kNotThisFormat = "check that it is a safetensors file";

Error bad(std::string_view subject, std::string message, std::string_view hint = kDamaged) {
  return {ErrorCode::invalid_input, std::string(subject), std::move(message), std::string(hint)};
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    value = (value << 8) | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

std::optional<std::uint64_t> unsigned_integer(const json& value) {
  return value.is_number_unsigned() ? std::optional<std::uint64_t>(value.get<std::uint64_t>()) : std::nullopt;
}

const json* member(const json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// Reads one entry; every problem is said of this tensor.
class TensorReader {
 public:
  TensorReader(const std::string& name, const json& entry, std::string_view file)
      : name_(name), entry_(entry), subject_(json_path(std::string(file) + ":", name)) {}

  Result<CheckpointTensor> read() const {
    if (!entry_.is_object()) {
      return fail(bad(subject_, "is no object with dtype, shape and data_offsets", kNotThisFormat));
    }
    const Result<StoredDtype> dtype = read_dtype();
    if (!dtype) {
      return fail(dtype.error());
    }
    CheckpointTensor tensor{.name = name_, .dtype = *dtype};
    Result<std::vector<std::int64_t>> shape = read_shape();
    if (!shape) {
      return fail(shape.error());
    }
    tensor.shape = std::move(*shape);
    return with_extent(std::move(tensor));
  }

 private:
  Result<StoredDtype> read_dtype() const {
    const json* dtype = member(entry_, "dtype");
    if (dtype == nullptr || !dtype->is_string()) {
      return fail(bad(subject_, "has no dtype", kNotThisFormat));
    }
    const auto& text = dtype->get_ref<const std::string&>();
    if (const auto known = enum_from_name<StoredDtype>(text)) {
      return *known;
    }
    return fail(bad(subject_, "has the unknown dtype \"" + text + "\"", "a newer version may know it"));
  }

  Result<std::vector<std::int64_t>> read_shape() const {
    const json* shape = member(entry_, "shape");
    if (shape == nullptr || !shape->is_array()) {
      return fail(bad(subject_, "has no shape", kNotThisFormat));
    }
    std::vector<std::int64_t> dimensions;
    for (const json& dimension : *shape) {
      const std::optional<std::uint64_t> length = unsigned_integer(dimension);
      if (!length) {
        return fail(bad(subject_, "has a shape whose dimensions are not all whole numbers from 0"));
      }
      if (*length > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return fail(bad(subject_, "has a shape too large to count"));
      }
      dimensions.push_back(static_cast<std::int64_t>(*length));
    }
    return dimensions;
  }

  Result<CheckpointTensor> with_extent(CheckpointTensor tensor) const {
    std::int64_t bits = 0;
    for (const std::int64_t length : tensor.shape) {
      if (__builtin_mul_overflow(tensor.elements, length, &tensor.elements)) {
        return fail(bad(subject_, "has a shape too large to count"));
      }
    }
    if (__builtin_mul_overflow(tensor.elements, bits_per_element(tensor.dtype), &bits)) {
      return fail(bad(subject_, "has a shape too large to count"));
    }
    if (bits % 8 != 0) {
      return fail(bad(
          subject_,
          "does not fill whole bytes: its elements have " + std::to_string(bits_per_element(tensor.dtype)) + " bits"));
    }
    const json* offsets = member(entry_, "data_offsets");
    const bool is_pair = offsets != nullptr && offsets->is_array() && offsets->size() == 2;
    const auto begin = is_pair ? unsigned_integer((*offsets)[0]) : std::nullopt;
    const auto end = is_pair ? unsigned_integer((*offsets)[1]) : std::nullopt;
    if (!begin || !end || *begin > *end) {
      return fail(bad(subject_, "has data_offsets that are not two rising whole numbers from 0"));
    }
    tensor.begin = *begin;
    tensor.end = *end;
    if (tensor.bytes() != static_cast<std::uint64_t>(bits / 8)) {
      return fail(bad(subject_,
                      "takes " + std::to_string(tensor.bytes()) + " bytes by its offsets and " +
                          std::to_string(bits / 8) + " by its shape"));
    }
    return tensor;
  }

  const std::string& name_;
  const json& entry_;
  std::string subject_;
};

Result<std::map<std::string, std::string>> read_metadata(const json& object, std::string_view subject) {
  const std::string path = std::string(subject) + ":/__metadata__";
  if (!object.is_object()) {
    return fail(bad(path, "is no object of texts", kNotThisFormat));
  }
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) {
      return fail(bad(json_path(path, key), "is no text, as metadata must be", kNotThisFormat));
    }
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// The data must be covered exactly once: anything else could hide or alias bytes.
Status check_tiling(const std::vector<CheckpointTensor>& tensors, std::uint64_t data_length, std::string_view subject) {
  std::uint64_t covered = 0;
  for (const CheckpointTensor& tensor : tensors) {
    const std::string path = json_path(std::string(subject) + ":", tensor.name);
    if (tensor.begin < covered) {
      return fail(bad(path,
                      "overlaps the tensor before it: it begins at byte " + std::to_string(tensor.begin) +
                          ", the other ends at " + std::to_string(covered)));
    }
    if (tensor.begin > covered) {
      return fail(bad(path,
                      "leaves a hole before it: it begins at byte " + std::to_string(tensor.begin) +
                          ", the tensor before ends at " + std::to_string(covered)));
    }
    covered = tensor.end;
    if (covered > data_length) {
      return fail(
          bad(path,
              "ends at byte " + std::to_string(covered) + " of data that is " + std::to_string(data_length) + " long"));
    }
  }
  if (covered < data_length) {
    return fail(bad(subject, std::to_string(data_length - covered) + " bytes after the last tensor belong to none"));
  }
  return {};
}

}  // namespace

Result<std::uint64_t> safetensors_header_end(std::string_view prefix,
                                             std::uint64_t file_length,
                                             std::string_view subject) {
  if (file_length < kSafetensorsPrefix || prefix.size() < kSafetensorsPrefix) {
    return fail(bad(subject, "is too short for a safetensors file (" + std::to_string(file_length) + " bytes)"));
  }
  const std::uint64_t length = little_endian(prefix.substr(0, kSafetensorsPrefix));
  if (length > kSafetensorsHeaderLimit) {
    return fail(bad(subject,
                    "claims a header of " + std::to_string(length) + " bytes; the format allows " +
                        std::to_string(kSafetensorsHeaderLimit),
                    kNotThisFormat));
  }
  if (length > file_length - kSafetensorsPrefix) {
    return fail(bad(subject,
                    "claims a header of " + std::to_string(length) + " bytes, but the file has only " +
                        std::to_string(file_length) + " bytes"));
  }
  return kSafetensorsPrefix + length;
}

Result<SafetensorsHeader> parse_safetensors(std::string_view first_bytes,
                                            std::uint64_t file_length,
                                            std::string_view subject) {
  const Result<std::uint64_t> end = safetensors_header_end(first_bytes, file_length, subject);
  if (!end) {
    return fail(end.error());
  }
  if (first_bytes.size() < *end) {
    return fail(bad(subject, "ends within its header"));
  }
  const std::string_view text = first_bytes.substr(kSafetensorsPrefix, *end - kSafetensorsPrefix);
  if (!text.starts_with('{')) {
    return fail(bad(subject, "has a header that does not begin with \"{\"", kNotThisFormat));
  }
  const Result<json> object = parse_json(text, subject, {.size_limit = kSafetensorsHeaderLimit});
  if (!object) {
    return fail(bad(object.error().subject, "header: " + object.error().message));
  }
  SafetensorsHeader header{.data_begin = *end, .metadata = {}, .tensors = {}};
  for (const auto& [name, entry] : object->items()) {
    if (name == "__metadata__") {
      auto metadata = read_metadata(entry, subject);
      if (!metadata) {
        return fail(metadata.error());
      }
      header.metadata = std::move(*metadata);
      continue;
    }
    Result<CheckpointTensor> tensor = TensorReader(name, entry, subject).read();
    if (!tensor) {
      return fail(tensor.error());
    }
    header.tensors.push_back(std::move(*tensor));
  }
  std::sort(header.tensors.begin(), header.tensors.end(), [](const CheckpointTensor& a, const CheckpointTensor& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  const Status tiled = check_tiling(header.tensors, file_length - *end, subject);
  return tiled ? Result<SafetensorsHeader>(std::move(header)) : Result<SafetensorsHeader>(fail(tiled.error()));
}

}  // namespace mekiki
