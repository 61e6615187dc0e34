// How documents end: deadlines, callers who leave, sizes.
import { create } from "@bufbuild/protobuf";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { abortedHandler, caught, contract, graphqlStack, helloService, pairOf } from "./support/pair.ts";
import { graphqlPost } from "./support/graphql-post.ts";

const stack = graphqlStack;
/** A promise that a test settles. */
function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { promise, resolve: () => resolve(undefined) };
}

test("a deadline ends every call of a document", async () => {
  const { service } = abortedHandler();
  const { server } = await pairOf(stack, service);
  const query = '{ a: sayHello(name: "x") { message } b: sayHello(name: "x") { message } }';
  const { errors } = await graphqlPost(server, { query }, { "x-request-timeout-ms": "30" });
  expect(errors.map(({ extensions }) => extensions["code"])).toEqual(["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"]);
});

test("a caller who goes away is seen by every handler of the document", async () => {
  let aborted = 0;
  const begun = signalled();
  const ended = signalled();
  let waiting = 0;
  const service = helloService(async (_request, { signal }) => {
    signal.addEventListener("abort", () => {
      aborted += 1;
      if (aborted === 2) ended.resolve();
    });
    waiting += 1;
    if (waiting === 2) begun.resolve();
    await sleep(20_000, undefined, { signal });
    return "too late";
  });
  const { client } = await pairOf(stack, service);
  const caller = new AbortController();
  const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
  const request = create(sayHello.input, { name: "x" });
  const call = caught(client.prepareTogether([sayHello, sayHello])([request, request], { signal: caller.signal }));
  await begun.promise;
  caller.abort();
  expect((await call).code).toBe("CANCELLED");
  await ended.promise;
});
