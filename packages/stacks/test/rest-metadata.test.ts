// Metadata of calls as headers, both ways.
import { create, type Message } from "@bufbuild/protobuf";
import { type CallContext, CallError, type Metadata } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { expect, test } from "vitest";
import { contract, hello, pairOf, restStack, sayHello } from "./support/pair.ts";

function heardBy(listen: (onMetadata: (metadata: Metadata) => void) => Promise<unknown>) {
  const heard: (readonly [string, string])[][] = [];
  return listen((metadata) => heard.push([...metadata])).then(
    (answer) => ({ heard, answer }),
    (error: unknown) => ({ heard, answer: error }),
  );
}

test("a 401 says how to authenticate, which is no metadata", async () => {
  const locked = serviceOf(
    contract,
    new Map([
      [
        sayHello.id,
        (_request: Message, { metadata }: CallContext) => {
          if (metadata.get("authorization") !== "Bearer key") throw new CallError("UNAUTHENTICATED", "who are you?");
          return create(SayHelloResponseSchema, { message: "in" });
        },
      ],
    ]),
  );
  const { server, client } = await pairOf(restStack, locked);
  const response = await fetch(`${server.url}/v1/hello?name=x`);
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  const { heard, answer } = await heardBy((onMetadata) => hello(client, "x", { onMetadata }));
  expect(answer).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(heard).toEqual([[]]);
  expect(await hello(client, "x", { metadata: new Map([["authorization", "Bearer key"]]) })).toBe("in");
});
