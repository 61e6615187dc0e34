// Streams of bytes over REST: where the contract says that the body is a field of bytes, a body is bytes and nothing else.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, type Client, incompressibleBytes } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { style } from "../../styles/src/rest/index.ts";
import { pairOf, restStack, serviceWith } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";

const contract = builtInContract();
const pair = () => pairOf(restStack, realService(contract));
const octets = { "content-type": "application/octet-stream" };
const bytes = incompressibleBytes(150_000, 1);

const files = compileContract(`
  syntax = "proto3";
  package files.v1;
  import "buf/validate/validate.proto";
  import "google/api/annotations.proto";
  service Files {
    rpc Put(stream PutRequest) returns (PutResponse) {
      option (google.api.http) = {post: "/files/{name}", body: "part"};
    }
    rpc Get(GetRequest) returns (stream GetResponse) {
      option (google.api.http) = {get: "/files/{name}", response_body: "part"};
    }
    rpc Tail(GetRequest) returns (stream GetResponse) { option (google.api.http) = {get: "/files/{name}:tail"}; }
  }
  message PutRequest {
    string name = 1;
    int32 mode = 2;
    bytes part = 3 [(buf.validate.field).bytes.max_len = 1000];
  }
  message PutResponse { repeated string heard = 1; }
  message GetRequest { string name = 1; }
  message GetResponse { bytes part = 1; }
`);
const put = files.operation("files.v1.Files.Put");
const get = files.operation("files.v1.Files.Get");

type Put = Message & { name: string; mode: number; part: Uint8Array };

const filesService = serviceWith(files, {
  async *Put(requests: AsyncIterable<Message>) {
    const heard: string[] = [];
    for await (const request of requests) {
      const { name, mode, part } = request as Put;
      heard.push(`${name} ${mode} ${part.length}`);
    }
    yield Object.assign(create(put.output), { heard });
  },
  async *Get() {
    yield Object.assign(create(get.output), { part: bytes });
    throw new CallError("DATA_LOSS", "the disk is gone");
  },
});

function all(client: Client, id: string, requests: Iterable<Message>): Promise<Message[]> {
  return Array.fromAsync(client.prepareStream(files.operation(id))(requests));
}

const part = (init: Partial<Put>) => Object.assign(create(put.input), init);

describe("a stream of answers that is bytes", () => {
  test("is lines of Base64, or events, for a caller who prefers them", async () => {
    const { server } = await pair();
    const url = `${server.url}/v1/payload?sizeBytes=5&chunkBytes=3`;
    const texts = [Buffer.from(bytes.subarray(0, 3)), Buffer.from(bytes.subarray(3, 5))].map((chunk) =>
      JSON.stringify(chunk.toString("base64")),
    );
    const lines = await fetch(url, { headers: { accept: "application/x-ndjson" } });
    expect(await lines.text()).toBe(texts.map((text) => `${text}\n`).join(""));
    const events = await fetch(url, { headers: { accept: "text/event-stream" } });
    expect(await events.text()).toContain(`data: ${texts[0]}\n\n`);
    expect((await fetch(url, { headers: { accept: "text/html" } })).status).toBe(406);
  });

  test("is what the contract asks for, and no stream else", () => {
    const tail = files.operation("files.v1.Files.Tail");
    expect(style.view(tail, files).signature).toBe("GET /files/{name}:tail → application/x-ndjson");
    expect(style.view(get, files)).toEqual({
      signature: "GET /files/{name} → application/octet-stream",
      lost: ["how part was cut into messages: a body of bytes has no borders in it"],
    });
    expect(style.view(put, files).signature).toBe("POST /files/{name}?mode= part (application/octet-stream)");
  });
});

describe("a stream of requests that is bytes", () => {
  const answer = { sizeBytes: bytes.length, crc32: crc32(bytes) };

  test("is a body of bytes for any client, with a type or without", async () => {
    const { server } = await pair();
    for (const headers of [octets, { "content-type": "Application/Octet-Stream ; x=1" }, {}]) {
      const response = await fetch(`${server.url}/v1/payload`, { method: "POST", headers, body: bytes });
      expect([response.status, await response.json()]).toEqual([200, answer]);
    }
  });

  test("of another type or encoding is refused, with what would be taken", async () => {
    const { server } = await pair();
    const send = (headers: Record<string, string>) =>
      fetch(`${server.url}/v1/payload`, { method: "POST", headers, body: "{}" });
    const json = await send({ "content-type": "application/json" });
    expect([json.status, json.headers.get("accept")]).toEqual([415, "application/octet-stream, application/x-ndjson"]);
    expect((await send({ ...octets, "content-encoding": "gzip" })).status).toBe(415);
  });

  test("comes in messages that keep the contract's rules and the server's limit, each with what is in the URL", async () => {
    const { client } = await pairOf(restStack, filesService, { serve: { maxMessageBytes: 700 } });
    const [heard] = await all(client, put.id, [part({ name: "a/b", mode: 7, part: bytes.subarray(0, 1500) })]);
    expect(heard).toMatchObject({ heard: ["a/b 7 700", "a/b 7 700", "a/b 7 100"] });
    const [ruled] = await all((await pairOf(restStack, filesService)).client, put.id, [
      part({ name: "a", part: bytes.subarray(0, 1500) }),
    ]);
    expect(ruled).toMatchObject({ heard: ["a 0 1000", "a 0 500"] });
  });
});
