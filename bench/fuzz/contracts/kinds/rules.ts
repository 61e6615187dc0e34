// Rules and paths that nobody can satisfy, or that take long to check.
import { echo, got, http, type Kinds, lines, proto3, reads, readsEach, request, rules, texts } from "./proto-text.ts";

/** A message `name` with a field of rules. */
const ruled = (name: string, field: string, rule: string): string =>
  `message ${name} { ${field} = 1 [(buf.validate.field).${rule}]; }`;

const patterns = [String.raw`^(\\w+\\s?)*$`, "^(a{1000}){1000}$", "^(a|a)*b$", "^((((((((((x*)*)*)*)*)*)*)*)*)*)*y$"];

const nested = (index: number): string => `${"(".repeat(20)}this.value.size() < ${index + 9}${")".repeat(20)}`;

const checked = (index: number): string =>
  `message M${index} { option (buf.validate.message).cel = { id: "c${index}", message: "m", expression: "${nested(index)}" }; string value = 1; }`;

const group = (index: number): string =>
  `option (buf.validate.message).oneof = { fields: ["a${index}", "b${index}"], required: true };`;

const fields = (index: number): string => `string a${index} = ${2 * index + 1}; int32 b${index} = ${2 * index + 2};`;

export const ruleKinds: Kinds = {
  "least-lengths": {
    sizes: [100, 5_000, 100_000, 100_000_000],
    make: (size) =>
      proto3(
        rules,
        request,
        ruled("Long", "string value", `string.min_len = ${size}`),
        ruled("Bytes", "bytes value", `bytes.min_len = ${size}`),
        ruled("Items", "repeated int32 value", `repeated.min_items = ${size}`),
        ruled("Entries", "map<int32, string> value", `map.min_pairs = ${size}`),
        ruled("Texts", "repeated string value", "repeated = { min_items: 5000, items: { string: { min_len: 5000 } } }"),
        ruled("Optional", "int32 id = 2; optional string value", `string.min_len = ${size}`),
        reads("Long", "Bytes", "Items", "Entries", "Texts", "Optional"),
        echo("Long"),
      ),
  },
  contradictions: {
    sizes: [1],
    make: () =>
      proto3(
        rules,
        request,
        ruled("A", "string value", "string = { min_len: 10, max_len: 5 }"),
        ruled("B", "int32 value", "int32 = { gt: 5, lt: 3 }"),
        ruled("C", "repeated bool value", "repeated = { unique: true, min_items: 3 }"),
        ruled("D", "string value", `cel = { id: "no", message: "never", expression: "this == 'a' && this == 'b'" }`),
        ruled("E", "repeated int32 value", "repeated = { min_items: 5, max_items: 2 }"),
        ruled("F", "string value", 'string = { in: ["a"], not_in: ["a"] }'),
        reads("A", "B", "C", "D", "E", "F"),
      ),
  },
  patterns: {
    sizes: [1],
    make: () =>
      proto3(
        rules,
        request,
        ...patterns.map((pattern, index) => ruled(`M${index}`, "string value", `string.pattern = "${pattern}"`)),
        readsEach(patterns.length),
      ),
  },
  expressions: {
    sizes: [10, 100, 300],
    make(size) {
      return proto3(rules, request, lines(size, checked), readsEach(size), echo("M0"));
    },
  },
  "exclusive-groups": {
    sizes: [10, 300, 5_000],
    make(size) {
      return proto3(rules, request, `message M {\n${lines(size, group)}\n${lines(size, fields)}\n}`, reads("M"));
    },
  },
  bindings: {
    sizes: [5, 50, 1_000, 3_000],
    make(size) {
      const more = lines(size, (index) => `additional_bindings { get: "/v1/b${index}/{value}" }`);
      return proto3(http, request, got("Request", "/v1/a").replace('"/v1/a"', `"/v1/a"\n${more}`));
    },
  },
  "path-variables": {
    sizes: [5, 50, 200, 500],
    make(size) {
      const path = lines(size, (index) => `a${index}/{v${index}}`, "/");
      return proto3(http, `message M {\n${texts(size, "v")}\n}`, got("M", `/v1/${path}`));
    },
  },
  "overlapping-paths": {
    sizes: [10, 100, 300],
    make(size, random) {
      const segment = (name: string): string => (random.below(2) === 0 ? `{${name}}` : `w${random.below(4)}`);
      const path = (): string => `/v1/${["a", "b", "c"].map(segment).join("/")}:verb${random.below(3)}`;
      const method = (index: number): string =>
        `rpc Get${index}(M) returns (M) { option (google.api.http) = { get: "${path()}" }; }`;
      const parts = "string a = 1; string b = 2; string c = 3; string value = 4;";
      return proto3(http, `message M { ${parts} }`, `service S {\n${lines(size, method)}\n}`);
    },
  },
};
