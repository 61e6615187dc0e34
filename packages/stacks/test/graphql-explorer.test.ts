// The page for people at the endpoint: who gets it, that it needs nothing from elsewhere, and that its examples are good ones.
import { conformanceContract } from "@roundtrip/conformance";
import { realService } from "@roundtrip/service";
import { parse, validate } from "graphql";
import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { examplesOf } from "../../styles/src/graphql/explorer/explorer-examples.ts";
import { graphqlModel } from "../../styles/src/graphql/schema/model.ts";
import { contractSchema } from "../../styles/src/graphql/schema/schema.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { contract } from "./support/hello.ts";
import { library } from "./support/library.ts";
import { pairOf } from "./support/pair.ts";
import { graphqlStack } from "./support/stacks-under-test.ts";

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

test("a browser gets a page that runs its own script alone and loads nothing", async () => {
  const { server } = await pairOf(graphqlStack, realService(contract));
  const response = await fetch(server.url, { headers: browser });
  const page = await response.text();
  const policy = response.headers.get("content-security-policy") ?? "";
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(policy).toMatch(/^default-src 'none'; .*connect-src 'self'.*frame-ancestors 'none'/);
  const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? "";
  expect(policy).toContain(`script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  expect(page).not.toMatch(/\b(?:src|href)=|@import|url\(/);
  expect(() => new Script(script)).not.toThrow();
});

test.each([
  { who: "a program that asks for JSON", url: "", headers: { accept: "application/json" }, status: 400 },
  { who: "a browser with a query", url: "?query={__typename}", headers: browser, status: 200 },
])("$who gets JSON", async ({ url, headers, status }) => {
  const { server } = await pairOf(graphqlStack, realService(contract));
  const response = await fetch(`${server.url}${url}`, { headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([status, expect.stringContaining("json")]);
});

test.each([
  ["this project's contract", contract],
  ["the contract of every kind of value", conformanceContract()],
  ["a library", library],
])("there is an example for every operation of %s, and GraphQL takes each", (_, of) => {
  const model = graphqlModel(of);
  const schema = contractSchema(model, () => ({ resolve: () => undefined }));
  const examples = examplesOf(model, () => undefined);
  expect(examples).toHaveLength(model.roots.length);
  for (const { document } of examples) expect(validate(schema, parse(document))).toEqual([]);
});

test("examples carry what must be given: most run as they are", async () => {
  const { server } = await pairOf(graphqlStack, realService(contract));
  for (const { name, document, variables } of examplesOf(graphqlModel(contract), () => undefined)) {
    // oxlint-disable-next-line no-await-in-loop
    const { errors } = await graphqlPost(server, { query: document, variables: JSON.parse(variables) as unknown });
    const reasons = errors.map(({ extensions }) => extensions["reason"]);
    expect([name, reasons]).not.toEqual([name, ["BAD_USER_INPUT"]]);
  }
});
