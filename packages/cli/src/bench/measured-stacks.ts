// Which stacks a run measures, and which of them are served elsewhere.
import type { Target } from "@roundtrip/runner";
import { loadStack, type Stack } from "@roundtrip/stacks";
import { chosenStacks, selectsStacks } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { CliError } from "../basics/cli-error.ts";

function requireOneServerEach(here: readonly Stack[], targets: readonly Target[]): void {
  const names = [...here.map(({ name }) => name), ...targets.map(({ stack }) => stack)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new CliError("usage", `two servers for ${twice}: a run measures one server per stack`);
}

/**
 * The stacks that are served here (the default ones if nothing is selected and there is no target), and those of the targets. The floor is added only if
 * something is served here: it is not the lower bound on another network.
 */
export async function measuredStacks(flags: StackFlags, targets: readonly Target[]): Promise<readonly Stack[]> {
  const here = !selectsStacks(flags) && targets.length > 0 ? [] : await chosenStacks(flags);
  requireOneServerEach(here, targets);
  const elsewhere = await Promise.all(targets.map(({ stack }) => loadStack(stack)));
  const stacks = [...here, ...elsewhere];
  const hasFloor = stacks.some(({ role }) => role === "floor");
  return here.length === 0 || hasFloor ? stacks : [...stacks, await loadStack("floor")];
}
