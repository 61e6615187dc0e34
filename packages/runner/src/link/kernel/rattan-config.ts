// The configuration of rattan, the emulator for kernels without netem: https://docs.stack.rs/rattan
import type { LinkSettings } from "../../study/link-settings.ts";
import { queueBytes } from "./paced-line.ts";

interface Cell {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The cells for packets of one direction. Only those needed, because each costs every packet a queue. */
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

function path(from: string, cells: readonly Cell[], to: string): readonly string[] {
  const stations = [from, ...cells.map(({ name }) => name), to];
  return stations.slice(1).map((station, index) => `${stations[index]} = "${station}"`);
}

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
    // The link ends when these do.
    'left = ["sleep", "infinity"]',
    'right = ["sleep", "infinity"]',
    "",
  ].join("\n");
}
