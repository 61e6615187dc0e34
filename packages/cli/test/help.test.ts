// Help that can be followed: complete, with examples that the program understands, and the same flag with the same words everywhere.
import type { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { makeProgram } from "../src/program/program.ts";
import { run } from "./support/shared-program.ts";

let program: Command;
let helpOf: (name: string) => string;
beforeAll(async () => {
  program = await makeProgram();
  helpOf = (name) => {
    const command = program.commands.find((one) => one.name() === name);
    let text = "";
    command?.configureOutput({ writeOut: (chunk) => (text += chunk) }).outputHelp();
    return text;
  };
});

function examplesIn(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}\$ roundtrip (.*)$/gm)].map(([, args = ""]) => args);
}

function headingsIn(help: string): readonly string[] {
  return [...help.matchAll(/^(What|How much|Output):$/gm)].map(([, heading = ""]) => heading);
}

const commandNames = [
  "bench",
  "check",
  "compare",
  "conform",
  "describe",
  "export",
  "fake",
  "predict",
  "report",
  "serve",
  "tasks",
  "types",
  "complete",
];

describe("help", () => {
  it("lists every command", async () => {
    const { status, stdout, stderr } = await run(["--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const name of commandNames) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
    expect(program.commands.map((command) => command.name()).toSorted()).toEqual(commandNames.toSorted());
  });

  it("of compare is wrapped where it was written by hand, and says how far a slowdown exceeds the budget", async () => {
    const { stdout } = await run(["compare", "--help"]);
    const versions = stdout.slice(stdout.indexOf("Versions:\n")).split("\n");
    expect(versions.filter((line) => line.length > 100)).toEqual([]);
    expect(versions.join(" ").replaceAll(/\s+/g, " ")).toContain("up to twice the budget more");
  });

  it.each(commandNames)("gives %s an example that the program understands", async (name) => {
    const examples = examplesIn(helpOf(name));
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      // oxlint-disable-next-line no-await-in-loop
      const parsed = await makeProgram();
      const called: string[] = [];
      for (const command of parsed.commands) command.action(() => void called.push(command.name()));
      // oxlint-disable-next-line no-await-in-loop
      await parsed.parseAsync(example.split(" "), { from: "user" });
      expect(called).toEqual([name]);
    }
  });

  it("says where settings come from once, not behind every flag, with a flag of the command", () => {
    expect(helpOf("predict")).toContain("(--rate-hz as ROUNDTRIP_RATE_HZ)");
    expect(helpOf("report")).toContain("(--seed as ROUNDTRIP_SEED)");
    expect(helpOf("bench").match(/ROUNDTRIP_/g)).toHaveLength(1);
    expect(helpOf("bench")).toMatch(/--budget <duration> .*\(default: \d+s/);
    expect(helpOf("bench")).not.toContain("(default: false)");
  });

  it("puts flags under headings, in the same order everywhere", () => {
    expect(headingsIn(helpOf("bench"))).toEqual(["What", "How much", "Output"]);
    expect(headingsIn(helpOf("predict"))).toEqual(["What", "How much", "Output"]);
    expect(headingsIn(helpOf("report"))).toEqual(["How much", "Output"]);
    expect(headingsIn(helpOf("serve"))).toEqual(["What", "Output"]);
  });

  it("explains how to get only JSON through pnpm, which prints other lines before it", () => {
    for (const name of ["bench", "conform", "describe", "fake", "predict", "serve"])
      expect(helpOf(name)).toMatch(/--json .*\(through pnpm:\s+pnpm -s\)/);
  });

  it.each(["--contract", "--stack", "--tls"])("means the same by %s on every command", (flag) => {
    const said = program.commands
      .flatMap((command) => command.options)
      .filter(({ long }) => long === flag)
      .map(({ flags, description }) => `${flags} ${description.replace(/ \(default: .*\)$/, "")}`);
    expect(said.length).toBeGreaterThan(1);
    expect(new Set(said).size).toBe(1);
  });
});
