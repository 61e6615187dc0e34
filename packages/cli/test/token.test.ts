// Servers that ask who calls, and programs that say so without ever writing the secret down.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { typedCommand } from "../src/output/output-file.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyFolder } from "./support/run-program.ts";
import { servedWith, type Served } from "./support/served.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

const token = "s3cret-abc.def";
const folder = emptyFolder();
let server: Served;
let url = "";
let withToken: readonly string[] = [];

beforeAll(async () => {
  server = await servedWith({ SHOP_TOKEN: token }, "rest-express", "--token-env", "SHOP_TOKEN");
  url = server.urls["rest-express"] ?? "";
  withToken = ["--target", `rest-express=${url},token-env=SHOP_TOKEN`];
});
afterAll(() => server[Symbol.asyncDispose]());

it("a server with tokens answers who has one, and asks others for it", async () => {
  const withoutToken = await run(["conform", "--target", `rest-express=${url}`]);
  expect(refusal(withoutToken, 69)).toContain("token-env=NAME");

  const allowed = await run(["conform", ...withToken, "--quiet"], { env: { SHOP_TOKEN: token } });
  expect(allowed).toMatchObject({ status: 0, stderr: "" });
  expect(allowed.stdout).not.toContain(token);
});

it("a run is measured with a token and keeps nothing of it", async () => {
  const flags = ["--rounds", "1", "--calls", "20", "--budget", "20s", "--out", "run", "--quiet"];
  const { status } = await run(["bench", "hello", ...withToken, ...flags], {
    cwd: folder,
    env: { SHOP_TOKEN: token },
  });
  expect(status).toBe(0);
  const kept = ["run.json", "samples.parquet", "report.html"].map((file) => readFileSync(join(folder, "run", file)));
  expect(kept.map((bytes) => bytes.includes(token))).toEqual([false, false, false]);
});

it("an export names the variable of the token, and no file has it", async () => {
  const args = ["export", "k6", "--operations", "SayHello", ...withToken];
  const { status } = await run([...args, "--out", "k6"], { cwd: folder, env: { SHOP_TOKEN: token } });
  expect(status).toBe(0);
  const files = ["README.md", "plan.json"].map((file) => readFileSync(join(folder, "k6", file), "utf8"));
  expect(files.map((text) => [text.includes("SHOP_TOKEN"), text.includes(token)])).toEqual([
    [true, false],
    [true, false],
  ]);
});

it.each([
  [["serve", "--token-env", "SHOP_TOKEN"], { SHOP_TOKEN: "" }, "the environment variable SHOP_TOKEN is empty"],
  [["serve", "--token-env", "SHOP_TOKEN"], { SHOP_TOKEN: "two words" }, "SHOP_TOKEN is not a bearer token"],
  [
    "export k6 hello --target rest=http://h,token-env=SHOP_TOKEN --kubernetes instances=1 --out x".split(" "),
    { SHOP_TOKEN: token },
    "--kubernetes writes no secrets: leave token-env out",
  ],
] as const)("%j is refused when there is no token to use", async (args, env, why) => {
  const message = refusal(await run(args, { env }));
  expect(message).toContain(why);
  expect(message).not.toContain("two words");
});

it.each([
  ["--target graphql=https://ada:hunter2@h.example:8443/graphql?key=hunter2", "graphql=https://h.example:8443/graphql"],
  ["--target rest=http://h?a=hunter2,grpc=http://g:1#hunter2", "rest=http://h,grpc=http://g:1"],
  ["--serve node\\ server.js\\ --db\\ postgres://ada:hunter2@db/shop?x=1", "postgres://db/shop"],
])("the command line in records and reports has no credentials and no query: %s", (words, shown) => {
  const command = typedCommand(["node", "roundtrip", "bench", ...words.split(" ")]);
  expect(command).toMatch(/^roundtrip bench /);
  expect(command).toContain(shown);
  expect(command).not.toContain("hunter2");
});
