// Stubs over sockets: they answer alike over every style, errors, streams and headers included, and no credentials are in logs.
import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { builtInContract, CallError, type Metadata, typedClient, type TypedClient } from "@roundtrip/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFake, type StartedFake } from "../../src/fake/start-fake.ts";
import { parseStubs } from "../../src/stubs/read-stubs.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const stacks = ["grpc-js", "rest-express", "graphql-apollo", "connect-node", "json-rpc-node-http", "soap-node-http"];

const stubs = parseStubs(
  `
- operation: SayHello
  when-headers: { X-Tenant: acme, authorization: { glob: "Bearer *" }, x-debug: null }
  headers: { x-served-by: stub, set-token: hush }
  response: { message: for acme }
- operation: SayHello
  when-headers: { x-tenant: { matches: "^b" } }
  error: { code: RESOURCE_EXHAUSTED, message: too many }
  headers: { retry-after: "3" }
- operation: SayHello
  response: { message: for others }
`,
  "stubs.yaml",
  contract,
);

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract, { stacks, stubs });
});
afterAll(() => fake.close());

/** The answer or the error of a call with these headers, and the headers that came with it. */
async function called(
  stack: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [JsonValue, Metadata]> {
  const client = await fake.connect(stack);
  let received: Metadata = new Map();
  const options = {
    metadata: new Map(Object.entries(headers)),
    onMetadata: (metadata: Metadata) => void (received = metadata),
  };
  try {
    const answer = await client.prepare(sayHello)(fromJson(sayHello.input, { name: "Ada" }), options);
    return [toJson(sayHello.output, answer), received];
  } catch (thrown) {
    return [CallError.from(thrown).code, received];
  }
}

describe.each(stacks)("over %s, a stub", (stack) => {
  it("compares the headers of the call, and sends headers with its answer and its error", async () => {
    const credentials = { "x-tenant": "acme", authorization: "Bearer hush" };
    const [answer, headers] = await called(stack, credentials);
    expect(answer).toEqual({ message: "for acme" });
    expect(headers.get("x-served-by")).toBe("stub");
    const [error, errorHeaders] = await called(stack, { "x-tenant": "bcme" });
    expect(error).toBe("RESOURCE_EXHAUSTED");
    expect(errorHeaders.get("retry-after")).toBe("3");
    expect((await called(stack, { ...credentials, "x-debug": "1" }))[0]).toEqual({ message: "for others" });
    expect((await called(stack, {}))[0]).toEqual({ message: "for others" });
  });

  it("is in the log with the headers of both, and without credentials", async () => {
    fake.reset();
    await called(stack, { "x-tenant": "acme", authorization: "Bearer hush", cookie: "hush=1" });
    const [record] = fake.log.records;
    expect(record?.headers).toMatchObject({
      "x-tenant": "acme",
      authorization: "[redacted]",
      cookie: "[redacted]",
    });
    expect(record?.answerHeaders).toEqual({ "x-served-by": "stub", "set-token": "[redacted]" });
    expect(JSON.stringify(record)).not.toContain("hush");
  });
});

const conformance = conformanceContract();
const sequences = parseStubs(
  `- operation: Look
  when: { text: seven }
  answers:
    - error:
        code: FAILED_PRECONDITION
        message: not yet
        details: { reason: EARLY, domain: example.com, metadata: { wait: "1" }, violations: [{ field: text, description: early }] }
    - response: { request: { text: Ada } }
- operation: Download
  when: { sizeBytes: 9 }
  responses: [{ data: aGVs }, { index: 1, data: bG8= }]
  error: { code: DATA_LOSS, message: the rest is gone }
`,
  "stubs.yaml",
  conformance,
);

async function failed(call: Promise<unknown>): Promise<unknown> {
  const { code, message, details } = (await call.then(
    () => ({}),
    (error: unknown) => error,
  )) as Partial<CallError>;
  return { code, message, details };
}

async function downloaded(client: TypedClient<typeof ConformanceService>): Promise<unknown> {
  const chunks: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { data } of client.download({ sizeBytes: 9 })) chunks.push(Buffer.from(data).toString());
  };
  return { failure: await failed(read()), chunks };
}

it("answer alike over every style, each session with its own sequence", async () => {
  await using streaming = await startFake(conformance, { stubs: sequences });
  const outcomes = [];
  for (const style of ["memory", ...Object.keys(streaming.urls)]) {
    // oxlint-disable-next-line no-await-in-loop -- in a session of its own, one after the other
    const client = await streaming.session(style).connect(style);
    const service = typedClient(ConformanceService, client);
    // oxlint-disable-next-line no-await-in-loop
    const first = await failed(service.look({ text: "seven" }));
    // oxlint-disable-next-line no-await-in-loop
    const { request } = await service.look({ text: "seven" });
    // oxlint-disable-next-line no-await-in-loop
    outcomes.push({ first, second: request?.text, download: await downloaded(service) });
  }
  const none = { reason: "", domain: "", metadata: {}, violations: [] };
  const violations = [{ field: "text", description: "early", reason: "" }];
  const expected = {
    first: {
      code: "FAILED_PRECONDITION",
      message: "not yet",
      details: { reason: "EARLY", domain: "example.com", metadata: { wait: "1" }, violations },
    },
    second: "Ada",
    download: { failure: { code: "DATA_LOSS", message: "the rest is gone", details: none }, chunks: ["hel", "lo"] },
  };
  expect(outcomes).toEqual([expected, expected, expected, expected]);
});
