// A recording over one style answers over the others, even if they ask for fewer fields.
import { create } from "@bufbuild/protobuf";
import { builtInContract, type Client } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordTarget } from "../../src/recording/record-target.ts";
import { replaying } from "../../src/recording/replay.ts";
import { startFake, type StartedFake } from "../../src/fake/start-fake.ts";
import type { Stub } from "../../src/stubs/stub-schema.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const listCustomers = contract.operation("roundtrip.v1.CustomerService.ListCustomers");

/** Calls the real service over a stack through a recorder on another server, and returns the recording. */
async function recorded(stack: string, calls: (client: Client) => Promise<unknown>): Promise<readonly Stub[]> {
  const server = await (await loadServe("grpc-js"))(realService(contract), serveDefaults);
  const remote = await (await loadConnect("grpc-js"))(contract, { ...connectDefaults, url: server.url });
  const target = recordTarget(remote);
  const fake = await startFake(contract, { stacks: [stack], behind: () => target });
  try {
    await calls(await fake.connect(stack));
    return target.recording.stubs;
  } finally {
    await fake.close();
    await remote.close();
    await server.close();
  }
}

function replayed(stubs: readonly Stub[]): Promise<StartedFake> {
  const replay = replaying(contract, stubs);
  return startFake(contract, { behind: () => replay(realService(contract)) });
}

function read(client: Client, id: number, ...paths: readonly string[]) {
  const mask = paths.length === 0 ? {} : { readMask: { paths: [...paths] } };
  return client.prepare(getCustomer)(create(getCustomer.input, { id, ...mask }));
}

const styles = ["rest-express", "grpc-js", "graphql-apollo"];

describe("a recording over REST, without masks,", () => {
  let fake: StartedFake;
  beforeAll(async () => {
    const stubs = await recorded("rest-express", async (client) => {
      await read(client, 7);
      await read(client, 4711).catch(() => undefined);
      await client.prepare(listCustomers)(create(listCustomers.input, { pageSize: 2 }));
    });
    fake = await replayed(stubs);
  });
  afterAll(() => fake.close());

  it.each(styles)("answers over %s with only the fields of a mask", async (stack) => {
    const client = await fake.connect(stack);
    const whole = await read(client, 7);
    expect(whole).toMatchObject({ id: 7, name: "Customer number 7" });
    expect(await read(client, 7, "name")).toEqual(create(getCustomer.output, { name: "Customer number 7" }));
    expect(await read(client, 7, "id", "name")).toEqual(
      create(getCustomer.output, { id: 7, name: "Customer number 7" }),
    );
  });

  it.each(styles)("fails over %s as the target failed, for any selection", async (stack) => {
    const client = await fake.connect(stack);
    await expect(read(client, 4711, "name")).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: { reason: "CUSTOMER_NOT_FOUND" },
    });
  });

  it("answers a hand-written query", async () => {
    const query = "{ customer(id: 7) { name mail } }";
    const body = JSON.stringify({ query });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(fake.urls["graphql-apollo"] ?? "", { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({ data: { customer: { name: "Customer number 7" } } });
  });

  // GraphQL's client cannot select unknown fields.
  it.each(["rest-express", "grpc-js"])("validates masks over %s as the target does", async (stack) => {
    await expect(read(await fake.connect(stack), 7, "nothing")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("a recording with masks", () => {
  it("answers narrower reads, and no wider ones", async () => {
    const stubs = await recorded("grpc-js", (client) => read(client, 7, "name", "mail"));
    await using fake = await replayed(stubs);
    for (const stack of styles) {
      const client = await fake.connect(stack);
      expect(await read(client, 7, "name")).toEqual(create(getCustomer.output, { name: "Customer number 7" }));
      await expect(read(client, 7, "name", "address")).rejects.toMatchObject({ details: { reason: "NOT_RECORDED" } });
      await expect(read(client, 7)).rejects.toMatchObject({ details: { reason: "NOT_RECORDED" } });
    }
  });

  it("reports a missing resource for any mask", async () => {
    const stubs = await recorded("graphql-apollo", async (client) => {
      await read(client, 4711, "id").catch(() => undefined);
      await read(client, 7, "id");
    });
    await using fake = await replayed(stubs);
    for (const stack of styles) {
      const client = await fake.connect(stack);
      await expect(read(client, 4711, "name", "mail")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(read(client, 4711)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(read(client, 7)).rejects.toMatchObject({ details: { reason: "NOT_RECORDED" } });
    }
  });

  it("answers a read without a mask from a read of all fields, as GraphQL clients make it", async () => {
    const stubs = await recorded("graphql-apollo", (client) => read(client, 7));
    await using fake = await replayed(stubs);
    for (const stack of styles) expect(await read(await fake.connect(stack), 7)).toMatchObject({ id: 7 });
  });
});
