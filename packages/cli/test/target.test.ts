// `conform --target`: calls a running server once before it tests it.
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listening } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { served } from "./support/served.ts";
import { refusal, printed } from "./support/outcomes.ts";

async function whyNot([stack, title]: readonly [string, string], url: string): Promise<string> {
  const message = refusal(await run(["conform", "--target", `${stack}=${url}`]), 69);
  const [, why = ""] = message.split(`${url} does not answer as a ${title} server of this contract: `);
  return why;
}

const styles = [
  ["rest-express", "REST"],
  ["grpc-js", "gRPC"],
  ["graphql-apollo", "GraphQL"],
] as const;

describe("a target that cannot be tested", () => {
  const website = createHttpServer((_request, response) => response.end("<h1>Welcome</h1>"));
  const silence = createServer((socket) => socket.on("error", () => undefined));
  let welcome = "";
  let silent = "";
  beforeAll(async () => {
    [welcome, silent] = await Promise.all([listening(website), listening(silence)]);
  });
  afterAll(() => {
    website.close();
    silence.close();
  });

  it.concurrent.each(styles)("does not listen (%s)", async (stack) => {
    expect(refusal(await run(["conform", "--target", `${stack}=http://127.0.0.1:1`]), 69)).toBe(
      "cannot connect to http://127.0.0.1:1: connection refused; is the server running?",
    );
  });

  it("is a website", async () => {
    expect(await whyNot(styles[0], welcome)).not.toBe("");
  });

  it("never answers", async () => {
    expect(await whyNot(styles[0], silent)).toBe("nothing answers within 5 s");
  });
});

describe("a valid target", () => {
  it("is found by its style, tested, and reported as one JSON document on request", async () => {
    await using server = await served("rest-express");
    const target = `rest=${server.urls["rest-express"]}`;
    const stdout = printed(await run(["conform", "--target", target, "--json"]));
    const [one] = JSON.parse(stdout) as readonly { stack: string; results: readonly { status: string }[] }[];
    expect(one?.stack).toBe("rest-express");
    expect(one?.results.filter(({ status: of }) => of === "pass").length).toBeGreaterThan(50);
  });
});
