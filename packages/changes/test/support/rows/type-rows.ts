// Changes of the types of fields. Scalar types are compared with each other in scalar-pairs.ts.
import type { Rows } from "./row.ts";

export const typeRows: Rows = {
  "an enum becomes int32": {
    contract: `message M { [-E-]{+int32+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    edges: [[{ a: "A" }, { a: 1 }]],
    receivedEdges: [[{ a: 7 }, { a: 7 }]],
    verdicts: "SMMBBMBSMMBBM",
  },
  "int32 becomes an enum": {
    contract: `message M { [-int32-]{+E+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    edges: [[{ a: 1 }, { a: "A" }]],
    verdicts: "SMMBBMMSMMBBM",
  },
  "an enum becomes int64": {
    contract: `message M { [-E-]{+int64+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    both: [[{ a: "A" }, { a: "1" }]],
    receivedEdges: [[{ a: "A" }, { a: "5000000000" }]],
    verdicts: "SBBBBMBMBBBBM",
  },
  "an enum becomes uint32": {
    contract: `message M { [-E-]{+uint32+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    edges: [[{ a: "A" }, { a: 1 }]],
    sentEdges: [[{ a: -1 }, undefined]],
    receivedEdges: [[{ a: "A" }, { a: 4000000000 }]],
    verdicts: "MMMBBMBMMMBBM",
  },
  "an enum becomes a string": {
    contract: `message M { [-E-]{+string+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    both: [[{ a: "A" }, { a: "A" }]],
    receivedEdges: [[{ a: "A" }, { a: "x" }]],
    verdicts: "BMMMBBMBMMMMB",
  },
  "a string becomes an enum": {
    contract: `message M { [-string-]{+E+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    both: [[{ a: "A" }, { a: "A" }]],
    sentEdges: [[{ a: "x" }, undefined]],
    verdicts: "BMMMBBMBMMMMB",
  },
  "an enum becomes bool": {
    contract: `message M { [-E-]{+bool+} a = 1; string kept = 2; } enum E { U = 0; A = 1; B = 2; }`,
    both: [[{ a: "A" }, { a: true }]],
    sentEdges: [[{ a: "B" }, undefined]],
    verdicts: "MBBBBMBSBBBBM",
  },
  "a message becomes another with the same fields": {
    contract: `message M { [-N-]{+P+} a = 1; string kept = 2; } message N { string b = 1; } message P { string b = 1; } message Q { int32 b = 1; }`,
    both: [{ a: { b: "x" } }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "a message becomes another with other fields": {
    contract: `message M { [-N-]{+Q+} a = 1; string kept = 2; } message N { string b = 1; } message P { string b = 1; } message Q { int32 b = 1; }`,
    both: [[{ a: { b: "5" } }, { a: { b: 5 } }]],
    verdicts: "BMMMBBMBBBMBB",
  },
  "a message becomes a string": {
    contract: `message M { [-N-]{+string+} a = 1; string kept = 2; } message N { string b = 1; } message P { string b = 1; } message Q { int32 b = 1; }`,
    both: [[{ a: { b: "x" } }, undefined]],
    verdicts: "BBBBBBBBBBBBB",
  },
  "a string becomes a message": {
    contract: `message M { [-string-]{+N+} a = 1; string kept = 2; } message N { string b = 1; } message P { string b = 1; } message Q { int32 b = 1; }`,
    both: [[{ a: "x" }, { a: { b: "x" } }]],
    verdicts: "BBBBBBBBBBBBB",
  },
};
