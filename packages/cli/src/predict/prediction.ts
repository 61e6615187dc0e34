// The models of `roundtrip predict` with the flags of each, and the result of every model.
import type { PredictionChart } from "@roundtrip/report/predictions";
import type { Table } from "@roundtrip/report/text-table";
import { InvalidArgumentError } from "commander";
import { CliError } from "../basics/cli-error.ts";
import type { KeyValues } from "../options/key-values.ts";
import { numberList, oneNumber } from "../options/number-list.ts";

const positive = { what: "numbers above 0", least: 1e-9, most: 1e12, whole: false } as const;
const number = { ...positive, what: "a number above 0" } as const;
const rates = { ...positive, example: "80 or 10,20,50 or 10..200..10" } as const;
const populations = {
  what: "whole numbers of callers from 1 on",
  example: "6 or 1..20",
  least: 1,
  most: 1_000_000_000,
  whole: true,
} as const;
const thinkTimes = {
  ...positive,
  what: "numbers of milliseconds, 0 or more",
  least: 0,
  example: "9 or 0..72..9",
} as const;
export const loadKeys = {
  rate: numberList(rates),
  callers: numberList(populations),
  think: numberList(thinkTimes),
};

export const serviceTime = oneNumber({ ...number, example: "10 or 0.4" });

const factor = { ...number, most: 1e6 } as const;

function yesOrNo(text: string): boolean {
  if (["yes", "no"].includes(text)) return text === "yes";
  throw new InvalidArgumentError("must be yes or no");
}

export const changeKeys = {
  "server-speed": oneNumber({ ...factor, least: 1e-3, example: "2 or 0.5" }),
  "farther-ms": oneNumber({ ...factor, what: "a number, 0 or more", least: 0, example: "20" }),
  "shared-client": yesOrNo,
};

type PredictedLoad = KeyValues<typeof loadKeys>;
type WhatIf = KeyValues<typeof changeKeys>;

export interface PredictFlags {
  readonly load?: PredictedLoad;
  readonly serviceMs?: number;
  readonly servers?: number;
  readonly file?: string;
  /** A run directory. */
  readonly from?: string;
  readonly only?: readonly string[];
  readonly stack?: readonly string[];
  readonly whatIf?: WhatIf;
  readonly simulate: boolean;
  readonly out?: string;
  readonly json: boolean;
}

export interface Prediction {
  readonly tables: readonly Table[];
  readonly charts: readonly PredictionChart[];
  /** The figures unrounded, for `--json`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** The maximum number of simulated points. Each takes up to a second per three stations. */
export function mostSimulated(stations: number): number {
  return Math.min(50, Math.max(1, Math.floor(150 / stations)));
}

/** What only some predictions take: the flag, and the key of `--load`. */
const special = {
  "--load rate": ["load", "rate"],
  "--load callers": ["load", "callers"],
  "--load think": ["load", "think"],
  "--service-ms": ["serviceMs"],
  "--servers": ["servers"],
  "--file": ["file"],
  "--from": ["from"],
  "--only": ["only"],
  "--stack": ["stack"],
  "--what-if": ["whatIf"],
} as const satisfies Readonly<Record<string, readonly [keyof PredictFlags, (keyof PredictedLoad)?]>>;

type Special = keyof typeof special;

interface Taken {
  readonly needs: readonly Special[];
  readonly takes: readonly Special[];
}

const flagsOf = {
  mm1: { needs: ["--load rate", "--service-ms"], takes: [] },
  mmc: { needs: ["--load rate", "--service-ms", "--servers"], takes: [] },
  mva: { needs: ["--file"], takes: ["--load callers", "--load think"] },
} as const satisfies Readonly<Record<string, Taken>>;

export type ModelName = keyof typeof flagsOf;

export const modelNames = Object.keys(flagsOf) as readonly ModelName[];

const fromTakes: readonly Special[] = [
  "--from",
  "--only",
  "--stack",
  "--load callers",
  "--load think",
  "--service-ms",
  "--what-if",
];

function isGiven(name: Special, flags: PredictFlags): boolean {
  const [attribute, key] = special[name];
  return key === undefined ? flags[attribute] !== undefined : flags.load?.[key] !== undefined;
}

type WasTyped = (attribute: keyof PredictFlags) => boolean;

/** The first typed flag that is not among these. */
function strangeTo(taken: readonly Special[], flags: PredictFlags, wasTyped: WasTyped): Special | undefined {
  const names = Object.keys(special) as Special[];
  return names.find((name) => !taken.includes(name) && wasTyped(special[name][0]) && isGiven(name, flags));
}

/** Throws a usage error for a missing flag of the model, and for a typed flag of another model. */
export function checkFlags(model: ModelName, flags: PredictFlags, wasTyped: WasTyped): void {
  const takenBy = (name: ModelName): readonly Special[] => [...flagsOf[name].needs, ...flagsOf[name].takes];
  const strange = strangeTo(takenBy(model), flags, wasTyped);
  if (strange !== undefined) {
    const owners = modelNames.filter((name) => takenBy(name).includes(strange)).join(", ");
    throw new CliError("usage", `${strange} is for ${owners === "" ? "--from" : owners}, not for ${model}`);
  }
  const { needs }: Taken = flagsOf[model];
  const missing = needs.find((name) => !isGiven(name, flags));
  if (missing === undefined) return;
  throw new CliError("usage", `${model} needs ${needs.join(", ")}; ${missing} is missing`);
}

/** Throws a usage error for a model or flag that predictions from a run do not take. */
export function checkFromFlags(model: string | undefined, flags: PredictFlags, wasTyped: WasTyped): void {
  if (model !== undefined && model !== "mva") {
    throw new CliError("usage", `--from predicts by mva, not by ${model}; remove ${model}`);
  }
  const strange = wasTyped("simulate") ? "--simulate" : strangeTo(fromTakes, flags, wasTyped);
  if (strange !== undefined) throw new CliError("usage", `${strange} has no effect with --from; remove it`);
}
