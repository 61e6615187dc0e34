// `bench --serve`: a user's server that a command starts, measured as this program's own servers are.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loopbackCertificate } from "@roundtrip/stacks/certificate";
import { describe, expect, it } from "vitest";
import { type Outcome, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { thingShop as proto } from "./support/thing-shop.ts";

const server = `
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
appendFileSync("starts", ".");
createServer((request, response) => {
  appendFileSync("methods", request.method + " ");
  const until = performance.now() + 1;
  while (performance.now() < until);
  response.setHeader("content-type", "application/json").end('{ "id": "1", "name": "Lamp" }');
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

const serve = `"${process.execPath}" server.mjs {port}`;

interface RunFile {
  readonly arms: readonly {
    readonly id: string;
    readonly title: string;
    readonly task: string;
    readonly target?: string;
  }[];
  readonly blocks: readonly { readonly armId: string; readonly serverCpuMs: number | null; readonly tasks: number }[];
  readonly events: readonly unknown[];
}

/** A repository of somebody else, with these settings. */
function repository(settings: Readonly<Record<string, unknown>> = {}): string {
  const all = { contract: "shop.proto", stack: "rest", ...settings };
  const configuration = `export default ${JSON.stringify(all)};`;
  return folderWith({ "shop.proto": proto, "server.mjs": server, "roundtrip.config.ts": configuration });
}

const text = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

async function measured(cwd: string, ...words: readonly string[]): Promise<Outcome & { readonly facts: RunFile }> {
  const outcome = await run(["bench", ...words, "--rounds", "2", "--calls", "5", "--out", "run"], { cwd });
  expect(outcome).toMatchObject({ status: 0 });
  return { ...outcome, facts: JSON.parse(text(join(cwd, "run"), "run.json")) as RunFile };
}

describe("bench --serve", () => {
  it("starts the server anew in each round, and knows its CPU time", async () => {
    const folder = repository();
    const { facts, stderr } = await measured(folder, "--serve", serve);
    expect(stderr).toContain("Left out: Buy: may write");
    expect(facts.arms.map(({ task, title, target }) => [task, title, target])).toEqual([
      ["GetThing", "REST (command)", undefined],
    ]);
    const [arm] = facts.arms;
    const own = facts.blocks.filter(({ armId }) => armId === arm?.id);
    for (const { serverCpuMs, tasks } of own) expect(serverCpuMs).toBeGreaterThan(0.8 * tasks);
    expect(facts.events).toEqual([]);
    // Two of them rehearse.
    expect(text(folder, "starts")).toBe("....");
    expect(text(folder, "methods")).not.toContain("POST");
  });

  it("trusts the authority of a server over TLS that prints its address", async () => {
    const folder = repository();
    for (const [name, pem] of Object.entries(await loopbackCertificate([])))
      writeFileSync(join(folder, `${name}.pem`), pem);
    const secure = server
      .replace('"node:http"', '"node:https"')
      .replace("createServer(", 'createServer({ key: readFileSync("key.pem"), cert: readFileSync("cert.pem") }, ')
      .replace("{ appendFileSync }", "{ appendFileSync, readFileSync }")
      .replace(
        /\.listen.*/,
        '.listen(0, "127.0.0.1", function () { console.log("https://127.0.0.1:" + this.address().port); });',
      );
    writeFileSync(join(folder, "server.mjs"), secure);
    const { facts } = await measured(folder, "--serve", `"${process.execPath}" server.mjs`, "--serve", "ca=ca.pem");
    expect(facts.arms.map(({ title }) => title)).toEqual(["REST (command)"]);
  });

  it("builds first, and takes both commands from the settings, unless the fake is asked for", async () => {
    const build = `"${process.execPath}" -e "fs.writeFileSync('built', '')"`;
    const folder = repository({ build, serve: [`rest=${serve}`], operations: "Buy" });
    const { facts } = await measured(folder);
    expect(new Set(facts.arms.map(({ title }) => title))).toEqual(new Set(["REST (command)"]));
    expect([text(folder, "built"), text(folder, "starts")]).toEqual(["", "...."]);
    expect(text(folder, "methods")).toContain("POST");
    const { facts: ofFake } = await measured(repository({ build: "false", serve }), "--serve", "fake");
    expect(new Set(ofFake.arms.map(({ title }) => title))).toEqual(new Set(["REST", "TCP echo"]));
  });

  it.each([
    [["--target", "rest=http://127.0.0.1:9"], 64, "give --serve, which starts servers, or --target"],
    [["--engine", "k6"], 64, "--engine k6 starts no servers of yours"],
    [["--tls"], 64, "--tls is for servers of this program: leave it out, or --serve"],
    [["--stack", "grpc"], 64, "--serve has no command for grpc-js"],
    [["--build", `"${process.execPath}" -e "process.exit(7)"`], 69, "the server does not build: "],
    [["--build", "no-such-tool all"], 69, "the server does not build: no-such-tool is not installed or not on PATH\n"],
    [["--set", "rest-express.keepAlive=false"], 64, "is a setting of the server"],
  ])("refuses %j", async (words, status, message) => {
    const refused = await run(["bench", "--serve", `rest=${serve}`, ...words], { cwd: repository() });
    expect(refused.stderr).toContain(message);
    expect(refused.status).toBe(status);
  });
});
