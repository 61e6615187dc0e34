// The server in Python of examples/targets: what it serves of the contract it answers as this project's servers do, and the commands of its page
// measure it.
import { allStacks } from "@roundtrip/stacks";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import {
  asServed,
  conformCommands,
  expectConformance,
  describedByReflection,
  pageCommands,
  shortBench,
  wordsOf,
} from "./support/target-answers.ts";
import { startTarget, type Target } from "./support/target.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "examples/targets/python");
const commands = pageCommands(folder);
const calledBy = allStacks().flatMap(({ name, style, isDefault }) =>
  isDefault && ["rest", "grpc"].includes(style) ? [[style, name] as const] : [],
);

/** Starts the server by the first command of its page, on free ports. */
function started(...styles: readonly string[]): Promise<Target> {
  const [command = ""] = commands;
  const [program = "", ...args] = wordsOf(command.replace("examples/targets/python", folder).replace("8080", "0"));
  return startTarget([program, ...args, ...styles]);
}

describe("the server in Python", await needing("python-target"), () => {
  let target: Target;
  beforeAll(async () => {
    target = await started();
  });
  afterAll(async () => {
    await target?.[Symbol.asyncDispose]();
  });

  it("passes every conformance case of what it serves, by the commands of its page", async () => {
    const [conform = ""] = conformCommands(commands);
    const called = await expectConformance(asServed(conform, target.urls), 65);
    expect(called.toSorted()).toEqual(calledBy.map(([, stack]) => stack).toSorted());
  });

  it("gives its contract by reflection", async () => {
    expect(await describedByReflection(target.urls["grpc"])).toContain("GET /v1/customers/{id}");
  });

  it("is measured by the command of its page", async () => {
    const [bench = ""] = commands.filter((command) => command.includes(" -s bench "));
    expect(await shortBench(asServed(bench, target.urls))).toEqual({ status: 0, stderr: "", agreed: true });
  });
});
