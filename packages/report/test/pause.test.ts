// What a run about pauses looks like in every document: the call after a pause beside the same call at once, as a table and as a picture.
import { describe, expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { costedArm, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

/** Both circumstances of 277 KB there and back at 20 ms, over one network. */
function callsOver(control: string, restart: boolean, pausedMs: number): readonly CostedArm[] {
  const factors = { payloadBytes: 277_000, rttMs: 20, congestionControl: control, slowStartAfterIdle: restart };
  const work = { study: "network-idle", task: "echo", stack: "grpc-js", title: "gRPC", factors };
  return [
    costedArm({ ...work, variant: "at-once" }, { latencyMs: 25, wireBytes: 554_400 }),
    costedArm({ ...work, variant: "after-pause" }, { latencyMs: pausedMs, wireBytes: 554_400 }),
  ];
}

const arms = [...callsOver("cubic", true, 185), ...callsOver("cubic", false, 25), ...callsOver("bbr", true, 25)];
const input = inputFrom(arms, 60);
const render = async (name: string): Promise<string> =>
  (await loadFormat(name)).render({ ...input, page: { columns: 80, introducer: "" } });

function tableIn(text: string): readonly string[] {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.includes("the call after a pause, against the same call at once"));
  return lines.slice(begin, begin + 12);
}

describe("a run about pauses", () => {
  test("says in a terminal of 80 columns what each pause cost and what it must, and no line is wider", async () => {
    const lines = tableIn(await render("terminal"));
    const cubic = lines.find((line) => /cubic, restart on/.test(line));
    expect(cubic).toMatch(/cubic, restart on +2\d\.\d +1\d\d +[678]\.\d\d× +[\d.]+× to [\d.]+× +[78]\.\d +8$/);
    expect(lines.find((line) => /cubic, restart off/.test(line))).toMatch(/ −?0\.\d +0$/);
    expect(lines.find((line) => /bbr, restart on/.test(line))).toMatch(/ −?0\.\d +0$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("has no other table and no box plot of the same calls in a terminal, where bulk data would say them again", async () => {
    const text = await render("terminal");
    for (const caption of ["latency and cost", "latency per task", "bulk data"]) expect(text).not.toContain(caption);
    expect(await render("markdown")).toContain("latency and cost");
  });

  test.each(["html", "markdown"])("has the same rows in %s", async (name) => {
    const text = await render(name);
    expect(text).toContain("the call after a pause, against the same call at once");
    for (const network of ["cubic, restart on", "cubic, restart off", "bbr, restart on"])
      expect(text).toContain(network);
  });
});
