// Stubs over sockets: headers are compared and sent over every style, and no credentials are in logs.
import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { builtInContract, CallError, type Metadata } from "@roundtrip/contract";
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
