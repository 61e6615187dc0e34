// Changes of what is in lists and maps.
import type { Rows } from "./row.ts";

export const listRows: Rows = {
  "a list of entries becomes a map of messages": {
    contract:
      "message M { [-repeated K a = 1; } message K { string key = 1; X value = 2-]{+map<string, X> a = 1+}; } message X { int32 y = 1; }",
    both: [[{ a: [{ key: "k", value: { y: 5 } }] }, { a: { k: { y: 5 } } }]],
    verdicts: "SBBMBMSSBBMBM",
  },
  "a map of messages becomes a list of entries, and a field of theirs is renumbered": {
    contract:
      "message M { [-map<string, X> a = 1; } message X { int32 y = 1-]{+repeated K a = 1; } message K { string key = 1; X value = 2; } message X { int32 y = 2+}; }",
    both: [[{ a: { k: { y: 5 } } }, { a: [{ key: "k", value: { y: 5 } }] }]],
    verdicts: "BBBMBBSBBBMBB",
  },
  "a list of entries with more than a key and a value becomes a map": {
    contract:
      "message M { [-repeated K a = 1; } message K { string key = 1; string value = 2; string more = 3-]{+map<string, string> a = 1+}; }",
    both: [[{ a: [{ key: "k", value: "v" }] }, { a: { k: "v" } }]],
    edges: [[{ a: [{ key: "k", value: "v", more: "m" }] }, undefined]],
    verdicts: "MBBBBMSMBBBBM",
  },
  "a list of int32 becomes one of int64": {
    contract: `message M { repeated [-int32-]{+int64+} a = 1; string kept = 2; }`,
    both: [[{ a: [5, 6] }, { a: ["5", "6"] }]],
    receivedEdges: [[{ a: [5] }, { a: ["5000000000"] }]],
    verdicts: "SSSSMSSMBBMBM",
  },
  "a list of int32 becomes one of strings": {
    contract: `message M { repeated [-int32-]{+string+} a = 1; string kept = 2; }`,
    both: [[{ a: [5, 6] }, { a: ["5", "6"] }]],
    receivedEdges: [[{ a: [5] }, { a: ["x"] }]],
    verdicts: "BBBSBBSBBBMBB",
  },
  "a list of strings becomes one of int32": {
    contract: `message M { repeated [-string-]{+int32+} a = 1; string kept = 2; }`,
    both: [[{ a: ["5", "6"] }, { a: [5, 6] }]],
    sentEdges: [[{ a: ["x"] }, undefined]],
    verdicts: "BMMMBBMBBBSBB",
  },
  "a list of int32 becomes one of sint32": {
    contract: `message M { repeated [-int32-]{+sint32+} a = 1; string kept = 2; }`,
    both: [{ a: [5, 6] }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "a list of int32 becomes one of fixed32": {
    contract: `message M { repeated [-int32-]{+fixed32+} a = 1; string kept = 2; }`,
    both: [{ a: [5, 6] }],
    sentEdges: [[{ a: [-5] }, undefined]],
    receivedEdges: [[{ a: [5] }, { a: [4000000000] }]],
    verdicts: "BMMMMBMBMMMMB",
  },
  "a list of strings becomes one of bytes": {
    contract: `message M { repeated [-string-]{+bytes+} a = 1; string kept = 2; }`,
    both: [[{ a: ["text"] }, { a: ["dGV4dA=="] }]],
    receivedEdges: [[{ a: ["x"] }, { a: ["//8="] }]],
    verdicts: "SBBBBMBMBBBBM",
  },
  "a list of an enum becomes one of int32": {
    contract: `message M { repeated [-E-]{+int32+} a = 1; string kept = 2; } enum E { U = 0; A = 1; }`,
    edges: [[{ a: ["A"] }, { a: [1] }]],
    verdicts: "SMMBBMBSMMBBM",
  },
  "a list of messages becomes one of strings": {
    contract: `message M { repeated [-N-]{+string+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [[{ a: [{ b: "x" }] }, undefined]],
    verdicts: "BBBBBBSBBBBBB",
  },
  "a list of one message becomes one of another": {
    contract: `message M { repeated [-N-]{+P+} a = 1; string kept = 2; } message N { string b = 1; } message P { string c = 1; }`,
    both: [[{ a: [{ b: "x" }] }, { a: [{ c: "x" }] }]],
    verdicts: "SBBBBMSSBBBBM",
  },
  "a list is packed no longer": {
    contract: `message M { repeated int32 a = 1{+ [packed = false]+}; string kept = 2; }`,
    both: [{ a: [5, 6] }],
    verdicts: "SSSSSSSSSSSSS",
  },
  // A reader with a closed enum takes unknown numbers of a list as unknown fields: https://protobuf.dev/programming-guides/enum/#closed
  "the enum of a list is closed": {
    contract: `edition = "2023"; message M { repeated E a = 1; string kept = 2; } enum E { {+option features.enum_type = CLOSED; +}U = 0; A = 1; }`,
    both: [{ a: ["A", "U"] }],
    sent: [{ a: ["A", 7] }],
    specified: ["grpc", "connect"],
    verdicts: "BBBSSBBSSSSSS",
  },
  "the values of a map become messages": {
    contract: `message M { map<string, [-string-]{+N+}> m = 1; string kept = 2; } message N { string b = 1; }`,
    both: [[{ m: { k: "x" } }, undefined]],
    verdicts: "BBBBBBSBBBBBB",
  },
  "a field of the messages of a map is renamed": {
    contract: `message M { map<string, N> m = 1; string kept = 2; } message N { string [-b-]{+c+} = 1; }`,
    both: [[{ m: { k: { b: "x" } } }, { m: { k: { c: "x" } } }]],
    verdicts: "SBBBBMSSBBBBM",
  },
  "the values of a map become an enum": {
    contract: `message M { map<string, [-int32-]{+E+}> m = 1; string kept = 2; } enum E { U = 0; A = 1; }`,
    edges: [[{ m: { k: 1 } }, { m: { k: "A" } }]],
    verdicts: "SMMBBMSSMMBBM",
  },
  "a map gets another number": {
    contract: `message M { map<string, int32> m = [-1-]{+3+}; string kept = 2; }`,
    both: [{ m: { k: 5 }, kept: "x" }],
    verdicts: "BSSBSBSBSSBSB",
  },
  "a map is renamed": {
    contract: `message M { map<string, int32> [-m-]{+n+} = 1; string kept = 2; }`,
    both: [[{ m: { k: 5 } }, { n: { k: 5 } }]],
    verdicts: "SBBBBMSSBBBBM",
  },
  "the keys of a map become signed": {
    contract: `message M { map<[-int32-]{+sint32+}, string> m = 1; string kept = 2; }`,
    both: [{ m: { "5": "x" } }],
    verdicts: "BMMMMBSBMMMMB",
  },
  "the keys of a map become booleans": {
    contract: `message M { map<[-int32-]{+bool+}, string> m = 1; string kept = 2; }`,
    both: [[{ m: { "1": "x" } }, { m: { true: "x" } }]],
    sentEdges: [[{ m: { "5": "x" } }, undefined]],
    verdicts: "MBBMBMSMBBBBM",
  },
  "the keys and the values of a map get other types": {
    contract: `message M { map<[-int32, string-]{+int64, N+}> m = 1; string kept = 2; } message N { string b = 1; }`,
    both: [[{ m: { "5": "x" } }, undefined]],
    verdicts: "BBBBBBSBBBBBB",
  },
  "a map becomes a Struct": {
    contract: `message M { [-map<string, string>-]{+google.protobuf.Struct+} m = 1; string kept = 2; }`,
    both: [{ m: { k: "x" } }],
    receivedEdges: [[{ m: { k: "x" } }, { m: { k: 5 } }]],
    verdicts: "BSSBBBSBMMBBB",
  },
};
