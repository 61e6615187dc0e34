// Compressed requests and answers of every server and client that has settings for them: the same messages in fewer bytes, within the same limits.
import { create, type Message } from "@bufbuild/protobuf";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { loadStack, type Setting } from "../src/index.ts";
import { accepts } from "../src/shared/codings.ts";
import { caught, clientOf, contract, endsUnderTest, oneOfEach, served, serviceWith } from "./support/pair.ts";
import { answeringServer, countingRelay } from "./support/wire.ts";

const echo = contract.operation("roundtrip.v1.PayloadService.Echo");
const download = contract.operation("roundtrip.v1.PayloadService.Download");

type Echoed = Message & { readonly text: string };
const requestOf = (text: string): Message => Object.assign(create(echo.input), { text });

const long = "A sentence that is the same each time. ".repeat(500);
const short = long.slice(0, 500);

const service = serviceWith(contract, {
  Echo: (request: Message) => Object.assign(create(echo.output), { text: (request as Echoed).text }),
  async *Download() {
    for (const text of [long, "end"]) yield Object.assign(create(download.output), { data: Buffer.from(text) });
  },
});

const names = [...new Set([...oneOfEach("server"), ...oneOfEach("client")].map(({ name }) => name))];
const stacks = await Promise.all(names.map((name) => loadStack(name)));

function codingsOf(settings: readonly Setting[], name: string): readonly string[] {
  const { values } = settings.find((setting) => setting.name === name) ?? { values: [] };
  return (values as readonly string[]).filter((value) => value !== "identity");
}

const tested = new Set([...endsUnderTest("server"), ...endsUnderTest("client")].map(({ name }) => name));
const compressing = ["requestCompression", "responseCompression"].flatMap((setting) =>
  stacks
    .filter(({ name }) => tested.has(name))
    .flatMap(({ name, settings }) => codingsOf(settings, setting).map((coding) => ({ name, setting, coding }))),
);

interface Counted {
  readonly call: (text: string) => Promise<string>;
  readonly stream: () => Promise<string>;
  /** Bytes of requests and answers since the last time. */
  readonly bytes: () => { readonly requestCompression: number; readonly responseCompression: number };
}

/** A client that reaches its server through a relay that counts. */
async function counted(
  name: string,
  set: Record<string, string>,
  limits: Partial<Record<"server" | "client", { readonly maxMessageBytes: number }>> = {},
): Promise<Counted> {
  const { settings } = await loadStack(name);
  const of = (end: Setting["end"]) => {
    const ofEnd = settings.filter((setting) => setting.end === end || setting.end === "both");
    return Object.fromEntries(Object.entries(set).filter(([key]) => ofEnd.some((setting) => setting.name === key)));
  };
  const server = await served(name, service, { settings: of("server"), ...limits.server });
  const relay = await countingRelay(server.url);
  const client = await clientOf(name, service, { url: relay.url, settings: of("client"), ...limits.client });
  const invoke = client.prepare(echo);
  let before = { toServer: 0, toClient: 0 };
  return {
    call: async (text) => ((await invoke(requestOf(text))) as Echoed).text,
    async stream() {
      let text = "";
      for await (const part of client.prepareStream(download)([create(download.input)])) {
        text += Buffer.from((part as Message & { readonly data: Uint8Array }).data).toString();
      }
      return text;
    },
    bytes() {
      const { toServer, toClient } = relay;
      const since = {
        requestCompression: toServer - before.toServer,
        responseCompression: toClient - before.toClient,
      };
      before = { toServer, toClient };
      return since;
    },
  };
}

function lacking(setting: string): readonly string[] {
  return stacks.filter(({ settings }) => codingsOf(settings, setting).length === 0).map(({ name }) => name);
}

test("every server and client of REST, GraphQL, gRPC and Connect compresses, except answers of grpc-js and requests of fetch over Connect", () => {
  const never = names.filter((name) => /^(?:json-rpc|soap)/.test(name));
  expect(lacking("requestCompression").filter((name) => !never.includes(name))).toEqual(["connect-node+fetch"]);
  expect(lacking("responseCompression").filter((name) => !never.includes(name))).toEqual(
    names.filter((name) => name.startsWith("grpc-js")),
  );
});

describe.each(compressing)("$name with $setting=$coding", ({ name, setting, coding }) => {
  const counting = setting as keyof ReturnType<Counted["bytes"]>;

  it("sends the same messages in fewer bytes, and short answers as they are", async () => {
    const { call, bytes } = await counted(name, { [setting]: coding });
    await expect(call(short)).resolves.toBe(short);
    bytes();
    await expect(call(long)).resolves.toBe(long);
    const { requestCompression, responseCompression } = bytes();
    expect({ requestCompression, responseCompression }[counting]).toBeLessThan(long.length / 4);
    expect(Math.max(requestCompression, responseCompression)).toBeGreaterThan(long.length);
    await expect(call(short)).resolves.toBe(short);
    // Of requests, some clients compress short ones too.
    expect(bytes().responseCompression).toBeGreaterThan(short.length);
  });

  it("sends streams", async () => {
    const { stream } = await counted(name, { [setting]: coding });
    await expect(stream()).resolves.toBe(`${long}end`);
  });

  it.each(["server", "client"] as const)("is too large for its %s when it is decoded", async (end) => {
    const { call } = await counted(name, { [setting]: coding }, { [end]: { maxMessageBytes: 10_000 } });
    expect((await caught(call(long))).code).toBe("RESOURCE_EXHAUSTED");
  });
});

test("zstd is read with windows of 8 MB at most", async () => {
  const server = await served("rest-node-http", service);
  const answerTo = async (windowDescriptor: number): Promise<[number, string]> => {
    const body = zstdCompressSync(long, { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } });
    // Magic number, then a header without a content size, then the window: 2 to the power of 10 plus its upper five bits.
    body[5] = windowDescriptor << 3;
    const headers = { "content-type": "application/json", "content-encoding": "zstd" };
    const response = await fetch(`${server.url}/v1/payload:echo`, { method: "POST", headers, body });
    return [response.status, await response.text()];
  };
  const [, readable] = await answerTo(13);
  expect(readable).toContain("JSON");
  expect(await answerTo(14)).toEqual([400, expect.stringContaining("memory") as string]);
});

test.each(["rest-node-http+axios", "rest-node-http+fetch", "graphql-yoga+graphql-request"])(
  "%s reads answers in each coding that it has on this version of Node.js",
  async (name) => {
    const { settings } = await loadStack(name);
    for (const responseCompression of codingsOf(settings, "responseCompression")) {
      const { call } = await counted(name, { responseCompression });
      expect([responseCompression, await call(long)]).toEqual([responseCompression, long]);
    }
  },
);

test("a server whose library lacks a coding does not serve with it", async () => {
  const starting = served("rest-hono", service, { settings: { responseCompression: "zstd" } });
  await expect(starting).rejects.toMatchObject({ code: "unusable-setting" });
});

test.each(["rest-express", "rest-fastify", "rest-hono", "rest-node-http", "graphql-yoga"])(
  "%s compresses for nobody who does not accept its coding",
  async (name) => {
    const server = await served(name, service, { settings: { responseCompression: "gzip" } });
    const isGraphql = name.startsWith("graphql");
    const query = `{ echo(text: ${JSON.stringify(long)}, data: "") { text } }`;
    const encodingFor = async (accepted: string): Promise<string | null> => {
      const response = await fetch(isGraphql ? server.url : `${server.url}/v1/payload:echo`, {
        method: "POST",
        headers: { "content-type": "application/json", "accept-encoding": accepted },
        body: JSON.stringify(isGraphql ? { query } : { text: long }),
      });
      expect((await response.text()).includes(long)).toBe(true);
      return response.headers.get("content-encoding");
    };
    await expect(encodingFor("br, zstd")).resolves.toBeNull();
    await expect(encodingFor("br, gzip;q=0")).resolves.toBeNull();
    await expect(encodingFor("br, gzip")).resolves.toBe("gzip");
  },
);

test.each(["rest-express", "rest-fastify", "rest-hono", "rest-node-http"])(
  "%s says all that an answer varies by",
  async (name) => {
    const server = await served(name, service, { settings: { responseCompression: "gzip" } });
    // The error of a stream names its unknown field.
    const response = await fetch(`${server.url}/v1/payload?${"x".repeat(2000)}=1`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect([response.status, response.headers.get("content-encoding")]).toEqual([400, "gzip"]);
    expect(response.headers.get("vary")?.toLowerCase().split(", ")).toEqual(
      expect.arrayContaining(["accept", "accept-encoding"]),
    );
  },
);

test.each(["rest-express", "rest-express+axios", "rest-express+fetch"])(
  "a client of %s reports an answer that is not what its coding says",
  async (name) => {
    const url = await answeringServer((response) =>
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gzipSync(JSON.stringify({ text: long })).subarray(0, 40)),
    );
    const client = await clientOf(name, service, { url, settings: { responseCompression: "gzip" } });
    expect(["INTERNAL", "UNKNOWN"]).toContain((await caught(client.prepare(echo)(requestOf("x")))).code);
  },
);

test("a coding with a weight of 0 is not accepted", () => {
  expect(
    ["gzip", "br, GZIP;q=0.5", "gzip ; q=1", "gzip;q=0", "gzip;q=0.000", "xgzip", ""].map((header) =>
      accepts("gzip", header),
    ),
  ).toEqual([true, true, true, false, false, false, false]);
});
