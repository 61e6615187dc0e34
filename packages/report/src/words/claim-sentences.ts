// A sentence for each claim of an analysis, or for several of one kind and strength.
import {
  type Analysis,
  type BreakEvenClaim,
  type Claim,
  type CrossoverClaim,
  durationRange,
  durationText,
  isTooWide,
  type LibraryClaim,
  listed,
  type LoadClaim,
  predictedText,
  type RatioClaim,
  type RoundTripsClaim,
  type Strength,
  threeDigits,
} from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { levelsText, levelText, openLevels } from "./arm-label.ts";
import { callsText, taskText, timesText, undecidedText, wayText, workText } from "./ratio-text.ts";

/** `=` means no difference; `≈` does not: it marks a measured value. */
export const strengths: Readonly<Record<Strength, { readonly mark: string; readonly word: string }>> = {
  clear: { mark: "●", word: "clear" },
  likely: { mark: "◐", word: "likely" },
  equal: { mark: "=", word: "equal" },
  open: { mark: "?", word: "cannot tell" },
  measured: { mark: "≈", word: "measured" },
};

export interface ClaimSentence {
  readonly kind: Claim["kind"];
  readonly study: string;
  readonly strength: Strength;
  readonly text: string;
}

type ArmOf = (claim: Pick<Claim, "armIds">, index?: number) => Arm | undefined;

/** `1.72 × (1.50 to 2.00) over GraphQL and 2.50 × (2.10 to 3.00) over gRPC`. */
function timesOver(claims: readonly RatioClaim[], armOf: ArmOf): string {
  const rival = (claim: RatioClaim): string => {
    const [arm, base] = [armOf(claim), armOf(claim, 1)];
    return claim.kind !== "variant" || arm?.stack === base?.stack ? "" : ` against that over ${base?.title ?? ""}`;
  };
  const isOpen = claims.every(({ strength }) => strength === "open");
  return listed(
    claims.map((claim) => {
      const title = armOf(claim)?.title ?? "";
      const isEqual = claim.strength === "equal";
      return `${isOpen ? undecidedText(claim) : isEqual ? `the same within 2 %, ${timesText(claim)},` : timesText(claim)} over ${title}${rival(claim)}`;
    }),
  );
}

/** `takes 2 × over gRPC`, or what an open claim leaves possible. */
function takenText(claims: readonly RatioClaim[], armOf: ArmOf): string {
  return `${claims[0]?.strength === "open" ? ":" : " takes"} ${timesOver(claims, armOf)}`;
}

const ofRatios: Readonly<
  Record<RatioClaim["kind"], (claims: readonly RatioClaim[], first: Arm, base: Arm, armOf: ArmOf) => string>
> = {
  style: (claims, first, base, armOf) =>
    claims[0]?.strength === "equal" || claims[0]?.strength === "open"
      ? `For ${workText(first)}, against ${base.title}: ${timesOver(claims, armOf)}.`
      : `For ${workText(first)}, ${base.title} is ${claims[0]?.strength === "likely" ? "likely faster" : "faster"}; in its times: ${timesOver(claims, armOf)}.`,
  stack: (claims, first, base, armOf) => `Against ${base.title}, ${workText(first)}${takenText(claims, armOf)}.`,
  setting: (claims, first, base, armOf) => `Against ${base.title}, ${workText(first)}${takenText(claims, armOf)}.`,
  variant: (claims, first, base, armOf) =>
    `Against ${base.variant === "stream" ? wayText(base.variant) : "one façade call"}, ${workText(first)} as ${callsText(first)}${takenText(claims, armOf)}.`,
  "in-process": (claims, first, _base, armOf) =>
    `${workText(first).replace(/^o/, "O")} over loopback, in times of the same call in process: ${timesOver(claims, armOf)}.`,
  memory: (claims, first, base, armOf) =>
    `While it answers ${workText(first)}, the server of ${listed(claims.map((claim) => `${armOf(claim)?.title ?? ""} holds ${timesText(claim)}`))} the memory of ${base.title}'s, at their peaks.`,
};

function ratioSentence(claims: readonly RatioClaim[], armOf: ArmOf): string {
  const [claim] = claims;
  const [first, base] = claim === undefined ? [] : [armOf(claim), armOf(claim, 1)];
  if (claim === undefined || first === undefined || base === undefined) return "";
  return ofRatios[claim.kind](claims, first, base, armOf);
}

/** `from 6 attributes on`, `at 5 and 20 invoices, cannot tell at 1 invoice`; of a façade that is faster. */
function breakEvenText(claim: BreakEvenClaim): string {
  const { factor, from, facadeAt, otherAt, line } = claim;
  if (from !== null && line?.at != null) {
    return line.side === "above" ? `from ${levelText(factor, from)} on` : `up to ${levelText(factor, from)}`;
  }
  const open = openLevels(claim);
  const parts = [
    ...(facadeAt.length === 0 ? [] : [`at ${levelsText(factor, facadeAt)}`]),
    ...(otherAt.length === 0 ? [] : [`not at ${levelsText(factor, otherAt)}`]),
    ...(open.length === 0 ? [] : [`cannot tell at ${levelsText(factor, open)}`]),
  ];
  return parts.join(", ");
}

function breakEvenSentence(claims: readonly BreakEvenClaim[], armOf: ArmOf): string {
  const [first] = claims;
  if (first === undefined) return "";
  const titles = (some: readonly BreakEvenClaim[]): string => listed(some.map((claim) => armOf(claim)?.title ?? ""));
  const others = first.against === "chatty" ? "single calls" : wayText(first.against);
  if (first.strength === "open") {
    return `For a ${taskText(first.task)}, by ${first.factor}: cannot tell whether the façade is faster than ${others} over ${titles(claims)}.`;
  }
  const each = [...Map.groupBy(claims, breakEvenText)].map(([where, group]) => `${where} over ${titles(group)}`);
  return `For a ${taskText(first.task)}, the façade is faster than ${others} ${each.join("; ")}.`;
}

/** `from 1 to 101 ms`, of a variant that loses or wins there; null where its intervals do not decide. */
function crossoverText({
  aboveMs,
  low,
  high,
  always,
  strength,
  nearestMs,
  farthestMs,
}: CrossoverClaim): readonly [verb: "lose" | "win" | "begin to lose", where: string] | null {
  if (strength === "open") return null;
  if (always !== null) return [always === "facade" ? "lose" : "win", `from ${durationRange(nearestMs, farthestMs)}`];
  if (aboveMs === null || low === null || high === null) return null;
  const range = durationRange(Math.max(0, low), high);
  return isTooWide({ low, high })
    ? ["begin to lose", `somewhere from ${range}`]
    : ["lose", `above ${durationText(aboveMs)} (${range})`];
}

function crossoverSentence(claims: readonly CrossoverClaim[], armOf: ArmOf): string {
  const [first] = claims;
  const each = [...Map.groupBy(claims, (claim) => JSON.stringify(crossoverText(claim)))].map(([, group]) => {
    const names = group.map((claim) => {
      const [arm, facade] = [armOf(claim), armOf(claim, claim.armIds.length - 1)];
      return arm?.stack === facade?.stack
        ? (arm?.title ?? "")
        : `${arm?.title ?? ""} (façade over ${facade?.title ?? ""})`;
    });
    const text = crossoverText(group[0] as CrossoverClaim);
    if (text === null) return `cannot tell of ${listed(names)}`;
    const [verb, where] = text;
    return `${listed(names)} ${names.length === 1 ? verb.replace(/^\w+/, "$&s") : verb} ${where}`;
  });
  const how = first?.variant === "chatty-parallel" ? "parallel calls" : wayText(first?.variant ?? "");
  return `For a ${taskText(first?.task ?? "")} by ${how}, against the façade: ${each.join("; ")}.`;
}

function roundTripsSentence(claims: readonly RoundTripsClaim[], armOf: ArmOf): string {
  const [claim] = claims;
  const first = claim && armOf(claim);
  if (claim === undefined || first === undefined) return "";
  const each = claims.map((row) => {
    const interval = row.low === null || row.high === null ? "" : ` (${row.low.toFixed(2)} to ${row.high.toFixed(2)})`;
    return `${row.perCall.toFixed(2)}${interval} over ${armOf(row)?.stackTitle ?? ""}${row.asPredicted ? "" : ", unlike predicted"}`;
  });
  const predicted = [...new Set(claims.map((row) => predictedText(row)))];
  const isWhole = ["single", "facade"].includes(claim.variant);
  const work = claim.isFirstCall
    ? "the first call"
    : `${workText(first, "rttMs")}${isWhole ? "" : ` as ${callsText(first)}`}`;
  const tls = claims.some((row) => row.tls) ? "TCP and TLS take" : "TCP takes";
  return `Round trips of ${work}, each call: ${listed(each)}; ${tls} ${listed(predicted)}${claim.opensConnections ? " on a new connection" : ""}.`;
}

const choices = { server: "server library", client: "client library", style: "style" } as const;

function librarySentence(claims: readonly LibraryClaim[], armOf: ArmOf): string {
  const [claim] = claims;
  const first = claim && armOf(claim);
  if (claim === undefined || first === undefined) return "";
  const each = claims.map((row) => {
    const pair = `${row.numerator} against ${row.denominator}`;
    const where = row.choice === "style" ? `${pair} (without server libraries)` : `${row.style}, ${pair}`;
    return `that of a ${choices[row.choice]} by ${row.strength === "open" ? undecidedText(row) : timesText(row)}, ${where}`;
  });
  return `The choice that changes ${workText(first)} the most: ${each.join("; ")}.`;
}

function loadText({ bound, rateHz, low, high, isGeneratorLimit }: LoadClaim): string {
  const rate = `${threeDigits(rateHz)} a second`;
  if (bound === "void") return "unknown, as the generator was too late at every rate";
  if (bound === "less-than") return `less than ${rate}, the lowest rate that was measured`;
  if (bound === "at-least")
    return `at least ${rate} (${isGeneratorLimit ? "the generator was the limit" : "no higher rate was tried"})`;
  if (low === null && high === null) return rate;
  if (low !== null && high !== null && isTooWide({ low, high })) {
    return `somewhere from ${threeDigits(low)} to ${threeDigits(high)} a second`;
  }
  const ends = [low, high].map((end) => (end === null ? "beyond what was measured" : threeDigits(end)));
  return `${rate} (${ends.join(" to ")})`;
}

function loadSentence(claims: readonly LoadClaim[], armOf: ArmOf): string {
  const [{ task, limitMs } = { task: "", limitMs: 0 }] = claims;
  const each = claims.map((claim) => `${armOf(claim)?.title ?? ""} carried ${loadText(claim)}`);
  return `With at most one ${task} call in a hundred above ${durationText(limitMs)}: ${each.join("; ")}.`;
}

/** Computed distances are lines of advice, not sentences. */
function sentenceOf(claims: readonly Claim[], armOf: ArmOf): string {
  const of = <Kind extends Claim["kind"]>(kind: Kind): readonly Extract<Claim, { kind: Kind }>[] =>
    claims.filter((claim): claim is Extract<Claim, { kind: Kind }> => claim.kind === kind);
  switch (claims[0]?.kind) {
    case "break-even":
      return breakEvenSentence(of("break-even"), armOf);
    case "crossover":
      return crossoverSentence(of("crossover"), armOf);
    case "round-trips":
      return roundTripsSentence(of("round-trips"), armOf);
    case "library":
      return librarySentence(of("library"), armOf);
    case "load":
      return loadSentence(of("load"), armOf);
    case "distance":
    case undefined:
      return "";
    default:
      return ratioSentence(
        claims.filter((claim) => "ratio" in claim && claim.kind !== "library"),
        armOf,
      );
  }
}

/** No sentence mixes tasks, kinds, bases or strengths. */
function groupKey(claim: Claim, armOf: ArmOf): string {
  const [arm, base] = [armOf(claim), armOf(claim, 1)];
  const { kind, study, task, strength } = claim;
  const isAgainstBase = ["style", "stack", "setting", "memory", "in-process"].includes(kind);
  const variant = kind === "variant" || kind === "round-trips" || kind === "crossover" ? arm?.variant : "";
  const swept = claim.kind === "break-even" && [claim.factor, claim.against];
  const first = claim.kind === "round-trips" && [claim.isFirstCall, claim.opensConnections];
  return JSON.stringify([study, task, kind, strength, isAgainstBase ? base?.id : "", variant, swept, first]);
}

/** In the order of the claims. */
export function claimSentences({ arms, claims }: Pick<Analysis, "arms" | "claims">): readonly ClaimSentence[] {
  const byId = new Map(arms.map((arm) => [arm.id, arm]));
  const armOf: ArmOf = ({ armIds }, index = 0) => byId.get(armIds[index] ?? "");
  return [...Map.groupBy(claims, (claim) => groupKey(claim, armOf)).values()].flatMap((group) => {
    const text = sentenceOf(group, armOf);
    const [{ kind, study, strength } = { kind: "style" as const, study: "", strength: "open" as const }] = group;
    return text === "" ? [] : [{ kind, study, strength, text }];
  });
}
