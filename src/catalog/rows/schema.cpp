#include "catalog/rows/schema.h"

#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/rows/fields.h"

namespace mekiki {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
constexpr bool kIsCount = std::is_integral_v<T>;
template <class T>
constexpr bool kIsCount<std::optional<T>> = std::is_integral_v<T>;

// A visitor of Fields that describes instead of reading.
class Describer {
 public:
  Json properties = Json::object();

  void text(std::string_view key, const Name&, Presence presence, std::string_view doc) {
    Json& field = add(key, "string", doc);
    if (presence == Presence::required) {
      field["minLength"] = 1;
    }
  }
  template <class T>
  void number(std::string_view key, const T&, const Unit& unit, std::string_view doc) {
    const char* type = kIsCount<T> ? "integer" : "number";
    Json& field = add(key, type, doc);
    if (kIsOptional<T>) {
      field["type"] = {type, "null"};
    }
    field["minimum"] = unit.low;
    field["maximum"] = unit.high;
  }
  template <class E>
  void choice(std::string_view key, E, std::string_view doc) {
    add(key, "string", doc)["enum"] = EnumNames<E>::value;
  }
  template <class T>
  void date(std::string_view key, const T&, std::string_view doc) {
    Json& field = add(key, "string", doc);
    field["format"] = "date";
    if (kIsOptional<T>) {
      field["type"] = {"string", "null"};
    }
  }
  void names(std::string_view key, std::span<const Name>, std::string_view doc) {
    add(key, "array", doc)["items"] = {{"type", "string"}};
  }
  template <class Row>
  void list(std::string_view key, std::span<const Row>, std::string_view doc) {
    Describer inner;
    Fields<Row>::visit(inner, row_of<Row>());
    add(key, "array", doc)["items"] = object_schema(inner);
  }
  void begin_group() {}
  void end_group() {}

  static Json object_schema(const Describer& describer) {
    Json required = Json::array();
    for (const auto& [key, field] : describer.properties.items()) {
      required.push_back(key);
    }
    return {{"type", "object"},
            {"additionalProperties", false},
            {"required", required},
            {"properties", describer.properties}};
  }

  template <class Row>
  static const Row& row_of() {
    static const Row row{};
    return row;
  }

 private:
  Json& add(std::string_view key, std::string_view type, std::string_view doc) {
    Json field = {{"type", type}};
    if (!doc.empty()) {
      field["description"] = doc;
    }
    return properties[std::string(key)] = std::move(field);
  }
};

template <class Row>
std::string schema_of() {
  Describer describer;
  Fields<Row>::visit(describer, Describer::row_of<Row>());
  const Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", Fields<Row>::kKind},
                       {"type", "array"},
                       {"items", Describer::object_schema(describer)}};
  return schema.dump(2) + "\n";
}

}  // namespace

std::vector<SchemaFile> schema_files() {
  return {{"gpu.schema.json", schema_of<Gpu>()},
          {"price.schema.json", schema_of<Price>()},
          {"provider.schema.json", schema_of<Provider>()},
          {"system.schema.json", schema_of<System>()}};
}

}  // namespace mekiki
