// Subscriptions with the clients of users, as their guides set them up: graphql-ws, Apollo Client over WebSockets and in parts of one body, and urql.
import { CallError, type Metadata, type Service } from "@roundtrip/contract";
import { Client as UrqlClient, cacheExchange, fetchExchange, subscriptionExchange } from "@urql/core";
import { createClient, type Client } from "graphql-ws";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { lastValueFrom, toArray } from "rxjs";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { loadServe, openSharedPort, serveDefaults, serveOn, type ServedService } from "../src/index.ts";
import { apollo, type ApolloClient, GraphQLWsLink } from "./support/apollo-client.ts";
import { conformanceService, item } from "./support/streams.ts";

const document = "subscription ($count: Int!) { download(count: $count) { index } }";
const items = [{ index: 0 }, { index: 1 }, { index: 2 }];

/** What the last call was told, and whether its caller has left. */
let heard: Metadata | undefined;
let left = Promise.withResolvers<CallError>();

/** Answers with `count` items, and then waits for more than 10. */
function counting(): Service {
  return conformanceService({
    async *download({ count }, { metadata, signal }) {
      heard = metadata;
      left = Promise.withResolvers<CallError>();
      signal.addEventListener("abort", () => left.resolve(signal.reason as CallError));
      if (count === 99) throw new CallError("NOT_FOUND", "nothing to download");
      for (let index = 0; index < Math.min(count, 10); index += 1) yield item({ index });
      if (count > 10) await once(signal, "abort");
    },
  });
}

let server: ServedService;
afterEach(() => server.close());

async function own(stack: string): Promise<string> {
  server = await (await loadServe(stack))(counting(), serveDefaults);
  return server.url;
}

async function shared(stack: string): Promise<string> {
  const service = counting();
  const port = await openSharedPort(serveDefaults, () => service.contract);
  server = await serveOn(port, stack, service, serveDefaults);
  port.begin();
  return server.url;
}

const socketUrl = (url: string): string => url.replace(/^http/, "ws");
const socketsOf = (url: string, connectionParams?: Record<string, string>): Client =>
  createClient({
    url: socketUrl(url),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(connectionParams && { connectionParams }),
  });

const libraries = ["graphql-apollo", "graphql-yoga", "graphql-mercurius", "graphql-http"];
const places = [
  ...libraries.map((stack) => ({ stack, place: "its own port", open: own })),
  { stack: "graphql-apollo", place: "a shared port", open: shared },
];

describe.each(places)("$stack on $place", ({ stack, open }) => {
  it("answers graphql-ws: subscriptions, queries and errors", async () => {
    const sockets = socketsOf(await open(stack), { "X-User": "ada" });
    const results = await Array.fromAsync(sockets.iterate({ query: document, variables: { count: 3 } }));
    expect(results).toEqual(items.map((download) => ({ data: { download } })));
    expect(heard?.get("x-user")).toBe("ada");
    expect(await Array.fromAsync(sockets.iterate({ query: "{ __typename }" }))).toEqual([
      { data: { __typename: "Query" } },
    ]);
    const failed = await Array.fromAsync(sockets.iterate({ query: document, variables: { count: 99 } }));
    expect(failed).toMatchObject([{ errors: [{ message: "nothing to download", extensions: { code: "NOT_FOUND" } }] }]);
    const invalid = sockets.iterate({ query: "subscription { dowload }" });
    await expect(Array.fromAsync(invalid)).rejects.toMatchObject([
      { extensions: { reason: "GRAPHQL_VALIDATION_FAILED" } },
    ]);
    await sockets.dispose();
  });

  it("answers Apollo Client over WebSockets", async () => {
    const sockets = socketsOf(await open(stack));
    const client = new apollo.ApolloClient({ link: new GraphQLWsLink(sockets), cache: new apollo.InMemoryCache() });
    expect(await subscribed(client, 3)).toMatchObject(items.map((download) => ({ data: { download } })));
    client.stop();
    await sockets.dispose();
  });

  it("answers Apollo Client in parts of one body", async () => {
    const link = new apollo.HttpLink({ uri: await open(stack) });
    const client = new apollo.ApolloClient({ link, cache: new apollo.InMemoryCache() });
    expect(await subscribed(client, 3)).toMatchObject(items.map((download) => ({ data: { download } })));
    client.stop();
  });
});

function subscribed(client: ApolloClient, count: number): Promise<unknown[]> {
  const results = client.subscribe({ query: apollo.gql(document), variables: { count } });
  return lastValueFrom(results.pipe(toArray()));
}

it("answers urql, with graphql-ws and by fetch", async () => {
  const url = await shared("graphql-apollo");
  const sockets = socketsOf(url);
  const overSockets = subscriptionExchange({
    forwardSubscription: ({ query = "", variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: sockets.subscribe({ query, variables: variables as Record<string, unknown> }, sink as never),
      }),
    }),
  });
  for (const exchanges of [
    [cacheExchange, overSockets, fetchExchange],
    [cacheExchange, fetchExchange],
  ]) {
    const fetchSubscriptions = exchanges.length === 2;
    const urql = new UrqlClient({ url, exchanges, fetchSubscriptions, preferGetMethod: false });
    // oxlint-disable-next-line no-await-in-loop
    const results = await new Promise<unknown[]>((resolve) => {
      const got: unknown[] = [];
      const subscription = urql.subscription(document, { count: 3 }).subscribe((result) => {
        got.push(result.data);
        if (got.length === items.length) {
          resolve(got);
          queueMicrotask(() => subscription.unsubscribe());
        }
      });
    });
    expect(results).toEqual(items.map((download) => ({ download })));
  }
  await sockets.dispose();
});

describe("a WebSocket", () => {
  const protocol = "graphql-transport-ws";

  it.each([
    { headers: { origin: "https://evil.example" }, status: 403 },
    { headers: { host: "evil.example" }, status: 421 },
  ])("is refused with $headers", async ({ headers, status }) => {
    const socket = new WebSocket(socketUrl(await shared("graphql-apollo")), protocol, { headers });
    const [error] = (await once(socket, "error")) as [Error];
    expect(error.message).toContain(String(status));
  });

  it("cancels the call of a document that its client completes, and those of one that leaves", async () => {
    const sockets = socketsOf(await shared("graphql-apollo"));
    for (const leave of [undefined, () => sockets.terminate()]) {
      const results = sockets.iterate({ query: document, variables: { count: 11 } });
      // oxlint-disable-next-line no-await-in-loop
      await results.next();
      if (leave === undefined) void results.return?.();
      else leave();
      // oxlint-disable-next-line no-await-in-loop
      expect(await left.promise).toMatchObject({ code: "CANCELLED" });
    }
  });

  it("may have 100 documents at once", async () => {
    const sockets = socketsOf(await shared("graphql-apollo"));
    const open = Array.from({ length: 100 }, () => sockets.iterate({ query: document, variables: { count: 11 } }));
    await Promise.all(open.map((results) => results.next()));
    const next = sockets.iterate({ query: "{ __typename }" }).next();
    await expect(next).rejects.toMatchObject([{ extensions: { code: "RESOURCE_EXHAUSTED" } }]);
    await sockets.dispose();
  });

  it("is closed for a message over the limit", async () => {
    const socket = new WebSocket(socketUrl(await shared("graphql-apollo")), protocol);
    await once(socket, "open");
    socket.send("x".repeat(serveDefaults.maxMessageBytes + 1));
    expect((await once(socket, "close"))[0]).toBe(1009);
  });

  it("is closed when the server closes, and when it serves another contract", async () => {
    const url = await shared("graphql-apollo");
    const sockets = [new WebSocket(socketUrl(url), protocol), new WebSocket(socketUrl(url), protocol)] as const;
    await Promise.all(sockets.map((socket) => once(socket, "open")));
    const restarted = sockets.map((socket) => once(socket, "close"));
    await server.replace(counting());
    expect((await Promise.all(restarted)).map(([code]) => code as number)).toEqual([1012, 1012]);
    const last = new WebSocket(socketUrl(url), protocol);
    await once(last, "open");
    const closed = once(last, "close");
    await server.close();
    expect((await closed)[0]).toBe(1001);
  });
});

it.each([own, shared])("answers a request that asks for another upgrade like any other", async (open) => {
  const { origin } = new URL(await open("graphql-apollo"));
  // As Java's HttpClient sends its first request.
  const headers = {
    connection: "Upgrade, HTTP2-Settings",
    upgrade: "h2c",
    "http2-settings": "AAEAAEAA",
    "content-type": "application/json",
  };
  const asked = request(`${origin}/graphql`, { method: "POST", headers, agent: false });
  asked.end('{"query":"{ __typename }"}');
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse((await Array.fromAsync(answer)).join(""))).toEqual({ data: { __typename: "Query" } });
});
