// The models, and the flags of each; and those of predictions from a run.
import { CliError } from "../basics/cli-error.ts";
import type { PredictFlags } from "./prediction.ts";

interface ModelFlags {
  readonly needs: readonly (keyof PredictFlags)[];
  readonly takes: readonly (keyof PredictFlags)[];
}

const flagsOf = {
  mm1: { needs: ["rateHz", "serviceMs"], takes: [] },
  mmc: { needs: ["rateHz", "serviceMs", "servers"], takes: [] },
  mva: { needs: ["file"], takes: ["population", "thinkMs"] },
} as const satisfies Readonly<Record<string, ModelFlags>>;

export type ModelName = keyof typeof flagsOf;

export const modelNames = Object.keys(flagsOf) as readonly ModelName[];

const fromFlags: readonly (keyof PredictFlags)[] = [
  "from",
  "only",
  "stack",
  "population",
  "thinkMs",
  "serverMs",
  "serverSpeed",
  "fartherMs",
  "sharedClient",
];

/** `serviceMs` → `--service-ms`. */
function typed(flag: keyof PredictFlags): string {
  return `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function allOf(model: ModelName): readonly (keyof PredictFlags)[] {
  const { needs, takes }: ModelFlags = flagsOf[model];
  return [...needs, ...takes];
}

/** All flags that only some predictions take. */
const special = [...new Set([...modelNames.flatMap(allOf), ...fromFlags])];

/** Throws a usage error for a missing flag of the model, and for a typed flag of another model. */
export function checkFlags(
  model: ModelName,
  flags: PredictFlags,
  wasTyped: (flag: keyof PredictFlags) => boolean,
): void {
  const strange = special.find((flag) => wasTyped(flag) && !allOf(model).includes(flag));
  if (strange !== undefined) {
    const owners = modelNames.filter((name) => allOf(name).includes(strange)).join(", ");
    throw new CliError("usage", `${typed(strange)} is for ${owners === "" ? "--from" : owners}, not for ${model}`);
  }
  const { needs }: ModelFlags = flagsOf[model];
  const missing = needs.find((flag) => flags[flag] === undefined);
  if (missing === undefined) return;
  throw new CliError("usage", `${model} needs ${needs.map(typed).join(", ")}; ${typed(missing)} is missing`);
}

/** Throws a usage error for a model or flag that predictions from a run do not take. */
export function checkFromFlags(model: string | undefined, wasTyped: (flag: keyof PredictFlags) => boolean): void {
  if (model !== undefined && model !== "mva") {
    throw new CliError("usage", `--from predicts by mva, not by ${model}; remove ${model}`);
  }
  const strange = [...special, "simulate" as const].find((flag) => wasTyped(flag) && !fromFlags.includes(flag));
  if (strange !== undefined) throw new CliError("usage", `${typed(strange)} has no effect with --from; remove it`);
}
