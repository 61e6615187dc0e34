// Changes of operations and of their HTTP rules. They declare an operation `Send` that takes `M`.
import type { Rows } from "./row.ts";

export const httpRows: Rows = {
  "a variable takes several segments": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id=**}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      { id: "x", t: "y" },
      { id: "ä b+c%&?#;,=@", t: "y" },
    ],
    verdicts: "SSSSSS",
  },
  "a variable in a folder takes several segments": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/{id=z/*}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/{id=z/**}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      { id: "z/x", t: "y" },
      { id: "z/ä b%", t: "y" },
    ],
    verdicts: "SSSSSS",
  },
  "a variable takes one segment": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id=**}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x" }],
    sentEdges: [{ id: "x/y" }],
    verdicts: "SMSSSS",
  },
  "a literal becomes a wildcard": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/*/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "a wildcard becomes a literal": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/*/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a path is another": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v2/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a path is added": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { get: "/v2/z/{id}" } }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "the first path is gone, a second stays": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { get: "/v2/z/{id}" } }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v2/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "two paths swap": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" additional_bindings { get: "/v2/z/{id}" } }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v2/z/{id}" additional_bindings { get: "/v1/z/{id}" } }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "a verb is added to a path": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}:send" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "GET becomes POST": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "MBSSBM",
  },
  "PUT becomes PATCH": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { put: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { patch: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "MBSSSM",
  },
  "POST becomes any method": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { custom: { kind: "*" path: "/v1/z/{id}" } body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "a body becomes a query": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a query becomes a body": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a body becomes one field": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "p" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    sent: [{ id: "x", p: { t: "y" } }],
    verdicts: "SBSSSS",
  },
  "the field that is the body is renamed": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "p" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "q" }; }  } message M { string id = 1; P q = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    sent: [
      [
        { id: "x", p: { t: "y" } },
        { id: "x", q: { t: "y" } },
      ],
    ],
    verdicts: "SSBBBM",
  },
  "the field that is the body of answers is renamed": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z" body: "*" response_body: "p" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z" body: "*" response_body: "q" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P q = 1; string r = 2; }`,
    received: [[{ p: { t: "y" } }, { q: { t: "y" } }]],
    verdicts: "SSBBBM",
  },
  "an answer becomes one field of it": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z" body: "*" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z" body: "*" response_body: "p" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    received: [{ p: { t: "y" } }],
    verdicts: "SBSSSS",
  },
  "a field of a path is renamed": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{key}" }; }  } message M { string key = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      [
        { id: "x", t: "y" },
        { key: "x", t: "y" },
      ],
    ],
    verdicts: "SSBBBM",
  },
  "a field in a field of a path is renamed": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{in.id}" }; }  } message M { I in = 1; string t = 2; } message I { string id = 1; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{inn.idd}" }; }  } message M { I inn = 1; string t = 2; } message I { string idd = 1; } message R { string r = 1; }`,
    sent: [
      [
        { in: { id: "x" }, t: "y" },
        { inn: { idd: "x" }, t: "y" },
      ],
    ],
    verdicts: "SSBBBM",
  },
  "a path has another field": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{t}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a new path with a verb": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; } rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}:x" }; } } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    sentEdges: [{ id: "a:x", t: "y" }],
    verdicts: "SMSSSS",
  },
  "a new path with a literal": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; } rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/verb/new" }; } } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    sentEdges: [{ id: "new", t: "y" }],
    verdicts: "SMSSSS",
  },
  "a new path with several segments": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; } rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id=**}" }; } } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "an operation is added": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; } rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/other/{id}" }; } } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "HEAD becomes GET": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { custom: { kind: "HEAD" path: "/v1/z/{id}" } }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "an operation has no side effects any more": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option idempotency_level = NO_SIDE_EFFECTS; option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "an operation is removed": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; } rpc Do(M) returns (R); } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    after: `service Z { rpc Do(M) returns (R); } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "BBBBBB",
  },
  "a message in a query becomes a list": {
    before: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z" }; }  } message M { N n = 1; } message N { string a = 1; } message R { string r = 1; }`,
    after: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z" }; }  } message M { repeated N n = 1; } message N { string a = 1; } message R { string r = 1; }`,
    sent: [[{ n: { a: "x" } }, { n: [{ a: "x" }] }]],
    verdicts: "SBBSBM",
  },
};
