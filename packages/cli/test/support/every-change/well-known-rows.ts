// Changes from and to types with a JSON form of their own.
import type { Rows } from "./row.ts";

export const wellKnownRows: Rows = {
  "google.protobuf.Int32Value becomes google.protobuf.Int64Value": {
    before: `message M { google.protobuf.Int32Value a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.Int64Value a = 1; string kept = 2; }`,
    both: [[{ a: 5 }, { a: "5" }]],
    receivedEdges: [[{ a: 1 }, { a: "5000000000" }]],
    verdicts: "SSSSBSSMBBMBM",
  },
  "google.protobuf.UInt32Value becomes google.protobuf.UInt64Value": {
    before: `message M { google.protobuf.UInt32Value a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.UInt64Value a = 1; string kept = 2; }`,
    both: [[{ a: 5 }, { a: "5" }]],
    receivedEdges: [[{ a: 1 }, { a: "5000000000000" }]],
    verdicts: "SSSSBSSMBBMBM",
  },
  "google.protobuf.StringValue becomes google.protobuf.BytesValue": {
    before: `message M { google.protobuf.StringValue a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.BytesValue a = 1; string kept = 2; }`,
    both: [[{ a: "text" }, { a: "dGV4dA==" }]],
    receivedEdges: [[{ a: "x" }, { a: "//8=" }]],
    verdicts: "SBBBBMBMBBBBM",
  },
  "google.protobuf.BoolValue becomes google.protobuf.Int32Value": {
    before: `message M { google.protobuf.BoolValue a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.Int32Value a = 1; string kept = 2; }`,
    both: [[{ a: true }, { a: 1 }]],
    receivedEdges: [[{ a: true }, { a: 5 }]],
    verdicts: "SBBBBMBMBBMBM",
  },
  "google.protobuf.Int32Value becomes google.protobuf.StringValue": {
    before: `message M { google.protobuf.Int32Value a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.StringValue a = 1; string kept = 2; }`,
    both: [[{ a: 5 }, { a: "5" }]],
    receivedEdges: [[{ a: 1 }, { a: "x" }]],
    verdicts: "BBBSBBSBBBMBB",
  },
  "google.protobuf.StringValue becomes string": {
    before: `message M { google.protobuf.StringValue a = 1; string kept = 2; }`,
    after: `message M { string a = 1; string kept = 2; }`,
    both: [[{ a: "x" }, { a: "x" }]],
    verdicts: "BMMMMBMBMMMMB",
  },
  "string becomes google.protobuf.StringValue": {
    before: `message M { string a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.StringValue a = 1; string kept = 2; }`,
    both: [[{ a: "x" }, { a: "x" }]],
    receivedEdges: [[{ a: "" }, {}]],
    verdicts: "BSSSSBSBSSSBB",
  },
  "google.protobuf.Struct becomes google.protobuf.Value": {
    before: `message M { google.protobuf.Struct a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.Value a = 1; string kept = 2; }`,
    both: [{ a: { b: "x" } }],
    receivedEdges: [[{ a: { b: "x" } }, {}]],
    verdicts: "BMMBMBMBMMBMB",
  },
  "google.protobuf.Timestamp becomes google.protobuf.Duration": {
    before: `message M { google.protobuf.Timestamp a = 1; string kept = 2; }`,
    after: `message M { google.protobuf.Duration a = 1; string kept = 2; }`,
    both: [[{ a: "1970-01-01T00:00:05Z" }, { a: "5s" }]],
    verdicts: "MBBBBMBMBBBBM",
  },
  "google.protobuf.Struct becomes map<string, google.protobuf.Value>": {
    before: `message M { google.protobuf.Struct a = 1; string kept = 2; }`,
    after: `message M { map<string, google.protobuf.Value> a = 1; string kept = 2; }`,
    both: [{ a: { b: "x" } }],
    verdicts: "BSSBBBSBSSBBB",
  },
  "google.protobuf.ListValue becomes repeated google.protobuf.Value": {
    before: `message M { google.protobuf.ListValue a = 1; string kept = 2; }`,
    after: `message M { repeated google.protobuf.Value a = 1; string kept = 2; }`,
    both: [{ a: ["x", "yy"] }],
    verdicts: "BMMBBBMBMMBMB",
  },
  "google.protobuf.Timestamp becomes string": {
    before: `message M { google.protobuf.Timestamp a = 1; string kept = 2; }`,
    after: `message M { string a = 1; string kept = 2; }`,
    both: [{ a: "1970-01-01T00:00:05Z" }],
    receivedEdges: [[{ a: "1970-01-01T00:00:05Z" }, {}]],
    verdicts: "BMMMBBMBMMMBB",
  },
};
