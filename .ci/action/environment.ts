// The interface between the hosting service and a step: variables, output files, annotations in the log.
import { appendFileSync } from "node:fs";

/** A variable that the service sets, or an input of the action: empty where it is not set. */
export function variable(name: string): string {
  return process.env[name]?.trim() ?? "";
}

/** As {@link variable}. Throws an error that names it where it is not set. */
export function required(name: string): string {
  const value = variable(name);
  if (value === "") throw new Error(`${name} is not set: this script is a step of action.yml`);
  return value;
}

/** Files by which a step changes those behind it, and what a step itself is given. */
const powers = /^(?:GITHUB_(?:ENV|PATH|OUTPUT|STATE|STEP_SUMMARY|TOKEN)|(?:ACTIONS|INPUT)_.*)$/i;

/** An environment for programs of others: without {@link powers}. */
export function withoutPowers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !powers.test(name)));
}

/** An input that is `true` or `false`. Throws for anything else. */
export function isOn(name: string): boolean {
  const value = variable(name);
  if (value !== "true" && value !== "false") {
    throw new Error(`input ${name.replace("INPUT_", "").toLowerCase()} is "${value}", neither true nor false`);
  }
  return value === "true";
}

/** Sets an output of the step. A value has one line. */
export function setOutput(name: string, value: string): void {
  appendFileSync(required("GITHUB_OUTPUT"), `${name}=${value.replaceAll(/[\r\n]+/g, " ")}\n`);
}

/** Text of a workflow command: what would end it, or begin another, is spelled out. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A line that stands out in the log and on the page of the run. */
export function annotate(level: "notice" | "warning" | "error", text: string): void {
  process.stdout.write(`::${level} title=Roundtrip::${escaped(text)}\n`);
}

/** Runs a step; what goes wrong is one line, and fails it. */
export async function step(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    annotate("error", thrown instanceof Error ? thrown.message : String(thrown));
    process.exitCode = 1;
  }
}
