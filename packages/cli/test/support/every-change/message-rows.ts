// Changes of extensions, of the encoding of messages, and of messages themselves.
import type { Rows } from "./row.ts";

export const messageRows: Rows = {
  "an extension is renamed": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 f = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.f]": 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension gets another number": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 101; }`,
    both: [{ n: "x", "[shop.v1.e]": 5 }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "an extension moves to another scope": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } message S { extend M { optional int32 e = 100; } }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.S.e]": 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension is added": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } `,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    both: [{ n: "x" }],
    received: [[{ n: "x" }, { n: "x", "[shop.v1.e]": 5 }]],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an extension is removed": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } `,
    sent: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    received: [{ n: "x" }],
    receivedEdges: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    verdicts: "MBBSSMSMMMSSM",
  },
  "an extension gets another type": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional string e = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.e]": "5" },
      ],
    ],
    verdicts: "BBBSSBSBBBSSB",
  },
  "an extension becomes a list": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { repeated int32 e = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.e]": [5] },
      ],
    ],
    received: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.e]": [5, 6] },
      ],
    ],
    verdicts: "SBBSSMSBBBSSB",
  },
  "a field of an extension's message is renamed": {
    before: `syntax = "proto2"; message M { optional string n = 1; optional N d = 2; extensions 100 to 199; } message N { optional string b = 1; } extend M { optional N e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; optional N d = 2; extensions 100 to 199; } message N { optional string c = 1; } extend M { optional N e = 100; }`,
    both: [
      [
        { n: "x", d: { b: "x" } },
        { n: "x", d: { c: "x" } },
      ],
      [{ "[shop.v1.e]": { b: "x" } }, { "[shop.v1.e]": { c: "x" } }],
    ],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a field becomes an extension": {
    before: `syntax = "proto2"; message M { optional string n = 1; optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    both: [
      [
        { n: "x", e: 5 },
        { n: "x", "[shop.v1.e]": 5 },
      ],
    ],
    verdicts: "SBBBBMBSBBBBM",
  },
  "an extension becomes a field": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; optional int32 e = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", e: 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "a message is delimited": {
    before: `edition = "2023"; message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `edition = "2023"; message M { N d = 1 [features.message_encoding = DELIMITED]; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a message is delimited no longer": {
    before: `edition = "2023"; message M { N d = 1 [features.message_encoding = DELIMITED]; string kept = 2; } message N { string n = 1; }`,
    after: `edition = "2023"; message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a file's messages are delimited": {
    before: `edition = "2023"; message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `edition = "2023"; option features.message_encoding = DELIMITED; message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a list of messages is delimited": {
    before: `edition = "2023"; message M { repeated N d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `edition = "2023"; message M { repeated N d = 1 [features.message_encoding = DELIMITED]; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: [{ n: "x" }] }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a message in a oneof is delimited": {
    before: `edition = "2023"; message M { oneof o { N d = 1; string kept = 2; } } message N { string n = 1; }`,
    after: `edition = "2023"; message M { oneof o { N d = 1 [features.message_encoding = DELIMITED]; string kept = 2; } } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a group becomes a message (proto2)": {
    before: `syntax = "proto2"; message M { optional group D = 1 { optional string n = 1; } optional string kept = 2; }`,
    after: `syntax = "proto2"; message M { optional D d = 1; optional string kept = 2; message D { optional string n = 1; } }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a message is renamed": {
    before: `message M { N d = 1; } message N { string n = 1; }`,
    after: `message M { O d = 1; } message O { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "a message moves into another": {
    before: `message M { N d = 1; } message N { string n = 1; }`,
    after: `message M { N d = 1; message N { string n = 1; } }`,
    both: [{ d: { n: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "proto3 becomes an edition": {
    before: `syntax = "proto3"; message M { int32 a = 1; optional int32 b = 2; E e = 3; } enum E { U = 0; }`,
    after: `edition = "2023"; option features.field_presence = IMPLICIT; message M { int32 a = 1; int32 b = 2 [features.field_presence = EXPLICIT]; E e = 3; } enum E { U = 0; }`,
    both: [{ a: 5, b: 0 }],
    verdicts: "MMMMMMMMMMMMM",
  },
};
