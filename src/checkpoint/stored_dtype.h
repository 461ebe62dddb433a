// Element types that a safetensors file may name.
// Source: huggingface/safetensors 24b0b28, safetensors/src/tensor.rs (enum Dtype).
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"

namespace mekiki {

enum class StoredDtype : std::uint8_t {
  boolean,
  f4,
  f6_e2m3,
  f6_e3m2,
  u8,
  i8,
  f8_e5m2,
  f8_e4m3,
  f8_e5m2fnuz,
  f8_e4m3fnuz,
  f8_e8m0,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  c64,
  f64,
  i64,
  u64
};

template <>
struct EnumNames<StoredDtype> {
  static constexpr std::array<std::string_view, 22> value = {
      "BOOL", "F4",  "F6_E2M3", "F6_E3M2", "U8",  "I8",  "F8_E5M2", "F8_E4M3", "F8_E5M2FNUZ", "F8_E4M3FNUZ", "F8_E8M0",
      "I16",  "U16", "F16",     "BF16",    "I32", "U32", "F32",     "C64",     "F64",         "I64",         "U64"};
};

/// Bits of one element: 4 and 6 exist, so bytes would not do.
constexpr std::int64_t bits_per_element(StoredDtype dtype) {
  switch (dtype) {
    case StoredDtype::f4:
      return 4;
    case StoredDtype::f6_e2m3:
    case StoredDtype::f6_e3m2:
      return 6;
    case StoredDtype::boolean:
    case StoredDtype::u8:
    case StoredDtype::i8:
    case StoredDtype::f8_e5m2:
    case StoredDtype::f8_e4m3:
    case StoredDtype::f8_e5m2fnuz:
    case StoredDtype::f8_e4m3fnuz:
    case StoredDtype::f8_e8m0:
      return 8;
    case StoredDtype::i16:
    case StoredDtype::u16:
    case StoredDtype::f16:
    case StoredDtype::bf16:
      return 16;
    case StoredDtype::i32:
    case StoredDtype::u32:
    case StoredDtype::f32:
      return 32;
    case StoredDtype::c64:
    case StoredDtype::f64:
    case StoredDtype::i64:
    case StoredDtype::u64:
      return 64;
  }
  return 64;
}

/// The 8-bit floating-point formats that hold weights (F8_E8M0 holds scales only).
constexpr bool is_float8(StoredDtype dtype) {
  return dtype == StoredDtype::f8_e5m2 || dtype == StoredDtype::f8_e4m3 || dtype == StoredDtype::f8_e5m2fnuz ||
         dtype == StoredDtype::f8_e4m3fnuz;
}

}  // namespace mekiki
