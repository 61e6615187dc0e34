// Warnings of how a run was recorded: targets, networks, samples of other tools, and the events of the run.
import type { Arm, Environment, LinkLimit, RunEvent, RunFacts, VoidCalls } from "@roundtrip/runs";
import { configurationOf, leftOutText, processEndText } from "@roundtrip/runs";
import { listed } from "../basics/words.ts";
import { foreignStudy } from "../from-long-form.ts";
import type { Warning } from "./warning.ts";

const limitTexts = {
  "tcp-sees-no-distance":
    "the distance is that of a relay, which delays what crosses it: round trips are counted rightly for small calls, but TCP itself sees " +
    "no distance, so slow start, windows, loss and the set-up of connections are not those of a network",
  "small-buffers":
    "the emulator's sockets cannot be widened here (that takes root, and Linux 5.6): bursts above some 130 KB lose packets " +
    "in addition to loss, so use bandwidth=100 or less for bulk data",
} as const satisfies Record<LinkLimit, string>;

function linkWarnings({ links = [] }: Environment): readonly Warning[] {
  const limits = new Set(links.flatMap(({ limits: own = [] }) => own));
  return [...limits].map((limit) => ({ code: "link-caveat", message: limitTexts[limit] }));
}

/** Empty if the run started all servers itself. */
function targetWarnings(arms: readonly Arm[]): readonly Warning[] {
  const elsewhere = arms.filter(({ target }) => target !== undefined);
  if (elsewhere.length === 0) return [];
  const ofEachStack = [...new Map(elsewhere.map((arm) => [configurationOf(arm), arm])).values()];
  const titles = ofEachStack.map(({ title }) => title).join(", ");
  const warnings: Warning[] = ofEachStack.map(({ title, target }) => ({
    code: "not-restarted",
    message: `${title} at ${target}: server not restarted between rounds: variation between its starts is not in the intervals; its CPU time is not known`,
  }));
  if (elsewhere.length < arms.length) {
    warnings.push({
      code: "mixed-places",
      message: `${titles} ran elsewhere: what sets it apart from the servers of this run is the machine and the network too`,
    });
  }
  if (!elsewhere.some(({ role }) => role === "floor")) {
    warnings.push({
      code: "no-floor",
      message: `no floor was measured where ${titles} ran: "roundtrip serve floor" there and --target floor=URL give one`,
    });
  }
  return warnings;
}

function voidText({ armId, calls, missing, doubled }: VoidCalls): string {
  const of = `of ${calls.toLocaleString("en-US")} calls`;
  if (doubled > 0) return `${armId}, ${doubled.toLocaleString("en-US")} ${of} were made twice`;
  return `${armId}, ${missing.toLocaleString("en-US")} ${of} are missing`;
}

/** The number of void blocks to list. */
const fewBlocks = 2;

const losses = {
  server: { code: "server-died", effect: "what it did not answer counts as failed" },
  client: { code: "client-died", effect: "what it had noted of its block is lost" },
} as const;

export function eventWarning(event: RunEvent): Warning {
  switch (event.kind) {
    case "imported":
      return {
        code: "imported",
        message: "the calls were made elsewhere: the machine, and whether answers were compared, are not recorded",
      };
    case "left-out":
      return { code: "left-out", message: leftOutText(event) };
    case "process-ended": {
      const { code, effect } = losses[event.role];
      const count = event.blocksLeftOut;
      const blocks = count === 1 ? "one block of that round was" : `${count} blocks of that round were`;
      const left = count === 0 ? "" : `; ${blocks} left out`;
      return { code, message: `${processEndText(event.end)} in round ${event.round + 1}: ${effect}${left}` };
    }
    case "round-lost":
      return { code: "round-lost", message: `round ${event.round + 1} was lost: ${processEndText(event.end)}` };
    case "generator-ended": {
      const how = `${processEndText(event.end)} in round ${event.round + 1}`;
      return { code: "generator-died", message: `${how}: the later calls of its segment are lost` };
    }
    case "instances-apart": {
      const apart = `segment ${event.last} began ${Math.round(event.skewMs)} ms after ${event.first}`;
      return { code: "k6-apart", message: `round ${event.round + 1} is void and left out: ${apart}` };
    }
    case "void-calls": {
      const { blocks } = event;
      const more = blocks.length > fewBlocks ? [`${blocks.length - fewBlocks} more`] : [];
      const why = listed([...blocks.slice(0, fewBlocks).map(voidText), ...more]);
      const are = blocks.length === 1 ? "a block is" : `${blocks.length} blocks are`;
      const message = `round ${event.round + 1}: ${are} void and left out, because calls were lost or doubled: ${why}`;
      return { code: "k6-void", message };
    }
    case "results-cut": {
      const where = `${event.file}:${event.line}`;
      const message = `${where}: the last line is cut off, because its instance was ended while it wrote; all lines before it are used`;
      return { code: "results-cut", message };
    }
  }
}

const foreignSamples: Warning = {
  code: "foreign-samples",
  message: "these samples were taken by another tool: how, where and whether answers were compared is not recorded",
};

export function recordWarnings({
  arms,
  environment,
  events,
}: Pick<RunFacts, "arms" | "environment" | "events">): readonly Warning[] {
  return [
    ...(arms.some(({ study }) => study === foreignStudy) ? [foreignSamples] : []),
    ...linkWarnings(environment),
    ...targetWarnings(arms),
    ...events.map(eventWarning),
  ];
}
