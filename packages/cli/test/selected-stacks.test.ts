// Which stacks --stack, --style, --server and --client select, among more stacks than the project has.
import { describe, expect, it } from "vitest";
import type { KnownStack } from "@roundtrip/stacks";
import { selectedStackNames, type StackFlags } from "../src/stacks/chosen-stacks.ts";

interface Library {
  readonly servers: readonly string[];
  readonly clients: readonly string[];
}

/** The first server and client of each style are its default. */
const libraries: Readonly<Record<string, Library>> = {
  graphql: { servers: ["apollo", "yoga"], clients: ["undici", "fetch"] },
  grpc: { servers: ["grpc-js"], clients: ["grpc-js", "connect"] },
  rest: { servers: ["express", "fastify", "node-http"], clients: ["undici", "fetch"] },
};

const known = Object.entries(libraries).flatMap(([style, { servers, clients }]) =>
  servers.flatMap((server) =>
    clients.map((client): KnownStack => {
      const isDefault = server === servers[0] && client === clients[0];
      return { name: `${style} ${server} ${client}`, style, server, client, isDefault, isDefaultStyle: true };
    }),
  ),
);

describe("stacks", () => {
  it.each<[StackFlags, readonly string[]]>([
    [{ stack: ["rest fastify fetch", "grpc grpc-js grpc-js"] }, ["rest fastify fetch", "grpc grpc-js grpc-js"]],
    [{ style: ["rest", "grpc"] }, ["rest express undici", "grpc grpc-js grpc-js"]],
    [{ server: ["fastify", "express"] }, ["rest express undici", "rest fastify undici"]],
    [{ server: ["yoga", "fastify"] }, ["graphql yoga undici", "rest fastify undici"]],
    [{ client: ["fetch"] }, ["graphql apollo fetch", "rest express fetch"]],
    [{ server: ["fastify"], client: ["fetch"] }, ["rest fastify fetch"]],
    [
      { server: ["express", "fastify"], client: ["undici", "fetch"] },
      ["rest express undici", "rest express fetch", "rest fastify undici", "rest fastify fetch"],
    ],
    [{ style: ["rest", "grpc"], server: ["fastify"] }, ["rest fastify undici", "grpc grpc-js grpc-js"]],
    [{ style: ["rest"], client: ["fetch"] }, ["rest express fetch"]],
    [{ stack: ["rest fastify fetch", "rest fastify fetch"] }, ["rest fastify fetch"]],
  ])("are selected by %j", (flags, expected) => {
    expect(selectedStackNames(flags, known)).toEqual(expected);
  });

  it("are all selected by --stack all", () => {
    expect(selectedStackNames({ stack: ["all"] }, known)).toHaveLength(12);
  });

  it("are selected by no flag", () => {
    expect(selectedStackNames({}, known)).toBeUndefined();
  });

  it.each<[StackFlags, string]>([
    [{ style: ["rset"] }, 'unknown style "rset"; did you mean "rest"? (valid: graphql, grpc, rest)'],
    [
      { server: ["fastfy"] },
      'unknown server "fastfy"; did you mean "fastify"? (valid: apollo, express, fastify, grpc-js, node-http, yoga)',
    ],
    [{ client: ["curl"] }, 'unknown client "curl" (valid: connect, fetch, grpc-js, undici)'],
    [{ style: ["grpc"], client: ["fetch"] }, "--client fetch: none of the selected styles has it (grpc)"],
    [{ server: ["fastify"], client: ["connect"] }, "--client connect: none of the selected styles has it (rest)"],
    [{ stack: ["all"], style: ["rest"] }, "stacks are named, so --style has no effect: remove one of them"],
  ])("are refused for %j", (flags, message) => {
    expect(() => selectedStackNames(flags, known)).toThrow(message);
  });
});
