// Pages of other origins that call a fake over REST, GraphQL and Connect in a real browser, to test CORS.
import { builtInContract } from "@roundtrip/contract";
import { loadServe, serveDefaults, type Serve, type ServedService } from "@roundtrip/stacks";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inBrowser, launchBrowser } from "../../../report/test/support/browser.ts";
import { createFake } from "../../src/index.ts";

const fake = createFake({ contract: builtInContract() });
const application = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end("<!doctype html>"),
);
const servers: ServedService[] = [];
let browser: Browser;
let page: Page;
let own: string;

async function served(serve: Serve, allowedOrigins: readonly string[]): Promise<string> {
  const server = await serve(fake.service, { ...serveDefaults, allowedOrigins });
  servers.push(server);
  return server.url;
}

beforeAll(async () => {
  await once(application.listen(0, "127.0.0.1"), "listening");
  own = `http://localhost:${(application.address() as AddressInfo).port}`;
  browser = await launchBrowser();
  page = await (await browser.newContext()).newPage();
  await page.goto(own);
});
afterAll(async () => {
  await browser.close();
  application.close();
  await Promise.all(servers.map((server) => server.close()));
});

interface Init {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly credentials?: "include";
}

interface Heard {
  readonly status: number;
  readonly body: string;
  /** The answer as the page's script sees it. */
  readonly contentLength: string | null;
}

/** The result of the page's script; undefined if the browser withholds it. */
const callFromPage = (url: string, init: Init): Promise<Heard | undefined> =>
  page.evaluate(
    async ([place, options]) => {
      try {
        const answer = await fetch(place, options);
        return {
          status: answer.status,
          body: await answer.text(),
          contentLength: answer.headers.get("content-length"),
        };
      } catch {
        return undefined;
      }
    },
    [url, init] as const,
  );

const json = { "content-type": "application/json", "x-roundtrip-session": "browser" };

const styles: readonly { name: string; serve: () => Promise<Serve>; path: string; init: Init }[] = [
  {
    name: "REST",
    serve: () => loadServe("rest-express"),
    path: "/v1/customers/2147483647",
    init: { method: "DELETE", headers: json },
  },
  {
    name: "GraphQL",
    serve: () => loadServe("graphql-apollo"),
    path: "",
    init: { method: "POST", headers: json, body: JSON.stringify({ query: '{ sayHello(name: "Ada") { message } }' }) },
  },
  {
    name: "Connect",
    serve: () => loadServe("connect-node"),
    path: "/roundtrip.v1.HelloService/SayHello",
    init: { method: "POST", headers: json, body: '{"name":"Ada"}', credentials: "include" },
  },
];

describe.each(styles)("$name", inBrowser, ({ serve, path, init }) => {
  test("answers pages of an allowed origin, in a session, with readable headers", async () => {
    fake.reset();
    const heard = await callFromPage(`${await served(await serve(), [own])}${path}`, init);
    expect(heard?.body).toMatch(/NOT_FOUND|message/);
    expect(fake.session("browser").log.records).toHaveLength(1);
  });

  test("withholds answers from pages of other origins", async () => {
    const heard = await callFromPage(`${await served(await serve(), ["https://app.example"])}${path}`, init);
    expect(heard).toBeUndefined();
  });
});
