// Contracts with very many or very long declarations of one sort.
import {
  echo,
  got,
  http,
  type Kinds,
  lines,
  message,
  messages,
  numbers,
  proto2,
  proto3,
  reads,
  readsEach,
  request,
  ring,
  texts,
} from "./proto-text.ts";

/** An enum of values that differ by their numbers. */
const enumOf = (size: number, numberOf: (index: number) => number, option = ""): string =>
  `enum E { ${option}\n${lines(size, (index) => `E_V${index} = ${numberOf(index)};`)}\n}`;

const ofAny = ["string", "int32", "M"];

const streamed = (isStream: boolean): string => (isStream ? "stream Request" : "Request");

const call = (index: number): string =>
  `rpc Call${index}(${streamed(index % 2 === 0)}) returns (${streamed(index % 3 === 0)});`;

const numberOf = (index: number): number => (index % 2 === 0 ? 0 : -index);

const oneof = (index: number): string =>
  `oneof kind${index} { string a${index} = ${2 * index + 1}; int32 b${index} = ${2 * index + 2}; }`;

const extension = (index: number): string =>
  `optional ${index % 2 === 0 ? "string" : "M"} x${index} = ${1_000 + index};`;

const range = (index: number): string => `reserved ${10 + 3 * index} to ${11 + 3 * index};\nreserved "r${index}";`;

const pair = (index: number): string => {
  const gap = "_".repeat(index % 5);
  return `optional string a_${gap}b${index} = ${2 * index + 1}; optional string a${gap}B${index} = ${2 * index + 2};`;
};

export const amounts: Kinds = {
  "many-messages": {
    sizes: [100, 1_000, 3_000, 10_000],
    make(size, random) {
      const inside = (): readonly string[] => numbers(3).map((slot) => `M${random.below(size)} f${slot}`);
      const all = lines(size, (index) => message(`M${index}`, ...inside()));
      return proto3(request, all, readsEach(Math.max(1, size / 10), 10));
    },
  },
  "many-enums": {
    sizes: [10, 100, 1_000],
    make: (size) =>
      proto3(
        request,
        lines(size, (index) => {
          const values = `E${index}_UNSPECIFIED = 0; E${index}_A = 1; E${index}_B = 2;`;
          return `enum E${index} { ${values} }\n${message(`M${index}`, `E${index} kind`, `repeated M${(index * 7 + 1) % size} more`)}`;
        }),
        readsEach(size / 2),
      ),
  },
  "many-operations": {
    sizes: [100, 400, 1_000, 5_000],
    make: (size) => proto3(request, message("Answer", "Request request"), reads(...numbers(size).map(() => "Answer"))),
  },
  "many-services": {
    sizes: [5, 50, 500],
    make: (size) =>
      proto3(
        request,
        lines(size, (index) => `service S${index} { rpc Get(Request) returns (Request); }`),
      ),
  },
  streams: {
    sizes: [10, 100, 300],
    make(size) {
      return proto3(request, `service S {\n${lines(size, call)}\n}`);
    },
  },
  "long-names": {
    sizes: [1, 100, 1_000, 10_000],
    make(size) {
      const name = "a".repeat(size);
      return proto3(
        `message R${name} { string ${name} = 1; M${name} m = 2; }`,
        `message M${name} { string value = 1; E${name} e = 2; }`,
        `enum E${name} { V${name} = 0; W${name} = 1; }`,
        `service S${name} { rpc Get${name}(R${name}) returns (M${name}); }`,
      );
    },
  },
  "object-names": {
    sizes: [1],
    make: () => `syntax = "proto3";
message constructor { string value = 1; .toString hasOwnProperty = 2; .__proto__ valueOf = 3; }
message toString { string __proto__ = 1; string constructor = 2; }
message __proto__ { int32 value = 1; }
service valueOf { rpc toLocaleString(.constructor) returns (.constructor); rpc constructor(.toString) returns (.__proto__); }`,
  },
  "package-parts": {
    sizes: [2, 10, 100],
    make: (size) =>
      `syntax = "proto3";\npackage ${lines(size, (index) => `p${index}`, ".")};\n${request}\n${reads("Request")}`,
  },
  "enum-values": {
    sizes: [10, 1_000, 10_000, 50_000],
    make: (size) =>
      proto3(
        request,
        enumOf(size, (index) => index),
        message("M", "E kind", "repeated E kinds", "map<string, E> by_name"),
        reads("M"),
        echo("M"),
      ),
  },
  "enum-aliases": {
    sizes: [10, 1_000, 20_000],
    make(size) {
      return proto3(
        enumOf(size, numberOf, "option allow_alias = true;"),
        message("M", "E kind", "repeated E kinds"),
        echo("M"),
      );
    },
  },
  "closed-enum": {
    sizes: [10, 1_000, 20_000],
    make: (size) =>
      proto2(
        enumOf(size, (index) => index + 1),
        "message M { optional string value = 1; optional E kind = 2; repeated E kinds = 3; }",
        echo("M"),
      ),
  },
  "enum-in-many-fields": {
    sizes: [20, 200],
    make: (size) =>
      proto3(
        enumOf(5_000, (index) => index),
        message("M", ...numbers(size).map((index) => `E kind${index}`)),
        echo("M"),
      ),
  },
  "many-fields": {
    sizes: [100, 300, 1_000, 5_000],
    make: (size) => proto3(`message M {\n${texts(size)}\n}`, echo("M")),
  },
  "many-fields-in-url": {
    sizes: [20, 100, 2_000],
    make: (size) => proto3(http, `message M {\n${texts(size)}\n}`, got("M", "/v1/m")),
  },
  "oneof-members": {
    sizes: [5, 50, 2_000],
    make: (size) =>
      proto3(
        `message M { oneof kind {\n${lines(size, (index) => `${ofAny[index % 3]} f${index} = ${index + 1};`)}\n} }`,
        echo("M"),
      ),
  },
  oneofs: {
    sizes: [5, 50, 1_000],
    make(size) {
      return proto3(`message M {\n${lines(size, oneof)}\n}`, echo("M"));
    },
  },
  editions: {
    sizes: [2, 10, 500],
    make: (size) => `edition = "2023";
package hostile.v1;
option features.field_presence = IMPLICIT;
message Request { string value = 1; }
${messages(
  size,
  (next) =>
    `string value = 1; ${next} next = 2 [features.message_encoding = DELIMITED]; repeated int32 many = 3 [features.repeated_field_encoding = EXPANDED];`,
)}
${reads("M0")}`,
  },
  extensions: {
    sizes: [10, 300, 3_000],
    make(size) {
      return proto2(
        "message M { optional string value = 1; extensions 1000 to max; }",
        `extend M {\n${lines(size, extension)}\n}`,
        echo("M"),
      );
    },
  },
  "extended-messages": {
    sizes: [2, 10, 1_000],
    make: (size) =>
      proto2(
        messages(size, (next) => `optional string value = 1; optional ${next} next = 2; extensions 1000 to 2000;`),
        lines(size, (index) => `extend M${index} { optional string x${index} = 1000; }`),
        echo("M0"),
      ),
  },
  reserved: {
    sizes: [100, 1_000, 5_000],
    // One a line: buf takes time quadratic in the declarations of one.
    make(size) {
      return proto3(`message M { string value = 1;\n${lines(size, range)}\n}`, echo("M"));
    },
  },
  imports: {
    sizes: [10, 100, 300, 1_000],
    make(size) {
      const depth = Math.min(size, 90);
      const file = (index: number): string =>
        proto3(
          index + 1 < size ? `import "f${index + 1}.proto";` : "",
          message(`M${index}`, ...(index + 1 < depth ? [`M${index + 1} next`] : [])),
        );
      const files = numbers(size).map((index) => [`f${index}.proto`, file(index)] as const);
      return new Map([...files, ["service.proto", proto3('import "f0.proto";', echo("M0"))]]);
    },
  },
  "json-names": {
    sizes: [10, 200, 2_000],
    make(size) {
      const option = "option deprecated_legacy_json_field_conflicts = true;";
      return proto2(`message M { ${option}\n${lines(size, pair)}\n}`, echo("M"));
    },
  },
  comments: {
    sizes: [10_000, 100_000, 1_000_000],
    make(size, random) {
      const unit = random.pick(["words of a comment. ", "a_b_", "A when ", " ", "for example ", "\\n\\n", "[x](y) `"]);
      const text = `/* ${unit.repeat(size / unit.length)} */`;
      return proto3(
        `${text}\nmessage Request {\n${text}\nstring value = 1; }`,
        `${text}\nservice S {\n${text}\nrpc Get(Request) returns (Request); }`,
      );
    },
  },
  "many-comments": {
    sizes: [50, 500, 3_000],
    make: (size) =>
      proto3(
        request,
        ring(size, (next) => `// The next, for example "x".\n${next} next`).replaceAll(
          "message ",
          "// A message.\nmessage ",
        ),
        reads("M0"),
      ),
  },
  options: {
    sizes: [10_000, 100_000, 500_000],
    make: (size) =>
      proto2(
        'import "google/protobuf/descriptor.proto";',
        "extend google.protobuf.MessageOptions { optional string note = 50000; }",
        `message M { option (note) = "${"x".repeat(size)}"; optional string value = 1 [default = "${"y".repeat(size)}"]; }`,
        echo("M"),
      ),
  },
  unicode: {
    sizes: [1],
    make: () =>
      proto3(
        'import "google/protobuf/struct.proto";',
        "// \u202E right to left, \u200B nothing, 🎉 and \u0007 a bell, é",
        '/* \u202Ecod\u202C */ message M { string value = 1 [json_name = "wert\u202E"]; google.protobuf.Struct any = 2 [json_name = "😀"]; }',
        echo("M"),
      ),
  },
  unfinished: {
    sizes: [1_000, 1_000_000],
    make: (size, random) =>
      proto3(random.pick(["/* ", '"\\"', "message M { ", "import ", "package "]).repeat(size / 4)),
  },
};
