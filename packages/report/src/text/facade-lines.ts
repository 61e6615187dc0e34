// What the façade saves, in one line a style: `REST  6 calls 1.24 ms, one 0.21 ms: 5.6 × (4.6 to 6.8)`.
import { counted, durationText } from "@roundtrip/analysis";
import type { ReportInput } from "../view/report-input.ts";
import { markedTitle } from "../view/marks.ts";
import { undecidedText, timesText } from "../words/ratio-text.ts";
import { clip, pad, printable, type Inks } from "./text-table.ts";

/** Of the first task that was measured as façade and as sequential calls; empty without one. @param most maximum number of styles */
export function facadeLines({ analysis, page }: ReportInput, most: number, ink: Inks): readonly string[] {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  const means = new Map(
    analysis.summaries.filter(({ metric }) => metric === "latencyMs").map(({ armId, mean }) => [armId, mean]),
  );
  const rows = analysis.claims.flatMap((claim) => {
    const [chatty, facade] = claim.armIds.map((id) => arms.get(id));
    const isWanted = claim.kind === "variant" && chatty?.variant === "chatty" && chatty.callsPerTask > 1;
    return isWanted && facade !== undefined ? [{ claim, chatty, facade }] : [];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const ofTask = rows.filter(({ claim }) => claim.study === first.claim.study && claim.task === first.claim.task);
  const titles = ofTask.map(({ chatty }) => printable(markedTitle(analysis, chatty)));
  const width = Math.max(...titles.map(({ length }) => length));
  const lines = ofTask.slice(0, most).map(({ claim, chatty, facade }, index) => {
    const [many, one] = [chatty, facade].map(({ id }) => durationText(means.get(id) ?? 0));
    const ratio = claim.strength === "open" ? undecidedText(claim) : timesText(claim);
    const text = `${counted(chatty.callsPerTask, "call")} ${many}, one ${one}: ${ratio}`;
    return clip(`${pad(titles[index] ?? "", width, "start")}  ${text}`, page.columns);
  });
  return [ink.heading(`façade: one ${first.claim.task} in one call or in ${first.chatty.callsPerTask}`), ...lines];
}
