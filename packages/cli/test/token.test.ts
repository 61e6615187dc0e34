// Servers that ask who calls, and programs that say so without ever writing the secret down.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyFolder, start, until, type Running } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const token = "s3cret-abc.def";
const folder = emptyFolder();
let server: Running;
let urls: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  writeFileSync(join(folder, "tokens.txt"), `another\n\n${token}\n`);
  const stacks = ["rest-express", "grpc-js", "graphql-apollo"];
  server = start(["serve", ...stacks, "--token-file", "tokens.txt", "--request-id", "--json"], { cwd: folder });
  const printed = await until(() => (server.output().stdout.endsWith("\n") ? server.output().stdout : undefined));
  urls = JSON.parse(printed) as typeof urls;
});
afterAll(async () => {
  server.signal("SIGINT");
  await server.ended;
});

function target(stack: string): readonly string[] {
  return ["--target", `${stack}=${urls[stack]}`];
}

it.each(["rest-express", "grpc-js", "graphql-apollo"])(
  "a %s server with tokens answers who has one, and asks others for it",
  async (stack) => {
    const withoutToken = await run(["conform", ...target(stack)]);
    expect(withoutToken).toMatchObject({ status: 69, stdout: "" });
    expect(withoutToken.stderr).toContain("--token-env");

    const friend = await run(["conform", ...target(stack), "--token-env", "SHOP_TOKEN", "--quiet"], {
      env: { SHOP_TOKEN: token },
    });
    expect(friend).toMatchObject({ status: 0, stderr: "" });
    expect(friend.stdout).not.toContain(token);
  },
);

it("an answer has the request id of its request", async () => {
  const response = await fetch(`${urls["rest-express"]}/v1/customers/1`, { headers: { "x-request-id": "4711" } });
  expect(response.status).toBe(401);
  expect(response.headers.get("x-request-id")).toBe("4711");
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
});

it("a run is measured with a token and keeps nothing of it", async () => {
  const flags = ["--rounds", "1", "--calls", "20", "--budget", "20s", "--out", "run", "--quiet"];
  const { status } = await run(["bench", "hello", ...target("rest-express"), "--token-env", "SHOP_TOKEN", ...flags], {
    cwd: folder,
    env: { SHOP_TOKEN: token },
  });
  expect(status).toBe(0);
  const kept = ["run.json", "samples.parquet", "report.html"].map((file) => readFileSync(join(folder, "run", file)));
  expect(kept.map((bytes) => bytes.includes(token))).toEqual([false, false, false]);
}, 60_000);

it.each([
  [["serve", "--token-env", "SHOP_TOKEN"], { SHOP_TOKEN: "" }, "the environment variable SHOP_TOKEN is empty"],
  [["serve", "--token-env", "SHOP_TOKEN"], { SHOP_TOKEN: "two words" }, "SHOP_TOKEN is not a bearer token"],
  [["serve", "--token-file", "missing.txt"], {}, "cannot read the token file missing.txt"],
  [["conform", "rest-express", "--token-env", "SHOP_TOKEN"], { SHOP_TOKEN: token }, "--token-env goes with --target"],
] as const)("%j is refused when there is no token to use", async (args, env, why) => {
  const outcome = await run(args, { env });
  expect(outcome).toMatchObject({ status: 64, stdout: "" });
  expect(outcome.stderr).toContain(why);
  expect(outcome.stderr).not.toContain("two words");
});
