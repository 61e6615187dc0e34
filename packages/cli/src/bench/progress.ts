// What `bench` prints while it measures: the plan, and a line that shows progress.
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";
import { type MeasureOptions, type Progress, type SettingLevels, shownUrl } from "@roundtrip/runner";

const redrawEveryMs = 200;
const barWidth = 24;

export class ProgressLine {
  readonly #stream: WriteStream;
  readonly #enabled: boolean;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  constructor(stream: WriteStream, wanted: boolean) {
    this.#stream = stream;
    this.#enabled = wanted && stream.isTTY && process.env["TERM"] !== "dumb";
  }

  /** Shows progress, a few times a second at most. @param done share of the work, from 0 to 1. */
  show(done: number, text: string): void {
    const now = performance.now();
    if (!this.#enabled || now - this.#drawnAtMs < redrawEveryMs) return;
    this.#drawnAtMs = now;
    const filled = Math.round(done * barWidth);
    const line = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(done * 100)} %  ${text}`;
    cursorTo(this.#stream, 0);
    this.#stream.write(line.slice(0, Math.max((this.#stream.columns || 80) - 1, 20)));
    clearLine(this.#stream, 1);
  }

  clear(): void {
    if (this.#drawnAtMs === Number.NEGATIVE_INFINITY) return;
    this.#drawnAtMs = Number.NEGATIVE_INFINITY;
    cursorTo(this.#stream, 0);
    clearLine(this.#stream, 0);
  }
}

/** A duration for people: `57 s`, `3 min`. */
export function durationText(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;
}

export function progressText({ round, rounds, studies, searched, done, remainingMs }: Progress): string {
  const now = studies.length === 0 ? "" : `${studies.join(" and ")}, `;
  if (searched !== undefined) return `${now}searching what ${searched} carries`;
  if (done === 0) return `${now}starting servers and clients`;
  const left = remainingMs === undefined ? "" : `, ${durationText(Math.max(remainingMs, 0))} left`;
  return `${now}round ${round + 1} of ${rounds}${left}`;
}

/** The settings of a stack or service in the plan: ` with requestCompression=identity,gzip`. */
function settingText(levels: SettingLevels[string] = {}): string {
  const each = Object.entries(levels).map(([name, values]) => `${name}=${values.join(",")}`);
  return each.length === 0 ? "" : ` with ${each.join(" ")}`;
}

/** `, by k6 v1.8.1 in 2 instances`; empty for Roundtrip's own clients. */
function generatorText(engine: MeasureOptions["engine"]): string {
  const [first] = engine?.generators ?? [];
  if (engine === undefined || first === undefined) return "";
  const { length } = engine.generators;
  return `, by ${first.name} ${first.version}${length === 1 ? "" : ` in ${length} instances`}`;
}

/** The plan in one line: subjects, duration and directory. */
export function planText(options: MeasureOptions): string {
  const { studies, stacks, settings, targets, rounds, budgetMs, typed, directory, engine } = options;
  const what = studies.map(({ name }) => name).join(" and ");
  const urls = new Map(targets.map(({ stack, url }) => [stack, ` at ${shownUrl(url)}`]));
  const where = stacks
    .map(({ name, title }) => `${title}${urls.get(name) ?? ""}${settingText(settings[name])}`)
    .join(", ");
  const services = Object.keys(settings).filter((name) => !stacks.some((stack) => stack.name === name));
  const served = services.map((name) => `, ${name}${settingText(settings[name])}`).join("");
  const counted = `${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  // The budget is for the rounds that studies declare.
  const usualMs = budgetMs * Math.min(1, rounds / Math.max(...studies.map((study) => study.rounds)));
  const howLong =
    typed?.has("budget") === true
      ? `up to ${counted} within ${durationText(budgetMs)}`
      : `${counted} in about ${durationText(usualMs)}`;
  return `Measuring ${what} over ${where}${served}${generatorText(engine)}: ${howLong}, into ${directory}\n`;
}
