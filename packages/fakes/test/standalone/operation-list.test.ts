// The example requests of the page: a fake of any contract answers them over every style.
import { builtInContract, type Contract } from "@roundtrip/contract";
import { loadServe, loadStack, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContractFrom } from "../../../cli/src/contract/contract-source.ts";
import { createFake } from "../../src/index.ts";
import { operationList } from "../../src/standalone/control/serve-control.ts";
import { ClientPool, sendCall } from "../../src/standalone/control/sent-call.ts";

const google = join(dirname(findPackageJSON("google-proto-files", import.meta.url) ?? "."), "google");
const stackNames = ["grpc-js", "rest-express", "graphql-apollo"] as const;

async function foreign(path: string): Promise<Contract> {
  await using loaded = await loadContractFrom([join(google, path)]);
  return loaded.contract;
}

const contracts: Readonly<Record<string, () => Contract | Promise<Contract>>> = {
  "the built-in contract": builtInContract,
  "Google's library": () => foreign("example/library/v1/library.proto"),
  "Pub/Sub": () => foreign("pubsub/v1"),
};

describe.each(Object.entries(contracts))("%s", (_name, load) => {
  let contract: Contract;
  let clients: ClientPool;
  const servers: RunningServer[] = [];

  beforeAll(async () => {
    contract = await load();
    const { service } = createFake({ contract });
    const targets = new Map<string, { readonly url: string; readonly ca: undefined; settings: {} }>();
    for (const name of stackNames) {
      const server = await (await loadServe(name))(service, serveDefaults);
      servers.push(server);
      targets.set(name, { url: server.url, ca: undefined, settings: {} });
    }
    clients = new ClientPool(targets);
  });
  afterAll(async () => {
    await clients.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  test.each(stackNames)("answers every listed request over %s", async (stack) => {
    const listed = operationList(contract, [await loadStack(stack)], 1).filter(({ kind }) => kind === "unary");
    expect(listed.length).toBeGreaterThan(10);
    const refused: string[] = [];
    for (const [at, { id, request }] of listed.entries()) {
      // In its own session, because a call may delete what the next one needs.
      const call = { stack, operation: id, requests: [request], session: `${stack}-${at}` };
      const { outcome, message } = await sendCall(clients, contract, call);
      if (outcome !== "OK") refused.push(`${id} ${JSON.stringify(request)}: ${outcome} ${message}`);
    }
    expect(refused).toEqual([]);
  });

  test("sends all calls over a stack by the same client", async () => {
    const first = await clients.client("rest-express", contract);
    expect(await clients.client("rest-express", contract)).toBe(first);
  });
});
