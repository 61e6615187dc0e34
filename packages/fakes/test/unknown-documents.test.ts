// A path without anything says where the pages and documents are: those of all styles on one port, or of the style on a port of its own.
import { builtInContract } from "@roundtrip/contract";
import { loadStack } from "@roundtrip/stacks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFake, type StartedFake } from "../src/fake/start-fake.ts";

const stacks = ["rest-express", "graphql-apollo", "json-rpc-node-http", "soap-node-http", "grpc-js", "connect-node"];
const described = stacks.slice(0, 4);
const unknown = ["/", "/swagger.json", "/openapi", "/api-docs", "/schema", "/graphqls", "/wsdl"];

let shared: StartedFake;
let own: StartedFake;
beforeAll(async () => {
  shared = await startFake(builtInContract(), { stacks });
  const ports = Object.fromEntries(described.map((stack) => [stack, 0]));
  own = await startFake(builtInContract(), { stacks: described, ports });
});
afterAll(() => Promise.all([shared.close(), own.close()]));

/** The paths that the answer to an unknown one names. All of them answer. */
async function pathsNamedAt(origin: string, path: string): Promise<readonly string[]> {
  const answer = await fetch(`${origin}${path}`);
  expect(answer.status).toBe(404);
  const [, list = ""] = /there is nothing at \/[\w.-]*; see ([\w/., ?-]*\w)/.exec(await answer.text()) ?? [];
  const named = list.split(", ");
  const answers = await Promise.all(
    named.map(async (each) => (await fetch(`${origin}${each}`, { headers: { accept: "text/html, */*" } })).status),
  );
  expect(answers).toEqual(named.map(() => 200));
  return named;
}

async function documentsOf(names: readonly string[]): Promise<readonly string[]> {
  return (await Promise.all(names.map((name) => loadStack(name)))).flatMap(({ documentPaths }) => documentPaths);
}

it.each(unknown)("%s of one port points to the documents of every style", async (path) => {
  const { origin } = new URL(Object.values(shared.urls)[0] ?? "");
  expect(await pathsNamedAt(origin, path)).toEqual(await documentsOf(described));
});

it.each(described)("paths without anything on the port of %s point to its documents", async (name) => {
  const { origin } = new URL(own.urls[name] ?? "");
  for (const path of unknown) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    expect(await pathsNamedAt(origin, path)).toEqual(await documentsOf([name]));
  }
});
