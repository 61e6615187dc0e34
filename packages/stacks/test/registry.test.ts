// What identifies a stack among the others, for programs and for people.
import { expect, it } from "vitest";
import { loadStack, stackNames } from "../src/index.ts";

const stacks = await Promise.all(stackNames().map(loadStack));

it("no two stacks have one title: tables would not say which is which", () => {
  const titles = stacks.map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
});

it("a stack is its style's server with a client, and no other stack is the same", () => {
  const made = stacks.map(({ style, server, client }) => `${style}: ${server} and ${client}`);
  expect(made).toEqual([...new Set(made)]);
  for (const { style, server, client } of stacks) {
    for (const id of [style, server, client]) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  }
});

it("the stacks of before styles had ids are made of what older files are completed with", () => {
  expect(stacks.map(({ name, style, server, client }) => [name, style, server, client])).toEqual(
    expect.arrayContaining([
      ["floor", "floor", "floor", "floor"],
      ["graphql-apollo", "graphql", "apollo", "undici"],
      ["grpc-js", "grpc", "grpc-js", "grpc-js"],
      ["rest-express", "rest", "express", "undici"],
    ]),
  );
});
