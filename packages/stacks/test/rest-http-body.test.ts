// google.api.HttpBody over REST, on every server and client: raw bytes with their content type, in requests, answers and streams of both.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError, type Client, type Handler, type Operation, type StreamHandler } from "@roundtrip/contract";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../styles/src/rest/openapi/openapi.ts";
import { loggedCalls } from "../../styles/src/rest/logged-calls.ts";
import { loadStack } from "../src/index.ts";
import { caught, pairOf, serviceWith } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { faultsOn } from "./support/conformance-of.ts";

const contract = compileContract(`
  syntax = "proto3";
  package files.v1;
  import "google/api/annotations.proto";
  import "google/api/httpbody.proto";
  import "google/protobuf/empty.proto";
  service Files {
    rpc Echo(google.api.HttpBody) returns (google.api.HttpBody) { option (google.api.http) = {post: "/echo" body: "*"}; }
    rpc Put(File) returns (File) { option (google.api.http) = {put: "/files/{name}" body: "file" response_body: "file"}; }
    rpc Pick(Choice) returns (Choice) { option (google.api.http) = {post: "/pick" body: "file" response_body: "file"}; }
    rpc Get(Name) returns (google.api.HttpBody) { option (google.api.http) = {get: "/files/{name}"}; }
    rpc Read(Name) returns (stream google.api.HttpBody) { option (google.api.http) = {get: "/files/{name}:read"}; }
    rpc ReadFile(Name) returns (stream File) { option (google.api.http) = {get: "/files/{name}:file" response_body: "file"}; }
    rpc Write(stream google.api.HttpBody) returns (Heard) { option (google.api.http) = {post: "/write" body: "*"}; }
    rpc WriteFile(stream File) returns (Heard) { option (google.api.http) = {post: "/write/{name}" body: "file"}; }
    rpc Plain(File) returns (File) { option (google.api.http) = {post: "/plain" body: "*"}; }
    rpc InPath(File) returns (File) { option (google.api.http) = {post: "/in/{file.content_type}" body: "file"}; }
  }
  message Name { string name = 1; }
  message File { string name = 1; google.api.HttpBody file = 2; bool flag = 3; }
  message Choice { oneof pick { string text = 1; google.api.HttpBody file = 2; } }
  message Heard { repeated string heard = 1; }
`);
const named = (name: string): Operation => contract.operation(`files.v1.Files.${name}`);
const httpBody = named("Echo").input;

interface Body extends Message {
  readonly contentType: string;
  readonly data: Uint8Array;
}
interface FileMessage extends Message {
  readonly name: string;
  readonly file?: Body;
}

const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
const body = (contentType: string, data: Uint8Array): Message => create(httpBody, { contentType, data });
const fileOf = (name: string, file: Message | undefined): Message =>
  create(named("Put").input, { name, ...(file && { file }) });

const echo: Handler = (message: Message) => message;
const heardIn = (bodyOf: (message: Message) => Body | undefined): StreamHandler =>
  async function* (requests) {
    const types = new Set<string>();
    let length = 0;
    for await (const message of requests) {
      const { contentType = "none", data } = bodyOf(message) ?? {};
      types.add(contentType);
      length += data?.length ?? 0;
    }
    yield create(named("Write").output, { heard: [...types, String(length)] });
  };
const inPieces = (pieceOf: (piece: Message) => Message): StreamHandler =>
  async function* (requests) {
    const [asked] = (await Array.fromAsync(requests)) as [Message & { readonly name: string }];
    if (asked.name === "none") throw new CallError("NOT_FOUND", "no such file");
    if (asked.name === "empty") return;
    yield pieceOf(body("text/css", new TextEncoder().encode("a {")));
    yield pieceOf(body("", new TextEncoder().encode("}")));
    if (asked.name === "late") throw new CallError("DATA_LOSS", "the disk is gone");
  };

const service = serviceWith(contract, {
  Echo: echo,
  Put: echo,
  Pick: echo,
  Plain: echo,
  InPath: echo,
  Get(message: Message) {
    const { name } = message as FileMessage;
    if (name === "none") throw new CallError("NOT_FOUND", "no such file");
    return body(name === "odd" ? "a\nb" : "image/png", bytes);
  },
  Read: inPieces((piece) => piece),
  ReadFile: inPieces((piece) => fileOf("f", piece)),
  Write: heardIn((message) => message as Body),
  WriteFile: heardIn((message) => (message as FileMessage).file),
});

interface Answer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** A request with exactly these headers. */
function send(
  url: string,
  method: string,
  path: string,
  sent: Uint8Array,
  headers: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(path, url),
      { method, headers: { ...headers, "content-length": sent.length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => void chunks.push(chunk)).on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode, type: response.headers["content-type"], body: Buffer.concat(chunks) }),
        );
      },
    );
    outgoing.on("error", reject).end(sent);
  });
}

const servers = ["rest-express", "rest-fastify", "rest-hono", "rest-node-http"];
const stacks = [...servers, "rest-express+axios", "rest-express+fetch"];
const types = [
  "image/png",
  "application/json",
  "text/plain; charset=latin1",
  "application/x-www-form-urlencoded",
  "nonsense",
  "",
];

describe.each(servers)("%s", (server) => {
  test.for(["standard", "grpc-gateway", "google"])(
    "takes and sends bytes as they are, in the dialect %s",
    async (dialect) => {
      const {
        server: { url },
      } = await pairOf(server, service, { serve: { settings: { dialect } } });
      for (const type of types) {
        for (const sent of [bytes, new TextEncoder().encode('{"a":'), new Uint8Array()]) {
          for (const [method, path] of [
            ["POST", "/echo"],
            ["PUT", "/files/x"],
            ["POST", "/pick"],
          ] as const) {
            // oxlint-disable-next-line no-await-in-loop -- one at a time, so that a failure names its row
            const answer = await send(url, method, path, sent, type === "" ? {} : { "content-type": type });
            expect([path, type, sent.length, answer.status, answer.type, answer.body.equals(sent)]).toEqual([
              path,
              type,
              sent.length,
              200,
              type === "" ? undefined : type,
              true,
            ]);
          }
        }
      }
      const read = await send(url, "GET", "/files/x:read", new Uint8Array(), {});
      expect([read.status, read.type, String(read.body)]).toEqual([200, "text/css", "a {}"]);
      const none = await send(url, "GET", "/files/empty:read", new Uint8Array(), {});
      expect([none.status, none.type, none.body.length]).toEqual([200, undefined, 0]);
      const refused = await send(url, "GET", "/files/none:read", new Uint8Array(), {});
      expect([refused.status, String(refused.body)]).toEqual([404, expect.stringContaining("no such file")]);
    },
  );

  test("answers whatever the caller accepts, refuses what it cannot read, and sends no content type that is no header", async () => {
    const {
      server: { url },
    } = await pairOf(server, service, { serve: { maxMessageBytes: 100_000 } });
    const got = await send(url, "GET", "/files/x", new Uint8Array(), { accept: "image/png" });
    expect([got.status, got.type, got.body.equals(bytes)]).toEqual([200, "image/png", true]);
    expect((await send(url, "GET", "/files/odd", new Uint8Array(), {})).status).toBe(500);
    expect((await send(url, "GET", "/files/none", new Uint8Array(), {})).status).toBe(404);
    expect((await send(url, "POST", "/echo", new Uint8Array(100_001), {})).status).toBe(413);
    expect((await send(url, "POST", "/echo?data=AA", bytes, {})).status).toBe(400);
    expect((await send(url, "PUT", "/files/x?flag=true", bytes, {})).status).toBe(200);
  });
});

async function streamed(client: Client, name: string, requests: readonly Message[]): Promise<readonly Message[]> {
  return Array.fromAsync(client.prepareStream(named(name))(requests));
}

/** The content types and all bytes of a stream: where one message ends is lost. */
function joined(messages: readonly Message[]): readonly unknown[] {
  const bodies = messages.map((message) => (message as FileMessage).file ?? (message as Body));
  return [
    new Set(bodies.map(({ contentType }) => contentType)),
    Buffer.concat(bodies.map(({ data }) => data)).toString(),
  ];
}

test.for(stacks)("what raw bytes cannot say, and streams of them, over %s", async (stack) => {
  const { client } = await pairOf(stack, service);
  const ask = (name: string) => create(named("Read").input, { name });
  expect(await client.prepare(named("Put"))(fileOf("x", undefined))).toEqual(fileOf("", undefined));
  expect(await client.prepare(named("Echo"))(body("", new Uint8Array()))).toMatchObject({ contentType: "" });
  expect((await caught(client.prepare(named("Get"))(ask("none")))).code).toBe("NOT_FOUND");
  expect((await caught(client.prepare(named("Echo"))(body("a\nb", bytes)))).code).toBe("INVALID_ARGUMENT");
  const whole = [new Set(["text/css"]), "a {}"];
  expect(joined(await streamed(client, "Read", [ask("x")]))).toEqual(whole);
  expect(joined(await streamed(client, "ReadFile", [ask("x")]))).toEqual(whole);
  expect(await streamed(client, "Read", [ask("empty")])).toEqual([]);
  expect((await caught(streamed(client, "Read", [ask("late")]))).code).toBe("UNAVAILABLE");
  const written = [body("text/css", bytes), body("text/css", bytes)];
  const files = written.map((each) => fileOf("x", each));
  const heard = [create(named("Write").output, { heard: ["text/css", "140000"] })];
  expect(await streamed(client, "Write", written)).toEqual(heard);
  expect(await streamed(client, "WriteFile", files)).toEqual(heard);
});

test.for([...stacks, "grpc-js", "graphql-apollo", "json-rpc-2", "soap-node-http", "connect-node"])(
  "conformance passes on %s",
  async (stack) => {
    expect(await faultsOn(stack, contract)).toEqual([]);
  },
);

test("describe, the OpenAPI document and logs know raw bytes", async () => {
  const { view } = await loadStack("rest-express");
  expect(view(named("Put"), contract)).toEqual({
    signature: "PUT /files/{name}?flag= (raw bytes) → raw bytes",
    lost: [
      "extensions of file: a body of raw bytes has only its content type",
      "file: a missing body is the same as an empty one",
      "extensions of file: a body of raw bytes has only its content type",
      "file: a missing body is the same as an empty one",
      "File.name: the body of the answer is its file alone",
      "File.flag: the body of the answer is its file alone",
    ],
  });
  expect(view(named("InPath"), contract).lost[0]).toBe(
    "POST /in/{file.content_type}: this rule is ignored: file is the whole body, so none of its fields can be in the path",
  );
  const document = openApiDocument(contract) as { paths: Record<string, Record<string, unknown>> };
  const content = {
    "*/*": { schema: { type: "string", format: "binary", description: expect.any(String) as string } },
  };
  expect(document.paths["/echo"]?.["post"]).toMatchObject({
    requestBody: { content },
    responses: { "200": { content } },
  });
  expect(document.paths["/files/{name}:read"]?.["get"]).toMatchObject({ responses: { "200": { content } } });
  const [call] = await loggedCalls(contract)({
    method: "PUT",
    target: "/files/x",
    mediaType: "image/png",
    body: bytes,
  });
  expect(call?.request).toEqual(fileOf("x", body("image/png", bytes)));
});
