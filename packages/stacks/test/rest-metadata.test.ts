// Metadata of calls as headers, both ways.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError, type CallContext, type Metadata } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { expect, test } from "vitest";
import { caught } from "./support/caught.ts";
import { contract, hello, helloService, sayHello } from "./support/hello.ts";
import { pairOf } from "./support/pair.ts";
import { restStack } from "./support/stacks-under-test.ts";

/** Answers with the metadata that came, and sends along what `name` asks for. */
const service = helloService(({ name }, { metadata, answerMetadata }) => {
  answerMetadata.set("x-answer", name);
  answerMetadata.set("x-bytes-bin", "AP8");
  if (name === "fail") throw new CallError("ABORTED", "no");
  if (name === "reserved") answerMetadata.set("content-type", "text/plain");
  if (name === "inject") answerMetadata.set("x-split", "a\r\nx-other: b");
  return [...metadata].filter(([key]) => key.startsWith("x-")).join("; ");
});

function heardBy(listen: (onMetadata: (metadata: Metadata) => void) => Promise<unknown>) {
  const heard: (readonly [string, string])[][] = [];
  return listen((metadata) => heard.push([...metadata])).then(
    (answer) => ({ heard, answer }),
    (error: unknown) => ({ heard, answer: error }),
  );
}

const sent = [
  ["x-answer", "y"],
  ["x-bytes-bin", "AP8"],
] as const;

test("metadata of request and answer arrives, the answer's once, without HTTP's own headers", async () => {
  const { client } = await pairOf(restStack, service);
  const metadata = new Map([
    ["x-one", "1"],
    ["x-two-bin", "AAE"],
  ]);
  const { heard, answer } = await heardBy((onMetadata) => hello(client, "y", { metadata, onMetadata }));
  expect(answer).toBe("x-one,1; x-two-bin,AAE");
  expect(heard).toEqual([sent]);
});

test("metadata travels with errors too", async () => {
  const { client } = await pairOf(restStack, service);
  const { heard, answer } = await heardBy((onMetadata) => hello(client, "fail", { onMetadata }));
  expect(answer).toMatchObject({ code: "ABORTED" });
  expect(heard).toEqual([[["x-answer", "fail"], sent[1]]]);
});

test("a header that comes several times is one value", async () => {
  const { server } = await pairOf(restStack, service);
  const response = await fetch(`${server.url}/v1/hello?name=x`, {
    headers: [
      ["X-Several", "a"],
      ["x-several", "b"],
    ],
  });
  expect(await response.json()).toEqual({ message: "x-several,a, b" });
});

test("reserved names cannot be sent: an error of the caller, or of the handler", async () => {
  const { client } = await pairOf(restStack, service);
  for (const [name, value] of [
    ["content-type", "text/plain"],
    ["Upper", "x"],
    ["x-split", "a\r\nb: c"],
  ] as const) {
    const error = await caught(hello(client, "x", { metadata: new Map([[name, value]]) }));
    expect(error.code).toBe("INVALID_ARGUMENT");
  }
  for (const name of ["reserved", "inject"]) expect((await caught(hello(client, name))).code).toBe("INTERNAL");
});

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
