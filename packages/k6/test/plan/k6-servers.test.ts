// The names of the variables with servers' addresses: by ids, so that no two servers share one.
import { loadStack, type Stack } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { k6Servers, type ServerToName } from "../../src/plan/k6-servers.ts";

function serverOf(
  stack: Stack,
  services: Readonly<Record<string, Readonly<Record<string, number>>>> = {},
): ServerToName {
  const nothing = { settings: {}, server: {}, client: {}, defaults: {}, link: undefined, tls: undefined };
  const id = `${stack.name}${JSON.stringify(services)}`;
  const configuration = { ...nothing, id, versionlessId: id, stack: stack.name, services, version: undefined };
  const calls = stack.k6 as ServerToName["calls"];
  return { configuration, stack, calls, path: "", setup: [], target: undefined, token: undefined };
}

const rest = await loadStack("rest-express");
const grpc = await loadStack("grpc-js");
const named = (servers: readonly ServerToName[]): readonly string[] =>
  k6Servers(servers).map(({ variable }) => variable);
const like = (stack: Stack, name: string): Stack => ({ ...stack, name });

describe("the variable of a server", () => {
  it("begins with its stack where there are several of its style, though all have one title", () => {
    const stacks = [rest, like(rest, "rest-fastify"), like(rest, "rest-express+fetch"), grpc];
    expect(named(stacks.map((stack) => serverOf(stack))).toSorted()).toEqual([
      "GRPC_TARGET",
      "REST_EXPRESS_FETCH_URL",
      "REST_EXPRESS_URL",
      "REST_FASTIFY_URL",
    ]);
  });

  it("contains the settings of its service if its stack has several", () => {
    const both = [200, 0].map((cache) => serverOf(rest, { matrix: { cache } }));
    expect(named(both)).toEqual(["REST_URL_MATRIX_CACHE_200", "REST_URL_MATRIX_CACHE_0"]);
  });
});
