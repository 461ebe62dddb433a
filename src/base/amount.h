// Amounts as people write them: "1B", "2.5T", "80GiB", "7d", "33min", "4k".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

/// A count: plain or with K, M, B (G), T, decimal (1K = 1,000), "1e9" and "1_000" and "1,000" too. Refused: negative,
/// fractional after scaling, above 9e15 (exact in a double), anything after the suffix.
Result<std::int64_t> parse_count(std::string_view text);

/// A sequence length: as a count, but "k" is 1,024 ("4k" = 4096, "128k" = 131072).
Result<std::int64_t> parse_sequence_length(std::string_view text);

/// Bytes with a unit: B, KB, MB, GB, TB (decimal), KiB, MiB, GiB, TiB (binary). A bare number is refused: 7 % lie
/// between GB and GiB.
Result<Bytes> parse_bytes(std::string_view text);

/// A duration with a unit: s, min, h, d, w.
Result<Seconds> parse_duration(std::string_view text);

/// A finite decimal number; the whole text must be one.
Result<double> parse_number(std::string_view text);

}  // namespace mekiki
