// Changes of how many values a field has: one, a list or a map.
import type { Rows } from "./row.ts";

export const cardinalityRows: Rows = {
  "one value becomes a list": {
    contract: "message M {{+ repeated+} string a = 1; string kept = 2; }",
    sent: [[{ a: "x" }, { a: ["x"] }]],
    receivedEdges: [[{ a: "x" }, { a: ["x", "y"] }]],
    verdicts: "SBBSMMSBBBMBB",
  },
  "one number becomes a list": {
    contract: "message M {{+ repeated+} int32 a = 1; string kept = 2; }",
    both: [[{ a: 5 }, { a: [5] }]],
    receivedEdges: [[{ a: 5 }, { a: [5, 6] }]],
    verdicts: "SBBSMMSBBBMBB",
  },
  "one message becomes a list": {
    contract: "message M {{+ repeated+} N a = 1; string kept = 2; message N { string b = 1; } }",
    both: [[{ a: { b: "x" } }, { a: [{ b: "x" }] }]],
    receivedEdges: [[{ a: { b: "x" } }, { a: [{ b: "x" }, { b: "y" }] }]],
    verdicts: "SBBSBMBBBBMBB",
  },
  "a list becomes one value": {
    contract: "message M {[- repeated-] string a = 1; string kept = 2; }",
    both: [[{ a: ["x"] }, { a: "x" }]],
    sentEdges: [[{ a: ["x", "y"] }, undefined]],
    verdicts: "BBBMBBMSBBSBM",
  },
  "a list of numbers becomes one": {
    contract: "message M {[- repeated-] int32 a = 1; string kept = 2; }",
    both: [[{ a: [5] }, { a: 5 }]],
    sentEdges: [[{ a: [5, 6] }, undefined]],
    verdicts: "BBBMBBMSBBSBM",
  },
  "a list of entries becomes a map": {
    contract:
      "message M { [-repeated E-]{+map<string, int32>+} m = 1; string kept = 2; [-message E { string key = 1; int32 value = 2; } }-]{+}+}",
    both: [[{ m: [{ key: "k", value: 5 }] }, { m: { k: 5 } }]],
    verdicts: "SBBMBMSSBBMBM",
  },
  "a map becomes a list of entries": {
    contract:
      "message M { [-map<string, int32>-]{+repeated E+} m = 1; string kept = 2; [-}-]{+message E { string key = 1; int32 value = 2; } }+}",
    both: [[{ m: { k: 5 } }, { m: [{ key: "k", value: 5 }] }]],
    verdicts: "SBBMBMSSBBMBM",
  },
  "a map becomes a list of entries with other names": {
    contract:
      "message M { [-map<string, int32>-]{+repeated E+} m = 1; string kept = 2; [-}-]{+message E { string name = 1; int32 size = 2; } }+}",
    both: [[{ m: { k: 5 } }, { m: [{ name: "k", size: 5 }] }]],
    verdicts: "SBBBBMSSBBBBM",
  },
  "a map becomes a list of other messages": {
    contract:
      "message M { [-map<string, int32>-]{+repeated E+} m = 1; string kept = 2; [-}-]{+message E { string key = 1; string value = 2; } }+}",
    both: [[{ m: { k: 5 } }, { m: [{ key: "k", value: "5" }] }]],
    verdicts: "BBBMBBSBBBMBB",
  },
  "a map becomes one entry": {
    contract:
      "message M { [-map<string, int32>-]{+E+} m = 1; string kept = 2; [-}-]{+message E { string key = 1; int32 value = 2; } }+}",
    both: [[{ m: { k: 5 } }, { m: { key: "k", value: 5 } }]],
    sentEdges: [[{ m: { k: 5, l: 6 } }, undefined]],
    verdicts: "BBBMBBSSBBMBM",
  },
  "the keys of a map get a wider type": {
    contract: "message M { map<[-int32-]{+int64+}, string> m = 1; string kept = 2; }",
    both: [{ m: { "5": "x" } }],
    receivedEdges: [[{ m: { "9007199254740993": "x" } }, { m: { "9007199254740993": "x" } }]],
    verdicts: "MMMMBMSMMMMBM",
  },
  "the keys of a map become strings": {
    contract: "message M { map<[-int32-]{+string+}, string> m = 1; string kept = 2; }",
    both: [{ m: { "5": "x" } }],
    receivedEdges: [[{ m: { a: "x" } }, { m: { a: "x" } }]],
    verdicts: "BMMMBBSBMMMBB",
  },
  "the values of a map get another type": {
    contract: "message M { map<string, [-int32-]{+string+}> m = 1; string kept = 2; }",
    both: [[{ m: { k: 5 } }, { m: { k: "5" } }]],
    verdicts: "BBBSBBSBBBMBB",
  },
  "the values of a map get a wider type": {
    contract: "message M { map<string, [-int32-]{+int64+}> m = 1; string kept = 2; }",
    both: [[{ m: { k: 5 } }, { m: { k: "5" } }]],
    receivedEdges: [[{ m: { k: "9007199254740993" } }, { m: { k: "9007199254740993" } }]],
    verdicts: "SSSSBSSMBBMBM",
  },
};
