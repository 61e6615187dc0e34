// Changes of fields that are in a path, a query, or the one field of a body.
import type { Row, Rows } from "./row.ts";

/** The same rule with other messages. */
function same(http: string, types: string, others: Omit<Row, "contract">): Row {
  const rule = `option (google.api.http) = { ${http} };`;
  return {
    contract: `service Z { rpc Send(M) returns (R) { ${rule} } } message R { string r = 1; } ${types}`,
    ...others,
  };
}

const usual = [{ id: "x", t: "y" }];

export const pathFieldRows: Rows = {
  "a number in a path becomes wider": same(
    `get: "/v1/z/{id}"`,
    `message M { [-int32-]{+int64+} id = 1; string t = 2; }`,
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
    `message M { [-int32-]{+string+} id = 1; string t = 2; }`,
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
    `message M { [-string-]{+int32+} id = 1; string t = 2; }`,
    {
      sent: [[{ id: "5" }, { id: 5 }]],
      sentEdges: [[{ id: "x" }, undefined]],
      verdicts: "BMMMBB",
    },
  ),
  "an enum in a path loses a value": same(
    `get: "/v1/z/{id}"`,
    `message M { E id = 1; } enum E { U = 0; A = 1; [-B = 2; -]}`,
    {
      sent: [{ id: "A" }, [{ id: "B" }, undefined]],
      verdicts: "MBBBBM",
    },
  ),
  "an enum in a path becomes a string": same(
    `get: "/v1/z/{id}"`,
    `message M { [-E-]{+string+} id = 1; } enum E { U = 0; A = 1; }`,
    {
      sent: [{ id: "A" }],
      verdicts: "BSMMBB",
    },
  ),
  "a value in a path gets another number": same(
    `get: "/v1/z/{id}"`,
    `message M { E id = 1; } enum E { U = 0; A = [-1-]{+2+}; }`,
    {
      sent: [{ id: "A" }],
      verdicts: "BSSSSB",
    },
  ),
  "a field in a path gets another number": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = [-1-]{+3+}; string t = 2; }`,
    {
      sent: usual,
      verdicts: "BSSBSB",
    },
  ),
  "a field in a path becomes optional": same(
    `get: "/v1/z/{id}"`,
    `message M {{+ optional+} string id = 1; string t = 2; }`,
    {
      sent: usual,
      verdicts: "SSSSSS",
    },
  ),
  "a field of a message in a query is renamed": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; P p = 2; } message P { string [-a-]{+b+} = 1; }`,
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
    `message M { string id = 1; P [-p-]{+q+} = 2; } message P { string a = 1; }`,
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
    `message M { string id = 1; map<string, string> [-m-]{+n+} = 2; }`,
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
    `message M { string id = 1; [-google.protobuf.Timestamp-]{+string+} t = 2; }`,
    {
      sent: [{ id: "x", t: "1970-01-01T00:00:05Z" }],
      verdicts: "BMMMBB",
    },
  ),
  "a list of wrappers in a query is renamed": same(
    `get: "/v1/z/{id}"`,
    `message M { string id = 1; repeated google.protobuf.StringValue [-t-]{+u+} = 2; }`,
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
    `message M { string id = 1; P p = 2; string [-t-]{+u+} = 3; } message P { string a = 1; }`,
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
    `message M { string id = 1; P p = 2; } message P { string [-a-]{+b+} = 1; }`,
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
    `message M { string id = 1; {+repeated +}string p = 2; }`,
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
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{[-id-]{+key+}}" additional_bindings { get: "/v2/z" } }; } } message M { string [-id-]{+key+} = 1; } message R { string r = 1; }`,
    // The client calls the first path: a caller of the second has the field in its query.
    sent: [[{ id: "x" }, { key: "x" }]],
    specified: ["rest"],
    verdicts: "SBBBBM",
  },
  "a field is in the body of a second path": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { post: "/v2/z/{id}" body: "*" } }; } } message M { string id = 1; [-repeated -]string t = 2; } message R { string r = 1; }`,
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
