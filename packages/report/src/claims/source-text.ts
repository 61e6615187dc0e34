// The text about a publication beside a study: its setting, its findings, and whether this run reproduces them.
import type { ClaimKind, PublishedClaim, PublishedFigures, ReportInput } from "../view/report-input.ts";
import { kneeMoves, modelPredicts, responseExplodes, thinkingShortens, workGrows, type Judge } from "./judges.ts";

const judges = {
  "thinking-shortens-round-trips": thinkingShortens,
  "model-predicts-round-trips": modelPredicts,
  "response-explodes-at-capacity": responseExplodes,
  "knee-moves": kneeMoves,
  "work-grows-and-transport-stays": workGrows,
} as const satisfies Readonly<Record<ClaimKind, Judge>>;

function claimText(input: ReportInput, study: string, { found, kind }: PublishedClaim): string {
  const shown = judges[kind](input, study);
  if (shown === null) return `It found that ${found}; this run cannot show it.`;
  const { here, isAlike } = shown;
  return `It found that ${found}. ${isAlike === null ? "Here" : isAlike ? "So it is here" : "Not so here"}: ${here}.`;
}

/** Everything except its name, as sentences. */
export function sourceText(input: ReportInput, { study, source, setting, caveats, claims }: PublishedFigures): string {
  return [`${source}.`, setting, ...caveats, ...claims.map((claim) => claimText(input, study, claim))].join(" ");
}
