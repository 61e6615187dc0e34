// Callers in browsers: which pages may call, and what they may read of an answer.
import { describe, expect, onTestFinished, test } from "vitest";
import { loadServe, serveDefaults } from "../src/index.ts";
import { helloService } from "./support/hello.ts";

const page = "http://localhost:5173";

const service = helloService(({ name }, { answerMetadata }) => {
  answerMetadata.set("x-greeted", name);
  return `Hello, ${name}!`;
});

async function served(stackName: string, allowedOrigins: readonly string[]): Promise<string> {
  const serve = await loadServe(stackName);
  const server = await serve(service, { ...serveDefaults, allowedOrigins });
  onTestFinished(() => server.close());
  return server.url;
}

/** What a style is asked for a greeting. */
const greetings = {
  "rest-express": { path: "/v1/hello?name=Ada", init: {} },
  "graphql-apollo": {
    path: "",
    init: { method: "POST", body: JSON.stringify({ query: `{ sayHello(name: "Ada") { message } }` }) },
  },
} as const;

describe.each(["rest-express", "graphql-apollo"] as const)("%s", (stackName) => {
  const greet = async (url: string, origin: string): Promise<Response> => {
    const { path, init } = greetings[stackName];
    return fetch(`${url}${path}`, { ...init, headers: { origin, "content-type": "application/json" } });
  };
  const ask = (url: string, origin: string, method = "POST"): Promise<Response> =>
    fetch(`${url}${greetings[stackName].path}`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type,x-roundtrip-session",
      },
    });

  test("says nothing of origins unless it is told which ones may call", async () => {
    const { headers } = await greet(await served(stackName, []), page);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("answers what browsers ask before a call, with the methods and headers that they ask for", async () => {
    const answer = await ask(await served(stackName, ["loopback"]), page, "PATCH");
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
    const { headers } = await greet(await served(stackName, ["https://app.example"]), "https://app.example");
    expect(headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(headers.get("access-control-expose-headers")?.split(", ")).toContain("x-greeted");
    expect(headers.get("vary")).toMatch(/origin/i);
  });

  test("lets pages of all origins read it where that is wanted, without their credentials", async () => {
    const { headers } = await greet(await served(stackName, ["*"]), "https://anybody.example");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toContain("x-greeted");
  });

  test.each([
    "https://localhost.example",
    "https://127.0.0.1.example",
    "http://127.0.0.1@app.example",
    "https://app.example",
    "null",
    "file://localhost",
    "nonsense",
  ])("tells no page of %s anything where this machine's own may call", async (origin) => {
    const url = await served(stackName, ["loopback"]);
    for (const { headers } of [await greet(url, origin), await ask(url, origin)]) {
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      expect(headers.get("vary")).toMatch(/origin/i);
    }
  });

  test.each(["http://localhost:3000", "https://shop.localhost", "http://127.0.0.1:8080", "http://[::1]:9"])(
    "lets %s call where this machine's own pages may",
    async (origin) => {
      const { headers } = await greet(await served(stackName, ["loopback"]), origin);
      expect(headers.get("access-control-allow-origin")).toBe(origin);
    },
  );
});
