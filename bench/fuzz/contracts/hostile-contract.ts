// Contracts of strangers: each kind is as large, deep, entangled or contradictory as a .proto file can be, and is drawn in several sizes.
import { randomFrom, type Random } from "../mutate.ts";

/** A contract as .proto files by path. */
export interface HostileContract {
  /** The kind and its size, such as `ring-700`. */
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

function lines(count: number, line: (index: number) => string): string {
  return numbers(count).map(line).join("\n");
}

const proto3 = 'syntax = "proto3";\npackage hostile.v1;\n';
const proto2 = 'syntax = "proto2";\npackage hostile.v1;\n';
const http = 'import "google/api/annotations.proto";\n';
const rules = 'import "buf/validate/validate.proto";\n';
const request = "message Request { string value = 1; int32 id = 2; }\n";

const reads = "option idempotency_level = NO_SIDE_EFFECTS;";

/** A service whose operations answer with these types, and read without side effects. */
function service(...types: readonly string[]): string {
  const methods = types.map((type, index) => `  rpc Get${index}(Request) returns (${type}) { ${reads} }`);
  return `service S {\n${methods.join("\n")}\n}\n`;
}

/** A service that takes and returns one type. */
function echo(type: string): string {
  return `service S { rpc Put(${type}) returns (${type}); }\n`;
}

const only = (text: string): ReadonlyMap<string, string> => new Map([["hostile.proto", text]]);

function message(name: string, ...fields: readonly string[]): string {
  return `message ${name} { string value = 1; ${fields.map((field, index) => `${field} = ${index + 2};`).join(" ")} }`;
}

/** Messages that each hold the next one; the last one holds the first. */
function ring(size: number, held = (next: string): string => `${next} next`): string {
  return lines(size, (index) => message(`M${index}`, held(`M${(index + 1) % size}`)));
}

/** Messages that all hold each other. */
function clique(size: number): string {
  return lines(size, (index) => message(`M${index}`, ...numbers(size).map((other) => `M${other} f${other}`)));
}

type Files = HostileContract["files"];

/** A kind of hostile contract, in a size. */
interface Kind {
  readonly sizes: readonly number[];
  readonly make: (size: number, random: Random) => Files;
}

const kinds: Readonly<Record<string, Kind>> = {
  ring: {
    sizes: [1, 2, 10, 100, 700, 1_500, 3_000, 10_000],
    make: (size) => only(`${proto3}${request}${ring(size)}\n${service("M0")}${echo("M0").replace("S", "T")}`),
  },
  "ring-in-url": {
    sizes: [3, 100, 700, 3_000],
    make: (size) =>
      only(
        `${proto3}${http}${ring(size)}\nservice S { rpc Get(M0) returns (M0) { option (google.api.http) = { get: "/v1/things" }; } }`,
      ),
  },
  "ring-of-lists": {
    sizes: [2, 700, 5_000],
    make: (size) => only(`${proto3}${ring(size, (next) => `repeated ${next} next`)}\n${echo("M0")}`),
  },
  "ring-of-maps": {
    sizes: [2, 700, 5_000],
    make: (size) => only(`${proto3}${ring(size, (next) => `map<string, ${next}> next`)}\n${echo("M0")}`),
  },
  "ring-of-oneofs": {
    sizes: [2, 100, 700, 3_000],
    make: (size) =>
      only(
        `${proto3}${lines(size, (index) => `message M${index} { oneof kind { string value = 1; M${(index + 1) % size} next = 2; } }`)}\n${echo("M0")}`,
      ),
  },
  "ring-with-rules": {
    sizes: [2, 100, 700, 3_000],
    make: (size) =>
      only(
        `${proto3}${rules}${lines(size, (index) => `message M${index} { string value = 1 [(buf.validate.field).string.max_len = 9]; M${(index + 1) % size} next = 2; }`)}\n${echo("M0")}`,
      ),
  },
  "ring-with-expressions": {
    sizes: [2, 100, 700],
    make: (size) =>
      only(
        `${proto3}${rules}${lines(size, (index) => `message M${index} { string value = 1 [(buf.validate.field).cel = {id: "v", message: "m", expression: "this != 'x'"}]; M${(index + 1) % size} next = 2; }`)}\n${echo("M0")}`,
      ),
  },
  "chain-of-cycles": {
    sizes: [5, 40, 90],
    make: (size) =>
      only(
        `${proto3}${request}${lines(size, (index) => `${message(`A${index}`, `B${index} back`)}\n${message(`B${index}`, `A${index} forth`, ...(index + 1 < size ? [`A${index + 1} down`] : []))}`)}\n${service("A0")}`,
      ),
  },
  chain: {
    sizes: [50, 100, 101, 1_000, 10_000],
    make: (size) =>
      only(
        `${proto3}${request}${lines(size, (index) => (index + 1 < size ? message(`M${index}`, `M${index + 1} next`) : message(`M${index}`)))}\n${service("M0")}`,
      ),
  },
  clique: {
    sizes: [10, 30, 60, 100],
    make: (size) =>
      only(`${proto3}${request}${clique(size)}\n${service(...numbers(size).map((index) => `M${index}`))}`),
  },
  "clique-in-url": {
    sizes: [5, 10, 30, 60],
    make: (size) =>
      only(
        `${proto3}${http}${clique(size)}\nservice S { ${lines(size, (index) => `rpc Get${index}(M${index}) returns (M${index}) { option (google.api.http) = { get: "/v1/things${index}" }; }`)} }`,
      ),
  },
  layers: {
    sizes: [5, 20, 60],
    make: (size) =>
      only(
        `${proto3}${http}${lines(size, (index) =>
          ["A", "B", "C"]
            .map((letter) =>
              message(
                `${letter}${index}`,
                ...(index + 1 < size ? ["A", "B", "C"].map((next) => `${next}${index + 1} ${next.toLowerCase()}`) : []),
              ),
            )
            .join("\n"),
        )}\nservice S { rpc Get(A0) returns (A0) { option (google.api.http) = { get: "/v1/things" }; } rpc Put(A0) returns (A0); }`,
      ),
  },
  tree: {
    sizes: [4, 8, 12],
    make: (size) =>
      only(
        `${proto3}${request}${lines(2 ** size - 1, (index) =>
          2 * index + 2 < 2 ** size - 1
            ? message(`M${index}`, `M${2 * index + 1} left`, `M${2 * index + 2} right`)
            : message(`M${index}`),
        )}\n${service("M0")}`,
      ),
  },
  "many-messages": {
    sizes: [100, 1_000, 10_000],
    make(size, random) {
      const operations = Math.max(1, size / 10);
      const inside = (): readonly string[] => numbers(3).map((slot) => `M${random.below(size)} f${slot}`);
      return only(
        `${proto3}${request}${lines(size, (index) => message(`M${index}`, ...inside()))}\n${service(...numbers(operations).map((index) => `M${index * 10}`))}`,
      );
    },
  },
  "many-enums": {
    sizes: [100, 1_000],
    make: (size) =>
      only(
        `${proto3}${request}${lines(size, (index) => `enum E${index} { E${index}_UNSPECIFIED = 0; E${index}_A = 1; E${index}_B = 2; }\n${message(`M${index}`, `E${index} kind`, `repeated M${(index * 7 + 1) % size} more`)}`)}\n${service(...numbers(size / 2).map((index) => `M${index}`))}`,
      ),
  },
  "many-operations": {
    sizes: [100, 1_000, 5_000],
    make: (size) =>
      only(
        `${proto3}${request}message Answer { string value = 1; Request request = 2; }\n${service(...numbers(size).map(() => "Answer"))}`,
      ),
  },
  "many-services": {
    sizes: [50, 500],
    make: (size) =>
      only(
        `${proto3}${request}${lines(size, (index) => `service S${index} { rpc Get(Request) returns (Request); }`)}\n`,
      ),
  },
  nested: {
    sizes: [10, 30, 60],
    make: (size) =>
      only(
        `${proto3}${request}${numbers(size)
          .map((index) => `message N${index} { string value = 1;`)
          .join(" ")}${"}".repeat(size)}\nmessage Holder { ${numbers(size)
          .map((index) => `N${index}`)
          .join(".")} deepest = 1; }\n${service("N0", "Holder")}`,
      ),
  },
  "long-names": {
    sizes: [1, 100, 1_000, 10_000],
    make(size) {
      const name = "a".repeat(size);
      return only(
        `${proto3}message R${name} { string ${name} = 1; M${name} m = 2; }\nmessage M${name} { string value = 1; E${name} e = 2; }\nenum E${name} { V${name} = 0; W${name} = 1; }\nservice S${name} { rpc Get${name}(R${name}) returns (M${name}); }`,
      );
    },
  },
  "object-names": {
    sizes: [1],
    make: () =>
      only(
        `syntax = "proto3";\nmessage constructor { string value = 1; toString hasOwnProperty = 2; __proto__ valueOf = 3; }\nmessage toString { string __proto__ = 1; string constructor = 2; }\nmessage __proto__ { int32 value = 1; }\nservice valueOf { rpc toLocaleString(constructor) returns (constructor); rpc constructor(toString) returns (__proto__); }`,
      ),
  },
  "package-parts": {
    sizes: [10, 100],
    make: (size) =>
      only(
        `syntax = "proto3";\npackage ${numbers(size)
          .map((index) => `p${index}`)
          .join(".")};\n${request}${service("Request")}`,
      ),
  },
  "enum-values": {
    sizes: [10, 1_000, 50_000],
    make: (size) =>
      only(
        `${proto3}${request}enum E {\n${lines(size, (index) => `E_V${index} = ${index};`)}\n}\n${message("M", "E kind", "repeated E kinds", "map<string, E> by_name")}\n${service("M")}${echo("M").replace("S", "T")}`,
      ),
  },
  "enum-aliases": {
    sizes: [10, 1_000, 20_000],
    make: (size) =>
      only(
        `${proto3}${request}enum E { option allow_alias = true;\n${lines(size, (index) => `E_V${index} = ${index % 2 === 0 ? 0 : -index};`)}\n}\n${message("M", "E kind", "repeated E kinds")}\n${echo("M")}`,
      ),
  },
  "closed-enum": {
    sizes: [10, 20_000],
    make: (size) =>
      only(
        `${proto2}enum E {\n${lines(size, (index) => `E_V${index} = ${index + 1};`)}\n}\nmessage M { optional string value = 1; optional E kind = 2; repeated E kinds = 3; }\n${echo("M")}`,
      ),
  },
  "enum-in-many-fields": {
    sizes: [200],
    make: (size) =>
      only(
        `${proto3}enum E {\n${lines(5_000, (index) => `E_V${index} = ${index};`)}\n}\n${message("M", ...numbers(size).map((index) => `E kind${index}`))}\n${echo("M")}`,
      ),
  },
  "many-fields": {
    sizes: [100, 1_000, 5_000],
    make: (size) =>
      only(`${proto3}message M {\n${lines(size, (index) => `string f${index} = ${index + 1};`)}\n}\n${echo("M")}`),
  },
  "many-fields-in-url": {
    sizes: [100, 2_000],
    make: (size) =>
      only(
        `${proto3}${http}message M {\n${lines(size, (index) => `string f${index} = ${index + 1};`)}\n}\nservice S { rpc Get(M) returns (M) { option (google.api.http) = { get: "/v1/m" }; } }`,
      ),
  },
  "oneof-members": {
    sizes: [50, 2_000],
    make: (size) =>
      only(
        `${proto3}message M { oneof kind {\n${lines(size, (index) => `${index % 3 === 0 ? "string" : index % 3 === 1 ? "int32" : "M"} f${index} = ${index + 1};`)}\n} }\n${echo("M")}`,
      ),
  },
  oneofs: {
    sizes: [50, 1_000],
    make: (size) =>
      only(
        `${proto3}message M {\n${lines(size, (index) => `oneof kind${index} { string a${index} = ${2 * index + 1}; int32 b${index} = ${2 * index + 2}; }`)}\n}\n${echo("M")}`,
      ),
  },
  groups: {
    sizes: [2, 30],
    make: (size) =>
      only(
        `${proto2}message M { ${numbers(size)
          .map((index) => `optional group G${index} = ${index + 1} { optional string value = 1;`)
          .join(" ")}${"}".repeat(size)} }\n${echo("M")}`,
      ),
  },
  "required-cycle": {
    sizes: [1, 2, 10, 1_000, 5_000],
    make: (size) =>
      only(
        `${proto2}message Request { optional string value = 1; }\nmessage Fine { optional string value = 1; optional M0 m = 2; }\n${lines(size, (index) => `message M${index} { optional string value = 1; required M${(index + 1) % size} next = 2; }`)}\n${service("M0", "Fine")}${echo("M0").replace("S", "T")}`,
      ),
  },
  "required-twice": {
    sizes: [5, 12, 40],
    make: (size) =>
      only(
        `${proto2}message Request { optional string value = 1; }\n${lines(size, (index) => (index + 1 < size ? `message M${index} { optional string value = 1; required M${index + 1} a = 2; required M${index + 1} b = 3; }` : `message M${index} { required string value = 1; }`))}\n${service("M0")}${echo("M0").replace("S", "T")}`,
      ),
  },
  "required-clique": {
    sizes: [3, 30],
    make: (size) =>
      only(
        `${proto3}import "google/api/field_behavior.proto";\n${request}${lines(size, (index) => message(`M${index}`, ...numbers(size).map((other) => `M${other} f${other}`)).replaceAll(/ (f\d+) = (\d+);/g, " $1 = $2 [(google.api.field_behavior) = REQUIRED];"))}\n${service("M0")}${echo("M1").replace("S", "T")}`,
      ),
  },
  "required-choice-cycle": {
    sizes: [2, 500],
    make: (size) =>
      only(
        `${proto3}${rules}${request}${lines(size, (index) => `message M${index} { oneof kind { option (buf.validate.oneof).required = true; M${(index + 1) % size} a = 1; M${(index + 2) % size} b = 2; } }`)}\n${service("M0")}${echo("M0").replace("S", "T")}`,
      ),
  },
  editions: {
    sizes: [10, 500],
    make: (size) =>
      only(
        `edition = "2023";\npackage hostile.v1;\noption features.field_presence = IMPLICIT;\n${request}${lines(size, (index) => `message M${index} { string value = 1; M${(index + 1) % size} next = 2 [features.message_encoding = DELIMITED]; repeated int32 many = 3 [features.repeated_field_encoding = EXPANDED]; }`)}\n${service("M0")}`,
      ),
  },
  extensions: {
    sizes: [10, 3_000],
    make: (size) =>
      only(
        `${proto2}message M { optional string value = 1; extensions 1000 to max; }\nextend M {\n${lines(size, (index) => `optional ${index % 2 === 0 ? "string" : "M"} x${index} = ${1_000 + index};`)}\n}\n${echo("M")}`,
      ),
  },
  "extended-messages": {
    sizes: [10, 1_000],
    make: (size) =>
      only(
        `${proto2}${lines(size, (index) => `message M${index} { optional string value = 1; optional M${(index + 1) % size} next = 2; extensions 1000 to 2000; }\nextend M${index} { optional string x${index} = 1000; }`)}\n${echo("M0")}`,
      ),
  },
  reserved: {
    sizes: [100, 5_000],
    // One a line: buf takes time quadratic in the declarations of one.
    make: (size) =>
      only(
        `${proto3}message M { string value = 1;\n${lines(size, (index) => `reserved ${10 + 3 * index} to ${11 + 3 * index};\nreserved "r${index}";`)}\n}\n${echo("M")}`,
      ),
  },
  imports: {
    sizes: [10, 300, 1_000],
    make: (size) =>
      new Map([
        ...numbers(size).map(
          (index) =>
            [
              `f${index}.proto`,
              `${proto3}${index + 1 < size ? `import "f${index + 1}.proto";\n` : ""}${message(`M${index}`, ...(index + 1 < Math.min(size, 90) ? [`M${index + 1} next`] : []))}\n`,
            ] as const,
        ),
        ["service.proto", `${proto3}import "f0.proto";\n${echo("M0")}`],
      ]),
  },
  "json-names": {
    sizes: [10, 2_000],
    make: (size) =>
      only(
        `${proto2}message M { option deprecated_legacy_json_field_conflicts = true;\n${lines(size, (index) => `optional string a_${"_".repeat(index % 5)}b${index} = ${2 * index + 1}; optional string a${"_".repeat(index % 5)}B${index} = ${2 * index + 2};`)}\n}\n${echo("M")}`,
      ),
  },
  bindings: {
    sizes: [50, 1_000, 3_000],
    make: (size) =>
      only(
        `${proto3}${http}${request}service S { rpc Get(Request) returns (Request) { option (google.api.http) = { get: "/v1/a"\n${lines(size, (index) => `additional_bindings { get: "/v1/b${index}/{value}" }`)} }; } }`,
      ),
  },
  "path-variables": {
    sizes: [5, 50, 500],
    make: (size) =>
      only(
        `${proto3}${http}message M {\n${lines(size, (index) => `string v${index} = ${index + 1};`)}\n}\nservice S { rpc Get(M) returns (M) { option (google.api.http) = { get: "/v1/${numbers(
          size,
        )
          .map((index) => `a${index}/{v${index}}`)
          .join("/")}" }; } }`,
      ),
  },
  "overlapping-paths": {
    sizes: [10, 300],
    make: (size, random) =>
      only(
        `${proto3}${http}message M { string a = 1; string b = 2; string c = 3; string value = 4; }\nservice S {\n${lines(
          size,
          (index) => {
            const segments = ["a", "b", "c"].map((name) =>
              random.below(2) === 0 ? `{${name}}` : `w${random.below(4)}`,
            );
            return `rpc Get${index}(M) returns (M) { option (google.api.http) = { get: "/v1/${segments.join("/")}:verb${random.below(3)}" }; }`;
          },
        )}\n}`,
      ),
  },
  comments: {
    sizes: [10_000, 1_000_000],
    make(size, random) {
      const unit = random.pick(["words of a comment. ", "a_b_", "A when ", " ", "for example ", "\\n\\n", "[x](y) `"]);
      const text = unit.repeat(size / unit.length);
      return only(
        `${proto3}/* ${text} */\nmessage Request {\n/* ${text} */\nstring value = 1; }\n/* ${text} */\nservice S {\n/* ${text} */\nrpc Get(Request) returns (Request); }`,
      );
    },
  },
  "many-comments": {
    sizes: [500, 3_000],
    make: (size) =>
      only(
        `${proto3}${request}${lines(size, (index) => `// A message of number ${index}.\nmessage M${index} {\n// Its value, for example "x".\nstring value = 1;\n// The next.\nM${(index + 1) % size} next = 2; }`)}\n${service("M0")}`,
      ),
  },
  options: {
    sizes: [10_000, 500_000],
    make: (size) =>
      only(
        `${proto2}import "google/protobuf/descriptor.proto";\nextend google.protobuf.MessageOptions { optional string note = 50000; }\nmessage M { option (note) = "${"x".repeat(size)}"; optional string value = 1 [default = "${"y".repeat(size)}"]; }\n${echo("M")}`,
      ),
  },
  unicode: {
    sizes: [1],
    make: () =>
      only(
        `${proto3}import "google/protobuf/struct.proto";\n// ‮ right to left, \u200b nothing, 🎉 and \u0007 a bell, é\n${request}/* \u202Ecod\u202C */ message M { string value = 1 [json_name = "wert‮"]; google.protobuf.Struct any = 2 [json_name = "😀"]; }\n${echo("M")}`,
      ),
  },
  "least-lengths": {
    sizes: [100, 100_000, 100_000_000],
    make: (size) =>
      only(
        `${proto3}${rules}${request}message Long { string value = 1 [(buf.validate.field).string.min_len = ${size}]; }\nmessage Bytes { bytes value = 1 [(buf.validate.field).bytes.min_len = ${size}]; }\nmessage Items { repeated int32 value = 1 [(buf.validate.field).repeated.min_items = ${size}]; }\nmessage Entries { map<int32, string> value = 1 [(buf.validate.field).map.min_pairs = ${size}]; }\nmessage Texts { repeated string value = 1 [(buf.validate.field).repeated = { min_items: 5000, items: { string: { min_len: 5000 } } }]; }\nmessage Optional { optional string value = 1 [(buf.validate.field).string.min_len = ${size}]; int32 id = 2; }\n${service("Long", "Bytes", "Items", "Entries", "Texts", "Optional")}service T { rpc Put(Long) returns (Request); }`,
      ),
  },
  "lists-of-lists": {
    sizes: [2, 5],
    make: (size) =>
      only(
        `${proto3}${rules}${request}${lines(size, (index) => (index + 1 < size ? `message M${index} { repeated M${index + 1} value = 1 [(buf.validate.field).repeated.min_items = 1000]; }` : `message M${index} { string value = 1; }`))}\n${service("M0")}`,
      ),
  },
  contradictions: {
    sizes: [1],
    make: () =>
      only(
        `${proto3}${rules}${request}message A { string value = 1 [(buf.validate.field).string = { min_len: 10, max_len: 5 }]; }\nmessage B { int32 value = 1 [(buf.validate.field).int32 = { gt: 5, lt: 3 }]; }\nmessage C { repeated bool value = 1 [(buf.validate.field).repeated = { unique: true, min_items: 3 }]; }\nmessage D { string value = 1 [(buf.validate.field).cel = { id: "no", message: "never", expression: "this == 'a' && this == 'b'" }]; }\nmessage E { repeated int32 value = 1 [(buf.validate.field).repeated = { min_items: 5, max_items: 2 }]; }\nmessage F { string value = 1 [(buf.validate.field).string = { in: ["a"], not_in: ["a"] }]; }\n${service("A", "B", "C", "D", "E", "F")}`,
      ),
  },
  patterns: {
    sizes: [1],
    make: () =>
      only(
        `${proto3}${rules}${request}message A { string value = 1 [(buf.validate.field).string.pattern = "^(\\\\w+\\\\s?)*$"]; }\nmessage B { string value = 1 [(buf.validate.field).string.pattern = "^(a{1000}){1000}$"]; }\nmessage C { string description = 1 [(buf.validate.field).string.pattern = "^(a|a)*b$"]; }\nmessage D { string value = 1 [(buf.validate.field).string.pattern = "^((((((((((x*)*)*)*)*)*)*)*)*)*)*y$"]; }\n${service("A", "B", "C", "D")}`,
      ),
  },
  expressions: {
    sizes: [10, 300],
    make: (size) =>
      only(
        `${proto3}${rules}${request}${lines(size, (index) => `message M${index} { option (buf.validate.message).cel = { id: "c${index}", message: "m", expression: "${"(".repeat(20)}this.value.size() < ${index + 9}${")".repeat(20)}" }; string value = 1; }`)}\n${service(...numbers(size).map((index) => `M${index}`))}service T { rpc Put(M0) returns (M0); }`,
      ),
  },
  "exclusive-groups": {
    sizes: [10, 300, 5_000],
    make: (size) =>
      only(
        `${proto3}${rules}${request}message M {\n${lines(size, (index) => `option (buf.validate.message).oneof = { fields: ["a${index}", "b${index}"], required: true };`)}\n${lines(size, (index) => `string a${index} = ${2 * index + 1}; int32 b${index} = ${2 * index + 2};`)}\n}\n${service("M")}`,
      ),
  },
  any: {
    sizes: [10, 2_000],
    make: (size) =>
      only(
        `${proto3}import "google/protobuf/any.proto";\n${request}${lines(size, (index) => message(`M${index}`, "google.protobuf.Any any", "repeated google.protobuf.Any more"))}\n${service(...numbers(Math.min(size, 100)).map((index) => `M${index}`))}`,
      ),
  },
  streams: {
    sizes: [10, 300],
    make: (size) =>
      only(
        `${proto3}${request}service S {\n${lines(size, (index) => `rpc Call${index}(${index % 2 === 0 ? "stream " : ""}Request) returns (${index % 3 === 0 ? "stream " : ""}Request);`)}\n}`,
      ),
  },
  unfinished: {
    sizes: [1_000, 1_000_000],
    make: (size, random) =>
      only(`${proto3}${random.pick(["/* ", '"\\"', "message M { ", "import ", "package "]).repeat(size / 4)}`),
  },
};

/** All kinds in all sizes, or some of each. @param most the largest size */
export function hostileContracts(seed: number, most = Number.POSITIVE_INFINITY): readonly HostileContract[] {
  return Object.entries(kinds).flatMap(([kind, { sizes, make }]) =>
    sizes
      .filter((size) => size <= most)
      .map((size) => ({ name: `${kind}-${size}`, files: make(size, randomFrom(seed + size)) })),
  );
}

function changed(text: string): string {
  return text.replaceAll(/\bvalue\b(?= = \d)/g, "worth").replaceAll(/\b(E_V\d*)5\b/g, "$1_five");
}

/** The contract after a change: other names for most values and fields, so that callers of the first break. */
export function changedContract({ name, files }: HostileContract): HostileContract {
  return { name, files: new Map([...files].map(([path, text]) => [path, changed(text)])) };
}
