// What somebody who means harm can put into a request or an error, and what does not come of it.
import { CallError } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { caught, graphqlStack, hello, helloService, pairOf, restStack, stacksUnderTest } from "./support/pair.ts";

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
