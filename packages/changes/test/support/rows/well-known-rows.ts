// Changes from and to types with a JSON form of their own.
import type { Rows } from "./row.ts";

export const wellKnownRows: Rows = {
  "google.protobuf.Int32Value becomes google.protobuf.Int64Value": {
    contract: `message M { google.protobuf.[-Int32Value-]{+Int64Value+} a = 1; string kept = 2; }`,
    both: [[{ a: 5 }, { a: "5" }]],
    receivedEdges: [[{ a: 1 }, { a: "5000000000" }]],
    verdicts: "SSSSBSSMBBMBM",
  },
  "google.protobuf.UInt32Value becomes google.protobuf.UInt64Value": {
    contract: `message M { google.protobuf.[-UInt32Value-]{+UInt64Value+} a = 1; string kept = 2; }`,
    both: [[{ a: 5 }, { a: "5" }]],
    receivedEdges: [[{ a: 1 }, { a: "5000000000000" }]],
    verdicts: "SSSSBSSMBBMBM",
  },
  "google.protobuf.StringValue becomes google.protobuf.BytesValue": {
    contract: `message M { google.protobuf.[-StringValue-]{+BytesValue+} a = 1; string kept = 2; }`,
    both: [[{ a: "text" }, { a: "dGV4dA==" }]],
    receivedEdges: [[{ a: "x" }, { a: "//8=" }]],
    verdicts: "SBBBBMBMBBBBM",
  },
  "google.protobuf.BoolValue becomes google.protobuf.Int32Value": {
    contract: `message M { google.protobuf.[-BoolValue-]{+Int32Value+} a = 1; string kept = 2; }`,
    both: [[{ a: true }, { a: 1 }]],
    receivedEdges: [[{ a: true }, { a: 5 }]],
    verdicts: "SBBBBMBMBBMBM",
  },
  "google.protobuf.Int32Value becomes google.protobuf.StringValue": {
    contract: `message M { google.protobuf.[-Int32Value-]{+StringValue+} a = 1; string kept = 2; }`,
    both: [[{ a: 5 }, { a: "5" }]],
    receivedEdges: [[{ a: 1 }, { a: "x" }]],
    verdicts: "BBBSBBSBBBMBB",
  },
  "google.protobuf.StringValue becomes string": {
    contract: `message M { [-google.protobuf.StringValue-]{+string+} a = 1; string kept = 2; }`,
    both: [[{ a: "x" }, { a: "x" }]],
    verdicts: "BMMMMBMBMMMMB",
  },
  "string becomes google.protobuf.StringValue": {
    contract: `message M { [-string-]{+google.protobuf.StringValue+} a = 1; string kept = 2; }`,
    both: [[{ a: "x" }, { a: "x" }]],
    receivedEdges: [[{ a: "" }, {}]],
    verdicts: "BSSSSBSBSSSBB",
  },
  "google.protobuf.Struct becomes google.protobuf.Value": {
    contract: `message M { google.protobuf.[-Struct-]{+Value+} a = 1; string kept = 2; }`,
    both: [{ a: { b: "x" } }],
    receivedEdges: [[{ a: { b: "x" } }, {}]],
    verdicts: "BSSBSBSBMMBMB",
  },
  "google.protobuf.Timestamp becomes google.protobuf.Duration": {
    contract: `message M { google.protobuf.[-Timestamp-]{+Duration+} a = 1; string kept = 2; }`,
    both: [[{ a: "1970-01-01T00:00:05Z" }, { a: "5s" }]],
    verdicts: "MBBBBMBMBBBBM",
  },
  "google.protobuf.Struct becomes map<string, google.protobuf.Value>": {
    contract: `message M { {+map<string, +}google.protobuf.[-Struct-]{+Value>+} a = 1; string kept = 2; }`,
    both: [{ a: { b: "x" } }],
    verdicts: "BSSBBBSBSSBBB",
  },
  "google.protobuf.ListValue becomes repeated google.protobuf.Value": {
    contract: `message M { {+repeated +}google.protobuf.[-ListValue-]{+Value+} a = 1; string kept = 2; }`,
    both: [{ a: ["x", "yy"] }],
    verdicts: "BSSBBBSBSSBMB",
  },
  "google.protobuf.Timestamp becomes string": {
    contract: `message M { [-google.protobuf.Timestamp-]{+string+} a = 1; string kept = 2; }`,
    both: [{ a: "1970-01-01T00:00:05Z" }],
    receivedEdges: [[{ a: "1970-01-01T00:00:05Z" }, {}]],
    verdicts: "BMMMBBMBMMMMB",
  },
  "google.protobuf.Int32Value becomes optional int32": {
    contract: `message M { [-google.protobuf.Int32Value-]{+optional int32+} a = 3; string kept = 2; }`,
    both: [{ a: 5 }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "optional int32 becomes google.protobuf.Int32Value": {
    contract: `message M { [-optional int32-]{+google.protobuf.Int32Value+} a = 3; string kept = 2; }`,
    both: [{ a: 5 }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "google.protobuf.Timestamp becomes int64": {
    contract: `message M { [-google.protobuf.Timestamp-]{+int64+} a = 3; string kept = 2; }`,
    both: [[{ a: "1970-01-01T00:00:05Z" }, { a: "5" }]],
    verdicts: "BBBBBBBBBBBBB",
  },
  "string becomes google.protobuf.Timestamp": {
    contract: `message M { [-string-]{+google.protobuf.Timestamp+} a = 1; string kept = 2; }`,
    both: [{ a: "1970-01-01T00:00:05Z" }],
    received: [{ kept: "x" }],
    sentEdges: [[{ a: "x" }, undefined]],
    verdicts: "BMMMBBMBMMMBB",
  },
  "google.protobuf.Duration becomes string": {
    contract: `message M { [-google.protobuf.Duration-]{+string+} a = 1; string kept = 2; }`,
    both: [{ a: "5s" }],
    receivedEdges: [[{ a: "5s" }, { a: "x" }]],
    verdicts: "BMMBBBMBMMBMB",
  },
  "google.protobuf.FieldMask becomes string": {
    contract: `message M { [-google.protobuf.FieldMask-]{+string+} a = 1; string kept = 2; }`,
    both: [{ a: "b,c" }],
    verdicts: "BMMBBBMBMMBBB",
  },
  "google.protobuf.FieldMask becomes repeated string": {
    contract: `message M { [-google.protobuf.FieldMask-]{+repeated string+} a = 1; string kept = 2; }`,
    both: [[{ a: "b" }, { a: ["b"] }]],
    sentEdges: [[{ a: "b,c" }, { a: ["b", "c"] }]],
    verdicts: "BBBBMBBBBBBMB",
  },
  "google.protobuf.Empty becomes a message": {
    contract: `message M { [-google.protobuf.Empty-]{+N+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [{ a: {}, kept: "x" }],
    receivedEdges: [[{ a: {} }, { a: { b: "x" } }]],
    verdicts: "SSSSBSSSSSMBS",
  },
  "a message becomes google.protobuf.Empty": {
    contract: `message M { [-N-]{+google.protobuf.Empty+} a = 1; string kept = 2; } message N { string b = 1; }`,
    sent: [[{ a: { b: "x" } }, undefined]],
    received: [{ a: {}, kept: "x" }],
    verdicts: "MBBBBMBMMMMBM",
  },
  "google.protobuf.Any becomes a message": {
    contract: `message M { [-google.protobuf.Any-]{+N+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [[{ a: { "@type": "type.googleapis.com/shop.v1.N", b: "x" } }, { a: { b: "x" } }]],
    verdicts: "BBBBBBSBBBBBB",
  },
  "a message becomes google.protobuf.Any": {
    contract: `message M { [-N-]{+google.protobuf.Any+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [[{ a: { b: "x" } }, { a: { "@type": "type.googleapis.com/shop.v1.N", b: "x" } }]],
    verdicts: "BBBBBBBBMMBBB",
  },
  "google.protobuf.Any becomes bytes": {
    contract: `message M { [-google.protobuf.Any-]{+bytes+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [
      [
        { a: { "@type": "type.googleapis.com/shop.v1.N", b: "x" } },
        { a: "Ch10eXBlLmdvb2dsZWFwaXMuY29tL3Nob3AudjEuThIDCgF4" },
      ],
    ],
    verdicts: "MBBBBMSMBBBBM",
  },
  "google.protobuf.Value becomes string": {
    contract: `message M { [-google.protobuf.Value-]{+string+} a = 1; string kept = 2; }`,
    both: [{ a: "x" }],
    sentEdges: [[{ a: { b: 5 } }, undefined]],
    verdicts: "BMMBBBSBMMBMB",
  },
  "string becomes google.protobuf.Value": {
    contract: `message M { [-string-]{+google.protobuf.Value+} a = 1; string kept = 2; }`,
    both: [{ a: "x" }],
    receivedEdges: [[{ a: "x" }, { a: 5 }]],
    verdicts: "BSSBBBBBMMBBB",
  },
  "a message becomes google.protobuf.Struct": {
    contract: `message M { [-N-]{+google.protobuf.Struct+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [{ a: { b: "x" } }],
    receivedEdges: [[{ a: { b: "x" } }, { a: { c: 5 } }]],
    verdicts: "BSSBBBBBMMBBB",
  },
  "google.protobuf.Struct becomes a message": {
    contract: `message M { [-google.protobuf.Struct-]{+N+} a = 1; string kept = 2; } message N { string b = 1; }`,
    both: [{ a: { b: "x" } }],
    sentEdges: [[{ a: { c: 5 } }, undefined]],
    verdicts: "BMMBBBSBSSBBB",
  },
  "google.protobuf.Timestamp becomes a message of the same fields": {
    contract: `message M { [-google.protobuf.Timestamp-]{+T+} a = 1; string kept = 2; } message T { int64 seconds = 1; int32 nanos = 2; }`,
    both: [[{ a: "1970-01-01T00:00:05Z" }, { a: { seconds: "5" } }]],
    verdicts: "MBBBBMBMBBBBM",
  },
};
