// Changes of extensions, of the encoding of messages, and of messages themselves.
import type { Rows } from "./row.ts";

export const messageRows: Rows = {
  "options for code generators change": {
    before: `option java_package = "a"; option java_outer_classname = "A"; option java_multiple_files = true; option optimize_for = SPEED;
      option go_package = "a/a"; option cc_generic_services = true; option java_generic_services = true; option py_generic_services = true;
      option cc_enable_arenas = false; option objc_class_prefix = "A"; option csharp_namespace = "A"; option swift_prefix = "A";
      option php_class_prefix = "A"; option php_namespace = "A"; option php_metadata_namespace = "A"; option ruby_package = "A";
      message M { string n = 1; }`,
    after: `option java_package = "b"; option java_outer_classname = "B"; option java_multiple_files = false; option optimize_for = CODE_SIZE;
      option go_package = "b/b"; option cc_generic_services = false; option java_generic_services = false; option py_generic_services = false;
      option cc_enable_arenas = true; option objc_class_prefix = "B"; option csharp_namespace = "B"; option swift_prefix = "B";
      option php_class_prefix = "B"; option php_namespace = "B"; option php_metadata_namespace = "B"; option ruby_package = "B";
      option deprecated = true; message M { string n = 1; }`,
    both: [{ n: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "reserved and extension ranges grow": {
    before: `syntax = "proto2"; message M { optional string n = 1; reserved 10 to 12; extensions 100 to 110 [verification = UNVERIFIED]; optional E e = 2; }
      enum E { E_A = 0; reserved 5 to 6; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; reserved 9 to 14;
      extensions 99 to 120 [declaration = { number: 100, full_name: ".shop.v1.x", type: "int32" }, verification = DECLARATION]; optional E e = 2; }
      enum E { option deprecated = true; E_A = 0 [debug_redact = true]; reserved 4 to 7; }`,
    both: [{ n: "x", e: "E_A" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an extension moves into a message": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; } message Home {}`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } message Home { extend M { optional int32 e = 100; } }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.Home.e]": 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension extends another message": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } message N { extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } message N { extensions 100 to 199; } extend N { optional int32 e = 100; }`,
    sent: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    received: [{ n: "x" }],
    receivedEdges: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    verdicts: "MBBSSMSMMMSSM",
  },
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
  "a message becomes bytes": {
    before: `message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `message M { bytes d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [[{ d: { n: "x" } }, { d: "CgF4" }]],
    verdicts: "MBBBBMBMBBBBM",
  },
  "bytes become a message": {
    before: `message M { bytes d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [[{ d: "CgF4" }, { d: { n: "x" } }]],
    sentEdges: [[{ d: "//8=" }, undefined]],
    verdicts: "MBBBBMBMBBBBM",
  },
  "a message moves out of another": {
    before: `message M { N d = 1; message N { string n = 1; } }`,
    after: `message M { N d = 1; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "a group is renamed (proto2)": {
    before: `syntax = "proto2"; message M { optional group D = 1 { optional string n = 1; } optional string kept = 2; }`,
    after: `syntax = "proto2"; message M { optional group F = 1 { optional string n = 1; } optional string kept = 2; }`,
    both: [[{ d: { n: "x" } }, { f: { n: "x" } }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a group becomes a delimited message (editions)": {
    before: `syntax = "proto2"; message M { optional group D = 1 { optional string n = 1; } optional string kept = 2; }`,
    after: `edition = "2023"; message M { D d = 1 [features.message_encoding = DELIMITED]; string kept = 2; message D { string n = 1; } }`,
    both: [{ d: { n: "x" } }],
    verdicts: "MSSSSMSMSSSSM",
  },
  "an extension range is added": {
    before: `syntax = "proto2"; message M { optional string n = 1; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; }`,
    both: [{ n: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an extension range is removed, and its extension": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; }`,
    sent: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    received: [{ n: "x" }],
    receivedEdges: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    verdicts: "MBBSSMSMMMSSM",
  },
  "an extension of a message in a message is renamed": {
    before: `syntax = "proto2"; message M { optional N d = 1; } message N { optional string n = 1; extensions 100 to 199; } extend N { repeated int32 e = 100; }`,
    after: `syntax = "proto2"; message M { optional N d = 1; } message N { optional string n = 1; extensions 100 to 199; } extend N { repeated int32 f = 100; }`,
    both: [[{ d: { "[shop.v1.e]": [5] } }, { d: { "[shop.v1.f]": [5] } }]],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension's message is delimited": {
    before: `edition = "2023"; message M { string n = 1; extensions 100 to 199; } message N { string b = 1; } extend M { N e = 100; }`,
    after: `edition = "2023"; message M { string n = 1; extensions 100 to 199; } message N { string b = 1; } extend M { N e = 100 [features.message_encoding = DELIMITED]; }`,
    both: [{ "[shop.v1.e]": { b: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "an extension's enum is closed": {
    before: `edition = "2023"; message M { string n = 1; extensions 100 to 199; } enum E { U = 0; A = 1; } extend M { E e = 100; }`,
    after: `edition = "2023"; message M { string n = 1; extensions 100 to 199; } enum E { option features.enum_type = CLOSED; U = 0; A = 1; } extend M { E e = 100; }`,
    both: [{ "[shop.v1.e]": "A" }],
    sent: [{ "[shop.v1.e]": 7 }],
    verdicts: "BBBSSBSSSSSSS",
  },
  "extensions are declared in another order": {
    before: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = 100; optional string f = 101; }`,
    after: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional string f = 101; optional int32 e = 100; }`,
    both: [{ n: "x", "[shop.v1.e]": 5, "[shop.v1.f]": "y" }],
    verdicts: "SSSSSSSSSSSSS",
  },

  "a message is renamed, and a field of it": {
    before: `message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `message M { O d = 1; string kept = 2; } message O { string o = 1; }`,
    both: [[{ d: { n: "x" } }, { d: { o: "x" } }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a message is renamed, and loses a field": {
    before: `message M { N d = 1; string kept = 2; } message N { string n = 1; string o = 2; }`,
    after: `message M { O d = 1; string kept = 2; } message O { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    sent: [[{ d: { o: "x" } }, undefined]],
    verdicts: "MBBBBMBMMMMBM",
  },
  "a message is renamed, and gets a field": {
    before: `message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    after: `message M { O d = 1; string kept = 2; } message O { string n = 1; string o = 2; }`,
    sent: [{ d: { n: "x" } }],
    received: [[{ d: { n: "x" } }, { d: { n: "x", o: "y" } }]],
    verdicts: "SSSSBSSSSSMMS",
  },
  "a message is renamed, and a field becomes optional": {
    before: `message M { N d = 1; string kept = 2; } message N { string n = 1; string o = 2; }`,
    after: `message M { O d = 1; string kept = 2; } message O { optional string n = 1; string o = 2; }`,
    both: [{ d: { n: "x" } }, { d: { o: "y" } }],
    verdicts: "SSSSBSSSSSSBS",
  },
  "a message is renamed, and a field has another type": {
    before: `message M { N d = 1; string kept = 2; } message N { int32 n = 1; }`,
    after: `message M { O d = 1; string kept = 2; } message O { int64 n = 1; }`,
    both: [[{ d: { n: 5 } }, { d: { n: "5" } }]],
    receivedEdges: [[{ d: { n: 5 } }, { d: { n: "5000000000" } }]],
    verdicts: "SSSSBSSMBBMBM",
  },
  "a message is renamed, and a field becomes a list": {
    before: `message M { N d = 1; string kept = 2; } message N { int32 n = 1; }`,
    after: `message M { O d = 1; string kept = 2; } message O { repeated int32 n = 1; }`,
    both: [[{ d: { n: 5 } }, { d: { n: [5] } }]],
    receivedEdges: [[{ d: { n: 5 } }, { d: { n: [5, 6] } }]],
    verdicts: "SBBSBMSBBBMBB",
  },
  "an enum is renamed, and a value of it": {
    before: `message M { E e = 1; string kept = 2; } enum E { U = 0; A = 1; }`,
    after: `message M { F e = 1; string kept = 2; } enum F { U = 0; B = 1; }`,
    both: [[{ e: "A" }, { e: "B" }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "an enum is renamed, and loses a value": {
    before: `message M { E e = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    after: `message M { F e = 1; string kept = 2; } enum F { U = 0; A = 1; }`,
    both: [{ e: "A" }],
    sent: [[{ e: "B" }, undefined]],
    verdicts: "MBBBBMBSSSSMS",
  },
  "a message is renamed, and two fields move into a oneof": {
    before: `message M { N d = 1; string kept = 2; } message N { string n = 1; string o = 2; }`,
    after: `message M { O d = 1; string kept = 2; } message O { oneof p { string n = 1; string o = 2; } }`,
    both: [{ d: { n: "x" } }],
    sentEdges: [[{ d: { n: "x", o: "y" } }, undefined]],
    verdicts: "MMMMBMMSSSSBS",
  },
};
