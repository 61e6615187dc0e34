// Help that can be followed: complete, with examples that the program understands, and the same flag with the same words everywhere.
import type { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { makeProgram } from "../src/program/program.ts";
import { topicNames } from "../src/options/topics.ts";
import { run } from "./support/shared-program.ts";
import { printed } from "./support/outcomes.ts";

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

const commandNames = [
  "bench",
  "check",
  "compare",
  "conform",
  "describe",
  "export",
  "fake",
  "help",
  "predict",
  "report",
  "serve",
  "tasks",
  "types",
  "complete",
];

describe("help", () => {
  it("lists every command", async () => {
    const stdout = printed(await run(["--help"]));
    for (const name of commandNames) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
    expect(program.commands.map((command) => command.name()).toSorted()).toEqual(commandNames.toSorted());
  });

  it.each(["", ...commandNames])("of %s fits on a screen", async (name) => {
    const lines = (name === "" ? (await run(["--help"])).stdout : helpOf(name)).split("\n");
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
  });

  it.each(topicNames)("on %s fits on a screen, and is named by a command", async (topic) => {
    const stdout = printed(await run(["help", topic]));
    expect(stdout.split("\n").length).toBeLessThanOrEqual(30);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect(commandNames.some((name) => new RegExp(`^More: .*\\b${topic}\\b`, "m").test(helpOf(name)))).toBe(true);
  });

  it("of a command is the same with help before it, and lists all topics without", async () => {
    const [before, after, all] = await Promise.all([run(["help", "serve"]), run(["serve", "--help"]), run(["help"])]);
    expect(before).toEqual(after);
    expect(all.stdout.replaceAll(/,\s+/g, ", ")).toContain(topicNames.join(", "));
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

  it.each(["--contract", "--stack", "--tls"])("means the same by %s on every command", (flag) => {
    const said = program.commands
      .flatMap((command) => command.options)
      .filter(({ long }) => long === flag)
      .map(({ flags, description }) => `${flags} ${description.replace(/ \(default: .*\)$/, "")}`);
    expect(said.length).toBeGreaterThan(1);
    expect(new Set(said).size).toBe(1);
  });
});
