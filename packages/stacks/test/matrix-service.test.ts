// The matrix service over every style: what is said when nobody can compute, and where the time of an answer went.
import { create } from "@bufbuild/protobuf";
import { builtInContract, type CallError, type CallOptions, type Client } from "@roundtrip/contract";
import { PowerRequestSchema, type PowerResponse } from "@roundtrip/contract/gen/roundtrip/v1/matrix_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { type GivenServiceSettings, realService } from "@roundtrip/service";
import { afterEach, describe, expect, it, vi } from "vitest";
import { matrixHandlers } from "../../service/src/matrix/matrix.ts";
import { PowerPool } from "../../service/src/matrix/power-pool.ts";
import { deadlyExponent } from "../../service/test/matrix/support/odd-thread.ts";
import { allStacks } from "../src/index.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { graphqlStack, pairOf } from "./support/pair.ts";

const contract = builtInContract();
const power = contract.operation("roundtrip.v1.MatrixService.Power");

const atEnd: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(atEnd.splice(0).map((end) => end())));

async function clientOf(stack: string, settings: GivenServiceSettings): Promise<Client> {
  const service = realService(contract, settings);
  atEnd.push(() => service.close());
  const { client } = await pairOf(stack, service, { connect: { connections: 3 } });
  return client;
}

async function raise(client: Client, size: number, exponent: number, options?: CallOptions): Promise<PowerResponse> {
  const elements = Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : 0));
  const request = create(PowerRequestSchema, { matrix: { size, elements }, exponent });
  return (await client.prepare(power)(request, options)) as PowerResponse;
}

const failed = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (thrown: unknown) => thrown as CallError,
  );

describe.each(allStacks().filter(({ isDefault }) => isDefault))("on $name", ({ name: stack }) => {
  it("a request that finds the queue full is RESOURCE_EXHAUSTED, with the limit, and others are served", async () => {
    const client = await clientOf(stack, { matrix: { threads: 1, queueLimit: 1 } });
    await raise(client, 1, 1);
    const leaving = new AbortController();
    // Ten seconds and more each, unless somebody leaves: one computes, one waits, one is too many.
    const long = [0, 1, 2].map(() => failed(raise(client, 100, 10_000, { signal: leaving.signal })));
    const refused = await Promise.race(long);
    expect(refused).toMatchObject({ code: "RESOURCE_EXHAUSTED", message: "too many requests are waiting already" });
    expect(refused?.details).toMatchObject({
      reason: "QUEUE_FULL",
      domain: "matrix.roundtrip.dev",
      metadata: { queueLimit: "1" },
    });
    leaving.abort();
    const codes = (await Promise.all(long)).map((error) => error?.code);
    expect(codes.filter((one) => one === "CANCELLED")).toHaveLength(2);
    // Over HTTP/1.1 the next call, on another connection, may arrive before the end of those two.
    await vi.waitFor(async () => {
      expect((await raise(client, 1, 1, { timeoutMs: 30_000 })).power?.elements).toEqual([1]);
    }, 20_000);
  });

  it("a request whose thread is lost is UNAVAILABLE, with how many were, and the next is computed", async () => {
    const threadFile = new URL("../../service/test/matrix/support/odd-thread.ts", import.meta.url).href;
    const pool = new PowerPool({ threads: 1, queueLimit: 10, threadFile });
    atEnd.push(() => pool.close());
    const { client } = await pairOf(stack, serviceOf(contract, matrixHandlers(pool, undefined)));
    const error = await failed(raise(client, 2, deadlyExponent));
    expect(error).toMatchObject({ code: "UNAVAILABLE", details: { metadata: { lostThreads: "1" } } });
    expect(error?.details).toMatchObject({ reason: "THREAD_LOST", domain: "matrix.roundtrip.dev" });
    expect((await raise(client, 2, 5)).power?.elements).toEqual([1, 0, 0, 1]);
  });
});

it("the error of a query without an argument names the argument", async () => {
  const { server } = await pairOf(graphqlStack, realService(contract));
  const ask = async (query: string, variables = {}) => (await graphqlPost(server, { query, variables })).errors[0];
  const refused = { message: expect.stringMatching(/"\$?matrix"/), extensions: { code: "INVALID_ARGUMENT" } };
  const variable = "query Q($matrix: MatrixInput!) { power(matrix: $matrix) { cacheStatus } }";
  expect(await ask("{ power(exponent: 2) { cacheStatus } }")).toMatchObject(refused);
  expect(await ask(variable)).toMatchObject(refused);
  expect(await ask(variable, { matrix: null })).toMatchObject(refused);
});
