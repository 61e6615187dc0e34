// The server in Python of examples/targets: what it serves of the contract it answers as this project's servers do, and the commands of its page
// measure it.
import { allStacks } from "@roundtrip/stacks";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { findBuf } from "../src/contract/run-buf.ts";
import { emptyFolder } from "./support/run-program.ts";
import {
  answersBeside,
  asServed,
  expectConformance,
  pageCommands,
  shortBench,
  wordsOf,
} from "./support/target-answers.ts";
import { startTarget, type Target } from "./support/target.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "examples/targets/python");
const commands = pageCommands(folder);
const [buf, ...first] = findBuf();
const runFile = promisify(execFile);
const calledBy = allStacks().flatMap(({ name, style, isDefault }) =>
  isDefault && ["rest", "grpc"].includes(style) ? [[style, name] as const] : [],
);

/** Starts the server by the first command of its page, on free ports. */
function started(...styles: readonly string[]): Promise<Target> {
  const [command = ""] = commands;
  const [program = "", ...args] = wordsOf(command.replace("examples/targets/python", folder).replace("8080", "0"));
  return startTarget([program, ...args, ...styles]);
}

/** What a method answers to an empty message, by buf, which knows it by reflection. */
async function reflected(url: string): Promise<string> {
  const args = ["--protocol", "grpc", "--http2-prior-knowledge", "--reflect-protocol", "grpc-v1alpha", "-d", "{}"];
  const { stdout } = await runFile(buf, [...first, "curl", ...args, url]);
  return stdout;
}

describe("the server in Python", await needing("python-target"), () => {
  let target: Target;
  beforeAll(async () => {
    target = await started();
  });
  afterAll(async () => {
    await target?.[Symbol.asyncDispose]();
  });

  it.each(calledBy)(
    "gives the answers and errors of this project's service (%s, called by %s)",
    async (style, stack) => {
      await using fresh = await started(style);
      const { answers, expected } = await answersBeside(stack, fresh.urls[style]);
      expect(answers).toEqual(expected);
      expect(await fresh.end()).toBe(0);
    },
  );

  it("passes every conformance case of what it serves, by the commands of its page", async () => {
    const served = join(emptyFolder(), "served.binpb");
    const isHere = (command: string): string => command.replace("served.binpb", served);
    const [build = ""] = commands.filter((command) => command.startsWith("npx buf "));
    await runFile(buf, [...first, ...wordsOf(isHere(build)).slice(2)], { cwd: root });
    const [conform = ""] = commands.filter((command) => command.includes(" -s conform "));
    const called = await expectConformance(asServed(isHere(conform), target.urls), 65);
    expect(called.toSorted()).toEqual(calledBy.map(([, stack]) => stack).toSorted());
  });

  it("is measured by the command of its page", async () => {
    const [bench = ""] = commands.filter((command) => command.includes(" -s bench "));
    expect(await shortBench(asServed(bench, target.urls))).toEqual({ status: 0, stderr: "", agreed: true });
  });

  it("describes itself by reflection, and reports its health", async () => {
    expect(JSON.parse(await reflected(`${target.urls["grpc"]}/grpc.health.v1.Health/Check`))).toEqual({
      status: "SERVING",
    });
    expect(await reflected(`${target.urls["grpc"]}/roundtrip.v1.CustomerService/ListCustomers`)).toContain(
      "Oosterhuizen.",
    );
  });

  it("answers a request over REST that it refuses with a problem", async () => {
    for (const [method, path, status] of [
      ["POST", "/v1/customers/1", 405],
      ["GET", "/v2/hello", 404],
      ["GET", "/v1/hello?name=World&name=You", 400],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const response = await fetch(`${target.urls["rest"]}${path}`, { method });
      expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    }
  });
});
