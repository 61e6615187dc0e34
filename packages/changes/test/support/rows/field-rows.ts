// Changes of fields: names, numbers, presence, oneofs, defaults, and how many values they have.
import type { Rows } from "./row.ts";

export const fieldRows: Rows = {
  "a field is added": {
    contract: "message M { string a = 1; {+string b = 2; +}}",
    both: [{ a: "x" }],
    received: [[{ a: "x" }, { a: "x", b: "y" }]],
    verdicts: "SSSSSSSSSSMSS",
  },
  "a required field is added (proto2)": {
    contract: `syntax = "proto2"; message M { optional string a = 1; {+required string b = 2; +}}`,
    sent: [{ a: "x" }],
    received: [[{ a: "x" }, { a: "x", b: "y" }]],
    verdicts: "BBBBBBBSSSMSS",
  },
  "a field with a rule that requires it is added": {
    contract: "message M { string a = 1; {+string b = 2 [(buf.validate.field).required = true]; +}}",
    sent: [{ a: "x" }],
    received: [[{ a: "x" }, { a: "x", b: "y" }]],
    verdicts: "BBBBBBBSSSMSS",
  },
  "a field is removed": {
    contract: "message M { string a = 1; [-string b =-]{+reserved+} 2; }",
    sent: [[{ a: "x", b: "y" }, undefined]],
    received: [[{ a: "x" }, { a: "x" }]],
    receivedEdges: [[{ a: "x", b: "y" }, undefined]],
    verdicts: "MBBBBMBMMMMBM",
  },
  "a required field is removed (proto2)": {
    contract: `syntax = "proto2"; message M { optional string a = 1; [-required string b = 2; -]}`,
    sent: [[{ a: "x", b: "y" }, undefined]],
    receivedEdges: [[{ a: "x", b: "y" }, { a: "x" }]],
    verdicts: "MBBBBMBBMMMBB",
  },
  "a field is replaced by one of another type": {
    contract: "message M { string a = 1; [-string b-]{+int32 c+} = 2; }",
    sent: [[{ a: "x", b: "y" }, undefined]],
    received: [[{ a: "x" }, { a: "x", c: 5 }]],
    receivedEdges: [[{ a: "x", b: "y" }, undefined]],
    verdicts: "BBBBBBBBMMMBB",
  },
  "a field is renamed": {
    contract: "message M { string [-a-]{+b+} = 1; string kept = 2; }",
    both: [[{ a: "x" }, { b: "x" }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a field is renamed, its JSON name kept": {
    contract: `message M { string [-a = 1-]{+b = 1 [json_name = "a"]+}; string kept = 2; }`,
    both: [[{ a: "x" }, { b: "x" }]],
    verdicts: "SSSBSSSSSSBSS",
  },
  "a field is renamed and gets another number, its JSON name kept": {
    contract: `message M { string [-a = 1-]{+b = 3 [json_name = "a"]+}; string kept = 2; }`,
    both: [[{ a: "x" }, { a: "x" }]],
    verdicts: "BSSBSBSBSSBSB",
  },
  "a field takes the JSON name of another": {
    contract: `message M { string [-a = 1-]{+b = 1; string c = 3 [json_name = "a"]+}; string kept = 2; }`,
    both: [{ a: "x" }],
    verdicts: "BSSBSBSBSSBSB",
  },
  "a JSON name is changed": {
    contract: `message M { string a = 1{+ [json_name = "b"]+}; string kept = 2; }`,
    both: [[{ a: "x" }, { b: "x" }]],
    verdicts: "SSSSBMSSBBSBM",
  },
  "a JSON name is the one before, the contract's name read too": {
    contract: `message M { string a_b = 1[- [json_name = "c"]-]; string kept = 2; }`,
    both: [[{ c: "x" }, { aB: "x" }]],
    verdicts: "SBBSBMBSBBSBM",
  },
  "a field gets another number": {
    contract: "message M { string a = [-1-]{+3+}; string kept = 2; }",
    both: [{ a: "x", kept: "y" }],
    verdicts: "BSSBSBSBSSBSB",
  },
  "a field gets another number, and its elements another order": {
    contract: "message M { string [-a = 1; string kept = 2-]{+kept = 2; string a = 3+}; }",
    both: [{ a: "x", kept: "y" }],
    verdicts: "BSSBSBSBSSBSB",
  },
  "two fields swap their numbers": {
    contract: "message M { string a = [-1; string b = 2-]{+2; string b = 1+}; }",
    both: [{ a: "x", b: "y" }],
    verdicts: "BSSBSBSBSSBSB",
  },
  "two fields swap their names": {
    contract: "message M { string [-a = 1; int32 b-]{+b = 1; int32 a+} = 2; }",
    edges: [[{ a: "x", b: 5 }, undefined]],
    verdicts: "BBBBBBMBBBBBB",
  },
  "fields are declared in another order": {
    contract: "message M { string [-a = 1; string b = 2-]{+b = 2; string a = 1+}; }",
    both: [{ a: "x", b: "y" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field becomes deprecated": {
    contract: "message M { string a = 1{+ [deprecated = true]+}; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field becomes optional": {
    contract: "message M {{+ optional+} int32 a = 1; }",
    both: [{ a: 5 }, {}],
    verdicts: "SSSSSSSSSSSBS",
  },
  "a field is optional no longer": {
    contract: "message M {[- optional-] int32 a = 1; }",
    both: [{ a: 5 }, {}],
    sentEdges: [[{ a: 0 }, undefined]],
    receivedEdges: [[{ a: 0 }, { a: 0 }]],
    verdicts: "MMMMMMMMMMMMM",
  },
  "a field becomes required (proto2)": {
    contract: `syntax = "proto2"; message M { [-optional-]{+required+} int32 a = 1; }`,
    both: [{ a: 5 }],
    sent: [[{}, {}]],
    verdicts: "BBBBBBBSSSSSS",
  },
  "a field is required no longer (proto2)": {
    contract: `syntax = "proto2"; message M { [-required-]{+optional+} int32 a = 1; }`,
    both: [{ a: 5 }],
    receivedEdges: [[{}, {}]],
    verdicts: "SSSSSSSMMMMBM",
  },
  "a file's fields lose their presence (editions)": {
    contract: `edition = "2023"{+; option features.field_presence = IMPLICIT+}; message M { int32 a = 1; }`,
    both: [{ a: 5 }, {}],
    sentEdges: [[{ a: 0 }, undefined]],
    receivedEdges: [[{ a: 0 }, { a: 0 }]],
    verdicts: "MMMMMMMMMMMMM",
  },
  "a default is changed (proto2)": {
    contract: `syntax = "proto2"; message M { optional int32 a = 1 [default = [-3-]{+4+}]; }`,
    both: [{ a: 5 }],
    edges: [[{}, undefined]],
    verdicts: "MMMMMMMMMMMMM",
  },
  "a list becomes packed, by a field's option (proto2)": {
    contract: `syntax = "proto2"; message M { repeated int32 a = 1{+ [packed = true]+}; }`,
    both: [{ a: [5, 6] }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "lists are packed no longer, by a file's feature": {
    contract: `edition = "2023"{+; option features.repeated_field_encoding = EXPANDED+}; message M { repeated int32 a = 1; }`,
    both: [{ a: [5, 6] }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "strings are checked, by a file's feature": {
    contract: `edition = "2023"[-; option features.utf8_validation = NONE-]; message M { string a = 1; }`,
    both: [{ a: "ä" }],
    verdicts: "MSSSSMSMSSSSM",
  },
  "strings are checked no longer, by a file's feature": {
    contract: `edition = "2023"{+; option features.utf8_validation = NONE+}; message M { string a = 1; }`,
    both: [{ a: "ä" }],
    verdicts: "MSSSSMSMSSSSM",
  },
  "a field becomes lazy": {
    contract: "message M { N a = 1{+ [lazy = true]+}; } message N { string b = 1; }",
    both: [{ a: { b: "x" } }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field gets the options of other languages": {
    contract:
      "message M { int64 a = 1{+ [jstype = JS_STRING]+}; string b = 2{+ [ctype = CORD, debug_redact = true]+}; }",
    both: [{ a: "5", b: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a message of an edition is written as JSON at best": {
    contract: `edition = "2023"; message M { {+option features.json_format = LEGACY_BEST_EFFORT; +}string a = 1; }`,
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "numbers and names are reserved": {
    contract: `message M { string a = 1; {+reserved 5, 7 to 9; reserved "b"; +}}`,
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a default is added (proto2)": {
    contract: `syntax = "proto2"; message M { optional string a = 1{+ [default = "d"]+}; }`,
    both: [{ a: "x" }],
    verdicts: "MMMMMMMMMMMMM",
  },
  "a default is an enum's value (proto2)": {
    contract: `syntax = "proto2"; message M { optional E a = 1[- [default = A]-]; } enum E { U = 0; A = 1; }`,
    both: [{ a: "A" }],
    verdicts: "MMMMMMMMMMMMM",
  },
  "a field is required by a feature": {
    contract: `edition = "2023"; message M { string a = 1{+ [features.field_presence = LEGACY_REQUIRED]+}; string kept = 2; }`,
    both: [{ a: "x" }],
    sent: [{ kept: "x" }],
    verdicts: "BBBBBBBSSSSSS",
  },
  "a message becomes deprecated, and loses its option": {
    contract: "message M { option [-no_standard_descriptor_accessor-]{+deprecated+} = true; string a = 1; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field of a message in itself is renamed": {
    contract: "message M { string [-a-]{+b+} = 1; M m = 2; }",
    both: [[{ m: { m: { a: "x" } } }, { m: { m: { b: "x" } } }]],
    verdicts: "SBBBBMBSBBBBM",
  },
};
