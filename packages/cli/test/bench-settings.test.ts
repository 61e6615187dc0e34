// `--set`: settings of stacks as factors, from the command line to every output.
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadStack, stackNames } from "@roundtrip/stacks";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { served } from "./support/served.ts";

const restSettings = (await loadStack("rest-express")).settings.map(({ name }) => name).join(", ");
const see = (command: string): string => `(see roundtrip ${command} --help)`;
const target = "--target grpc-js=http://127.0.0.1:1";
const form = "must be STACK.SETTING=VALUE, for example grpc-js.requestCompression=gzip";

const mistakes: readonly (readonly [commandLine: string, message: string])[] = [
  ["bench --set gzip", `--set ${form}, got "gzip" ${see("bench")}`],
  [
    "bench --set grcp-js.keepAliveMs=1",
    `unknown stack or service "grcp-js"; did you mean "grpc-js"? (valid: ${stackNames().join(", ")}, matrix, customers)`,
  ],
  [
    "bench --set rest-express.keepAliveMs=1",
    `unknown setting "keepAliveMs" of rest-express; did you mean "keepAlive"? (valid: ${restSettings})`,
  ],
  [
    "bench --set grpc-js.keepAlive=1",
    "--set grpc-js.keepAlive: keepAlive must be one of true, false, got 1 (default true)",
  ],
  [
    "bench --stack rest-express --set grpc-js.keepAliveMs=1",
    "--set grpc-js.keepAliveMs: grpc-js is not measured (measured: rest-express, floor, in-process)",
  ],
  [
    "bench --set grpc-js.keepAliveMs=1,2,3 --set grpc-js.requestCompression=identity,deflate,gzip",
    "grpc-js would be measured with 9 combinations of its settings; at most 8 are, so give fewer values",
  ],
  [
    `bench ${target} --set grpc-js.keepAliveMs=1`,
    "grpc-js.keepAliveMs is a setting of the server too, and a target or command has its own; what can be set on its client alone: newConnectionPerCall, requestCompression, localSubchannelPool",
  ],
  [
    "serve --set grpc-js.requestCompression=gzip",
    "--set grpc-js.requestCompression: client setting; not valid for a server",
  ],
];

describe("a mistake in --set", () => {
  it.concurrent.each(mistakes)("%s", async (commandLine, message) => {
    expect(await run(commandLine.split(" "))).toEqual({ status: 64, stdout: "", stderr: `roundtrip: ${message}\n` });
  });
});

describe.concurrent("settings", () => {
  it("are factors of a run, in its record and in what is reported of it", async () => {
    const cwd = emptyFolder();
    const args = ["hello", "--stack", "grpc-js", "--rounds", "1", "--calls", "5", "--out", "run"];
    const { status, stdout, stderr } = await run(
      ["bench", ...args, "--set", "grpc-js.requestCompression=identity", "--set", "grpc-js.requestCompression=gzip"],
      { cwd },
    );
    expect(status).toBe(0);
    expect(stderr).toContain("gRPC with requestCompression=identity,gzip, TCP echo");
    expect(stdout).toMatch(/^gRPC \(requestCompression=gzip\)†? +\d/m);

    const facts = JSON.parse(readFileSync(join(cwd, "run", "run.json"), "utf8")) as {
      readonly arms: readonly { readonly id: string; readonly factors: object }[];
    };
    expect(facts.arms.map(({ id, factors }) => [id, factors])).toEqual([
      ["hello/hello/grpc-js/single/requestCompression=identity", { requestCompression: "identity" }],
      ["hello/hello/grpc-js/single/requestCompression=gzip", { requestCompression: "gzip" }],
      ["hello/hello/floor/single", {}],
      ["hello/hello/in-process/single", {}],
    ]);
    const csv = (await run(["report", "run", "--format", "csv"], { cwd })).stdout;
    expect(csv).toMatch(/^armId,study,task,style,server,client,stack,variant,requestCompression,metric,/);
    expect(csv).toMatch(/^\S+,hello,hello,grpc,grpc-js,grpc-js,grpc-js,single,gzip,latencyMs,/m);
    const documents = ["report.md", "report.html", "plots/latency-hello-hello.svg"];
    const naming = documents.filter((file) =>
      readFileSync(join(cwd, "run", file), "utf8").includes("gRPC (requestCompression=gzip)"),
    );
    expect(naming).toEqual(documents);
  });

  it("reach a server that is served", async () => {
    await using servers = await served("grpc-js", "--set", "grpc-js.maxConcurrentStreams=7");
    const session = connect(servers.urls["grpc-js"] ?? "");
    await once(session, "remoteSettings");
    expect(session.remoteSettings.maxConcurrentStreams).toBe(7);
    session.destroy();
  });

  it("of services reach a server that is served", async () => {
    await using servers = await served("rest-express", "--set", "matrix.cache=200");
    const body = JSON.stringify({ matrix: { size: 1, elements: [2] }, exponent: 10 });
    const statuses: unknown[] = [];
    for (let call = 0; call < 2; call++) {
      const headers = { "content-type": "application/json" };
      // oxlint-disable-next-line no-await-in-loop
      const answer = await fetch(`${servers.urls["rest-express"]}/v1/matrices:power`, {
        method: "POST",
        headers,
        body,
      });
      // oxlint-disable-next-line no-await-in-loop
      statuses.push(((await answer.json()) as { readonly cacheStatus: string }).cacheStatus);
    }
    expect(statuses).toEqual(["CACHE_STATUS_MISS", "CACHE_STATUS_HIT"]);
  });
});
