// A network for rattan, the emulator that stands in where the kernel has no netem: https://docs.stack.rs/rattan
import type { LinkSettings } from "../../study/link-settings.ts";
import { queueBytes } from "./paced-line.ts";

interface Cell {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The cells that packets of one direction pass. Only what is needed: each costs every packet a queue. */
function cellsOf(direction: "up" | "down", { rttMs, bandwidthMbps, loss }: LinkSettings): readonly Cell[] {
  const cell = (name: string, ...lines: string[]): Cell => ({ name: `${direction}_${name}`, lines });
  const delay = cell("delay", 'type = "Delay"', `delay = "${Math.round((rttMs / 2) * 1000)}us"`);
  const lossy = loss === 0 ? [] : [cell("loss", 'type = "Loss"', `pattern = [${loss}]`)];
  if (bandwidthMbps === undefined) return [...lossy, delay];
  const bandwidth = cell(
    "bandwidth",
    'type = "Bw"',
    `bandwidth = "${Math.round(bandwidthMbps * 1000)}Kbps"`,
    'queue = "DropTail"',
    `queue_config = { byte_limit = ${queueBytes(bandwidthMbps)} }`,
  );
  return [...lossy, bandwidth, delay];
}

/** From one end to the other, cell by cell. */
function path(from: string, cells: readonly Cell[], to: string): readonly string[] {
  const stations = [from, ...cells.map(({ name }) => name), to];
  return stations.slice(1).map((station, index) => `${stations[index]} = "${station}"`);
}

/** The configuration file, in TOML. */
export function rattanConfig(settings: LinkSettings): string {
  const up = cellsOf("up", settings);
  const down = cellsOf("down", settings);
  return [
    "[env]",
    'mode = "Isolated"',
    ...[...up, ...down].flatMap(({ name, lines }) => [`[cells.${name}]`, ...lines]),
    "[links]",
    ...path("left", up, "right"),
    ...path("right", down, "left"),
    "[commands]",
    // It ends when these do.
    'left = ["sleep", "infinity"]',
    'right = ["sleep", "infinity"]',
    "",
  ].join("\n");
}
