// Changes of where HTTP rules have the fields of a request.
import type { Row, Rows } from "./row.ts";

const messages = `message M { string id = 1; string t = 2; P p = 3; } message P { string a = 1; string b = 2; } message R { string r = 1; P p = 2; }`;

function rule(http: string, others: Omit<Row, "contract">, types = messages): Row {
  const service = `service Z { rpc Send(M) returns (R) { option (google.api.http) = { ${http} }; } }`;
  return { contract: `${service} ${types}`, ...others };
}

const usual = [{ id: "x", t: "y" }];

export const pathRows: Rows = {
  // The client calls the first path only, and others may call the second.
  "a second path is gone": rule(`get: "/v1/z/{id}"[- additional_bindings { get: "/v2/z/{id}" }-]`, {
    specified: ["rest"],
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "a field leaves the path for the query": rule(`get: "/v1/z[-/{id}-]"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "a field moves from the query into the path": rule(`get: "/v1/z/{id}{+/{t}+}"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "a field moves from the body into the path": rule(`post: "/v1/z{+/{id}+}" body: "*"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "two variables swap": rule(`get: "/v1/z/{[-id}/{t-]{+t}/{id+}}"`, { sent: usual, verdicts: "SBSSSS" }),
  "a variable gets a folder": rule(`get: "/v1/{id{+=z/*+}}"`, { sent: usual, verdicts: "SBSSSS" }),
  "a variable's folder becomes literal": rule(`get: "/v1/[-{id=z/*-]{+z/{id+}}"`, {
    sent: [{ id: "z/x" }],
    verdicts: "SBSSSS",
  }),
  "a variable takes any folder": rule(`get: "/v1/{id=[-z-]{+*+}/*}"`, {
    sent: [{ id: "z/x" }],
    verdicts: "SSSSSS",
  }),
  "a variable of several segments takes one folder": rule(`get: "/v1/{id={+z/+}**}"`, {
    sent: [{ id: "x/y" }],
    verdicts: "SBSSSS",
  }),
  "a literal is renamed": rule(`get: "/v1/z/{id}/[-parts-]{+items+}"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "a literal is written with a capital": rule(`get: "/v1/[-z-]{+Z+}/{id}"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "a verb is removed from a path": rule(`post: "/v1/z/{id}[-:send-]" body: "*"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "a verb is another": rule(`post: "/v1/z/{id}:[-send-]{+give+}" body: "*"`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "DELETE becomes POST": rule(`[-delete-]{+post+}: "/v1/z/{id}"`, { sent: usual, verdicts: "MBSSSM" }),
  "any method becomes POST": rule(`[-custom: { kind: "*" path: "/v1/z/{id}" }-]{+post: "/v1/z/{id}"+} body: "*"`, {
    sent: usual,
    verdicts: "SMSSSS",
  }),
  "GET becomes HEAD": rule(`[-get: "/v1/z/{id}"-]{+custom: { kind: "HEAD" path: "/v1/z/{id}" }+}`, {
    sent: usual,
    verdicts: "SBSSSS",
  }),
  "GET with a path for HEAD becomes GET": rule(
    `get: "/v1/z/{id}"[- additional_bindings { custom: { kind: "HEAD" path: "/v1/z/{id}" } }-]`,
    { sent: usual, verdicts: "SSSSSS" },
  ),
  "one field of a body becomes the body of all": rule(`post: "/v1/z/{id}" body: "[-p-]{+*+}"`, {
    sent: [{ id: "x", p: { a: "y" } }],
    verdicts: "SBSSSS",
  }),
  "the body is another field": rule(
    `post: "/v1/z/{id}" body: "[-p-]{+q+}"`,
    {
      sent: [{ id: "x", p: { a: "y" } }],
      verdicts: "SBSSSS",
    },
    `message M { string id = 1; P p = 2; P q = 3; } message P { string a = 1; } message R { string r = 1; }`,
  ),
  "one field of an answer becomes the answer": rule(`get: "/v1/z"[- response_body: "p"-]`, {
    received: [{ p: { a: "y" } }],
    verdicts: "SBSSSS",
  }),
  "a field beside the one of an answer is renamed": rule(
    `get: "/v1/z" response_body: "p"`,
    { received: [{ p: { a: "y" } }, [{ r: "z" }, { s: "z" }]], verdicts: "SSBBBM" },
    messages.replace("string r = 1", "string [-r-]{+s+} = 1"),
  ),
  "a field of the field of an answer is renamed": rule(
    `get: "/v1/z" response_body: "p"`,
    { received: [[{ p: { a: "y" } }, { p: { c: "y" } }]], verdicts: "SBBBBM" },
    messages.replace("string a = 1", "string [-a-]{+c+} = 1"),
  ),
  "a path takes an operation's default": {
    contract: `service Z { rpc Send(M) returns (R)[-;-]{+ { option (google.api.http) = { post: "/v1/send" body: "*" }; }+} } ${messages}`,
    sent: usual,
    verdicts: "SBSSSS",
  },
  "an operation's path is its default now": {
    contract: `service Z { rpc Send(M) returns (R)[- { option (google.api.http) = { post: "/v1/send" body: "*" }; }-]{+;+} } ${messages}`,
    sent: usual,
    verdicts: "SBSSSS",
  },
};
