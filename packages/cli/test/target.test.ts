// `conform --target`: calls a running server once before it tests it.
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { served } from "./support/served.ts";
import { run } from "./support/shared-program.ts";

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function refusal([stack, title]: readonly [string, string], url: string): Promise<string> {
  const outcome = await run(["conform", "--target", `${stack}=${url}`]);
  expect(outcome).toMatchObject({ status: 69, stdout: "" });
  const [, why = ""] = outcome.stderr.split(
    `roundtrip: ${url} does not answer as a ${title} server of this contract: `,
  );
  expect(why).toMatch(/^[^\n]+\n$/);
  return why.trim();
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
    expect(await run(["conform", "--target", `${stack}=http://127.0.0.1:1`])).toEqual({
      status: 69,
      stdout: "",
      stderr: "roundtrip: cannot connect to http://127.0.0.1:1: connection refused; is the server running?\n",
    });
  });

  it("is a website", async () => {
    expect(await refusal(styles[0], welcome)).not.toBe("");
  });

  it("never answers", async () => {
    expect(await refusal(styles[0], silent)).toBe("nothing answers within 5 s");
  });
});

describe("a valid target", () => {
  it("is found by its style, tested, and reported as one JSON document on request", async () => {
    await using server = await served("rest-express");
    const url = server.urls["rest-express"];
    const { status, stdout, stderr } = await run(["conform", "--target", `rest=${url}`, "--json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [one] = JSON.parse(stdout) as readonly { stack: string; results: readonly { status: string }[] }[];
    expect(one?.stack).toBe("rest-express");
    expect(one?.results.filter(({ status: of }) => of === "pass").length).toBeGreaterThan(50);
  });
});
