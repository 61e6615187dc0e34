// What somebody who means harm can put into a request or an error, and what does not come of it.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, test } from "vitest";
import { caught } from "./support/caught.ts";
import { hello, helloService } from "./support/hello.ts";
import { library } from "./support/library.ts";
import { pairOf } from "./support/pair.ts";
import { graphqlStack, restStack } from "./support/stacks-under-test.ts";
import { stacksUnderTest } from "./support/stacks-under-test.ts";

const pristine = Object.getOwnPropertyNames(Object.prototype);

function entriesOf(record: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(record));
}

/** As JSON.parse makes it: each key is an own property, whatever it is called. */
function treacherous<V>(value: V): Record<string, V> {
  const text = JSON.stringify(value);
  return JSON.parse(`{"__proto__":${text},"constructor":${text},"toString":${text}}`) as Record<string, V>;
}

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test("an error's metadata may have any key", async () => {
    const metadata = treacherous("value");
    const service = helloService(() => {
      throw new CallError("ABORTED", "no", { metadata });
    });
    const { client } = await pairOf(stackName, service);
    const { details } = await caught(hello(client, "x"));
    expect(entriesOf(details.metadata)).toEqual(entriesOf(metadata));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(pristine);
  });

  test("a map may have any key, and what it holds is no prototype", async () => {
    const tag = library.operation("library.v1.Library.Tag");
    let received: Record<string, unknown> = {};
    const handler = (request: Message): Message => {
      received = (request as unknown as { readonly labels: Record<string, unknown> }).labels;
      return create(tag.output);
    };
    const { client } = await pairOf(stackName, serviceOf(library, new Map([[tag.id, handler]])));
    const request = create(tag.input);
    (request as unknown as { labels: unknown }).labels = treacherous(7);
    await client.prepare(tag)(request);
    expect(entriesOf(received)).toEqual(entriesOf(treacherous(7)));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(pristine);
  });
});

const levels = 100_000;
const deep = `${'{"deeper":'.repeat(levels)}{}${"}".repeat(levels)}`;
const deepMove = "mutation($input: NestedInput!) { move(input: $input) { number } }";

test.each([
  { stackName: restStack, method: "PUT", path: "/v1/moves/x", body: deep },
  {
    stackName: graphqlStack,
    method: "POST",
    path: "",
    body: `{"query":${JSON.stringify(deepMove)},"variables":{"input":${deep}}}`,
  },
])("$stackName refuses very deep JSON with its own message, and continues to serve", async (one) => {
  const move = library.operation("library.v1.Library.Move");
  const { server, client } = await pairOf(
    one.stackName,
    serviceOf(library, new Map([[move.id, (request: Message) => request]])),
  );
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.url}${one.path}`, { method: one.method, body: one.body, headers });
  const text = await response.text();
  expect([response.status, /"code":"(\w+)"/.exec(text)?.[1]]).toEqual([400, "INVALID_ARGUMENT"]);
  expect(text).not.toMatch(/call stack|\.ts:|\.js:/);
  const request = create(move.input, { someText: "x" });
  expect(await client.prepare(move)(request)).toMatchObject({ someText: "x" });
});

test("refusals of invalid HTTP and of express itself reveal nothing of the server's insides", async () => {
  for (const stackName of [restStack, graphqlStack]) {
    const { server } = await pairOf(
      stackName,
      helloService(() => "x"),
    );
    const { origin } = new URL(server.url);
    for (const path of ["/%", "/%ff", "/v1/hello?name=%", "/graphql?query=%"]) {
      const text = await (await fetch(`${origin}${path}`)).text();
      expect(text).not.toMatch(/node_modules|\.ts:|\.js:|at .*\(/);
    }
  }
});
