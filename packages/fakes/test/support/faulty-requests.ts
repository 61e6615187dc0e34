// Requests with a fault, of every style.
import { once } from "node:events";
import { connect } from "node:http2";
import { expect } from "vitest";
import type { Refusal } from "../../src/log/refusal-log.ts";

export const customers = "roundtrip.v1.CustomerService";
const json = { "content-type": "application/json" };

/** A request over HTTP/1.1. */
export interface Sent {
  readonly method?: string;
  /** Appended to the address. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function send(url: string, { method = "POST", path = "", headers = {}, body }: Sent): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "x-roundtrip-session": "a session", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await answer.text();
}

/** A request over HTTP/2 with a body of one gRPC message. */
async function sendGrpc(url: string, path: string, message: Buffer, type = "application/grpc"): Promise<void> {
  const session = connect(url);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": type,
    te: "trailers",
    "x-roundtrip-session": "a session",
  });
  stream.on("error", () => undefined).resume();
  const prefix = Buffer.from([0, 0, 0, 0, message.length]);
  stream.end(Buffer.concat([prefix, message]));
  await once(stream, "close");
  session.close();
}

type Expected = Partial<Omit<Refusal, "nearest">> & { readonly nearest?: string | undefined };
/** The request, and the refusal; `nearest` is its address. */
type Case = readonly [title: string, send: (url: string) => Promise<void>, expected: Expected];

const rest: readonly Case[] = [
  [
    "an unknown path",
    (url) => send(url, { method: "GET", path: "/v1/custmers/7?secret=hush" }),
    {
      request: "GET /v1/custmers/7?secret=…",
      outcome: "UNIMPLEMENTED",
      nearest: "GET /v1/customers/{id}",
    },
  ],
  [
    "a method that the path does not have",
    (url) => send(url, { method: "PUT", path: "/v1/customers/7" }),
    {
      request: "PUT /v1/customers/7",
      outcome: "UNIMPLEMENTED",
      nearest: expect.stringContaining("/v1/customers/{id}") as never,
    },
  ],
  [
    "a body that is no JSON",
    (url) => send(url, { path: "/v1/customers", headers: json, body: "{" }),
    { request: "POST /v1/customers", outcome: "INVALID_ARGUMENT", nearest: "POST /v1/customers" },
  ],
  [
    "a field that does not exist",
    (url) => send(url, { path: "/v1/customers", headers: json, body: '{"nam":"Ada"}' }),
    { outcome: "INVALID_ARGUMENT", nearest: "POST /v1/customers", nearestField: "customer.name" },
  ],
  [
    "a parameter that does not exist",
    (url) => send(url, { method: "GET", path: "/v1/customers/7?readMaks=name" }),
    {
      outcome: "INVALID_ARGUMENT",
      message: expect.stringContaining("readMaks") as never,
      nearestField: "readMask",
      nearest: "GET /v1/customers/{id}",
    },
  ],
];

const nearest = `/${customers}/GetCustomer`;

/** The message that the caller gets. */
const saying = (part: string): string => expect.stringContaining(part) as never;

/** Requests of other styles that name nothing in the contract, and how they are reported. */
const unknown: Readonly<Record<string, readonly Case[]>> = {
  graphql: [
    [
      "an unknown field",
      (url) =>
        send(url, {
          headers: { ...json, accept: "application/graphql-response+json" },
          body: JSON.stringify({ query: "{ custmer(id: 7) { name } }" }),
        }),
      { request: "POST /graphql", outcome: "INVALID_ARGUMENT", message: saying("custmer") },
    ],
    [
      "an unknown field, with a status of success",
      (url) => send(url, { headers: json, body: JSON.stringify({ query: "{ custmer(id: 7) { name } }" }) }),
      { request: "POST /graphql", outcome: "INVALID_ARGUMENT", message: saying("custmer") },
    ],
  ],
  grpc: [
    [
      "an unknown method",
      (url) => sendGrpc(url, `/${customers}/GetCustmer`, Buffer.of(8, 7)),
      { request: `POST /${customers}/GetCustmer`, outcome: "UNIMPLEMENTED", message: saying("GetCustmer"), nearest },
    ],
  ],
  connect: [
    [
      "an unknown method",
      (url) => {
        const headers = { ...json, "connect-protocol-version": "1" };
        return send(url, { path: `/${customers}/GetCustmer`, headers, body: "{}" });
      },
      { request: `POST /${customers}/GetCustmer`, outcome: "UNIMPLEMENTED", message: saying("GetCustmer"), nearest },
    ],
  ],
  "json-rpc": [
    [
      "another path",
      (url) => send(url, { path: "/elsewhere", headers: json, body: "{}" }),
      { request: "POST /rpc/elsewhere", outcome: "UNIMPLEMENTED", message: saying("/rpc/elsewhere") },
    ],
    [
      "an unknown method",
      (url) => send(url, { headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"GetCustmer"}' }),
      { request: "POST /rpc", outcome: "UNIMPLEMENTED", message: saying("GetCustmer") },
    ],
  ],
  soap: [
    [
      "a body that is no XML",
      (url) => send(url, { headers: { "content-type": "text/xml" }, body: "{" }),
      { outcome: "INVALID_ARGUMENT", message: saying("XML") },
    ],
  ],
};

/** By style: requests that are refused before they reach an operation, and what the log of a fake has of them. */
export const faultyRequests: Readonly<Record<string, readonly Case[]>> = {
  rest,
  ...unknown,
};
