// How the numbers were obtained, in short and honestly: what a sceptical reader asks first.
import type { ReportInput } from "../report-input.ts";
import { html, type Html } from "./escape.ts";

export function methodSection({ facts }: ReportInput): Html {
  const { verification, roundsDone } = facts;
  return html`<section aria-labelledby="method">
    <h2 id="method">Method</h2>
    <ul>
      <li>
        <strong>Equal answers first.</strong> ${verification.responsesCompared} responses in
        ${verification.answerGroups} groups were compared, value by value, before anything was timed:
        ${verification.agreed ? "all agreed" : "they did not agree"}.
      </li>
      <li>
        <strong>A round starts everything anew.</strong> In each of the ${roundsDone} rounds every arm had fresh server
        and client processes, because starts differ more than calls do. Intervals are therefore at the level of rounds:
        requests inside a round are not independent observations.
      </li>
      <li>
        <strong>Interleaved.</strong> Inside a round the arms ran in short blocks in a random order taken from the seed,
        so that drift and neighbours hit all of them alike.
      </li>
      <li>
        <strong>The first call is apart.</strong> It carries connection set-up and is in no other figure. Warm-up calls
        are not counted at all.
      </li>
      <li>
        <strong>Closed loop, one caller.</strong> The next task starts when the last one ended. This says nothing about
        latency under load.
      </li>
      <li>
        <strong>The floor</strong> is a raw TCP echo of as many bytes between the same processes: what no style can
        beat.
      </li>
      <li>
        <strong>Differences are ratios</strong>, paired within rounds, with intervals that hold for a whole table at
        once (max-T). “No difference” means that the interval lies within ±2 %; “inconclusive” that it neither does nor
        excludes 1.
      </li>
    </ul>
  </section>`;
}
