// The method in short: what a sceptical reader asks first.
import { counted, listed, machineUseText } from "@roundtrip/analysis";
import { type Arm, configurationOf, isImported, type RoundTime, type RunFacts } from "@roundtrip/runs";
import { html, type Markup } from "./escape.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { agreementInGroups, generatorsText } from "../words/environment-text.ts";

/** One sentence about arms with parallel calls; empty without any, or where their connections are unknown. */
export function connectionsNote(arms: readonly Arm[]): string {
  const atOnce = arms.flatMap(({ connections, ...arm }) =>
    arm.variant !== "chatty-parallel" || connections === undefined ? [] : [{ ...arm, connections }],
  );
  const most = [...Map.groupBy(atOnce, configurationOf).values()].flatMap((ofStack) =>
    ofStack.slice(0, 1).map(({ title }) => ({ title, count: Math.max(...ofStack.map((arm) => arm.connections)) })),
  );
  const each = [...Map.groupBy(most, ({ count }) => count)].map(([count, alike]) => {
    const titles = alike.map(({ title }) => title);
    return `${count === 1 ? "one connection" : `${count} connections`} over ${listed(titles)}`;
  });
  return each.length === 0 ? "" : `Calls made at once shared ${listed(each)}.`;
}

const phases: readonly { readonly of: Exclude<keyof RoundTime, "round">; readonly name: string }[] = [
  { of: "startingMs", name: "starting processes" },
  { of: "firstCallsMs", name: "first calls" },
  { of: "verificationMs", name: "comparing answers" },
  { of: "warmUpMs", name: "warm-up" },
  { of: "blocksMs", name: "blocks that are timed" },
  { of: "endingMs", name: "ending processes and writing" },
];

function meanOf(times: readonly RoundTime[], of: (typeof phases)[number]["of"]): number {
  return times.reduce((sum, time) => sum + time[of], 0) / times.length;
}

/** `On average a round took 8.1 s: 2 s (25 %) for starting processes, …`; empty for runs without round times. */
function roundTimeText({ roundTimes = [] }: Pick<RunFacts, "roundTimes">): string {
  if (roundTimes.length === 0) return "";
  const means = phases.map(({ of, name }) => ({ name, ms: meanOf(roundTimes, of) }));
  const wholeMs = means.reduce((sum, { ms }) => sum + ms, 0);
  const parts = means.map(
    ({ name, ms }) => `${(ms / 1000).toFixed(1)} s (${Math.round((100 * ms) / wholeMs)} %) for ${name}`,
  );
  return `On average a round took ${(wholeMs / 1000).toFixed(1)} s: ${listed(parts)}`;
}

function foreignMethod(): Markup {
  return html`<section aria-labelledby="method">
    <h2 id="method">Method</h2>
    <ul>
      <li>
        <strong>Taken elsewhere.</strong> Another tool took these samples. How it paced its calls, whether the first
        ones are among them, and whether the answers were compared is not known here.
      </li>
      <li>
        <strong>Differences are ratios</strong> to the first arm, paired within rounds where the samples name rounds,
        with intervals that hold for the whole table at once: max-T from six rounds on, Student’s t from three to five,
        which assumes normal noise. Fewer rounds give no interval.
      </li>
    </ul>
  </section>`;
}

function measuredRounds(complete: number, elsewhere: boolean): Markup {
  return html`<li>
    <strong>A round starts everything anew.</strong> In each of ${counted(complete, "complete round")} every stack had
    ${elsewhere ? "a fresh client process and, unless its server ran already (a target), a fresh server process" : "fresh server and client processes"},
    because starts differ more than calls do. Intervals are therefore at the level of rounds: requests inside a round
    are not independent observations.
  </li>`;
}

/** The method of Roundtrip's own rounds. Each statement has its counterpart in {@link importedMethod}. */
function measuredMethod({ facts, analysis: { rounds, machineUse } }: ReportInput): Markup {
  const elsewhere = facts.arms.some(({ target }) => target !== undefined);
  const byOthers = generatorsText(facts.environment) !== undefined;
  const seconds = roundTimeText(facts);
  return html`<li><strong>Equal answers first</strong>, value by value. ${agreementInGroups(facts)}.</li>
    ${measuredRounds(rounds.complete, elsewhere)}
    <li>
      <strong>Interleaved.</strong> Inside a round the arms ran in short blocks in a random order taken from the seed,
      so that drift and neighbours hit all of them alike.
    </li>
    ${
      machineUse === null
        ? ""
        : html`<li>
            <strong>Other work on the machine.</strong> By the kernel’s count ${machineUseText(machineUse)}. A block
            that loses its core for more than a tenth of its time is flagged, and its calls count.
          </li>`
    }
    <li>
      <strong>The first call is apart.</strong> It carries connection set-up and is in no other
      figure${byOthers ? "; this project’s own client made it" : ""}. Warm-up calls are not counted at all.
    </li>
    ${seconds === "" ? "" : html`<li><strong>Where the time went.</strong> ${seconds}.</li>`}`;
}

function importedMethod(): Markup {
  return html`<li>
      <strong>Made elsewhere.</strong> No answers were compared here; each call was checked for its own outcome alone.
      Whether servers were warm, and nothing else was running, whoever ran it knows.
    </li>
    <li>
      <strong>A round is one run of the generator</strong>, with all its instances. Whether servers were started anew
      for it, whoever ran it knows. Intervals are at the level of rounds: requests inside a round are not independent
      observations.
    </li>
    <li>
      <strong>Interleaved as planned.</strong> Inside a round the arms ran in short blocks in the order of its plan,
      which was drawn from the seed. A round that was run twice has the same order and the same arrivals again.
    </li>
    <li>
      <strong>No first calls.</strong> What setting up a connection costs is in no figure: each virtual user did the
      task of a block once, unmeasured, before the block began.
    </li>`;
}

function loops({ arms }: ReportInput["facts"]): Markup {
  const open = arms.filter(({ load }) => load?.loop === "open");
  const closed = arms.filter((arm) => !open.includes(arm));
  const callers = Math.max(1, ...closed.map(({ factors }) => Number(factors["callers"] ?? 1)));
  const rests = closed.some(({ load }) => load !== undefined) ? ", or after a pause" : "";
  return html`${
    closed.length === 0
      ? ""
      : html`<li>
          <strong>Closed loop.</strong> A caller starts its next task when the last one ended${rests};
          ${callers > 1 ? `there were up to ${callers} callers at a time` : "there was one caller, so this says nothing about latency under load"}.
        </li>`
  }
  ${
    open.length === 0
      ? ""
      : html`<li>
          <strong>Open loop.</strong> Tasks that have a rate begin when their schedule says, whatever has been answered;
          their latency counts from then.
        </li>`
  }`;
}

/** Describes what Roundtrip's runner does; for imported samples only what analysis does with them. */
export function methodSection(input: ReportInput): Markup {
  const { facts } = input;
  if (isForeign({ facts })) return foreignMethod();
  const generator = generatorsText(facts.environment);
  const hasFloor = facts.arms.some(({ role }) => role === "floor");
  const shared = connectionsNote(facts.arms);
  return html`<section aria-labelledby="method">
    <h2 id="method">Method</h2>
    <ul>
      ${isImported(facts) ? importedMethod() : measuredMethod(input)}
      ${
        generator === undefined
          ? ""
          : html`<li>
              <strong>Another generator.</strong> ${generator}: with the same requests, and the same arrivals where
              there is a schedule. A call counts from before it was made in the generator's script until its answer was
              there. Bytes are counted by the task, and spread evenly over its calls.
            </li>`
      }
      ${loops(facts)}
      ${
        shared === ""
          ? ""
          : html`<li>
              <strong>Connections.</strong> Every caller has one, which HTTP/2 shares among calls made at once and
              HTTP/1.1 cannot. ${shared}
            </li>`
      }
      ${
        hasFloor
          ? html`<li>
              <strong>The floor</strong> is a raw TCP echo of the bare messages (request and response as protobuf,
              without the headers of any protocol and so fewer bytes than a style moves), called in the same way between
              processes of its own: what no style can beat.
            </li>`
          : ""
      }
      <li>
        <strong>Differences are ratios</strong>, paired within rounds, with intervals that hold for a whole table at
        once: max-T from six rounds on, Student’s t from three to five, which assumes normal noise, so that such a
        difference is “likely” and not “clear”. “No difference” means that the interval of six rounds or more lies
        within ±2 %; “inconclusive” that it neither does nor excludes 1.
      </li>
    </ul>
  </section>`;
}
