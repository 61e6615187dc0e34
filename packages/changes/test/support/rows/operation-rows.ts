// Changes of operations other than their HTTP rules: streams, names, services, packages and options.
import type { Row, Rows } from "./row.ts";

const plain = `message M { string n = 1; } message R { string r = 1; }`;
const path = `option (google.api.http) = { post: "/v1/send" body: "*" };`;

/** A service with the operation Send. */
function service(operations: string, others: Omit<Row, "contract">): Row {
  return { contract: `service Z { ${operations} } ${plain}`, ...others };
}

const answer = { r: "x" };
const answers = [{ r: "x" }, { r: "y" }];
const request = { n: "x" };
const requests = [{ n: "x" }, { n: "y" }];

export const operationRows: Rows = {
  "one answer becomes a stream": service(`rpc Send(M) returns ({+stream +}R) { ${path} }`, {
    received: [[answer, answer]],
    receivedEdges: [[answer, answers]],
    verdicts: "BBBBBB",
  }),
  "a stream of answers becomes one": service(`rpc Send(M) returns ([-stream -]R) { ${path} }`, {
    received: [[answer, answer]],
    verdicts: "SBSSBB",
  }),
  "one request becomes a stream": service(`rpc Send({+stream +}M) returns (R) { ${path} }`, {
    sent: [[request, request]],
    verdicts: "SBBBBB",
  }),
  "a stream of requests becomes one": service(`rpc Send([-stream -]M) returns (R) { ${path} }`, {
    sent: [[requests, undefined]],
    verdicts: "BBSSSB",
  }),
  "a stream of answers becomes streams both ways": service(`rpc Send({+stream +}M) returns (stream R) { ${path} }`, {
    received: [[answers, answers]],
    verdicts: "SBSSBB",
  }),
  "streams both ways become a stream of answers": service(`rpc Send([-stream -]M) returns (stream R) { ${path} }`, {
    sent: [[requests, undefined]],
    verdicts: "BSSSSS",
  }),
  "a message of a stream of answers gets a field": {
    contract: `service Z { rpc Send(M) returns (stream R) { ${path} } } message M { string n = 1; } message R { string r = 1; {+string s = 2; +}}`,
    received: [[answers, [{ r: "x", s: "z" }, { r: "y" }]]],
    verdicts: "SSSSSS",
  },
  "a field of a stream of answers is renamed": {
    contract: `service Z { rpc Send(M) returns (stream R) { ${path} } } message M { string n = 1; } message R { string [-r-]{+s+} = 1; }`,
    received: [[answers, [{ s: "x" }, { s: "y" }]]],
    verdicts: "SBSSBM",
  },
  "a field of a stream of requests is renamed": {
    contract: `service Z { rpc Send(stream M) returns (R) { ${path} } } message M { string [-n-]{+o+} = 1; } message R { string r = 1; }`,
    sent: [[requests, [{ o: "x" }, { o: "y" }]]],
    verdicts: "SBSSSM",
  },
  "a service is renamed, its paths kept": {
    contract: `service [-Z-]{+Y+} { rpc Send(M) returns (R) { ${path} } } ${plain}`,
    moved: { "Z.Send": "Y.Send" },
    sent: [request],
    verdicts: "BSBBSB",
  },
  "a service without paths is renamed": {
    contract: `service [-Z-]{+Y+} { rpc Send(M) returns (R); } ${plain}`,
    moved: { "Z.Send": "Y.Send" },
    sent: [request],
    verdicts: "BBBBSB",
  },
  "an operation is renamed, its path kept": service(`rpc [-Send-]{+Give+}(M) returns (R) { ${path} }`, {
    moved: { "Z.Send": "Z.Give" },
    sent: [request],
    verdicts: "BSBBBB",
  }),
  "an operation without path is renamed": service(`rpc [-Send-]{+Give+}(M) returns (R);`, {
    moved: { "Z.Send": "Z.Give" },
    sent: [request],
    verdicts: "BBBBBB",
  }),
  "an operation moves to another service": {
    contract: `service Z{+ { rpc Give(M) returns (R); } service Y+} { rpc Send(M) returns (R) { ${path} } [-} service Y { -]rpc Do(M) returns (R); } ${plain}`,
    moved: { "Z.Send": "Y.Send" },
    sent: [request],
    verdicts: "BSBBSB",
  },
  "a service is removed": {
    contract: `[-service Z { rpc Send(M) returns (R) { ${path} } } -]service Y { rpc Do(M) returns (R); } ${plain}`,
    sent: [request],
    verdicts: "BBBBBB",
  },
  "services and operations are declared in another order": {
    contract: `[-service Z { rpc Send(M) returns (R); rpc Do(M) returns (R); } -]service Y { rpc Give(M) returns (R); } {+service Z { rpc Do(M) returns (R); rpc Send(M) returns (R); } +}${plain}`,
    sent: [request],
    verdicts: "SSSSSS",
  },
  "services with operations of the same name are declared in another order": {
    contract: `service [-Z-]{+Y+} { rpc Send(M) returns (R); } service [-Y-]{+Z+} { rpc Send(M) returns (R); } ${plain}`,
    sent: [request],
    verdicts: "SSSSBS",
  },
  "a service is added with an operation of the same name": {
    contract: `{+service Y { rpc Send(M) returns (R); } +}service Z { rpc Send(M) returns (R); } ${plain}`,
    sent: [request],
    verdicts: "SSSSBS",
  },
  "two operations swap their names": service(
    `rpc [-Send-]{+Do+}(M) returns (R) { ${path} } rpc [-Do-]{+Send+}(M) returns (R) { option (google.api.http) = { post: "/v1/do" body: "*" }; }`,
    { sent: [request], verdicts: "SBSSSS" },
  ),
  "an operation gives its path to a new one": service(
    `rpc Send{+(M) returns (R) { option (google.api.http) = { post: "/v2/send" body: "*" }; } rpc Do+}(M) returns (R) { ${path} }`,
    { sent: [request], verdicts: "SBSSSS" },
  ),
  "an operation is renamed, and another is added": service(
    `rpc [-Send-]{+Do(M) returns (R); rpc Give+}(M) returns (R) { ${path} } rpc [-Do-]{+Take+}(M) returns (R)[-;-]{+ { option (google.api.http) = { post: "/v1/take" body: "*" }; }+}`,
    { moved: { "Z.Send": "Z.Give" }, sent: [request], verdicts: "BSBBBB" },
  ),
  "an operation of other messages has the path of a removed one": {
    contract: `service Z { rpc [-Send(M) returns (R-]{+Give(N) returns (S+}) { ${path} } rpc Do(M) returns (R); } ${plain} message N { string o = 2; } message S { string s = 2; }`,
    sent: [request],
    verdicts: "BBBBBB",
  },
  "two operations are removed, and new ones have their paths": service(
    `rpc [-Send-]{+Give+}(M) returns (R) { option (google.api.http) = { get: "/v1/[-a/{n-]{+{n=a/*+}}" }; } rpc [-Do-]{+Take+}(M) returns (R) { option (google.api.http) = { get: "/v1/[-b/{n-]{+{n=b/*+}}" }; }`,
    { sent: [request], verdicts: "BBBBBB" },
  ),
  "the type of a request is renamed": {
    contract: `service Z { rpc Send([-M-]{+N+}) returns (R); } message [-M-]{+N+} { string n = 1; } message R { string r = 1; }`,
    sent: [request],
    verdicts: "SSSSBS",
  },
  "the type of an answer is renamed": {
    contract: `service Z { rpc Send(M) returns ([-R-]{+S+}); } message M { string n = 1; } message [-R-]{+S+} { string r = 1; }`,
    received: [answer],
    verdicts: "SSSSMS",
  },
  "a package is renamed": {
    contract: `{+package shop.v2; +}service Z { rpc Send(M) returns (R) { ${path} } } ${plain}`,
    moved: { "Z.Send": "shop.v2.Z.Send" },
    sent: [request],
    verdicts: "BSBBSB",
  },
  "a package with a message in an Any is renamed": {
    contract: `{+package shop.v2; +}service Z { rpc Send(M) returns (R) { ${path} } } message M { google.protobuf.Any d = 1; } message N { string n = 1; } message R { string r = 1; }`,
    moved: { "Z.Send": "shop.v2.Z.Send" },
    sent: [
      [
        { d: { "@type": "type.googleapis.com/shop.v1.N", n: "x" } },
        { d: { "@type": "type.googleapis.com/shop.v2.N", n: "x" } },
      ],
    ],
    verdicts: "BBBBBB",
  },
  "an operation may have side effects now": service(
    `rpc Send(M) returns (R) { [-option idempotency_level = NO_SIDE_EFFECTS; -]${path} }`,
    { sent: [request], verdicts: "MSSSBM" },
  ),
  "an operation is idempotent": service(
    `rpc Send(M) returns (R) { {+option idempotency_level = IDEMPOTENT; +}${path} }`,
    { sent: [request], verdicts: "SSSSSS" },
  ),
  "an operation without path has no side effects": service(
    `rpc Send(M) returns (R)[-;-]{+ { option idempotency_level = NO_SIDE_EFFECTS; }+}`,
    { sent: [request], verdicts: "SSSSBS" },
  ),
  "an operation, its service and its messages become deprecated": {
    contract: `service Z {{+ option deprecated = true;+} rpc Send(M) returns (R) { {+option deprecated = true; +}${path} } } [-${plain}-]{+message M { option deprecated = true; string n = 1; } message R { option deprecated = true; string r = 1; }+}`,
    sent: [request],
    received: [answer],
    verdicts: "SSSSSSSSSSSS",
  },

  "an empty request gets a field": {
    contract: `service Z { rpc Send([-google.protobuf.Empty-]{+M+}) returns (R) { ${path} } } {+message M { string n = 1; } +}message R { string r = 1; }`,
    sent: [{}],
    verdicts: "SSSSBS",
  },
  "an empty answer gets a field": {
    contract: `service Z { rpc Send(M) returns ([-google.protobuf.Empty-]{+R+}) { ${path} } } message M { string n = 1; }{+ message R { string r = 1; }+}`,
    received: [[{}, { r: "x" }]],
    verdicts: "SBSMBS",
  },
  "an answer becomes empty": {
    contract: `service Z { rpc Send(M) returns ([-R-]{+google.protobuf.Empty+}) { ${path} } } message M { string n = 1; }[- message R { string r = 1; }-]`,
    received: [{}],
    verdicts: "MBMMBM",
  },
  "a request becomes empty": {
    contract: `service Z { rpc Send([-M-]{+google.protobuf.Empty+}) returns (R) { ${path} } } [-message M { string n = 1; } -]message R { string r = 1; }`,
    sent: [[request, undefined]],
    verdicts: "MBBBBM",
  },
  "a request becomes a text": {
    contract: `service Z { rpc Send([-M) returns (R) { ${path} } } message M { string value = 1; } message R { string value = 1;-]{+google.protobuf.StringValue) returns (google.protobuf.StringValue) { ${path} }+} }`,
    sent: [[{ value: "x" }, "x"]],
    received: [[{ value: "x" }, "x"]],
    verdicts: "MBBSBMMBBSBM",
  },
  "a request becomes a Struct": {
    contract: `service Z { rpc Send([-M) returns (R-]{+google.protobuf.Struct) returns (google.protobuf.Struct+}) { ${path} } }[- ${plain}-]`,
    sent: [request],
    received: [answer],
    verdicts: "BMMBBBBMMBBB",
  },
};
