// What identifies a stack among the others, for programs and for people.
import { expect, it } from "vitest";
import {
  allStacks,
  coveringStacks,
  type KnownStack,
  libraryStacks,
  loadStack,
  requireLibraries,
  stackNames,
} from "../src/index.ts";

const stacks = await Promise.all(stackNames().map(loadStack));

it("a stack is its style's server with a client, and no other stack is the same", () => {
  const made = stacks.map(({ style, server, client }) => `${style}: ${server} and ${client}`);
  expect(made).toEqual([...new Set(made)]);
  for (const { style, server, client } of stacks) {
    for (const id of [style, server, client]) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  }
});

function endsOf(of: readonly Pick<KnownStack, "style" | "server" | "client">[]): ReadonlySet<string> {
  return new Set(of.flatMap(({ style, server, client }) => [`${style} server ${server}`, `${style} client ${client}`]));
}

it("the covering stacks have every server and every client, the default stacks, and no more of a style than it has servers or clients", () => {
  const covering = coveringStacks();
  expect(endsOf(covering)).toEqual(endsOf(allStacks()));
  expect(covering).toEqual(expect.arrayContaining(allStacks().filter(({ isDefault }) => isDefault)));
  for (const [, ofStyle] of Map.groupBy(covering, ({ style }) => style)) {
    const count = (end: "server" | "client"): number => new Set(ofStyle.map((one) => one[end])).size;
    expect(ofStyle).toHaveLength(Math.max(count("server"), count("client")));
  }
});

it("the stacks of all libraries have every server and every client, each beside the style's default, and bounds with each other", async () => {
  const some = await libraryStacks();
  expect(endsOf(some)).toEqual(endsOf(allStacks()));
  const isBesideDefault = ({ style, server, client }: (typeof some)[number]): boolean => {
    const usual = allStacks().find((one) => one.style === style && one.isDefault);
    return server === usual?.server || client === usual?.client;
  };
  const others = some.filter((stack) => !isBesideDefault(stack)).map(({ name }) => name);
  expect(others).toEqual(["grpc-node-http2+node-http2"]);
});

it("a stack says which of its ends have no library: the bounds of what libraries of its style cost", () => {
  const bounds = new Map(stacks.map((stack) => [stack.name, stack.bounds]));
  expect(bounds.get("rest-node-http")).toEqual(["server"]);
  expect(bounds.get("grpc-node-http2+node-http2")).toEqual(["server", "client"]);
  expect(bounds.get("rest-express+fetch")).toEqual([]);
  // The floor is below every bound, and none itself.
  expect(bounds.get("floor")).toEqual([]);
});

it("says how to install a library that is not there", () => {
  const from = import.meta.url;
  expect(() => requireLibraries("rest-fastify", ["fastify", "undici"], from)).not.toThrow();
  expect(() => requireLibraries("rest-fastify", ["fastify"], "file:///nowhere/a.js")).toThrow(
    expect.objectContaining({
      code: "missing-library",
      message: "rest-fastify needs a package that is not installed: npm install fastify",
    }),
  );
});
