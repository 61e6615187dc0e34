// Which stacks --stack selects, among more stacks than the project has.
import { describe, expect, it } from "vitest";
import type { KnownStack } from "@roundtrip/stacks";
import { selectedStackNames } from "../src/stacks/selected-stacks.ts";

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

const selected = (...names: readonly string[]): readonly string[] | undefined =>
  selectedStackNames({ stack: names }, known);

describe("stacks", () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ["rest fastify fetch", "grpc grpc-js grpc-js"],
      ["rest fastify fetch", "grpc grpc-js grpc-js"],
    ],
    [
      ["rest", "grpc"],
      ["rest express undici", "grpc grpc-js grpc-js"],
    ],
    [
      ["fastify", "express"],
      ["rest fastify undici", "rest express undici"],
    ],
    [["fetch"], ["graphql apollo fetch", "rest express fetch"]],
    [["grpc-js"], ["grpc grpc-js grpc-js"]],
    [
      ["fastify+fetch", "yoga"],
      ["rest fastify fetch", "graphql yoga undici"],
    ],
    [["rest", "express", "rest express undici"], ["rest express undici"]],
  ])("are selected by %j", (names, expected) => {
    expect(selected(...names)).toEqual(expected);
  });

  it("are all selected by all", () => {
    expect(selected("all")).toHaveLength(12);
  });

  it.each([
    ["rset", 'unknown stack "rset"; did you mean "rest"? (see roundtrip help stacks)'],
    ["fastfy", 'unknown stack "fastfy"; did you mean "fastify"? (see roundtrip help stacks)'],
    ["curl", 'unknown stack "curl" (see roundtrip help stacks)'],
    ["fastify+connect", 'unknown stack "fastify+connect"'],
  ])("are refused for %s", (name, message) => {
    expect(() => selected(name)).toThrow(message);
  });
});
