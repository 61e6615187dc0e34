// Reads a report of schemathesis, which has one event per line: the cases and their failed checks.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Finding } from "../suite.ts";

interface Answer {
  readonly status_code: number;
  readonly content: { readonly $base64: string } | null;
}

interface Recorder {
  readonly cases: Readonly<Record<string, { readonly value: { readonly method: string; readonly path: string } }>>;
  readonly checks?: Readonly<Record<string, readonly Check[]>>;
  readonly interactions?: Readonly<
    Record<string, { readonly request: { readonly uri: string }; readonly response: Answer | null }>
  >;
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly title: string; readonly message: string } };
}

interface Event {
  readonly ScenarioFinished?: { readonly recorder: Recorder };
  readonly NonFatalError?: { readonly label: string; readonly value: unknown };
  readonly FatalError?: unknown;
  readonly EngineFinished?: { readonly stop_reason: string };
}

/** Totals of one pass or of the whole run. */
export interface Tally {
  sent: number;
  passed: number;
  readonly findings: Map<string, Finding>;
}

/** The path of a field; one ellipsis for all generated names, which are no separate kinds. */
function kindOfField(field: string): string {
  return /^[a-z]\w+(\.\w+|\[\d+\])*$/i.test(field) ? field.replaceAll(/\d+/g, "0") : "…";
}

function problemIn(answer: Answer | null): string {
  try {
    const text = Buffer.from(answer?.content?.$base64 ?? "", "base64").toString("utf8");
    const { code = "", violations = [] } = JSON.parse(text) as {
      readonly code?: string;
      readonly violations?: readonly { readonly field: string; readonly reason: string }[];
    };
    return [code, ...new Set(violations.map(({ field, reason }) => `${kindOfField(field)}/${reason}`))]
      .join(" ")
      .trimEnd();
  } catch {
    return "";
  }
}

function takeRecord({ cases, checks = {}, interactions = {} }: Recorder, tally: Tally): void {
  for (const [id, { request, response }] of Object.entries(interactions)) {
    tally.sent += 1;
    const { method, path } = cases[id]?.value ?? { method: "?", path: "?" };
    const failed = (checks[id] ?? []).filter(({ status }) => status === "failure");
    if (failed.length === 0) tally.passed += 1;
    for (const { name, failure_info: info } of failed) {
      const { title = "", message = "" } = info?.failure ?? {};
      // For accepted invalid data, the check names the invalid component.
      const broken = /^Invalid component: (.*)$/m.exec(message)?.[1] ?? "";
      const place = `${method} ${path} ${response?.status_code ?? "no answer"}`;
      const key = [name, place, problemIn(response), broken].filter((text) => text !== "").join(" ");
      if (tally.findings.has(key)) continue;
      tally.findings.set(key, { id: key, text: `${title}: ${message.split("\n", 1)[0]} at ${request.uri}` });
    }
  }
}

/** Adds a report to the totals. Rejects for an incomplete run. */
export async function takeReport(path: string, tally: Tally): Promise<void> {
  let stopReason = "without a word";
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const event = JSON.parse(line) as Event;
    if (event.ScenarioFinished !== undefined) takeRecord(event.ScenarioFinished.recorder, tally);
    if (event.NonFatalError !== undefined) {
      const id = `error ${event.NonFatalError.label}`;
      tally.findings.set(id, { id, text: JSON.stringify(event.NonFatalError.value) });
    }
    if (event.FatalError !== undefined) throw new Error(`schemathesis gave up: ${JSON.stringify(event.FatalError)}`);
    stopReason = event.EngineFinished?.stop_reason ?? stopReason;
  }
  if (stopReason !== "completed") throw new Error(`schemathesis ended: ${stopReason}`);
}
