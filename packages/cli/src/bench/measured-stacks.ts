// Which stacks a run measures, and which of them are served elsewhere.
import type { Target } from "@roundtrip/runner";
import { loadStack, type Stack } from "@roundtrip/stacks";
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import { CliError } from "../basics/cli-error.ts";

function requireOneServerEach(here: readonly Stack[], targets: readonly Target[]): void {
  const places = [...here.map(({ name }) => name), ...targets.map(({ stack }) => stack)];
  const twice = places.find((name, index) => places.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new CliError("usage", `there are two servers for ${twice}: a run measures one for each stack`);
}

/**
 * The stacks that are served here, the default ones when nothing is named, and those of the targets. The floor is added wherever something is
 * served here: it is no floor for what is reached over another network.
 */
export async function measuredStacks(
  names: readonly string[] | undefined,
  targets: readonly Target[],
): Promise<readonly Stack[]> {
  const here = names === undefined && targets.length > 0 ? [] : await chosenStacks(names);
  requireOneServerEach(here, targets);
  const elsewhere = await Promise.all(targets.map(({ stack }) => loadStack(stack)));
  const stacks = [...here, ...elsewhere];
  const hasFloor = stacks.some(({ role }) => role === "floor");
  return here.length === 0 || hasFloor ? stacks : [...stacks, await loadStack("floor")];
}
