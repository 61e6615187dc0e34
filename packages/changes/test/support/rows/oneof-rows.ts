// Changes of oneofs.
import type { Rows } from "./row.ts";

export const oneofRows: Rows = {
  "a field moves into a new oneof, alone": {
    contract: "message M{+ { oneof o+} { string a = 1; {+} +}string kept = 2; }",
    both: [{ a: "x", kept: "y" }],
    verdicts: "SSSSBSSSSSSBS",
  },
  "two fields move into one oneof": {
    contract: "message M{+ { oneof o+} { string a = 1; string b = 2; }{+ }+}",
    both: [{ a: "x" }, { b: "y" }],
    sentEdges: [[{ a: "x", b: "y" }, undefined]],
    verdicts: "MMMMBMMSSSSBS",
  },
  "a field leaves its oneof": {
    contract: "message M { oneof o { string a = 1; {+} +}string b = 2; }[- }-]",
    both: [{ a: "x" }, { b: "y" }],
    receivedEdges: [[{ b: "y" }, { a: "x", b: "y" }]],
    verdicts: "SSSSBSSMMMMBM",
  },
  "a oneof is renamed": {
    contract: "message M { oneof [-o-]{+p+} { string a = 1; string b = 2; } }",
    both: [{ a: "x" }, { b: "y" }],
    verdicts: "SSSSBSSSSSSBS",
  },
  "a oneof gets a member": {
    contract: "message M { oneof o { string a = 1; string b = 2; {+string c = 3; +}} }",
    both: [{ a: "x" }, { b: "y" }],
    receivedEdges: [[{ a: "lost" }, { c: "z" }]],
    verdicts: "SSSSSSSMMMMMM",
  },
  "a oneof loses a member": {
    contract: "message M { oneof o { string a = 1; string b = 2; [-string c = 3; -]} }",
    both: [{ a: "x" }],
    sent: [[{ c: "z" }, undefined]],
    receivedEdges: [[{ c: "z" }, undefined]],
    verdicts: "MBBBBMBMMMMBM",
  },
  "an optional field moves into a oneof": {
    contract: "message M { [-optional string a = 1;-]{+oneof o { string a = 1; }+} string kept = 2; }",
    both: [{ a: "x" }, { a: "" }, { kept: "y" }],
    verdicts: "SSSSBSSSSSSBS",
  },
  "a field moves from one oneof to another": {
    contract:
      "message M { oneof o { string a = 1[-; string b = 2-]; } oneof p { string c = 3; string d = 4; {+string b = 2; +}} }",
    both: [{ a: "x" }, { b: "x" }, { d: "x" }],
    sentEdges: [[{ b: "x", c: "y" }, undefined]],
    receivedEdges: [[{ b: "y" }, { a: "x", b: "y" }]],
    verdicts: "MMMMBMMMMMMBM",
  },
  "two fields of one oneof become two oneofs": {
    contract: "message M { oneof o { string a = 1; {+} oneof p { +}string b = 2; } }",
    both: [{ a: "x" }, { b: "x" }],
    receivedEdges: [[{ b: "y" }, { a: "x", b: "y" }]],
    verdicts: "SSSSBSSMMMMBM",
  },
  "all fields leave a oneof": {
    contract: "message M[- { oneof o-] { string a = 1; string b = 2; }[- }-]",
    both: [{ a: "x" }, { b: "x" }],
    receivedEdges: [[{ b: "y" }, { a: "x", b: "y" }]],
    verdicts: "SSSSBSSMMMMBM",
  },
  "a field of a oneof gets another type": {
    contract: "message M { oneof o { [-int32-]{+int64+} a = 1; string b = 2; } }",
    both: [[{ a: 5 }, { a: "5" }], { b: "x" }],
    receivedEdges: [[{ a: 5 }, { a: "5000000000" }]],
    verdicts: "SSSSMSSMBBMBM",
  },
  "a field of a oneof is renamed": {
    contract: "message M { oneof o { string [-a-]{+c+} = 1; string b = 2; } }",
    both: [[{ a: "x" }, { c: "x" }], { b: "x" }],
    verdicts: "SBBBBMBSBBBBM",
  },
};
