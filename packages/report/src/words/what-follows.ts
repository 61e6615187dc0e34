// What follows from a run for whoever calls a service: which call to make, which style, what distance does, what was not looked at, and what to measure
// next.
import {
  isTooWide,
  foreignStudy,
  listed,
  counted,
  durationText,
  minimumRounds,
  ratioText,
  threeDigits,
  type BreakEvenClaim,
  type Claim,
  type DistanceClaim,
  type RatioClaim,
} from "@roundtrip/analysis";
import type { RunFacts, Arm } from "@roundtrip/runs";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { levelText } from "./arm-label.ts";
import { claimSentences } from "./claim-sentences.ts";
import { rangeText, undecidedText, workText } from "./ratio-text.ts";
import { selectionAdvice } from "./selection-advice.ts";
import { settingsAdvice } from "./settings-advice.ts";
import { adviceOfWays } from "./ways-advice.ts";

/** How names of studies of the built-in contract begin. Settings may name another contract, which the command line does not show. */
const builtIn = ["hello", "facade", "libraries", "linked", "network", "load"];

function hasStudy({ arms }: Pick<RunFacts, "arms">, beginning: string): boolean {
  return arms.some(({ study }) => study.startsWith(beginning));
}

function isOfOwnContract(facts: Pick<RunFacts, "arms" | "command">): boolean {
  return / --(?:contract|tasks|operations)\b/.test(facts.command) || !builtIn.some((name) => hasStudy(facts, name));
}

/** What to measure next; undefined if no suggestion is sure to be accepted. */
function nextStep(facts: Pick<RunFacts, "arms" | "command" | "leftOut">): string | undefined {
  const { arms, command, leftOut } = facts;
  if (arms.some(({ study }) => study === foreignStudy)) return undefined;
  const isDefault = !isOfOwnContract(facts) && hasStudy(facts, "hello") && hasStudy(facts, "facade");
  const linked = isDefault && !hasStudy(facts, "linked") ? '"bench linked" for data that is linked' : undefined;
  if (leftOut !== undefined && leftOut.cells.length > 0) {
    const whole = `--budget ${Math.round(leftOut.budgetMs / 1000)}s for what was left out`;
    return linked === undefined ? whole : `${linked}, ${whole}`;
  }
  if (isOfOwnContract(facts)) {
    // No network can be put between clients and a server that this program does not serve; settings may name such a server.
    const isServedHere = / --contract\b/.test(command) && arms.every(({ target }) => target === undefined);
    return isServedHere && !/ --(?:serve|link)\b/.test(command) ? "--link rtt=20 for a round trip of 20 ms" : undefined;
  }
  if (linked !== undefined) return linked;
  if (!hasStudy(facts, "libraries") && hasStudy(facts, "hello")) return '"bench libraries" for other servers';
  const distances = new Set(arms.flatMap(({ factors }) => factors["rttMs"] ?? []));
  if (distances.size < 2) return '"bench network" for 1 to 200 ms';
  if (!hasStudy(facts, "load")) return '"bench load-rates" for load';
  return '"bench --contract FILE" for yours';
}

/** `other libraries`, `load`: what may change the advice. Empty for samples of another tool. */
function notLookedAt({ facts }: Pick<ReportInput, "facts">): readonly string[] {
  if (isForeign({ facts })) return [];
  const { arms } = facts;
  const ends = arms.filter(({ role, style, server }) => role === "style" && server !== style);
  const named = [...new Set(ends.flatMap(({ server, client }) => [server, client]))];
  const libraries = named.length > 0 && named.length <= 6 ? `libraries other than ${listed(named)}` : "other libraries";
  const stacksOf = Map.groupBy(ends, ({ style }) => style);
  const hasSeveralLibraries = [...stacksOf.values()].some(
    (ofStyle) => new Set(ofStyle.map(({ stack }) => stack)).size > 1,
  );
  return [
    ...(arms.some(({ load }) => load !== undefined) || arms.some(({ factors }) => Number(factors["callers"] ?? 1) > 1)
      ? []
      : ["load"]),
    ...(hasSeveralLibraries ? [] : [libraries]),
  ];
}

type Run = Pick<ReportInput, "facts" | "analysis">;

/** One cell: the claims of one study and task. */
interface CellClaims {
  readonly claims: readonly Claim[];
  readonly arm: (id: string | undefined) => Arm | undefined;
}

function ofKind<Kind extends Claim["kind"]>(
  claims: readonly Claim[],
  kind: Kind,
): readonly (Claim & { readonly kind: Kind })[] {
  return claims.filter((claim): claim is Claim & { readonly kind: Kind } => claim.kind === kind);
}

function cellsOf({ analysis }: Run): readonly CellClaims[] {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  const cells = Map.groupBy(analysis.claims, ({ study, task }) => JSON.stringify([study, task]));
  const studies = new Set<string>();
  return [...cells.values()].flatMap((claims) => {
    const [{ study } = { study: "" }] = claims;
    if (studies.has(study)) return [];
    studies.add(study);
    return { claims, arm: (id: string | undefined) => arms.get(id ?? "") };
  });
}

function isSure({ strength }: Claim): boolean {
  return strength === "clear" || strength === "likely";
}

/** `5.59 to 5.63 ×`, of the least and the most. */
function spanOfRatios(claims: readonly RatioClaim[]): string {
  if (claims.some(isTooWide)) return `at least ${ratioText(Math.min(...claims.map(({ low }) => low ?? 0)))} ×`;
  const texts = [...new Set([Math.min, Math.max].map((end) => ratioText(end(...claims.map(({ ratio }) => ratio)))))];
  return `${texts.join(" to ")} ×`;
}

/** Of one factor, and of façades that are faster from a level on: others have no count from which to call them. */
function fromText(breakEvens: readonly BreakEvenClaim[], arm: CellClaims["arm"]): string {
  const above = breakEvens.filter(({ line }) => line?.side === "above");
  const ofFactor = above.filter(({ factor }) => factor === above[0]?.factor);
  const known = ofFactor.flatMap(({ from }) => from ?? []);
  const unclear = ofFactor.filter(({ from }) => from === null).map(({ armIds }) => arm(armIds[0])?.title ?? "");
  if (known.length === 0) return "";
  const from = ` where ${levelText(above[0]?.factor ?? "", Math.max(...known))} or more are needed`;
  return unclear.length === 0 ? from : `${from} (over ${listed(unclear)} the count is unclear)`;
}

/** Whether to make one façade call or many: from how many attributes on, and what each further call adds over a distance. */
function callAdvice({ claims, arm }: CellClaims): readonly string[] {
  const chatty = ofKind(claims, "variant").filter(({ armIds }) => arm(armIds[0])?.variant === "chatty");
  const first = arm(chatty[0]?.armIds[0]);
  if (first === undefined || first.callsPerTask < 2) return [];
  const slower = chatty.filter((claim) => isSure(claim) && claim.ratio > 1);
  const faster = chatty.filter((claim) => isSure(claim) && claim.ratio < 1);
  const open = chatty.filter((claim) => !isSure(claim));
  const titles = (some: readonly RatioClaim[]): string =>
    some.length === chatty.length ? "" : ` over ${listed(some.map(({ armIds }) => arm(armIds[0])?.title ?? ""))}`;
  const isFar = ofKind(claims, "distance").length > 0;
  const far = isFar
    ? `, and one after another wait ${20 * (first.callsPerTask - 1)} ms longer over a round trip of 20 ms`
    : "";
  const calls = counted(first.callsPerTask, "call");
  return [
    ...(slower.length === 0
      ? []
      : [
          `Call the façade${fromText(
            ofKind(claims, "break-even").filter(({ against }) => against === "chatty"),
            arm,
          )}${titles(slower)}: ${calls} instead of one take ${spanOfRatios(slower)} as long${far}.`,
        ]),
    ...(faster.length === 0
      ? []
      : [`Make ${calls} instead of one façade call${titles(faster)}: they take ${spanOfRatios(faster)} as long.`]),
    ...(open.length === 0
      ? []
      : [`One façade call or ${calls}${titles(open)}: ${undecidedText(open[0] as RatioClaim)}.`]),
  ];
}

/** Whether every style that did a cell's work was compared: at other settings it may not have been. */
function isComplete({ claims, arm }: CellClaims, { analysis }: Run): boolean {
  const compared = ofKind(claims, "style").flatMap(({ armIds }) => armIds.flatMap((id) => arm(id) ?? []));
  const styles = new Set(compared.map(({ style }) => style));
  const [first] = compared;
  return analysis.arms.every(
    ({ study, task, role, style, load }) =>
      role !== "style" || load !== undefined || study !== first?.study || task !== first.task || styles.has(style),
  );
}

/** How the styles of a cell rank, as a clause; null where too much noise allows no order. */
function rankText(cell: CellClaims, run: Run): string | null {
  const { claims, arm } = cell;
  const styles = ofKind(claims, "style");
  const base = arm(styles[0]?.armIds[1])?.title ?? "";
  const title = ({ armIds }: RatioClaim): string => arm(armIds[0])?.title ?? "";
  const slower = styles.filter((claim) => isSure(claim) && claim.ratio > 1);
  const faster = styles.filter((claim) => isSure(claim) && claim.ratio < 1);
  const open = styles.filter(({ strength }) => strength === "open");
  const same = styles.filter(({ strength }) => strength === "equal");
  if (open.length === styles.length && open.some((claim) => claim.low === null || isWide(claim))) return null;
  const isLikely = styles.some(({ strength }) => strength === "likely") ? "likely " : "";
  if (slower.length === styles.length && isComplete(cell, run)) return `${base} ${isLikely}takes the least time`;
  return [
    ...(slower.length === 0 ? [] : [`${base} is ${isLikely}faster than ${listed(slower.map(title))}`]),
    ...(faster.length === 0
      ? []
      : [`${listed(faster.map(title))} ${faster.length === 1 ? "is" : "are"} ${isLikely}faster than ${base}`]),
    ...(same.length === 0 ? [] : [`${listed([base, ...same.map(title)])} take the same time`]),
    ...open.map((claim) => `${base} or ${title(claim)}: ${openText(claim, title(claim))}`),
  ].join("; ");
}

/** Beyond this, an interval that includes 1 allows no useful statement about the order. */
const mostOpen = 1.5;

function isWide({ low, high }: RatioClaim): boolean {
  return low !== null && high !== null && high > mostOpen * low;
}

function openText(claim: RatioClaim, title: string): string {
  const { low, high } = claim;
  if (low === null || high === null) return undecidedText(claim);
  return isTooWide(claim) ? "cannot tell" : `cannot tell (${title} ${rangeText(low, high)})`;
}

/** Why there is no order, and what to do. */
function unrankedText({ claims }: CellClaims, where: string, { facts }: Run): string {
  if (ofKind(claims, "style").some(({ low }) => low === null)) {
    return `Too few rounds to rank${where}: take ${minimumRounds} or more.`;
  }
  const again = isForeign({ facts }) ? "take more rounds, on" : `rerun with --rounds ${2 * facts.roundsDone}, or on`;
  return `Too noisy to rank${where}: ${again} a quiet machine.`;
}

/** What noise does not move: round trips and bytes. */
function sureText({ claims, arm }: CellClaims, { analysis }: Run): string {
  const ids = ofKind(claims, "style").flatMap(({ armIds }) => armIds);
  const arms = [...new Set(ids)].flatMap((id) => arm(id) ?? []);
  const means = new Map(
    analysis.summaries.filter(({ metric }) => metric === "wireBytesPerTask").map((row) => [row.armId, row.mean]),
  );
  const [distance] = ofKind(claims, "distance");
  const trips = new Set(distance?.tasks.map(({ roundTrips }) => roundTrips));
  const bytes = arms
    .flatMap(({ id, title }) => {
      const mean = means.get(id);
      return mean === undefined ? [] : [`${title} ${Math.round(mean).toLocaleString("en-US")}`];
    })
    .join(", ");
  const parts = [
    ...(trips.size === 1 ? [`${counted([...trips][0] ?? 0, "round trip")} each`] : []),
    ...(bytes === "" ? [] : [`bytes ${bytes}`]),
  ];
  return parts.length === 0 ? "" : ` Sure: ${parts.join("; ")}.`;
}

function styleAdvice(cells: readonly CellClaims[], run: Run): readonly string[] {
  const compared = cells.filter(({ claims }) => ofKind(claims, "style").length > 0);
  const texts = compared.map((cell) => ({ cell, rank: rankText(cell, run) }));
  const ranks = Map.groupBy(texts, ({ rank }) => rank);
  return [...ranks].flatMap(([rank, sameRank]) => {
    const works = sameRank.flatMap(({ cell: { claims, arm } }) => {
      const first = arm(ofKind(claims, "style")[0]?.armIds[0]);
      return first === undefined ? [] : [workText(first)];
    });
    const [{ cell } = { cell: undefined }] = sameRank;
    if (cell === undefined) return [];
    // Imported samples have no task of their own.
    const where = isForeign({ facts: run.facts }) ? "" : ` for ${listed(works)}`;
    if (rank === null) return [`${unrankedText(cell, where, run)}${sureText(cell, run)}`];
    return [`${rank}${where}.`];
  });
}

const distancesMs = [1, 20, 100];

function farText({ tasks }: DistanceClaim, titles: readonly string[]): string {
  const each = tasks.map(({ ms, roundTrips }, index) => {
    const times = distancesMs.map((rttMs) => threeDigits(ms + roundTrips * rttMs));
    return `${titles[index] ?? ""} ${listed(times)}`;
  });
  return `Over round trips of ${listed(distancesMs.map(String))} ms, in ms: ${each.join("; ")}.`;
}

/** A sum of a measured time and computed waiting is only given for a few styles, and where their times differ for sure. */
const mostFar = 4;

function distanceAdvice(cells: readonly CellClaims[], run: Run): readonly string[] {
  const found = cells.flatMap((cell) => ofKind(cell.claims, "distance").map((claim) => ({ claim, cell })));
  const [first] = found;
  if (first === undefined) return [];
  const { claim, cell } = first;
  const titles = claim.armIds.map((id) => cell.arm(id)?.title ?? "");
  const isShown = titles.length === 1 || (titles.length <= mostFar && rankText(cell, run) !== null);
  const texts = isShown ? [farText(claim, titles)] : [];
  if (claim.sameFromMs !== null && claim.sameFromMs <= Math.max(...distancesMs) && titles.length > 1) {
    const from =
      claim.sameFromMs < 0.01 ? "already here" : `from ${durationText(Number(claim.sameFromMs.toPrecision(2)))} on`;
    texts.push(`Any style will do ${from} (within 5 %).`);
  }
  return texts.length === 0 ? [] : [texts.join(" ")];
}

/** Kinds that answer what a study of distance, libraries, settings, sizes or load asks. */
const answeredKinds: readonly Claim["kind"][] = [
  "load",
  "round-trips",
  "crossover",
  "library",
  "setting",
  "in-process",
];
const mostAnswers = 3;

function answers({ analysis }: Run, without: readonly Claim["kind"][]): readonly string[] {
  const sentences = claimSentences(analysis).filter(({ strength }) => strength !== "open");
  return answeredKinds
    .filter((kind) => !without.includes(kind))
    .flatMap((kind) => sentences.filter((sentence) => sentence.kind === kind).slice(0, 1))
    .slice(0, mostAnswers)
    .map(({ text }) => text);
}

/** Most important first; may be empty. */
function advice(run: Run): readonly string[] {
  const cells = cellsOf(run);
  const settings = settingsAdvice(run);
  return [
    ...cells.flatMap(callAdvice).slice(0, 2),
    ...adviceOfWays(run),
    ...selectionAdvice(run),
    ...settings,
    ...styleAdvice(cells, run),
    ...distanceAdvice(cells, run),
    ...answers(run, settings.length > 0 ? ["setting"] : []),
  ];
}

function nothingText({ published = [] }: Partial<Pick<ReportInput, "published">>): string {
  return published.some(({ claims }) => claims.length > 0)
    ? "What was published is judged below; nothing else can be concluded from this run."
    : "Nothing can be concluded from this run.";
}

/** The advice, then what was not looked at and what to run next. */
export function whatFollows(run: Run & Partial<Pick<ReportInput, "published">>): readonly string[] {
  const [left, next] = [notLookedAt(run), nextStep(run.facts)];
  const open = left.length === 0 ? "" : `Not looked at: ${left.join(", ")}.`;
  const step = next === undefined ? "" : `Next: ${next}.`;
  const last = [open, step].filter((text) => text !== "").join(" ");
  const texts = advice(run);
  return [...(texts.length === 0 ? [nothingText(run)] : texts), ...(last === "" ? [] : [last])];
}
