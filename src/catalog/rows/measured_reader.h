// Tables of measured rates: one CSV file per GPU and kind, with its source in measured/files.csv.
//
//   measured/gemm/GPU.csv         dtype, scaling (plain, tensor, block), n, k, then one column per m ("m128"): TFLOP/s
//   measured/attention/GPU.csv    head_dim, q_heads, kv_heads, sequence_length, batch, tflop_per_s
//   measured/collectives/GPU.csv  library, collective, ranks, bytes, microseconds
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "base/result.h"
#include "catalog/rows/storage.h"
#include "hardware/gpu.h"
#include "hardware/measured.h"

namespace mekiki {

/// Where a measured table comes from: a line of measured/files.csv.
struct MeasuredFile {
  Name file;  // from the data folder
  Name gpu_id;
  Name source;
  Name notes;
};

Result<std::vector<MeasuredFile>> read_measured_list(const CsvTable& table,
                                                     std::string_view where,
                                                     RowStorage& storage);

/// Rates become shares of the dense peak of `gpu`. A GPU without a peak in a measured format is an error.
Result<std::vector<GemmSurface>> read_gemm(const CsvTable& table,
                                           const MeasuredFile& file,
                                           const Gpu& gpu,
                                           RowStorage& storage);

Result<std::vector<AttentionSurface>> read_attention(const CsvTable& table,
                                                     const MeasuredFile& file,
                                                     RowStorage& storage);

/// Of several libraries for one collective and number of ranks, the first in the file stays first.
Result<std::vector<CollectiveCurve>> read_collectives(const CsvTable& table,
                                                      const MeasuredFile& file,
                                                      RowStorage& storage);

}  // namespace mekiki
