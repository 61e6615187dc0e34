// What is the style's and what the library's in a difference: effects of styles, server and client libraries on one task.
import { mean } from "d3-array";
import { boundStacks, byStyle } from "../comparison/stack-pairs.ts";
import { ratioOf, type Ratio } from "../comparison/comparison.ts";
import { hodgesLehmann } from "../statistics/describe-samples.ts";
import type { ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { randomFrom } from "../statistics/random.ts";
import { simultaneousIntervals } from "../statistics/simultaneous-intervals.ts";
import type { Arm } from "@roundtrip/runs";
import { additiveModel, type AdditiveModel, type Weights } from "./additive-model.ts";
import { ordersOf, type Logs, type StyleOrder } from "./style-orders.ts";
import { effectVariance, jackknifeInterval, type EffectSeries } from "./variance-component.ts";

export type LibraryMetric = "latencyMs" | "serverCpuMsPerTask" | "clientCpuMsPerTask";

/** What a user chooses. */
export type LibraryChoice = "style" | "server" | "client";

/** `numerator` takes `ratio` times as long as `denominator`, at the mean of the other choices. The interval is simultaneous over one task and metric. */
export interface EffectRatio extends Ratio {
  readonly choice: LibraryChoice;
  /** The style whose libraries are compared; for styles themselves the numerator. */
  readonly style: string;
  /** Ids of styles, servers or clients. The numerator is the slower. */
  readonly numerator: string;
  readonly denominator: string;
}

/** The variance of ln(figure) over the options of a choice, without noise. `pair`: of server and client together, beyond the sum of both. */
export interface ChoiceVariance {
  readonly choice: LibraryChoice | "pair";
  /** May be below 0: then noise explains the differences. */
  readonly variance: number;
  /** 95 % interval by the jackknife over rounds; null below six. */
  readonly low: number | null;
  readonly high: number | null;
  /** Options that are free to vary. */
  readonly degrees: number;
}

/** Two styles, each with a server without a library. The interval is simultaneous over one task and metric. */
export interface BoundRatio extends Ratio {
  /** Ids of arms. The numerator is the slower. */
  readonly numeratorId: string;
  readonly denominatorId: string;
}

export interface LibraryEffects {
  readonly study: string;
  readonly task: string;
  readonly metric: LibraryMetric;
  /** The arms that were fitted, one per stack. */
  readonly armIds: readonly string[];
  /** Rounds in which every stack has a value. */
  readonly rounds: number;
  readonly ratios: readonly EffectRatio[];
  /** Each two styles at their bounds, so that no server library has a part in the difference; empty below two such styles. */
  readonly bounds: readonly BoundRatio[];
  readonly variances: readonly ChoiceVariance[];
  /** Styles with one server library, whose effect cannot be separated from that of this library. No choice of a style includes them. */
  readonly inseparable: readonly string[];
  /** The choice with the clearly larger variance, of style and server; null where neither is clear. */
  readonly matters: "style" | "server" | null;
  /** For latency only. */
  readonly orders: readonly StyleOrder[];
}

/** An option of a choice, with its effect in each round. */
interface Option {
  readonly choice: LibraryChoice;
  readonly style: string;
  readonly name: string;
  readonly values: readonly number[];
}

interface FittedStyle {
  readonly style: string;
  readonly logs: readonly Logs[];
  readonly model: AdditiveModel;
}

function logsOf(rounds: ValuesByTurn): Logs {
  return rounds.map((turns) => Math.log(mean(turns.values()) ?? Number.NaN));
}

/** Leaves out rounds in which a stack has no value: an effect is a difference between all of them. */
function completeRounds(stacks: readonly Logs[]): readonly Logs[] {
  return stacks.map((logs) => logs.filter((_log, round) => stacks.every((other) => Number.isFinite(other[round]))));
}

function seriesOf(weights: Weights, stacks: readonly Logs[]): Logs {
  const [first = []] = stacks;
  return first.map((_log, round) =>
    weights.reduce((sum, weight, stack) => sum + weight * ((stacks[stack] as Logs)[round] as number), 0),
  );
}

function optionsOf({ style, logs, model }: FittedStyle): readonly Option[] {
  const libraries = (["server", "client"] as const).flatMap((choice) =>
    model[`${choice}s`].map(({ library, weights }) => ({
      choice,
      style,
      name: library,
      values: seriesOf(weights, logs),
    })),
  );
  return [{ choice: "style", style, name: style, values: seriesOf(model.mean, logs) }, ...libraries];
}

interface SlowerOverFaster<T> extends Ratio {
  readonly slower: T;
  readonly faster: T;
}

/** The ratio of every two within a group. Intervals are simultaneous over all groups. */
function ratiosWithin<T extends { readonly values: Logs }>(
  groups: Iterable<readonly T[]>,
  stream: string,
  seed: number,
): readonly SlowerOverFaster<T>[] {
  const rows = [...groups]
    .flatMap((group) => group.flatMap((one, index) => group.slice(index + 1).map((other) => [one, other] as const)))
    .map(([one, other]) => {
      const [slower, faster] = (mean(one.values) ?? 0) >= (mean(other.values) ?? 0) ? [one, other] : [other, one];
      const logRatios = slower.values.map((value, round) => value - (faster.values[round] as number));
      return { slower, faster, logRatios };
    });
  const intervals = simultaneousIntervals(
    rows.map(({ logRatios }) => logRatios),
    randomFrom(seed, stream),
  );
  return rows.map(({ slower, faster, logRatios }, index) => ({
    slower,
    faster,
    ...ratioOf(logRatios, intervals[index]),
    basis: intervals[index]?.basis ?? null,
    hodgesLehmann: Math.exp(hodgesLehmann(logRatios)),
  }));
}

function ratiosOf(options: readonly Option[], stream: string, seed: number): readonly EffectRatio[] {
  const alike = Map.groupBy(options, ({ choice, style }) => (choice === "style" ? choice : `${choice} ${style}`));
  return ratiosWithin(alike.values(), stream, seed).map(({ slower, faster, ...ratio }) => ({
    choice: slower.choice,
    style: slower.style,
    numerator: slower.name,
    denominator: faster.name,
    ...ratio,
  }));
}

function boundRatios(
  arms: readonly Arm[],
  logsOfArm: ReadonlyMap<string, Logs>,
  stream: string,
  seed: number,
): readonly BoundRatio[] {
  const bounds = boundStacks(arms).map(({ id }) => ({ id, values: logsOfArm.get(id) ?? [] }));
  return ratiosWithin([bounds], stream, seed).map(({ slower, faster, ...ratio }) => ({
    numeratorId: slower.id,
    denominatorId: faster.id,
    ...ratio,
  }));
}

/** Effects of a choice that sum to 0 within their group. */
function seriesOfChoice(
  choice: LibraryChoice | "pair",
  styles: readonly FittedStyle[],
  options: readonly Option[],
): EffectSeries {
  if (choice === "pair") {
    return {
      effects: styles.flatMap(({ model, logs }) => model.residuals.map((weights) => seriesOf(weights, logs))),
      degrees: styles.reduce((sum, { model }) => sum + model.residualDegrees, 0),
    };
  }
  const ofChoice = options.filter((option) => option.choice === choice);
  if (choice !== "style") {
    const free = ({ model }: FittedStyle): number => Math.max(0, model[`${choice}s`].length - 1);
    return {
      effects: ofChoice.map(({ values }) => values),
      degrees: styles.reduce((sum, style) => sum + free(style), 0),
    };
  }
  const separable = new Set(styles.filter(isSeparable).map(({ style }) => style));
  const chosen = ofChoice.filter(({ style }) => separable.has(style)).map(({ values }) => values);
  const centred = chosen.map((values) =>
    values.map((value, round) => value - (mean(chosen, (other) => other[round]) as number)),
  );
  return { effects: centred, degrees: chosen.length - 1 };
}

const choices = ["style", "server", "client", "pair"] as const;

function isSeparable({ model }: FittedStyle): boolean {
  return model.servers.length > 1;
}

interface Variances {
  readonly variances: readonly ChoiceVariance[];
  readonly matters: LibraryEffects["matters"];
}

function variancesOf(styles: readonly FittedStyle[], options: readonly Option[]): Variances {
  const kinds = choices.map((choice) => [choice, seriesOfChoice(choice, styles, options)] as const);
  const measured = new Map(kinds.filter(([, { degrees }]) => degrees > 0));
  const variances = [...measured].map(([choice, kind]) => {
    const interval = jackknifeInterval([kind], ([only]) => effectVariance(only as EffectSeries));
    return {
      choice,
      variance: effectVariance(kind),
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      degrees: kind.degrees,
    };
  });
  const [style, server] = [measured.get("style"), measured.get("server")];
  if (style === undefined || server === undefined) return { variances, matters: null };
  const more = jackknifeInterval(
    [server, style],
    ([one, other]) => effectVariance(one as EffectSeries) - effectVariance(other as EffectSeries),
  );
  if (more === null || (more.low <= 0 && more.high >= 0)) return { variances, matters: null };
  return { variances, matters: more.low > 0 ? "server" : "style" };
}

/**
 * Fits `ln(figure) = style + server within style + client within style` to every round, so that intervals rest on rounds as all others do. Null unless
 * a style has several stacks, and for libraries that its stacks do not connect. @param arms that do the same work, one per stack
 */
export function libraryEffects(
  arms: readonly Arm[],
  metric: LibraryMetric,
  turnsOf: (armId: string) => ValuesByTurn,
  seed: number,
): LibraryEffects | null {
  const [first] = arms;
  if (first === undefined || byStyle(arms).every(({ length }) => length < 2)) return null;
  const logs = completeRounds(arms.map(({ id }) => logsOf(turnsOf(id))));
  const logsOfArm = new Map(arms.map(({ id }, index) => [id, logs[index] as Logs]));
  const styles = byStyle(arms).flatMap((ofStyle): readonly FittedStyle[] => {
    const model = additiveModel(ofStyle);
    if (model === undefined) return [];
    return [{ style: ofStyle[0].style, model, logs: ofStyle.map(({ id }) => logsOfArm.get(id) as Logs) }];
  });
  const rounds = logs[0]?.length ?? 0;
  if (rounds === 0 || styles.every(({ logs: ofStyle }) => ofStyle.length < 2)) return null;
  const options = styles.flatMap(optionsOf);
  const { study, task } = first;
  return {
    study,
    task,
    metric,
    armIds: arms.map(({ id }) => id),
    rounds,
    ratios: ratiosOf(options, `libraries ${study} ${task} ${metric}`, seed),
    bounds: boundRatios(arms, logsOfArm, `bounds ${study} ${task} ${metric}`, seed),
    inseparable: styles.filter((one) => !isSeparable(one)).map(({ style }) => style),
    ...variancesOf(styles, options),
    orders: metric === "latencyMs" ? ordersOf(styles, `orders ${study} ${task}`, seed) : [],
  };
}
