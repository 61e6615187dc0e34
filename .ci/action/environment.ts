// The interface between the service and a step: variables, output files, and log annotations.
import { appendFileSync } from "node:fs";

/** A variable of the service or an input of the action; empty if not set. */
export function variable(name: string): string {
  return process.env[name]?.trim() ?? "";
}

/** Like {@link variable}. Throws an error with the name if not set. */
export function required(name: string): string {
  const value = variable(name);
  if (value === "") throw new Error(`${name} is not set: this script is a step of action.yml`);
  return value;
}

/** Variables with which a step can affect later steps, and a step's own inputs. */
const powers = /^(?:GITHUB_(?:ENV|PATH|OUTPUT|STATE|STEP_SUMMARY|TOKEN)|(?:ACTIONS|INPUT)_.*)$/i;

export function withoutPowers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !powers.test(name)));
}

/** A boolean input. Throws unless it is `true` or `false`. */
export function isOn(name: string): boolean {
  const value = variable(name);
  if (value !== "true" && value !== "false") {
    throw new Error(`input ${name.replace("INPUT_", "").toLowerCase()} is "${value}", neither true nor false`);
  }
  return value === "true";
}

/** Sets an output of the step. Line breaks become spaces. */
export function setOutput(name: string, value: string): void {
  appendFileSync(required("GITHUB_OUTPUT"), `${name}=${value.replaceAll(/[\r\n]+/g, " ")}\n`);
}

/** Escapes the text of a workflow command, so that it cannot end or begin one. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function annotate(level: "notice" | "warning" | "error", text: string): void {
  process.stdout.write(`::${level} title=Roundtrip::${escaped(text)}\n`);
}

/** Runs a step. An error fails it and is printed in one line. */
export async function step(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    annotate("error", thrown instanceof Error ? thrown.message : String(thrown));
    process.exitCode = 1;
  }
}
