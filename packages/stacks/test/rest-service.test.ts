// REST without a server: requests as values, answers as values.
import { CallError, ConnectionCut, type Service } from "@roundtrip/contract";
import { create } from "@bufbuild/protobuf";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { realService } from "@roundtrip/service";
import { describe, expect, test } from "vitest";
import type { HttpAnswer, ReceivedRequest, ServedExchange } from "../../styles/src/shared/http/http-service.ts";
import { serveDefaults } from "../src/index.ts";
import { restService } from "../../styles/src/rest/server.ts";
import { contract, helloService } from "./support/hello.ts";
import { conformanceService, item } from "./support/streams.ts";

function serviceOf(service: Service) {
  return restService(service, serveDefaults);
}

function request(method: string, url: string, headers: Readonly<Record<string, string>> = {}): ReceivedRequest {
  const distinct = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
  return { method, url, headers, headersDistinct: Object.fromEntries(distinct) };
}

const greeting = serviceOf(
  helloService(({ name }, context) => {
    context.answerMetadata.set("x-name", name);
    if (name === "drop") throw new ConnectionCut();
    if (name === "truncate") throw new ConnectionCut(create(SayHelloResponseSchema, { message: "half" }));
    if (name === "nobody") throw new CallError("UNAUTHENTICATED", "who are you?");
    if (name !== "later") return `Hello, ${name}!`;
    return new Promise((_resolve, reject) =>
      context.signal.addEventListener("abort", () => reject(context.signal.reason as Error)),
    );
  }),
);

function greet(name: string, headers: Readonly<Record<string, string>> = {}): ServedExchange {
  return greeting.begin(request("GET", `/v1/hello?name=${name}`, headers));
}

function problemIn({ body }: HttpAnswer): unknown {
  return JSON.parse(body as string);
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  return (await Array.fromAsync(body as AsyncIterable<string>)).join("");
}

describe("a unary call", () => {
  test("is answered at once when its handler answers at once", () => {
    const exchange = greet("World");
    expect(exchange.takes).toBe("nothing");
    const text = '{"message":"Hello, World!"}';
    expect(exchange.answer(undefined)).toEqual({
      status: 200,
      headers: { "x-name": "World", "content-type": "application/json", "content-length": text.length },
      body: text,
      cut: undefined,
    });
  });

  test("ends when its caller has gone", async () => {
    const exchange = greet("later");
    const answer = exchange.answer(undefined);
    exchange.cancel();
    expect(problemIn(await answer)).toMatchObject({ status: 499, code: "CANCELLED" });
  });

  test("has the connection closed before its answer, or in its middle", async () => {
    expect(await greet("drop").answer(undefined)).toMatchObject({ cut: "before" });
    expect(await greet("truncate").answer(undefined)).toMatchObject({ cut: "inside", body: '{"message":"half"}' });
  });

  test("is refused for what it asks for before its body is", async () => {
    const service = serviceOf(realService(contract));
    const echo = (headers: Readonly<Record<string, string>>) =>
      service.begin(request("POST", "/v1/payload:echo", { "content-type": "application/json", ...headers }));
    expect(echo({}).takes).toBe("body");
    const refused = echo({ accept: "image/png" });
    expect([refused.takes, (await refused.answer(undefined)).status]).toEqual(["nothing", 406]);
    expect((await echo({ "content-type": "text/plain" }).answer(Buffer.from("x"))).status).toBe(415);
    expect((await echo({}).refuse(new CallError("INVALID_ARGUMENT", "unreadable"))).status).toBe(400);
  });

  test("says how to authenticate", async () => {
    expect((await greet("nobody").answer(undefined)).headers).toMatchObject({ "www-authenticate": "Bearer" });
  });
});

describe("a stream of answers", () => {
  const streaming = serviceOf(
    conformanceService({
      async *download({ count }) {
        for (let index = 0; index < count; index += 1) yield item({ index });
        throw count === 3 ? new ConnectionCut(item({ index: 1_000_000 })) : new CallError("DATA_LOSS", "lost");
      },
    }),
  );
  const streamed = (count: number) => streaming.begin(request("GET", `/v1/items?count=${count}`)).answer(undefined);

  test("is in pieces, and its error the last of them", async () => {
    const answer = await streamed(2);
    expect(answer).toMatchObject({ status: 200, headers: { vary: "Accept", "content-type": "application/x-ndjson" } });
    expect(await textOf(answer)).toMatch(/^\{\}\n\{"index":1\}\n\{"error":\{.*"DATA_LOSS"\}\}\n$/);
  });

  test("is an error like any other before its first message", async () => {
    expect(problemIn(await streamed(0))).toMatchObject({ status: 500, code: "DATA_LOSS" });
  });

  test("ends half-way through a message that is cut", async () => {
    const pieces: string[] = [];
    const read = async (): Promise<void> => {
      for await (const piece of (await streamed(3)).body as AsyncIterable<string | Uint8Array>)
        pieces.push(piece.toString());
    };
    await expect(read()).rejects.toBeInstanceOf(ConnectionCut);
    expect(pieces.length).toBe(4);
    expect('{"index":1000000}\n'.startsWith(Buffer.from(pieces[3] ?? "").toString())).toBe(true);
  });
});

test("a request that a library has routed is answered as one that it has not", async () => {
  const service = serviceOf(realService(contract));
  const route = service.plainRoutes.find(({ segments }) => segments.join("/") === "v1/customers/");
  for (const path of [
    "/v1/customers/2",
    "/v1/customers/2?readMask=name",
    "/v1/customers/2:nonsense",
    "/v1/customers/%32",
    "/v1/customers/",
  ]) {
    const asked = request("GET", path);
    expect(await route?.begin(asked).answer(undefined)).toEqual(await service.begin(asked).answer(undefined));
  }
});
