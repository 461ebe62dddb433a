// How numbers are written, the same in every report. The only place that turns a quantity into text.
#pragma once

#include <cstdint>
#include <string>

#include "base/estimate.h"
#include "base/quantity.h"
#include "report/voice.h"

namespace mekiki {

/// "1,235,814,400".
std::string whole(std::int64_t value);

/// Three significant digits, trailing zeros kept within them: "0.412", "31.0", "1,240".
std::string significant(double value);

/// A count with its letter: "1.24B", "512", "2.50T".
std::string short_count(double value);

/// "29.8 GiB", and the number alone.
std::string gib(Bytes bytes);
std::string gib_number(Bytes bytes);
/// "44.99 GiB": the memory of a GPU, where 0.01 is the difference between what drivers report.
std::string capacity_gib(Bytes bytes);
/// "32.0 GB".
std::string gb(Bytes bytes);

/// In the unit that suits: "7.95 GiB", "64.0 MiB", "512 bytes".
std::string byte_size(Bytes bytes);

/// In the unit that suits: "12.3 ms", "0.840 s", "33.0 min", "14.2 h", "8.10 d".
std::string duration(Seconds seconds, const Voice& say);

/// A figure of a catalogue with all its digits, at most six: "989.4", "1,307".
std::string figure(double value);

/// "38 %"; one decimal below 10.
std::string percent(double share);

/// "$12.50", "$18,400".
std::string usd(Usd amount);

/// "4,930".
std::string tokens_per_second(TokensPerSecond rate);

/// "989" for 989 TFLOP/s.
std::string tflop_per_second(FlopsPerSecond rate);

/// "16.8 GFLOP" for work per token.
std::string flops(Flops work);

}  // namespace mekiki
