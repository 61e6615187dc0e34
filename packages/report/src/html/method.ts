// The method in short: what a sceptical reader asks first.
import { machineUseText } from "@roundtrip/analysis";
import { isImported } from "@roundtrip/runs";
import { agreementText, generatorsText } from "../words/run-text.ts";
import { connectionsNote } from "../rows/arm-table.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { html, type Markup } from "./markup.ts";

/** What is emphasised, and what follows it as sentences. */
type Statement = readonly [name: string, text: string];

const ratios: Statement = [
  "Differences are ratios",
  ", paired within rounds, with intervals that hold for a whole table at once: max-T from six rounds on, Student’s t from three to five, which assumes normal noise, so that such a difference is “likely” and not “clear”. “No difference” means that the interval of six rounds or more lies within ±2 %; “inconclusive” that it neither does nor excludes 1.",
];

const foreign: readonly Statement[] = [
  [
    "Taken elsewhere.",
    " Another tool took these samples. How it paced its calls, whether the first ones are among them, and whether the answers were compared is not known here. Ratios are to the first arm.",
  ],
];

const imported: readonly Statement[] = [
  [
    "Made elsewhere.",
    " No answers were compared here, and no first calls were made. Whether servers were warm and new, whoever ran it knows.",
  ],
  [
    "A round is one run of the generator",
    ", with all its instances; its arms ran in short blocks in the order of its plan, which was drawn from the seed. Intervals are at the level of rounds.",
  ],
];

function measured({ facts, analysis: { rounds, machineUse } }: ReportInput): readonly Statement[] {
  const isTarget = facts.arms.some(({ target }) => target !== undefined);
  const processes = isTarget
    ? "client processes, and server processes unless they ran already"
    : "server and client processes";
  const byOthers = generatorsText(facts.environment) !== undefined;
  return [
    ["Equal answers first", `, value by value. ${agreementText(facts)}.`],
    [
      "A round starts everything anew.",
      ` Each of ${rounds.complete} complete rounds had fresh ${processes}, because starts differ more than calls do. Intervals are at the level of rounds: requests inside a round are not independent observations.`,
    ],
    ["Interleaved.", " Inside a round the arms ran in short blocks in a random order taken from the seed."],
    ...(machineUse === null
      ? []
      : [
          [
            "Other work on the machine.",
            ` By the kernel’s count ${machineUseText(machineUse)}. A block that loses its core for more than a tenth of its time is flagged, and its calls count.`,
          ] as const,
        ]),
    [
      "The first call is apart.",
      ` It carries connection set-up and is in no other figure${byOthers ? "; this project’s own client made it" : ""}. Warm-up calls are not counted at all.`,
    ],
  ];
}

function loops({ arms }: ReportInput["facts"]): readonly Statement[] {
  const isOpen = arms.some(({ load }) => load?.loop === "open");
  const closed = arms.filter(({ load }) => load?.loop !== "open");
  const callers = Math.max(1, ...closed.map(({ factors }) => Number(factors["callers"] ?? 1)));
  const pause = closed.some(({ load }) => load !== undefined) ? ", or after a pause" : "";
  const many = callers > 1 ? `there were up to ${callers} callers at a time` : "there was one caller";
  return [
    ...(closed.length === 0
      ? []
      : [["Closed loop.", ` A caller starts its next task when the last one ended${pause}; ${many}.`] as const]),
    ...(isOpen
      ? [["Open loop.", " Tasks begin when their schedule says, and their latency counts from then."] as const]
      : []),
  ];
}

function statements(input: ReportInput): readonly Statement[] {
  const { facts } = input;
  if (isForeign(input)) return foreign;
  const generator = generatorsText(facts.environment);
  const shared = connectionsNote(facts.arms);
  return [
    ...(isImported(facts) ? imported : measured(input)),
    ...(generator === undefined
      ? []
      : [
          [
            "Another generator.",
            ` ${generator}: with the same requests, and the same arrivals where there is a schedule.`,
          ] as const,
        ]),
    ...loops(facts),
    ...(shared === ""
      ? []
      : [["Connections.", ` Every caller has one, which HTTP/2 shares among calls made at once. ${shared}`] as const]),
    ...(facts.arms.some(({ role }) => role === "floor")
      ? [
          [
            "The floor",
            " is a raw TCP echo of the bare messages, called in the same way: what no style can beat.",
          ] as const,
        ]
      : []),
  ];
}

/** What Roundtrip's runner did; for imported samples only what analysis does with them. */
export function methodSection(input: ReportInput): Markup {
  const items = [...statements(input), ratios].map(([name, text]) => html`<li><strong>${name}</strong>${text}</li>`);
  return html`<section aria-labelledby="method">
    <h2 id="method">Method</h2>
    <ul>
      ${items}
    </ul>
  </section>`;
}
