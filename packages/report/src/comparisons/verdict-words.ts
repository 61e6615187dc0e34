// The verdict of a comparison as text: the result, its certainty, and what to do next.
import {
  counted,
  listed,
  type ComparedCell,
  type PairedComparison,
  type VersionComparison,
  type Warning,
} from "@roundtrip/analysis";
import { armNames, metricLabel } from "./cell-label.ts";
import { changeText, mostLost, shareText } from "./change-text.ts";
import { armsOf, largestChange, type ComparedArm } from "./affected.ts";
import { judgedText, movedText } from "./latencies.ts";
import { waysOut } from "./way-out.ts";

export interface Verdict {
  /** `FAIL`, `PASS`, `INCONCLUSIVE`, `NO VERDICT`. */
  readonly word: string;
  readonly state: PairedComparison["verdict"] | "none";
  /** Continues the word: one sentence. */
  readonly headline: string;
  /** The certainty, one sentence each. */
  readonly sureness: readonly string[];
  /** What to do; may be empty. */
  readonly next: string;
}

const armsNamed = 3;

const shortCommit = 7;

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sentence(clause: string): string {
  return `${capital(clause)}.`;
}

function allOf(metrics: number): string {
  return metrics === 1 ? "the one metric" : `all ${metrics} metrics`;
}

function namesOf(
  arms: readonly ComparedArm[],
  state: ComparedCell["state"],
  name: ReturnType<typeof armNames>,
): string {
  const named = arms.slice(0, armsNamed).map(({ cells }) => {
    const changed = cells.filter((cell) => cell.state === state);
    const changes = changed.map(({ metric, ratio }) => `${metricLabel(metric)} ${changeText(ratio)}`);
    return `${name(changed[0] as ComparedCell)} (${changes.join(", ")})`;
  });
  const others = arms.length - armsNamed;
  return listed([...named, ...(others > 0 ? [counted(others, "other arm")] : [])]);
}

function armsWith(comparison: PairedComparison, state: ComparedCell["state"]): readonly ComparedArm[] {
  return armsOf(comparison)
    .filter(({ cells }) => cells.some((cell) => cell.state === state))
    .toSorted((one, other) => largestChange(other) - largestChange(one));
}

/** A version as the user named it, with its commit, and whether files differed from it: `main (4f1c2ab)`. */
export function versionText({ label, commit, dirty }: VersionComparison["base"]): string {
  const short = commit?.slice(0, shortCommit);
  const isSame = short !== undefined && label.startsWith(short);
  const notes = [
    ...(short === undefined || isSame ? [] : [short]),
    ...(dirty === true ? ["with uncommitted changes"] : []),
  ];
  return notes.length === 0 ? label : `${label} (${notes.join(", ")})`;
}

/** What no verdict rests on and still moved, as the first sentence of every document; empty where nothing did. */
function movedSentence(comparison: VersionComparison): string {
  const moved = movedText(comparison);
  return moved === "" ? "" : `Not judged, but changed: ${moved}. `;
}

/** What the machine did meanwhile, which the verdict's reader must know: other processes, warm-ups that were cut off. */
const ofMachine: ReadonlySet<string> = new Set(["busy", "throttled", "unsettled"]);

function machineSentences({ warnings }: VersionComparison): readonly string[] {
  return warnings.filter(({ code }) => ofMachine.has(code)).map(({ message }) => sentence(message));
}

/** The warnings that the verdict does not contain already. */
export function otherWarnings(comparison: VersionComparison): readonly Warning[] {
  const isOpen = comparison.kind === "side-by-side" && comparison.verdict !== "pass";
  return comparison.warnings.filter(({ code }) => code !== "different-jobs" && !(isOpen && ofMachine.has(code)));
}

function durationOf({ rounds, durationMs }: PairedComparison): string {
  return `${counted(rounds, "round")} in ${Math.round(durationMs / 1000)} s`;
}

function fail(comparison: PairedComparison): Omit<Verdict, "state"> {
  const { head, base, alpha, tolerate, recheck } = comparison;
  const again = recheck === null ? "" : ` ${counted(recheck.rounds, "fresh round")} showed it again, in new processes.`;
  return {
    word: "FAIL",
    headline: `${versionText(head)} costs more than ${versionText(base)}: ${namesOf(armsWith(comparison, "worse"), "worse", armNames(comparison))}.`,
    sureness: [
      `${durationOf(comparison)}; a job in which nothing lost more than ${shareText(tolerate)} fails with a probability of at most ${shareText(alpha)}.${again}`,
      ...machineSentences(comparison),
    ],
    next: "If the loss is wanted, raise --tolerate. comparison.html in the run directory draws both versions of these rows.",
  };
}

function pass(comparison: PairedComparison): Omit<Verdict, "state"> {
  const { cells, head, base, detect, passAlpha } = comparison;
  const most = cells
    .filter((cell) => mostLost(cell) !== null)
    .toSorted((one, other) => (mostLost(other) ?? 0) - (mostLost(one) ?? 0))[0];
  const name = armNames(comparison);
  const fits =
    most === undefined
      ? ""
      : ` The most that fits what was seen is ${changeText(mostLost(most) ?? 1)} (${name(most)}, ${metricLabel(most.metric)}).`;
  const better = armsWith(comparison, "better");
  const gains = better.length === 0 ? "" : ` It gained: ${namesOf(better, "better", name)}.`;
  return {
    word: "PASS",
    headline: `${capital(judgedText(comparison))} rose by less than ${shareText(detect)} from ${versionText(base)} to ${versionText(head)}, in ${allOf(cells.length)}.${gains}`,
    sureness: [
      `${durationOf(comparison)}; a job in which something lost ${shareText(detect)} or more passes with a probability of at most ${shareText(passAlpha)}.${fits}`,
      `Judged: ${judgedText(comparison)} alone. Means and tails are shown, not judged.`,
    ],
    next: "",
  };
}

function inconclusive(comparison: PairedComparison): Omit<Verdict, "state"> {
  const { cells, reason, mostRounds } = comparison;
  const ways = waysOut(comparison);
  const known = cells.filter(({ smallestDetectable }) => smallestDetectable !== null);
  const worst = known.toSorted((one, other) => (other.smallestDetectable ?? 0) - (one.smallestDetectable ?? 0))[0];
  const name = armNames(comparison);
  const seen =
    worst === undefined
      ? []
      : [
          `With noise like this, ${counted(mostRounds, "round")} find a loss of ${shareText(Number((worst.smallestDetectable ?? 0).toPrecision(2)))} nine times in ten (${name(worst)}, ${metricLabel(worst.metric)}; elsewhere smaller ones).`,
        ];
  return {
    word: "INCONCLUSIVE",
    headline: sentence(reason),
    sureness: [
      `${durationOf(comparison)}; this is neither a pass nor a fail.`,
      ...seen,
      ...machineSentences(comparison),
    ],
    next: `${ways.length === 0 ? "Use a quieter machine" : `At this noise ${ways.join(" or ")} should decide it, or use a quieter machine`}; --strict makes this a failure.`,
  };
}

const ofVerdict = { fail, pass, inconclusive } as const;

function withoutVerdict(comparison: VersionComparison): Omit<Verdict, "state"> {
  const gate = comparison.warnings.find(({ code }) => code === "different-jobs");
  return {
    word: "NO VERDICT",
    headline: `${comparison.head.label} and ${comparison.base.label} were measured in different jobs.`,
    sureness: gate === undefined ? [] : [sentence(gate.message)],
    next: "roundtrip compare with two git revisions measures both side by side in one job, which can be judged.",
  };
}

/** The verdict of a comparison; for two runs `NO VERDICT` with the reason. A tail or mean that moved comes first, whatever the verdict. */
export function verdictOf(comparison: VersionComparison): Verdict {
  const isJudged = comparison.kind === "side-by-side";
  const words = isJudged ? ofVerdict[comparison.verdict](comparison) : withoutVerdict(comparison);
  return {
    ...words,
    state: isJudged ? comparison.verdict : "none",
    headline: `${movedSentence(comparison)}${words.headline}`,
  };
}
