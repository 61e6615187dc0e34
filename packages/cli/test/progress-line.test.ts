// Where progress is shown: the line is written over again and again, which not every terminal can.
import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { ProgressLine } from "../src/bench/progress.ts";

/** What a terminal of 40 columns gets. */
function shownOn(kind: string): string {
  vi.stubEnv("TERM", kind);
  onTestFinished(() => void vi.unstubAllEnvs());
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  const progress = new ProgressLine(terminal as unknown as WriteStream, true);
  progress.show(0.5, "round 3 of 6, 28 s left on a slow machine");
  progress.clear();
  return String(terminal.read() ?? "");
}

it("is one line of a terminal", () => {
  const shown = stripVTControlCharacters(shownOn("xterm"));
  expect(shown).toMatch(/^█{12}░{12} 50 % {2}round 3 $/);
  expect(shown).toHaveLength(39);
});

it("is not shown on a dumb terminal, where nothing can be written over", () => {
  expect(shownOn("dumb")).toBe("");
});
