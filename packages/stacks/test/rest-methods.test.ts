// HTTP methods of `custom` rules, on every server and client of REST: HEAD has no body, unusual methods are served, and others are ignored.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { loadStack } from "../src/index.ts";
import { caught, pairOf, serviceWith } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { faultsOn } from "./support/conformance-of.ts";

const kinds = [
  ..."HEAD head GET * OPTIONS TRACE SEARCH M-SEARCH QUERY".split(" "),
  "a b",
  "",
  "FROB",
  "CONNECT",
  "PRI",
];
const rules = kinds.flatMap((kind, index) => [
  `custom: {kind: "${kind}" path: "/plain/${index}/{id}"}`,
  `custom: {kind: "${kind}" path: "/body/${index}/{id}"} body: "*"`,
]);
const contract = compileContract(`syntax = "proto3"; package methods.v1; import "google/api/annotations.proto";
  service Methods {
    ${rules.map((rule, index) => `rpc M${index}(Q) returns (Q) { option (google.api.http) = {${rule}}; }`).join("\n")}
    rpc Stream(Q) returns (stream Q) { option (google.api.http) = {custom: {kind: "HEAD" path: "/stream/{id}"}}; }
  }
  message Q { string id = 1; string text = 2; }
`);
const head = contract.operation("methods.v1.Methods.M0");

function answer(request: Message): Message {
  const { id } = request as Message & { readonly id: string };
  if (id === "none") throw new CallError("NOT_FOUND", "no such thing");
  return request;
}

const unary = contract.operations.filter(({ kind }) => kind === "unary");
const service = serviceWith(contract, Object.fromEntries(unary.map(({ method }) => [method.name, answer])));

const servers = ["rest-express", "rest-fastify", "rest-hono", "rest-node-http"];
const stacks = [...servers, "rest-express+axios", "rest-express+fetch"];

test.for(stacks)("conformance passes on %s", async (name) => {
  expect(await faultsOn(name, contract)).toEqual([]);
});

/** The whole answer to a request, as text. */
function answerTo(url: string, method: string, path: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => void (text += chunk));
    socket.once("error", reject).once("close", () => resolve(text));
    socket.end(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  });
}

describe.each(stacks)("HEAD on %s", (name) => {
  test("has no body, and an error of its status", async () => {
    const { client, server } = await pairOf(name, service);
    const call = client.prepare(head);
    expect(await call(create(head.input, { id: "a", text: "b" }))).toEqual(create(head.output));
    expect(await caught(call(create(head.input, { id: "none" })))).toMatchObject({ code: "NOT_FOUND" });
    const [top = "", body] = (await answerTo(server.url, "HEAD", "/plain/0/a")).split("\r\n\r\n");
    expect([top.slice(0, 12), body]).toEqual(["HTTP/1.1 200", ""]);
  });
});

test.for(servers)("GET and HEAD may have a body on %s", async (name) => {
  const { client } = await pairOf(name, service);
  const [asked] = contract.operations.filter(({ bindings: [{ method, body }] }) => method === "GET" && body === "*");
  const message = create(head.input, { id: "a", text: "b" });
  expect(asked === undefined ? undefined : await client.prepare(asked)(message)).toEqual(message);
});

test("describe says what HEAD loses, and which methods are ignored", async () => {
  const { view } = await loadStack("rest-express");
  const lost = contract.operations.flatMap((operation) => view(operation, contract).lost);
  expect(lost.filter((loss) => loss === "Q: an answer to HEAD has no body")).toHaveLength(4);
  expect(lost.filter((loss) => loss.includes("this rule is ignored"))).toHaveLength(12);
});
