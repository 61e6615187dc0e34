// Types that contain each other in every way.
import {
  clique,
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
  rules,
} from "./proto-text.ts";

const rule = (text: string): string => `string value = 1 [(buf.validate.field).${text}];`;
const letters = ["A", "B", "C"];

export const graphs: Kinds = {
  ring: {
    sizes: [1, 2, 10, 100, 400, 700, 1_000, 1_500, 3_000, 10_000],
    make: (size) => proto3(request, ring(size), reads("M0"), echo("M0")),
  },
  "ring-in-url": {
    sizes: [1, 3, 30, 100, 700, 3_000],
    make: (size) => proto3(http, ring(size), got("M0", "/v1/things")),
  },
  "ring-of-lists": {
    sizes: [2, 50, 700, 5_000],
    make: (size) =>
      proto3(
        ring(size, (next) => `repeated ${next} next`),
        echo("M0"),
      ),
  },
  "ring-of-maps": {
    sizes: [2, 50, 700, 5_000],
    make: (size) =>
      proto3(
        ring(size, (next) => `map<string, ${next}> next`),
        echo("M0"),
      ),
  },
  "ring-of-oneofs": {
    sizes: [2, 100, 700, 3_000],
    make: (size) =>
      proto3(
        messages(size, (next) => `oneof kind { string value = 1; ${next} next = 2; }`),
        echo("M0"),
      ),
  },
  "ring-with-rules": {
    sizes: [2, 100, 700, 3_000],
    make: (size) =>
      proto3(
        rules,
        messages(size, (next) => `${rule("string.max_len = 9")} ${next} next = 2;`),
        echo("M0"),
      ),
  },
  "ring-with-expressions": {
    sizes: [2, 100, 700],
    make: (size) =>
      proto3(
        rules,
        messages(
          size,
          (next) => `${rule(`cel = {id: "v", message: "m", expression: "this != 'x'"}`)} ${next} next = 2;`,
        ),
        echo("M0"),
      ),
  },
  "chain-of-cycles": {
    sizes: [1, 5, 20, 40, 90],
    make: (size) =>
      proto3(
        request,
        lines(size, (index) => {
          const down = index + 1 < size ? [`A${index + 1} down`] : [];
          return `${message(`A${index}`, `B${index} back`)}\n${message(`B${index}`, `A${index} forth`, ...down)}`;
        }),
        reads("A0"),
      ),
  },
  chain: {
    sizes: [3, 50, 100, 101, 400, 1_000, 10_000],
    make: (size) =>
      proto3(
        request,
        lines(size - 1, (index) => message(`M${index}`, `M${index + 1} next`)),
        message(`M${size - 1}`),
        reads("M0"),
      ),
  },
  clique: { sizes: [3, 10, 30, 60, 100], make: (size) => proto3(request, clique(size), readsEach(size)) },
  "clique-in-url": {
    sizes: [2, 5, 10, 30, 60],
    make: (size) =>
      proto3(
        http,
        clique(size),
        ...numbers(size).map((index) => got(`M${index}`, `/v1/things${index}`).replace(" S ", ` S${index} `)),
      ),
  },
  layers: {
    sizes: [2, 5, 20, 60],
    make: (size) =>
      proto3(
        http,
        lines(size, (index) => {
          const next = index + 1 < size ? letters.map((letter) => `${letter}${index + 1} ${letter.toLowerCase()}`) : [];
          return letters.map((letter) => message(`${letter}${index}`, ...next)).join("\n");
        }),
        got("A0", "/v1/things"),
        echo("A0"),
      ),
  },
  tree: {
    sizes: [2, 4, 6, 8, 12],
    make: (size) =>
      proto3(
        request,
        lines(2 ** size - 1, (index) => {
          const isLeaf = 2 * index + 2 >= 2 ** size - 1;
          return message(`M${index}`, ...(isLeaf ? [] : [`M${2 * index + 1} left`, `M${2 * index + 2} right`]));
        }),
        reads("M0"),
      ),
  },
  nested: {
    sizes: [10, 20, 25, 30, 60],
    make: (size) =>
      proto3(
        request,
        `${lines(size, (index) => `message N${index} { string value = 1;`, " ")}${"}".repeat(size)}`,
        `message Holder { ${lines(size, (index) => `N${index}`, ".")} deepest = 1; }`,
        reads("N0", "Holder"),
      ),
  },
  groups: {
    sizes: [2, 10, 30],
    make: (size) =>
      proto2(
        `message M { ${lines(size, (index) => `optional group G${index} = ${index + 1} { optional string value = 1;`, " ")}${"}".repeat(size)} }`,
        echo("M"),
      ),
  },
  "required-cycle": {
    sizes: [1, 2, 10, 100, 1_000, 5_000],
    make: (size) =>
      proto2(
        request,
        "message Fine { optional string value = 1; optional M0 m = 2; }",
        messages(size, (next) => `optional string value = 1; required ${next} next = 2;`),
        reads("M0", "Fine"),
        echo("M0"),
      ),
  },
  "required-twice": {
    sizes: [5, 12, 20, 40],
    make: (size) =>
      proto2(
        request,
        messages(size, (next, index) =>
          index + 1 < size
            ? `optional string value = 1; required ${next} a = 2; required ${next} b = 3;`
            : "required string value = 1;",
        ),
        reads("M0"),
        echo("M0"),
      ),
  },
  "required-clique": {
    sizes: [3, 10, 30],
    make: (size) =>
      proto3(
        'import "google/api/field_behavior.proto";',
        request,
        clique(size, " [(google.api.field_behavior) = REQUIRED]"),
        reads("M0"),
        echo("M1"),
      ),
  },
  "required-choice-cycle": {
    sizes: [2, 30, 500],
    make: (size) =>
      proto3(
        rules,
        request,
        messages(
          size,
          (next, index) =>
            `oneof kind { option (buf.validate.oneof).required = true; ${next} a = 1; M${(index + 2) % size} b = 2; }`,
        ),
        reads("M0"),
        echo("M0"),
      ),
  },
  "lists-of-lists": {
    sizes: [2, 3, 5],
    make: (size) =>
      proto3(
        rules,
        request,
        messages(size, (next, index) =>
          index + 1 < size
            ? `repeated ${next} value = 1 [(buf.validate.field).repeated.min_items = 1000];`
            : "string value = 1;",
        ),
        reads("M0"),
      ),
  },
  any: {
    sizes: [10, 200, 2_000],
    make: (size) =>
      proto3(
        'import "google/protobuf/any.proto";',
        request,
        lines(size, (index) => message(`M${index}`, "google.protobuf.Any any", "repeated google.protobuf.Any more")),
        readsEach(Math.min(size, 100)),
      ),
  },
};
