// Changes of operations and of their HTTP rules. They declare an operation `Send` that takes `M`.
import type { Rows } from "./row.ts";

export const httpRows: Rows = {
  "a variable takes several segments": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id{+=**+}}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      { id: "x", t: "y" },
      { id: "ä b+c%&?#;,=@", t: "y" },
    ],
    verdicts: "SSSSSS",
  },
  "a variable in a folder takes several segments": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/{id=z/{+*+}*}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      { id: "z/x", t: "y" },
      { id: "z/ä b%", t: "y" },
    ],
    verdicts: "SSSSSS",
  },
  "a variable takes one segment": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id[-=**-]}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x" }],
    sentEdges: [{ id: "x/y" }],
    verdicts: "SMSSSS",
  },
  "a literal becomes a wildcard": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/[-z-]{+*+}/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "a wildcard becomes a literal": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/[-*-]{+z+}/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a path is another": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/[-v1-]{+v2+}/z/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a path is added": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{id}"{+ additional_bindings { get: "/v2/z/{id}" }+} }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "the first path is gone, a second stays": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/[-v1/z/{id}" additional_bindings { get: "/v2/z/{id}" }-]{+v2/z/{id}"+} }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "two paths swap": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/[-v1-]{+v2+}/z/{id}" additional_bindings { get: "/[-v2-]{+v1+}/z/{id}" } }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "a verb is added to a path": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}{+:send+}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "GET becomes POST": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { [-get: "/v1/z/{id}-]{+post: "/v1/z/{id}" body: "*+}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "MBSSBM",
  },
  "PUT becomes PATCH": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { [-put-]{+patch+}: "/v1/z/{id}" body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "MBSSSM",
  },
  "POST becomes any method": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { [-post: "/v1/z/{id}"-]{+custom: { kind: "*" path: "/v1/z/{id}" }+} body: "*" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "a body becomes a query": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}[-" body: "*-]" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a query becomes a body": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}{+" body: "*+}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a body becomes one field": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "[-*-]{+p+}" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    sent: [{ id: "x", p: { t: "y" } }],
    verdicts: "SBSSSS",
  },
  "the field that is the body is renamed": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z/{id}" body: "[-p-]{+q+}" }; }  } message M { string id = 1; P [-p-]{+q+} = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    sent: [
      [
        { id: "x", p: { t: "y" } },
        { id: "x", q: { t: "y" } },
      ],
    ],
    verdicts: "SSBBBM",
  },
  "the field that is the body of answers is renamed": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z" body: "*" response_body: "[-p-]{+q+}" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P [-p-]{+q+} = 1; string r = 2; }`,
    received: [[{ p: { t: "y" } }, { q: { t: "y" } }]],
    verdicts: "SSBBBM",
  },
  "an answer becomes one field of it": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { post: "/v1/z" body: "*{+" response_body: "p+}" }; }  } message M { string id = 1; P p = 2; } message P { string t = 1; } message R { P p = 1; string r = 2; }`,
    received: [{ p: { t: "y" } }],
    verdicts: "SBSSSS",
  },
  "a field of a path is renamed": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{[-id-]{+key+}}" }; }  } message M { string [-id-]{+key+} = 1; string t = 2; } message R { string r = 1; }`,
    sent: [
      [
        { id: "x", t: "y" },
        { key: "x", t: "y" },
      ],
    ],
    verdicts: "SSBBBM",
  },
  "a field in a field of a path is renamed": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{[-in.id-]{+inn.idd+}}" }; }  } message M { I [-in-]{+inn+} = 1; string t = 2; } message I { string [-id-]{+idd+} = 1; } message R { string r = 1; }`,
    sent: [
      [
        { in: { id: "x" }, t: "y" },
        { inn: { idd: "x" }, t: "y" },
      ],
    ],
    verdicts: "SSBBBM",
  },
  "a path has another field": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z/{[-id-]{+t+}}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SBSSSS",
  },
  "a new path with a verb": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }[-  -]{+ rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}:x" }; } +}} message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    sentEdges: [{ id: "a:x", t: "y" }],
    verdicts: "SMSSSS",
  },
  "a new path with a literal": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }[-  -]{+ rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/verb/new" }; } +}} message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    sentEdges: [{ id: "new", t: "y" }],
    verdicts: "SMSSSS",
  },
  "a new path with several segments": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }[-  -]{+ rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id=**}" }; } +}} message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "an operation is added": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }[-  -]{+ rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1/other/{id}" }; } +}} message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "HEAD becomes GET": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { [-custom: { kind: "HEAD" path: "/v1/z/{id}" }-]{+get: "/v1/z/{id}"+} }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "an operation has no side effects any more": {
    contract: `service Z { rpc Send(M) returns (R) {{+ option idempotency_level = NO_SIDE_EFFECTS;+} option (google.api.http) = { get: "/v1/verb/{id}" }; }  } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "SSSSSS",
  },
  "an operation is removed": {
    contract: `service Z {[- rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/verb/{id}" }; }-] rpc Do(M) returns (R); } message M { string id = 1; string t = 2; } message R { string r = 1; }`,
    sent: [{ id: "x", t: "y" }],
    verdicts: "BBBBBB",
  },
  "a message in a query becomes a list": {
    contract: `service Z { rpc Send(M) returns (R) { option (google.api.http) = { get: "/v1/z" }; }  } message M { {+repeated +}N n = 1; } message N { string a = 1; } message R { string r = 1; }`,
    sent: [[{ n: { a: "x" } }, { n: [{ a: "x" }] }]],
    verdicts: "SBBSBM",
  },
};
