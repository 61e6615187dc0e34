// Runs small commands at an end of a link while it is set up.
import { RunnerError } from "../../basics/runner-error.ts";
import { commandResult } from "./tools.ts";

/** What the command prints. Rejects with a RunnerError `link-unavailable` that has its own words. */
export async function runAt(enter: readonly string[], command: readonly string[]): Promise<string> {
  const ended = await commandResult([...enter, ...command]);
  if (ended.ok) return ended.text;
  throw new RunnerError("link-unavailable", `the link cannot be set up: ${command.join(" ")}: ${ended.why}`);
}
