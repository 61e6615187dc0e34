// Changes of fields that are in a path, a query, or the one field of a body.
import type { Row, Rows } from "./row.ts";

/** The same rule with other messages. */
function same(http: string, older: string, newer: string, others: Omit<Row, "before" | "after">): Row {
  const text = (types: string): string =>
    `service Z { rpc Send(M) returns (R) { option (google.api.http) = { ${http} }; } } message R { string r = 1; } ${types}`;
  return { before: text(older), after: text(newer), ...others };
}

const usual = [{ id: "x", t: "y" }];

export const pathFieldRows: Rows = {
  "a number in a path becomes wider": same(
    `get: "/v1/z/{id}"`,
    `message M { int32 id = 1; string t = 2; }`,
    `message M { int64 id = 1; string t = 2; }`,
    {
      sent: [
        [
          { id: 5, t: "y" },
          { id: "5", t: "y" },
        ],
      ],
      verdicts: "SSSSBS",
    },
  ),
  "a number in a path becomes a string": same(
    `get: "/v1/z/{id}"`,
    `message M { int32 id = 1; string t = 2; }`,
    `message M { string id = 1; string t = 2; }`,
    {
      sent: [
        [
          { id: 5, t: "y" },
          { id: "5", t: "y" },
        ],
      ],
      sentEdges: [[{ id: 0 }, { id: "0" }]],
      verdicts: "BSBMBB",
    },
  ),
  "a string in a path becomes a number": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; string t = 2; }`,
    `message M { int32 id = 1; string t = 2; }`,
    {
      sent: [[{ id: "5" }, { id: 5 }]],
      sentEdges: [[{ id: "x" }, undefined]],
      verdicts: "BMMMBB",
    },
  ),
  "an enum in a path loses a value": same(
    `get: "/v1/z/{id}"`,
    `message M { E id = 1; } enum E { U = 0; A = 1; B = 2; }`,
    `message M { E id = 1; } enum E { U = 0; A = 1; }`,
    {
      sent: [{ id: "A" }, [{ id: "B" }, undefined]],
      verdicts: "MBBBBM",
    },
  ),
  "an enum in a path becomes a string": same(
    `get: "/v1/z/{id}"`,
    `message M { E id = 1; } enum E { U = 0; A = 1; }`,
    `message M { string id = 1; } enum E { U = 0; A = 1; }`,
    {
      sent: [{ id: "A" }],
      verdicts: "BSMMBB",
    },
  ),
  "a value in a path gets another number": same(
    `get: "/v1/z/{id}"`,
    `message M { E id = 1; } enum E { U = 0; A = 1; }`,
    `message M { E id = 1; } enum E { U = 0; A = 2; }`,
    {
      sent: [{ id: "A" }],
      verdicts: "BSSSSB",
    },
  ),
  "a field in a path gets another number": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; string t = 2; }`,
    `message M { string id = 3; string t = 2; }`,
    {
      sent: usual,
      verdicts: "BSSBSB",
    },
  ),
  "a field in a path becomes optional": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; string t = 2; }`,
    `message M { optional string id = 1; string t = 2; }`,
    {
      sent: usual,
      verdicts: "SSSSSS",
    },
  ),
  "a field of a message in a query is renamed": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; P p = 2; } message P { string a = 1; }`,
    `message M { string id = 1; P p = 2; } message P { string b = 1; }`,
    {
      sent: [
        [
          { id: "x", p: { a: "y" } },
          { id: "x", p: { b: "y" } },
        ],
      ],
      verdicts: "SBBBBM",
    },
  ),
  "a message in a query is renamed": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; P p = 2; } message P { string a = 1; }`,
    `message M { string id = 1; P q = 2; } message P { string a = 1; }`,
    {
      sent: [
        [
          { id: "x", p: { a: "y" } },
          { id: "x", q: { a: "y" } },
        ],
      ],
      verdicts: "SBBBBM",
    },
  ),
  "a map beside a query is renamed": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; map<string, string> m = 2; }`,
    `message M { string id = 1; map<string, string> n = 2; }`,
    {
      sent: [{ id: "x" }],
      sentEdges: [
        [
          { id: "x", m: { k: "v" } },
          { id: "x", n: { k: "v" } },
        ],
      ],
      verdicts: "SSBBBM",
    },
  ),
  "a Timestamp in a query becomes a string": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; google.protobuf.Timestamp t = 2; }`,
    `message M { string id = 1; string t = 2; }`,
    {
      sent: [{ id: "x", t: "1970-01-01T00:00:05Z" }],
      verdicts: "BMMMBB",
    },
  ),
  "a list of wrappers in a query is renamed": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; repeated google.protobuf.StringValue t = 2; }`,
    `message M { string id = 1; repeated google.protobuf.StringValue u = 2; }`,
    {
      sent: [
        [
          { id: "x", t: ["y"] },
          { id: "x", u: ["y"] },
        ],
      ],
      verdicts: "SBBBBM",
    },
  ),
  "a field beside the one of a body is renamed": same(
    `post: "/v1/z/{id}" body: "p"`,
    `message M { string id = 1; P p = 2; string t = 3; } message P { string a = 1; }`,
    `message M { string id = 1; P p = 2; string u = 3; } message P { string a = 1; }`,
    {
      sent: [
        [
          { id: "x", t: "y" },
          { id: "x", u: "y" },
        ],
      ],
      verdicts: "SBBBBM",
    },
  ),
  "a field of the field of a body is renamed": same(
    `post: "/v1/z/{id}" body: "p"`,
    `message M { string id = 1; P p = 2; } message P { string a = 1; }`,
    `message M { string id = 1; P p = 2; } message P { string b = 1; }`,
    {
      sent: [
        [
          { id: "x", p: { a: "y" } },
          { id: "x", p: { b: "y" } },
        ],
      ],
      verdicts: "SBBBBM",
    },
  ),
  "the field of a body becomes a list": same(
    `post: "/v1/z/{id}" body: "p"`,
    `message M { string id = 1; string p = 2; }`,
    `message M { string id = 1; repeated string p = 2; }`,
    {
      sent: [
        [
          { id: "x", p: "y" },
          { id: "x", p: ["y"] },
        ],
      ],
      verdicts: "SBBSMM",
    },
  ),
  "a field is only in a path, and renamed in the second": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { get: "/v2/z" } }; } } message M { string id = 1; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{key}" additional_bindings { get: "/v2/z" } }; } } message M { string key = 1; } message R { string r = 1; }`,
    // The client calls the first path: a caller of the second has the field in its query.
    sent: [[{ id: "x" }, { key: "x" }]],
    specified: ["rest"],
    verdicts: "SBBBBM",
  },
  "a field is in the body of a second path": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { post: "/v2/z/{id}" body: "*" } }; } } message M { string id = 1; repeated string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { post: "/v2/z/{id}" body: "*" } }; } } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      [
        { id: "x", t: ["y"] },
        { id: "x", t: "y" },
      ],
    ],
    sentEdges: [[{ id: "x", t: ["y", "z"] }, undefined]],
    specified: ["rest"],
    verdicts: "BBBMBB",
  },
};
