// Changes from and to google.api.HttpBody, which REST has as raw bytes where it is a body, and every other style as a message.
import type { Row, Rows } from "./row.ts";

const types = `message M { string n = 1; } message R { string r = 1; } message F { string n = 1; google.api.HttpBody b = 2; } message G { string n = 1; R b = 2; }`;
const rule = `option (google.api.http) = { post: "/v1/send" body: "*" };`;

function operation(send: string, others: Omit<Row, "contract">): Row {
  return { contract: `service Z { rpc Send${send} } ${types}`, ...others };
}

const field = `option (google.api.http) = { post: "/v1/send/{n}" body: "b" };`;
const answerField = `option (google.api.http) = { post: "/v1/send" body: "*" response_body: "b" };`;
const text = { contentType: "text/plain", data: "dGV4dA==" };
const te = { contentType: "text/plain", data: "dGU=" };
const xt = { contentType: "text/plain", data: "eHQ=" };

export const rawRows: Rows = {
  "a request becomes raw": operation(`([-M-]{+google.api.HttpBody+}) returns (R) { ${rule} }`, {
    sent: [[{ n: "x" }, { contentType: "x" }]],
    verdicts: "SBBBBM",
  }),
  "a raw request becomes a message": operation(`([-google.api.HttpBody-]{+M+}) returns (R) { ${rule} }`, {
    sent: [[text, { n: "text/plain" }]],
    verdicts: "MBBBBM",
  }),
  "an answer becomes raw": operation(`(M) returns ([-R-]{+google.api.HttpBody+}) { ${rule} }`, {
    received: [[{ r: "text/plain" }, text]],
    verdicts: "SBBBBM",
  }),
  "a raw answer becomes a message": operation(`(M) returns ([-google.api.HttpBody-]{+R+}) { ${rule} }`, {
    received: [[{ contentType: "text/plain" }, { r: "text/plain" }]],
    verdicts: "MBBBBM",
  }),
  "the field that is the body becomes raw": operation(`([-G-]{+F+}) returns (R) { ${field} }`, {
    sent: [
      [
        { n: "x", b: { r: "text/plain" } },
        { n: "x", b: { contentType: "text/plain" } },
      ],
    ],
    verdicts: "SBBBBM",
  }),
  "the raw field that is the body becomes a message": operation(`([-F-]{+G+}) returns (R) { ${field} }`, {
    sent: [
      [
        { n: "x", b: text },
        { n: "x", b: { r: "text/plain" } },
      ],
    ],
    verdicts: "MBBBBM",
  }),
  "a field of a JSON body becomes an HttpBody": operation(`([-G-]{+F+}) returns (R) { ${rule} }`, {
    sent: [
      [
        { n: "x", b: { r: "text/plain" } },
        { n: "x", b: { contentType: "text/plain" } },
      ],
    ],
    verdicts: "SBBBBM",
  }),
  "a field of JSON becomes an HttpBody with the same fields": {
    contract: `service Z { rpc Send(M) returns (R) { ${rule} } } message M { [-B b = 1; message B { string content_type = 1; bytes data = 2; }-]{+google.api.HttpBody b = 1;+} } message R { string r = 1; }`,
    sent: [{ b: text }],
    verdicts: "SSSSBS",
  },
  "a body of the same fields becomes raw": {
    contract: `service Z { rpc Send([-B) returns (B) { ${rule} } } message B { string content_type = 1; bytes data = 2;-]{+google.api.HttpBody) returns (google.api.HttpBody) { ${rule} }+} }`,
    sent: [text],
    received: [text],
    verdicts: "SBSMBSSBSMBS",
  },
  "the field that is the body of answers becomes raw": operation(`(M) returns ([-G-]{+F+}) { ${answerField} }`, {
    received: [[{ b: { r: "text/plain" } }, { b: text }]],
    verdicts: "SBBBBM",
  }),
  "a raw body becomes a field of JSON": operation(`(F) returns (R) { [-${field}-]{+${rule}+} }`, {
    sent: [{ n: "x", b: text }],
    verdicts: "SBSSSS",
  }),
  "a raw answer becomes a stream": operation(`(M) returns ({+stream +}google.api.HttpBody) { ${rule} }`, {
    received: [[text, [te, xt]]],
    verdicts: "BSBBBB",
  }),
  "a stream of raw answers becomes one": operation(`(M) returns ([-stream -]google.api.HttpBody) { ${rule} }`, {
    received: [[[text], text]],
    verdicts: "SSSSBB",
  }),
  "a raw request becomes a stream": operation(`({+stream +}google.api.HttpBody) returns (R) { ${rule} }`, {
    sent: [[text, [text]]],
    verdicts: "SSBBBB",
  }),
  "a stream of raw requests becomes one": operation(`([-stream -]google.api.HttpBody) returns (R) { ${rule} }`, {
    sent: [[[te, xt], text]],
    verdicts: "BSSSSB",
  }),
  "an answer of raw fields becomes a stream": operation(`(M) returns ({+stream +}F) { ${answerField} }`, {
    received: [[{ b: text }, [{ b: te }, { b: xt }]]],
    verdicts: "BSBBBB",
  }),
};
