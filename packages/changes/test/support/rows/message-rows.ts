// Changes of extensions, of the encoding of messages, and of messages themselves.
import type { Rows } from "./row.ts";

export const messageRows: Rows = {
  "options for code generators change": {
    contract: `option java_package = "[-a-]{+b+}"; option java_outer_classname = "[-A-]{+B+}"; option java_multiple_files = [-true-]{+false+}; option optimize_for = [-SPEED-]{+CODE_SIZE+};
      option go_package = "[-a/a-]{+b/b+}"; option cc_generic_services = [-true-]{+false+}; option java_generic_services = [-true-]{+false+}; option py_generic_services = [-true-]{+false+};
      option cc_enable_arenas = [-false-]{+true+}; option objc_class_prefix = "[-A-]{+B+}"; option csharp_namespace = "[-A-]{+B+}"; option swift_prefix = "[-A-]{+B+}";
      option php_class_prefix = "[-A-]{+B+}"; option php_namespace = "[-A-]{+B+}"; option php_metadata_namespace = "[-A-]{+B+}"; option ruby_package = "[-A";
      -]{+B";
      option deprecated = true; +}message M { string n = 1; }`,
    both: [{ n: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "reserved and extension ranges grow": {
    contract: `syntax = "proto2"; message M { optional string n = 1; reserved [-10 to 12; extensions 100 to 110 [verification = UNVERIFIED]; optional E e = 2; }
      enum E { E_A = 0; reserved 5 to 6-]{+9 to 14;
      extensions 99 to 120 [declaration = { number: 100, full_name: ".shop.v1.x", type: "int32" }, verification = DECLARATION]; optional E e = 2; }
      enum E { option deprecated = true; E_A = 0 [debug_redact = true]; reserved 4 to 7+}; }`,
    both: [{ n: "x", e: "E_A" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an extension moves into a message": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } {+message Home { +}extend M { optional int32 e = 100; } [-message Home {-]}`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.Home.e]": 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension extends another message": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } message N { extensions 100 to 199; } extend [-M-]{+N+} { optional int32 e = 100; }`,
    sent: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    received: [{ n: "x" }],
    receivedEdges: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    verdicts: "MBBSSMSMMMSSM",
  },
  "an extension is renamed": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 [-e-]{+f+} = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.f]": 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension gets another number": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional int32 e = [-100-]{+101+}; }`,
    both: [{ n: "x", "[shop.v1.e]": 5 }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "an extension moves to another scope": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } {+message S { +}extend M { optional int32 e = 100; }{+ }+}`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.S.e]": 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension is added": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } {+extend M { optional int32 e = 100; }+}`,
    both: [{ n: "x" }],
    received: [[{ n: "x" }, { n: "x", "[shop.v1.e]": 5 }]],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an extension is removed": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } [-extend M { optional int32 e = 100; }-]`,
    sent: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    received: [{ n: "x" }],
    receivedEdges: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    verdicts: "MBBSSMSMMMSSM",
  },
  "an extension gets another type": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional [-int32-]{+string+} e = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", "[shop.v1.e]": "5" },
      ],
    ],
    verdicts: "BBBSSBSBBBSSB",
  },
  "an extension becomes a list": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { [-optional-]{+repeated+} int32 e = 100; }`,
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
    contract: `syntax = "proto2"; message M { optional string n = 1; optional N d = 2; extensions 100 to 199; } message N { optional string [-b-]{+c+} = 1; } extend M { optional N e = 100; }`,
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
    contract: `syntax = "proto2"; message M { optional string n = 1; {+extensions 100 to 199; } extend M { +}optional int32 e = 100; }`,
    both: [
      [
        { n: "x", e: 5 },
        { n: "x", "[shop.v1.e]": 5 },
      ],
    ],
    verdicts: "SBBBBMBSBBBBM",
  },
  "an extension becomes a field": {
    contract: `syntax = "proto2"; message M { optional string n = 1; [-extensions 100 to 199; } extend M { -]optional int32 e = 100; }`,
    both: [
      [
        { n: "x", "[shop.v1.e]": 5 },
        { n: "x", e: 5 },
      ],
    ],
    verdicts: "SBBSSMSSBBSSM",
  },
  "a message is delimited": {
    contract: `edition = "2023"; message M { N d = 1{+ [features.message_encoding = DELIMITED]+}; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a message is delimited no longer": {
    contract: `edition = "2023"; message M { N d = 1[- [features.message_encoding = DELIMITED]-]; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a file's messages are delimited": {
    contract: `edition = "2023"{+; option features.message_encoding = DELIMITED+}; message M { N d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a list of messages is delimited": {
    contract: `edition = "2023"; message M { repeated N d = 1{+ [features.message_encoding = DELIMITED]+}; string kept = 2; } message N { string n = 1; }`,
    both: [{ d: [{ n: "x" }] }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a message in a oneof is delimited": {
    contract: `edition = "2023"; message M { oneof o { N d = 1{+ [features.message_encoding = DELIMITED]+}; string kept = 2; } } message N { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a group becomes a message (proto2)": {
    contract: `syntax = "proto2"; message M { optional [-group D = 1-]{+D d = 1; optional string kept = 2; message D+} { optional string n = 1; } [-optional string kept = 2; -]}`,
    both: [{ d: { n: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a message is renamed": {
    contract: `message M { [-N d = 1; } message N-]{+O d = 1; } message O+} { string n = 1; }`,
    both: [{ d: { n: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "a message moves into another": {
    contract: `message M { N d = 1;[- }-] message N { string n = 1; }{+ }+}`,
    both: [{ d: { n: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "proto3 becomes an edition": {
    contract: `[-syntax = "proto3"-]{+edition = "2023"; option features.field_presence = IMPLICIT+}; message M { int32 a = 1; [-optional -]int32 b = 2{+ [features.field_presence = EXPLICIT]+}; E e = 3; } enum E { U = 0; }`,
    both: [{ a: 5, b: 0 }],
    verdicts: "MMMMMMMMMMMMM",
  },
  "a message becomes bytes": {
    contract: `message M { [-N-]{+bytes+} d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [[{ d: { n: "x" } }, { d: "CgF4" }]],
    verdicts: "MBBBBMBMBBBBM",
  },
  "bytes become a message": {
    contract: `message M { [-bytes-]{+N+} d = 1; string kept = 2; } message N { string n = 1; }`,
    both: [[{ d: "CgF4" }, { d: { n: "x" } }]],
    sentEdges: [[{ d: "//8=" }, undefined]],
    verdicts: "MBBBBMBMBBBBM",
  },
  "a message moves out of another": {
    contract: `message M { N d = 1;{+ }+} message N { string n = 1; }[- }-]`,
    both: [{ d: { n: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "a group is renamed (proto2)": {
    contract: `syntax = "proto2"; message M { optional group [-D-]{+F+} = 1 { optional string n = 1; } optional string kept = 2; }`,
    both: [[{ d: { n: "x" } }, { f: { n: "x" } }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a group becomes a delimited message (editions)": {
    contract: `[-syntax = "proto2"; message M { optional group D = 1 { optional string n = 1; } optional string kept = 2;-]{+edition = "2023"; message M { D d = 1 [features.message_encoding = DELIMITED]; string kept = 2; message D { string n = 1; }+} }`,
    both: [{ d: { n: "x" } }],
    verdicts: "MSSSSMSMSSSSM",
  },
  "an extension range is added": {
    contract: `syntax = "proto2"; message M { optional string n = 1; {+extensions 100 to 199; +}}`,
    both: [{ n: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an extension range is removed, and its extension": {
    contract: `syntax = "proto2"; message M { optional string n = 1; [-extensions 100 to 199; } extend M { optional int32 e = 100; -]}`,
    sent: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    received: [{ n: "x" }],
    receivedEdges: [[{ n: "x", "[shop.v1.e]": 5 }, undefined]],
    verdicts: "MBBSSMSMMMSSM",
  },
  "an extension of a message in a message is renamed": {
    contract: `syntax = "proto2"; message M { optional N d = 1; } message N { optional string n = 1; extensions 100 to 199; } extend N { repeated int32 [-e-]{+f+} = 100; }`,
    both: [[{ d: { "[shop.v1.e]": [5] } }, { d: { "[shop.v1.f]": [5] } }]],
    verdicts: "SBBSSMSSBBSSM",
  },
  "an extension's message is delimited": {
    contract: `edition = "2023"; message M { string n = 1; extensions 100 to 199; } message N { string b = 1; } extend M { N e = 100{+ [features.message_encoding = DELIMITED]+}; }`,
    both: [{ "[shop.v1.e]": { b: "x" } }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "an extension's enum is closed": {
    contract: `edition = "2023"; message M { string n = 1; extensions 100 to 199; } enum E { {+option features.enum_type = CLOSED; +}U = 0; A = 1; } extend M { E e = 100; }`,
    both: [{ "[shop.v1.e]": "A" }],
    sent: [{ "[shop.v1.e]": 7 }],
    verdicts: "BBBSSBSSSSSSS",
  },
  "extensions are declared in another order": {
    contract: `syntax = "proto2"; message M { optional string n = 1; extensions 100 to 199; } extend M { optional {+string f = 101; optional +}int32 e = 100; [-optional string f = 101; -]}`,
    both: [{ n: "x", "[shop.v1.e]": 5, "[shop.v1.f]": "y" }],
    verdicts: "SSSSSSSSSSSSS",
  },

  "a message is renamed, and a field of it": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N-]{+O+} { string [-n-]{+o+} = 1; }`,
    both: [[{ d: { n: "x" } }, { d: { o: "x" } }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a message is renamed, and loses a field": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N-]{+O+} { string n = 1; [-string o = 2; -]}`,
    both: [{ d: { n: "x" } }],
    sent: [[{ d: { o: "x" } }, undefined]],
    verdicts: "MBBBBMBMMMMBM",
  },
  "a message is renamed, and gets a field": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N-]{+O+} { string n = 1; {+string o = 2; +}}`,
    sent: [{ d: { n: "x" } }],
    received: [[{ d: { n: "x" } }, { d: { n: "x", o: "y" } }]],
    verdicts: "SSSSBSSSSSMMS",
  },
  "a message is renamed, and a field becomes optional": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N {-]{+O { optional+} string n = 1; string o = 2; }`,
    both: [{ d: { n: "x" } }, { d: { o: "y" } }],
    verdicts: "SSSSBSSSSSSBS",
  },
  "a message is renamed, and a field has another type": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N { int32-]{+O { int64+} n = 1; }`,
    both: [[{ d: { n: 5 } }, { d: { n: "5" } }]],
    receivedEdges: [[{ d: { n: 5 } }, { d: { n: "5000000000" } }]],
    verdicts: "SSSSBSSMBBMBM",
  },
  "a message is renamed, and a field becomes a list": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N {-]{+O { repeated+} int32 n = 1; }`,
    both: [[{ d: { n: 5 } }, { d: { n: [5] } }]],
    receivedEdges: [[{ d: { n: 5 } }, { d: { n: [5, 6] } }]],
    verdicts: "SBBSBMSBBBMBB",
  },
  "an enum is renamed, and a value of it": {
    contract: `message M { [-E-]{+F+} e = 1; string kept = 2; } enum [-E-]{+F+} { U = 0; [-A-]{+B+} = 1; }`,
    both: [[{ e: "A" }, { e: "B" }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "an enum is renamed, and loses a value": {
    contract: `message M { [-E-]{+F+} e = 1; string kept = 2; } enum [-E-]{+F+} { U = 0; A = 1; [-B = 2; -]}`,
    both: [{ e: "A" }],
    sent: [[{ e: "B" }, undefined]],
    verdicts: "MBBBBMBSSSSMS",
  },
  "a message is renamed, and two fields move into a oneof": {
    contract: `message M { [-N-]{+O+} d = 1; string kept = 2; } message [-N-]{+O { oneof p+} { string n = 1; string o = 2; }{+ }+}`,
    both: [{ d: { n: "x" } }],
    sentEdges: [[{ d: { n: "x", o: "y" } }, undefined]],
    verdicts: "MMMMBMMSSSSBS",
  },
};
