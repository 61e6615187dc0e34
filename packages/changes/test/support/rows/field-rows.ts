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
  "a field of a message in itself is renamed": {
    contract: "message M { string [-a-]{+b+} = 1; M m = 2; }",
    both: [[{ m: { m: { a: "x" } } }, { m: { m: { b: "x" } } }]],
    verdicts: "SBBBBMBSBBBBM",
  },
};
