// The predictions of the 1996 study, repeated: from its service demands come the figures that it printed.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exactMva, readClosedNetwork, simulate, simulatedNetwork, type ClosedNetwork } from "../../src/models.ts";

interface Study {
  readonly table1_serviceDemandMs: Readonly<Record<string, readonly number[]>>;
  readonly table2_onePacket: { readonly rows: readonly (readonly number[])[] };
}

const study = JSON.parse(
  readFileSync(new URL("../../../../bench/reference/khandker-1996.json", import.meta.url), "utf8"),
) as Study;

function networkOf(packets: string, population: number, thinkMs: number): ClosedNetwork {
  const [client, clientLater, controllers, wire, wireLater, server, serverLater] =
    study.table1_serviceDemandMs[packets] ?? [];
  return readClosedNetwork({
    classes: [{ name: "callers", population, thinkMs }],
    stations: [
      { name: "client CPU", service: "constant", demandMs: client, phaseTwoMs: clientLater },
      { name: "network", service: "constant", demandMs: wire, phaseTwoMs: wireLater },
      { name: "server CPU", service: "constant", demandMs: server, phaseTwoMs: serverLater },
      { name: "controllers", kind: "delay", service: "constant", demandMs: controllers },
    ],
  });
}

const rows = study.table2_onePacket.rows.map(([threads = 0, thinkMs = 0, predictedMs = 0]) => ({
  threads,
  thinkMs,
  predictedMs,
}));

describe("the study of 1996, one packet", () => {
  it.each(rows)("predicts $predictedMs ms for $threads callers that think $thinkMs ms", (row) => {
    const { classes } = exactMva(networkOf("1", row.threads, row.thinkMs));
    expect(Math.abs((classes[0]?.roundTripMs ?? 0) - row.predictedMs)).toBeLessThanOrEqual(0.02);
  });

  it("is simulated within the 12 % that the study reports for its own simulation", () => {
    for (const { threads, thinkMs, predictedMs } of rows) {
      const { sources } = simulate(simulatedNetwork(networkOf("1", threads, thinkMs)), { seed: 7, roundTrips: 10_000 });
      expect(Math.abs((sources[0]?.responseMs ?? 0) / predictedMs - 1)).toBeLessThan(0.12);
    }
  });

  it("says what about it is approximate", () => {
    expect(exactMva(networkOf("1", 3, 9)).approximations).toEqual([
      "constant service times are met by half a utilisation less",
      "second phases are queued for as if callers stayed for them",
    ]);
  });
});
