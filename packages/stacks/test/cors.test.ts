// Callers in browsers: which pages may call, and what they may read of an answer.
import { describe, expect, test } from "vitest";
import { graphqlStack, helloService, restStack, served } from "./support/pair.ts";

const page = "http://localhost:5173";

const service = helloService(({ name }, { answerMetadata }) => {
  answerMetadata.set("x-greeted", name);
  return `Hello, ${name}!`;
});

async function urlOf(stackName: string, allowedOrigins: readonly string[]): Promise<string> {
  return (await served(stackName, service, { allowedOrigins })).url;
}

/** What is allowed, a page's origin, and whether that page may call. */
const origins: readonly (readonly [string, string, boolean])[] = [
  ["loopback", "http://localhost", true],
  ["loopback", "https://localhost:8443", true],
  ["loopback", "https://shop.localhost", true],
  ["loopback", "http://LOCALHOST:3000", true],
  ["loopback", "http://127.255.0.3", true],
  ["loopback", "http://[::1]:9", true],
  ["loopback", "http://evillocalhost", false],
  ["loopback", "http://localhost.evil.com", false],
  ["loopback", "http://localhost.", false],
  ["loopback", "http://127.0.0.1.evil.com", false],
  ["loopback", "http://128.0.0.1", false],
  ["loopback", "http://[::2]", false],
  ["loopback", "http://localhost@evil.com", false],
  ["loopback", "http://evil.com/localhost", false],
  ["loopback", "https://app.example", false],
  ["loopback", "file://localhost", false],
  ["loopback", "null", false],
  ["https://app.example", "https://app.example", true],
  ["https://app.example", "https://APP.example", true],
  ["https://app.example", "http://app.example", false],
  ["https://app.example", "https://app.example:8443", false],
  ["https://app.example", "https://evilapp.example", false],
  ["https://app.example", "https://app.example.evil.com", false],
];

/** What a style is asked for a greeting. */
const greetings = [
  { stackName: restStack, path: "/v1/hello?name=Ada", init: {} },
  {
    stackName: graphqlStack,
    path: "",
    init: { method: "POST", body: JSON.stringify({ query: `{ sayHello(name: "Ada") { message } }` }) },
  },
];

describe.each(greetings)("$stackName", ({ stackName, path, init }) => {
  const greet = async (url: string, origin: string): Promise<Response> =>
    fetch(`${url}${path}`, { ...init, headers: { origin, "content-type": "application/json" } });
  const ask = (url: string, origin: string, method = "POST"): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type,x-roundtrip-session",
      },
    });

  test("sends no CORS headers unless origins are allowed", async () => {
    const { headers } = await greet(await urlOf(stackName, []), page);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("answers what browsers ask before a call, with the methods and headers that they ask for", async () => {
    const answer = await ask(await urlOf(stackName, ["loopback"]), page, "PATCH");
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "PATCH",
      "access-control-allow-headers": "content-type,x-roundtrip-session",
      "access-control-max-age": "600",
    });
    expect(answer.headers.get("vary")).toMatch(/origin/i);
  });

  test("lets pages of these origins read the answer and each of its headers", async () => {
    const { headers } = await greet(await urlOf(stackName, ["https://app.example"]), "https://app.example");
    expect(headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(headers.get("access-control-expose-headers")?.split(", ")).toContain("x-greeted");
    expect(headers.get("vary")).toMatch(/origin/i);
  });

  test("lets pages of all origins read it where that is wanted, without their credentials", async () => {
    const { headers } = await greet(await urlOf(stackName, ["*"]), "https://anybody.example");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toContain("x-greeted");
  });

  test.each(origins)("with %j allowed, a page of %s may call: %j", async (allowed, origin, mayCall) => {
    const url = await urlOf(stackName, [allowed]);
    for (const { headers } of [await greet(url, origin), await ask(url, origin)]) {
      expect(headers.get("access-control-allow-origin")).toBe(mayCall ? origin : null);
      expect(headers.has("access-control-allow-credentials")).toBe(mayCall);
      expect(headers.get("vary")).toMatch(/origin/i);
    }
  });
});
