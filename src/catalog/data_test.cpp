// Invariants over everything in data/.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/repository_data.h"
#include "catalog/rows/check.h"
#include "catalog/rows/row_set.h"
#include "catalog/rows/row_text.h"
#include "cost/offer.h"
#include "cost/provider_fact.h"

namespace mekiki {
namespace {

const Catalog& data() {
  return bundled_catalog();
}

const Gpu& gpu(std::string_view id) {
  return **find_gpu(data(), id);
}

TEST(Data, HasTheRowsThatWereCollected) {
  EXPECT_EQ(data().gpus.size(), 51u);
  EXPECT_EQ(data().gpu_aliases.size(), 278u);
  EXPECT_EQ(data().systems.size(), 187u);
  EXPECT_EQ(data().prices.size(), 370u);
  EXPECT_EQ(data().gemm_surfaces.size(), 30u);
  std::size_t points = 0;
  for (const GemmSurface& surface : data().gemm_surfaces) {
    for (const GemmColumn& column : surface.columns) {
      points += column.points.size();
    }
  }
  EXPECT_EQ(points, 8640u);
}

TEST(Data, HoldsTogether) {
  const Status status = check_tables(data());
  EXPECT_TRUE(status) << describe(status.error());
}

TEST(Data, IsCompiledInAsItIsRead) {
  std::vector<DataFile> files = repository_data_files();
  std::erase_if(files, [](const DataFile& file) { return !data_kind(file.path); });  // documents of other folders
  const auto rows = read_rows(files);
  ASSERT_TRUE(rows) << describe(rows.error());
  Catalog read = tables_of(*rows);
  read.documents = data().documents;
  EXPECT_EQ(digest_of(read), digest_of(data()));
  EXPECT_EQ(digest_of(data()), data().digest);
}

TEST(Gpus, ReportLessThanTheBoxSays) {
  // Both numbers in their own unit: the box counts GiB on some parts and GB on others, and no driver shows more of it.
  for (const Gpu& row : data().gpus) {
    const double marketed = row.memory_marketed / kGB, reported = row.memory_reported / kGiB;
    EXPECT_LE(reported, marketed) << row.id;
    EXPECT_GE(reported, 0.9 * marketed) << row.id;
  }
}

TEST(Gpus, PeaksFollowFromUnitsClockAndWidth) {
  // FLOP per unit and clock by the kind of unit: 512 on GeForce parts (half rate with fp32 accumulation), 1024 on
  // professional parts of the same dies and on Volta, 2048 and 4096 on the data-centre parts after it.
  const std::map<Name, double> width = {{"rtx3090", 512},
                                        {"rtx4090", 512},
                                        {"rtx5060ti-16", 512},
                                        {"rtxa5000", 1024},
                                        {"rtxa6000", 1024},
                                        {"rtx6000ada", 1024},
                                        {"rtxpro4500", 512},
                                        {"rtxpro6000-ws", 1024},
                                        {"rtxpro6000-server", 1024},
                                        {"v100-sxm2-16", 1024},
                                        {"v100-sxm2-32", 1024},
                                        {"a100-sxm4-40", 2048},
                                        {"a100-pcie-40", 2048},
                                        {"a100-sxm4-80", 2048},
                                        {"a100-pcie-80", 2048},
                                        {"h100-sxm5-80", 4096},
                                        {"h100-pcie-80", 4096},
                                        {"mi350x", 4096},
                                        {"mi355x", 4096}};
  std::size_t without_clock = 0;
  for (const Gpu& row : data().gpus) {
    if (!row.boost_clock_mhz) {
      ++without_clock;
      continue;
    }
    ASSERT_TRUE(width.contains(row.id)) << row.id << " has a clock, but no width here";
    const double expected = static_cast<double>(*row.sm_count) * *row.boost_clock_mhz * 1e6 * width.at(row.id);
    EXPECT_NEAR(dense_peak(row, row.peaks.bf16 ? Dtype::bf16 : Dtype::fp16)->base() / expected, 1.0, 0.03) << row.id;
  }
  // No source in data/sources.csv names a clock for these; their peaks rest on the sources of the rows alone.
  EXPECT_EQ(without_clock, 32u);
  EXPECT_EQ(without_clock + width.size(), data().gpus.size());
}

TEST(Gpus, EveryAliasNamesOneRowOrShowsItsCandidates) {
  std::set<Name> ambiguous;
  for (const GpuAlias& alias : data().gpu_aliases) {
    const std::vector<const Gpu*> gpus = gpus_named(data(), alias.alias);
    ASSERT_FALSE(gpus.empty()) << alias.alias;
    EXPECT_TRUE(std::any_of(gpus.begin(), gpus.end(), [&](const Gpu* gpu) { return gpu->id == alias.gpu_id; }))
        << alias.alias;
    const auto found = find_gpu(data(), alias.alias);
    EXPECT_EQ(found.has_value(), gpus.size() == 1) << alias.alias;
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::conflict) << alias.alias;
      ambiguous.insert(alias.alias);
    }
  }
  EXPECT_EQ(ambiguous,
            (std::set<Name>{"A100",
                            "A100-80GB",
                            "H100",
                            "NVIDIA GeForce ...",
                            "RTX PRO 6000",
                            "RTXPRO6000",
                            "V100",
                            "a100",
                            "h100",
                            "v100"}));
}

TEST(Gpus, FormsOfOneNameAreDifferentRows) {
  const std::vector<std::vector<Name>> families = {{"h100-sxm5-80", "h100-pcie-80", "h100-nvl-94", "h100-sxm5-96"},
                                                   {"a100-sxm4-80", "a100-pcie-80"},
                                                   {"a100-sxm4-40", "a100-pcie-40"},
                                                   {"h200-sxm5-141", "h200-nvl-141"},
                                                   {"v100-sxm2-32", "v100-pcie-32"}};
  for (const std::vector<Name>& family : families) {
    std::set<std::pair<FormFactor, double>> forms;
    for (const Name id : family) {
      EXPECT_TRUE(forms.emplace(gpu(id).form, gpu(id).memory_marketed / kGB).second) << id;
    }
  }
}

TEST(Gpus, Fp8IsTwiceBf16WhereTheyHaveIt) {
  for (const Gpu& row : data().gpus) {
    const bool same_rate = row.id == "gaudi3";  // its paper prints one rate for both
    if (row.peaks.fp8 && row.peaks.bf16 && !same_rate) {
      EXPECT_NEAR(*row.peaks.fp8 / *row.peaks.bf16, 2.0, 0.03) << row.id;
    }
  }
}

TEST(Gpus, NoPeakIsTheSparseOne) {
  // Two sheets that print sparse figures: the dense half stands here.
  EXPECT_DOUBLE_EQ(*gpu("h100-sxm5-80").peaks.bf16 / kTflopPerSecond, 989.0);
  EXPECT_DOUBLE_EQ(*gpu("h200-sxm5-141").peaks.bf16 / kTflopPerSecond, 989.0);
  EXPECT_DOUBLE_EQ(*gpu("l40s").peaks.bf16 / kTflopPerSecond, 362.05);
}

TEST(Gpus, OneChipHasOnePeakPerUnitAndClock) {
  // Parts that differ in memory or links only.
  const std::pair<const char*, const char*> twins[] = {{"h100-sxm5-80", "h200-sxm5-141"},
                                                       {"h100-sxm5-80", "gh200-96"},
                                                       {"a100-sxm4-40", "a100-sxm4-80"},
                                                       {"a100-sxm4-80", "a800-sxm4-80"},
                                                       {"h100-sxm5-80", "h800-sxm5-80"},
                                                       {"h100-nvl-94", "h200-nvl-141"},
                                                       {"mi300x", "mi325x"}};
  for (const auto& [a, b] : twins) {
    EXPECT_EQ(gpu(a).peaks.bf16->base(), gpu(b).peaks.bf16->base()) << a << " " << b;
    EXPECT_EQ(gpu(a).sm_count, gpu(b).sm_count) << a << " " << b;
  }
}

TEST(Gpus, MarksFromMemoryAreKeysOfTheRow) {
  for (const Gpu& row : data().gpus) {
    const std::string text = canonical_text(row);
    for (const Name list : {row.from_memory, row.derived}) {
      std::string key;
      for (const char c : std::string(list) + ", ") {
        if (c == ',') {
          EXPECT_TRUE(key.empty() || text.find(key + "=") != std::string::npos) << row.id << ": " << key;
          key.clear();
        } else if (c != ' ') {
          key += c;
        }
      }
    }
    EXPECT_TRUE(row.status != FactStatus::verified || row.from_memory.find("memory_gib_reported") == Name::npos)
        << row.id;
  }
}

TEST(Gpus, LinksAreThereWithTheirBandwidth) {
  for (const Gpu& row : data().gpus) {
    EXPECT_EQ(row.link == GpuLink::none, !row.nvlink_bandwidth) << row.id;
    EXPECT_EQ(row.link == GpuLink::nvlink, row.nvlink_generation > 0) << row.id;
  }
}

TEST(Providers, FactsAreReadAndHaveSources) {
  constexpr std::string_view kPath = "data/providers/facts.csv";
  const auto facts = read_provider_facts(*find_document(data(), kPath), kPath, data().providers);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_GE(facts->size(), 60u);
  // Both Japanese regions of the three largest clouds.
  for (const char* provider : {"aws", "azure", "gcp"}) {
    for (const char* text : {"region=tokyo", "region=osaka"}) {
      EXPECT_TRUE(meets(*facts, provider, *parse_requirement(text))) << provider << " " << text;
    }
  }
}

TEST(Systems, SwitchesJoinOnlyPartsThatHaveTheLink) {
  for (const System& system : data().systems) {
    for (const LinkLevel& level : system.links) {
      const GpuLink link = gpu(system.gpu_id).link;
      if (level.kind == LinkKind::nvswitch || level.kind == LinkKind::nvlink_mesh ||
          level.kind == LinkKind::nvlink_bridge) {
        EXPECT_EQ(link, GpuLink::nvlink) << system.id;
      }
      if (level.kind == LinkKind::xgmi_mesh) {
        EXPECT_EQ(link, GpuLink::xgmi) << system.id;
      }
    }
  }
}

/// A node's network is that of its size: 3,200 Gbit/s are those of a whole node of eight, never of a part.
TEST(Systems, NetworkOfAWholeNodeIsNotThatOfItsParts) {
  std::size_t whole_nodes = 0;
  for (const System& system : data().systems) {
    if (system.provider == "aws" && system.network_per_node && *system.network_per_node >= BytesPerSecond{400e9}) {
      EXPECT_GE(system.gpus, 4) << system.id;
      whole_nodes += system.gpus == 8 && std::string_view(system.id).ends_with("48xlarge") ? 1 : 0;
    }
  }
  EXPECT_GE(whole_nodes, 3u);
  const System& whole = **find_system(data(), "aws-p5-48xlarge");
  const System& part = **find_system(data(), "aws-p5-4xlarge");
  EXPECT_DOUBLE_EQ(whole.network_per_node->base(), 400e9);  // 3,200 Gbit/s
  EXPECT_LT(part.network_per_node->base(), whole.network_per_node->base());
}

TEST(Systems, ShareOfOneGpuFitsTheNode) {
  for (const System& system : data().systems) {
    ASSERT_EQ(system.network_per_node.has_value(), system.network_per_gpu.has_value()) << system.id;
    if (system.network_per_node) {
      EXPECT_LE(*system.network_per_gpu * static_cast<double>(system.gpus) / *system.network_per_node, 1.0 + 1e-6)
          << system.id;
    }
  }
  const auto share = [](const char* id) { return *(*find_system(data(), id))->network_per_gpu / kGBPerSecond; };
  EXPECT_DOUBLE_EQ(share("aws-p5-48xlarge"), 50.0);
  EXPECT_DOUBLE_EQ(share("aws-p6-b300-48xlarge"), 100.0);
  EXPECT_DOUBLE_EQ(share("gcp-a3-highgpu-8g"), 12.5);
  EXPECT_DOUBLE_EQ(share("gcp-a3-megagpu-8g"), 25.0);
  EXPECT_DOUBLE_EQ(share("azure-nd96isr-h100-v5"), 50.0);
}

TEST(Prices, AreDatedPositiveAndOrdered) {
  const Date first = parse_date("2024-12-31").value(), last = parse_date("2026-11-09").value();
  for (const Price& price : data().prices) {
    EXPECT_TRUE(price.per_unit && price.per_unit->base() > 0) << price.id;
    EXPECT_TRUE(first <= price.as_of && price.as_of <= last) << price.id;
    EXPECT_TRUE(!price.valid_from || !price.valid_to || *price.valid_from <= *price.valid_to) << price.id;
    EXPECT_EQ(price.currency, "USD") << price.id;
  }
}

TEST(Prices, EveryGpuNameMeansOneProductOrNoneWithAReason) {
  std::set<Name> ambiguous;
  for (const Price& price : data().prices) {
    const PriceGpu* meaning = meaning_of(price, data().price_gpus);
    ASSERT_NE(meaning, nullptr) << price.id;
    if (meaning->gpu_id.empty()) {
      EXPECT_FALSE(meaning->reason.empty()) << price.id;
      ambiguous.insert(price.gpu_id);
    }
  }
  EXPECT_EQ(ambiguous,
            (std::set<Name>{
                "a100-80", "h100-80", "h200-141", "v100-16", "rtx-pro-6000-96", "rtx-pro-4500-32", "unspecified"}));
}

TEST(Prices, OfOneGpuAreOfTheSameOrder) {
  // A misplaced comma or a node's price on one GPU would stand out: usable prices of one product and kind lie
  // within 20.
  std::map<std::pair<Name, PriceKind>, std::pair<double, double>> ranges;
  for (const Price& price : data().prices) {
    const PriceGpu* meaning = meaning_of(price, data().price_gpus);
    if (is_suspect(price) || meaning->gpu_id.empty() || price.includes_host == Answer::no) {
      continue;
    }
    const double per_gpu = *price.per_unit / kUsdPerHour / static_cast<double>(price.gpus);
    auto& [low, high] = ranges.try_emplace({meaning->gpu_id, price.kind}, per_gpu, per_gpu).first->second;
    low = std::min(low, per_gpu);
    high = std::max(high, per_gpu);
  }
  for (const auto& [key, range] : ranges) {
    EXPECT_LE(range.second / range.first, 20.0) << key.first << " " << enum_name(key.second);
  }
}

TEST(Prices, JoinTheSystemsOfTheCatalogue) {
  const JoinedOffers joined = join_offers({data().systems, data().prices, data().price_gpus});
  std::set<Name> exact;
  for (const Offer& offer : joined.offers) {
    EXPECT_EQ(offer.system.provider, offer.price.provider) << offer.price.id;
    if (offer.quality == JoinQuality::exact) {
      exact.insert(offer.system.id);
      EXPECT_EQ(meaning_of(offer.price, data().price_gpus)->gpu_id, offer.system.gpu_id) << offer.price.id;
      EXPECT_EQ(offer.units, 1) << offer.price.id;
    }
  }
  for (const Name id : {"aws-p5-48xlarge",
                        "aws-p5en-48xlarge",
                        "azure-nd96isr-h100-v5",
                        "coreweave-h100-8",
                        "lambda-8x-h100",
                        "oci-bm-gpu-h100-8",
                        "runpod-pod-any"}) {
    EXPECT_TRUE(exact.contains(id)) << id;
  }
  std::set<Name> prices;
  for (const Offer& offer : joined.offers) {
    prices.insert(offer.price.id);
  }
  EXPECT_EQ(prices.size() + joined.unjoined.size(), data().prices.size());
}

TEST(Prices, TheListPriceOfTheDayIsChosen) {
  const JoinedOffers joined = join_offers({data().systems, data().prices, data().price_gpus});
  const auto choice = [&](std::string_view system, const char* day) {
    for (const PriceChoice& row : choose_prices(joined.offers, parse_date(day).value())) {
      if (row.offer.system.id == system && row.offer.price.kind == PriceKind::on_demand) {
        return row.offer.per_node() / kUsdPerHour;
      }
    }
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(choice("aws-p5-48xlarge", "2026-11-12"), 55.04);  // not the doubted 98.32 of 2026-08-22
  EXPECT_DOUBLE_EQ(choice("nebius-h100-1", "2026-10-08"), 4.50);     // announced for 2026-10-01
  EXPECT_DOUBLE_EQ(choice("coreweave-h100-8", "2026-11-12"), 49.24);
  EXPECT_DOUBLE_EQ(choice("aws-p5-48xlarge", "2024-01-01"), 0.0);  // nothing was known then
}

TEST(Measured, SharesOfThePeakAreShares) {
  for (const GemmSurface& surface : data().gemm_surfaces) {
    for (const GemmColumn& column : surface.columns) {
      for (const GemmPoint& point : column.points) {
        EXPECT_TRUE(point.efficiency > 0.0f && point.efficiency <= 1.05f)
            << surface.gpu_id << " " << enum_name(surface.dtype) << " " << point.efficiency;
      }
    }
  }
}

TEST(Measured, AttentionStaysBelowThePeak) {
  for (const AttentionSurface& surface : data().attention_surfaces) {
    const double peak = *gpu(surface.gpu_id).peaks.bf16 / kTflopPerSecond;
    for (const AttentionPoint& point : surface.points) {
      EXPECT_TRUE(point.tflop_per_second > 0 && point.tflop_per_second <= 1.05 * peak) << surface.gpu_id;
    }
  }
}

TEST(Measured, KeysAreUniqueAndSorted) {
  const auto sorted_and_unique = [](auto rows, auto key) {
    return std::adjacent_find(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
             return !(key(a) < key(b));
           }) == rows.end();
  };
  EXPECT_TRUE(sorted_and_unique(data().gemm_surfaces, [](const GemmSurface& row) {
    return std::tuple(row.gpu_id, row.dtype, row.block_scaled);
  }));
  EXPECT_TRUE(sorted_and_unique(data().attention_surfaces, [](const AttentionSurface& row) {
    return std::tuple(row.gpu_id, row.head_dim, row.grouped);
  }));
  EXPECT_TRUE(sorted_and_unique(data().documents, [](const Document& row) { return row.path; }));
  std::set<std::tuple<Name, Collective, std::int64_t, Name>> curves;
  for (const CollectiveCurve& row : data().collective_curves) {
    EXPECT_TRUE(curves.emplace(row.gpu_id, row.collective, row.ranks, row.library).second) << row.gpu_id;
  }
}

TEST(Measured, LargeCollectivesStayBelowTheLink) {
  // Bus bandwidth as nccl-tests defines it: 2 (n - 1) / n x size / time for all-reduce. In-switch reduction may show up
  // to twice the link.
  for (const CollectiveCurve& curve : data().collective_curves) {
    const Gpu& part = gpu(curve.gpu_id);
    if (curve.collective != Collective::all_reduce || part.link != GpuLink::nvlink) {
      continue;
    }
    const CollectivePoint last = curve.points.back();
    const double n = static_cast<double>(curve.ranks);
    const double bus = 2.0 * (n - 1.0) / n * std::exp2(last.log2_bytes - last.log2_seconds);
    EXPECT_LE(bus, part.nvlink_bandwidth->base()) << part.id << " " << curve.library << " " << curve.ranks;
  }
}

}  // namespace
}  // namespace mekiki
