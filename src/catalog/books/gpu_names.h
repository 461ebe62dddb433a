// GpuNames: what somebody else's price list means by the name of a GPU. Names without a form factor stay names of
// several products: nothing here turns a bare name into an SXM board.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/quantity.h"
#include "catalog/rows/storage.h"
#include "catalog/rows/tables.h"

namespace mekiki {

struct GpuMention {
  std::string_view text;
  std::optional<Bytes> memory;  // of one GPU, as the list says it; GB or GiB, nobody knows
  std::string_view provider;    // id
  std::string_view sku;
};

class GpuNames {
 public:
  explicit GpuNames(const Catalog& catalog) : catalog_(catalog) {}

  /// The name to write into the book's gpu_id: a name of prices/gpu_ids.csv, the id of a GPU, or the text itself where
  /// it fits several products that no name stands for. Memory and the instance narrow it down. Unset: no product.
  std::optional<std::string> resolve(const GpuMention& mention);

  /// Meanings of the names given out that prices/gpu_ids.csv lacks.
  std::vector<PriceGpu> take_meanings(RowStorage& storage);

 private:
  using Key = std::tuple<std::string, double, std::string, std::string>;

  std::vector<const Gpu*> products(const GpuMention& mention) const;
  std::string name_for(const std::vector<const Gpu*>& gpus, std::string_view text);

  const Catalog& catalog_;
  std::map<Key, std::optional<std::string>> known_;
  std::map<std::string, std::string> candidates_;  // by name given out: ids, separated by blanks
};

}  // namespace mekiki
