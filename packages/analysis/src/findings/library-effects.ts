// How much the choice of a library changes, and how much the choice of a style.
import { groupsOf } from "../basics/groups-of.ts";
import { counted, listed, ratioText } from "../basics/words.ts";
import { factorOf } from "../libraries/variance-component.ts";
import type {
  BoundRatio,
  ChoiceVariance,
  EffectRatio,
  LibraryChoice,
  LibraryEffects,
} from "../libraries/library-effects.ts";
import type { StyleOrder } from "../libraries/style-orders.ts";
import { styleTitles } from "../libraries/style-titles.ts";
import type { Arm } from "../run/run-facts.ts";
import type { Cell } from "../comparison/leading-cell.ts";
import { byStyle, isBound } from "../comparison/stack-pairs.ts";
import type { Evidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { intervalText, strengthOfClaim, withoutRepeatedIntervalText, workText } from "./phrases.ts";

const nouns: Readonly<Record<LibraryChoice, string>> = {
  server: "server library",
  client: "client library",
  style: "style",
};

type TitleOf = ReturnType<typeof styleTitles>;

function largest(rows: readonly EffectRatio[], choice: LibraryChoice): EffectRatio | undefined {
  return rows.filter((row) => row.choice === choice).toSorted((one, other) => other.ratio - one.ratio)[0];
}

function rangeText(row: EffectRatio, choice: string, titleOf: TitleOf): string {
  const [slower, faster] = [row.numerator, row.denominator].map(row.choice === "style" ? titleOf : (name) => name);
  const within = row.choice === "style" ? "" : `${titleOf(row.style)}, `;
  return `${choice} by up to ${ratioText(row.ratio)} × (${within}${slower} against ${faster}; ${intervalText(row)})`;
}

function mattersText({ matters }: LibraryEffects): string {
  if (matters === null) return "";
  return matters === "server"
    ? ": the server library matters more than the style"
    : ": the style matters more than the server library";
}

function unclearText(rows: readonly EffectRatio[]): string {
  const kinds = rows.map(({ choice }) => (choice === "style" ? "styles" : `${choice} libraries`));
  return kinds.length === 0 ? "" : `no clear difference was found between ${listed(kinds)}`;
}

/** The styles that the choice of a style at the mean of its libraries leaves out, with the reason. */
function inseparableText({ inseparable }: LibraryEffects, titleOf: TitleOf): string {
  if (inseparable.length === 0) return "";
  const [isOne, names] = [inseparable.length === 1, listed(inseparable.map(titleOf))];
  return ` ${names} ${isOne ? "is" : "are"} not among these styles: measured with one server library${isOne ? "" : " each"}, a style cannot be separated from its library.`;
}

/** Whether nobody can choose one of the two: a bound is no library. */
function isOfBound({ choice, style, numerator, denominator }: EffectRatio, arms: readonly Arm[]): boolean {
  return choice !== "style" && [numerator, denominator].some((name) => isBound(arms, style, choice, name));
}

/** The choice of a style: without server libraries where possible, because the mean over a style's libraries depends on which were measured. */
function styleRatios({ ratios, bounds, inseparable }: LibraryEffects, arms: readonly Arm[]): readonly EffectRatio[] {
  const isOfLibrary = ({ numerator, denominator }: EffectRatio): boolean =>
    [numerator, denominator].some((style) => inseparable.includes(style));
  if (bounds.length === 0) return ratios.filter((row) => row.choice === "style" && !isOfLibrary(row));
  const styleOf = new Map(arms.map(({ id, style }) => [id, style]));
  return bounds.map(({ numeratorId, denominatorId, ...ratio }) => {
    const [numerator = "", denominator = ""] = [numeratorId, denominatorId].map((id) => styleOf.get(id));
    return { choice: "style", style: numerator, numerator, denominator, ...ratio };
  });
}

type ClearVariance = ChoiceVariance & { readonly choice: LibraryChoice; readonly low: number; readonly high: number };

function isClearVariance(one: ChoiceVariance): one is ClearVariance {
  return one.choice !== "pair" && one.low !== null && one.low > 0;
}

/** How much a choice changes in general: one large difference may be that of one library. */
function usualChanges(effects: LibraryEffects, about: Arm, titleOf: TitleOf): readonly Finding[] {
  const clear = effects.variances.filter(isClearVariance).toSorted((one, other) => other.variance - one.variance);
  if (clear.length === 0) return [];
  const phrases = clear.map(({ choice, variance, low, high }, index) => {
    const [factor, least, most] = [variance, low, high].map((value) => ratioText(factorOf(value)));
    const what = index === 0 ? `the choice of ${nouns[choice]} changes ${workText(about)}` : `that of ${nouns[choice]}`;
    return `${what} by ${factor} × (${index === 0 ? "95 % interval " : ""}${least} to ${most})`;
  });
  const left = clear.some(({ choice }) => choice === "style") ? inseparableText(effects, titleOf) : "";
  return [
    {
      code: "usual-changes",
      study: effects.study,
      sentence: `Usually, ${listed(phrases)}${clear.some(({ choice }) => choice === effects.matters) ? mattersText(effects) : ""}.${left}`,
      strength: "clear",
      armIds: effects.armIds,
    },
  ];
}

function ranges(effects: LibraryEffects, arms: readonly Arm[], about: Arm, titleOf: TitleOf): readonly Finding[] {
  const ofLibraries = effects.ratios.filter((row) => row.choice !== "style" && !isOfBound(row, arms));
  const ratios = [...ofLibraries, ...styleRatios(effects, arms)];
  const rows = (["server", "client", "style"] as const).flatMap((choice) => largest(ratios, choice) ?? []);
  if (!rows.some(({ choice }) => choice !== "style")) return [];
  const [clear = [], unclear = []] = [true, false].map((wanted) =>
    rows.filter(({ low }) => (low !== null && low > 1) === wanted),
  );
  const phrases = clear.map((row, index) => {
    const noun =
      row.choice === "style" && effects.bounds.length > 0 ? "style, without server libraries," : nouns[row.choice];
    const choice = index === 0 ? `the choice of ${noun} changes ${workText(about)}` : `that of ${noun}`;
    return rangeText(row, choice, titleOf);
  });
  const found =
    clear.length === 0
      ? `for ${workText(about)} ${unclearText(unclear)}`
      : `${listed(withoutRepeatedIntervalText(phrases))}${unclear.length === 0 ? "" : `; ${unclearText(unclear)}`}`;
  // Where the usual change of a style is said, its sentence names those that are left out.
  const isSaid =
    effects.bounds.length > 0 || effects.variances.some((one) => isClearVariance(one) && one.choice === "style");
  return [
    {
      code: "library-effects",
      study: effects.study,
      sentence: `Over the libraries measured here, ${found}.${isSaid ? "" : inseparableText(effects, titleOf)}`,
      strength: clear.length === 0 ? "inconclusive" : strengthOfClaim(...clear),
      armIds: effects.armIds,
    },
  ];
}

function pairText({ faster, slower }: StyleOrder, titleOf: TitleOf): string {
  return `of ${titleOf(faster)} and ${titleOf(slower)}`;
}

/** `of REST and gRPC (25 pairs of stacks against 1)`. */
function dividedText(order: StyleOrder, titleOf: TitleOf): string {
  return `${pairText(order, titleOf)} (${counted(order.fasterIn, "pair")} of stacks against ${order.slowerIn})`;
}

/** The styles whose order is the same, or not, whatever the libraries. A style with one server library has none to vary. */
function orders(effects: LibraryEffects, about: Arm, titleOf: TitleOf): readonly Finding[] {
  const of = (wanted: StyleOrder["order"]): readonly StyleOrder[] =>
    effects.orders.filter(
      ({ order, faster, slower }) =>
        order === wanted && ![faster, slower].some((style) => effects.inseparable.includes(style)),
    );
  const [same, depending, unclear] = [of("every"), of("depends"), of("unclear")];
  const phrases = [
    ...same.map(
      ({ faster, slower, pairs }) =>
        `${titleOf(faster)} is faster than ${titleOf(slower)} in each of ${counted(pairs, "pair")} of stacks`,
    ),
    ...(depending.length === 0
      ? []
      : [`which ${listed(depending.map((order) => dividedText(order, titleOf)))} is faster depends on the libraries`]),
  ];
  if (phrases.length === 0) return [];
  const left =
    unclear.length === 0
      ? ""
      : `; in some pairs of stacks the order ${listed(unclear.map((order) => pairText(order, titleOf)))} is unclear`;
  return [
    {
      code: "style-order",
      study: effects.study,
      sentence: `For ${workText(about)}, ${listed(phrases)}${left}.`,
      strength: strengthOfClaim(...effects.ratios),
      armIds: effects.armIds,
    },
  ];
}

interface BoundPair {
  readonly slower: Arm;
  readonly faster: Arm;
  readonly ratio: BoundRatio;
}

function isClear({ ratio: { low } }: BoundPair): boolean {
  return low !== null && low > 1;
}

/** `gRPC (node-http2) takes 1.60 × the time of REST (node-http) (95 % interval 1.30 to 2.02) and 1.50 × that of SOAP (1.24 to 1.84)`. */
function boundTexts(clear: readonly BoundPair[]): readonly string[] {
  const bySlower = groupsOf(clear, ({ slower }) => slower);
  const shown = bySlower.flat();
  const intervals = withoutRepeatedIntervalText(shown.map(({ ratio }) => ` (${intervalText(ratio)})`));
  return bySlower.map((group) => {
    const each = group.map((pair, index) => {
      const what = `${index === 0 ? "the time" : "that"} of ${pair.faster.title}`;
      return `${ratioText(pair.ratio.ratio)} × ${what}${intervals[shown.indexOf(pair)]}`;
    });
    return `${group[0].slower.title} takes ${listed(each)}`;
  });
}

/** Only names: the table has the figures of what is unclear. */
function unclearBoundText(pairs: readonly BoundPair[], count: number): string {
  if (pairs.length === count && count > 1) return `the order of no two of ${counted(count, "pair")} of styles is clear`;
  return `the order is unclear for ${listed(pairs.map(({ faster, slower }) => `${faster.title} and ${slower.title}`))}`;
}

/** Styles without server libraries, none of which can be the reason for a difference. */
function withoutLibraries(effects: LibraryEffects, arms: readonly Arm[], about: Arm): readonly Finding[] {
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  const pairs = effects.bounds.flatMap((ratio): readonly BoundPair[] => {
    const [slower, faster] = [armOf.get(ratio.numeratorId), armOf.get(ratio.denominatorId)];
    return slower === undefined || faster === undefined ? [] : [{ slower, faster, ratio }];
  });
  if (pairs.length === 0) return [];
  const [clear, unclear] = [pairs.filter(isClear), pairs.filter((pair) => !isClear(pair))];
  const texts = [...boundTexts(clear), ...(unclear.length === 0 ? [] : [unclearBoundText(unclear, pairs.length)])];
  return [
    {
      code: "style-bounds",
      study: effects.study,
      sentence: `Without server libraries, for ${workText(about)}: ${texts.join("; ")}.`,
      strength: clear.length === 0 ? "inconclusive" : strengthOfClaim(...clear.map(({ ratio }) => ratio)),
      armIds: [...new Set(effects.bounds.flatMap(({ numeratorId, denominatorId }) => [numeratorId, denominatorId]))],
    },
  ];
}

/** For one task with several libraries of a style. */
export function libraryFindings(study: string, task: string, { measured }: Evidence): readonly Finding[] {
  const effects = measured.libraryEffects.find(
    (one) => one.study === study && one.task === task && one.metric === "latencyMs",
  );
  const arms = measured.arms.filter(({ id }) => effects?.armIds.includes(id));
  const [about] = arms;
  if (effects === undefined || about === undefined) return [];
  const titleOf = styleTitles(arms);
  return [
    ...usualChanges(effects, about, titleOf),
    ...ranges(effects, arms, about, titleOf),
    ...withoutLibraries(effects, arms, about),
    ...orders(effects, about, titleOf),
  ];
}

function librariesText({ server, client }: Arm): string {
  return server === client ? server : `${server} and ${client}`;
}

/** The libraries, where styles were measured with one server and one client each: a difference between them may be the libraries'. */
export function librariesMeasured({ arms, study }: Cell): readonly Finding[] {
  const styles = byStyle(arms);
  if (styles.length < 2 || styles.some(({ length }) => length > 1)) return [];
  // Imported samples have a name only.
  const known = arms.filter(({ style, server }) => server !== style);
  if (known.length === 0) return [];
  const titleOf = styleTitles(known);
  const each = known.map((arm) => `${titleOf(arm.style)} with ${librariesText(arm)}`);
  return [
    {
      code: "libraries-measured",
      study,
      sentence: `This is ${listed(each)}; other libraries may change the order.`,
      strength: "fact",
      armIds: known.map(({ id }) => id),
    },
  ];
}
