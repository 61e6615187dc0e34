// The network between client and server: which kinds there are, and what can be asked of it.
import { InvalidArgumentError, type Option } from "commander";
import { suggestion } from "./nearest-name.ts";
import { valueOption } from "./options.ts";

/** `auto` takes the first of the others that can carry what is asked for on this machine. */
export const linkNames = ["auto", "loopback", "kernel", "relay"] as const;

type LinkName = (typeof linkNames)[number];

function linkOf(value: string): LinkName {
  const known = linkNames.find((name) => name === value);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(
    `there is no such link (known: ${linkNames.join(", ")})${suggestion(value, linkNames)}`,
  );
}

export function linkOption(): Option {
  return valueOption("subject", "--link <kind>", `network between client and server: ${linkNames.join(", ")}`)
    .argParser(linkOf)
    .default("auto");
}

/** Farther than the moon and back is no network that an API is called over. */
const mostRttMs = 3_000;
const mostLevels = 8;

/** Round-trip times in milliseconds, each once. */
function roundTripsOf(value: string): readonly number[] {
  const times = [...new Set(value.split(",").map((text) => (text.trim() === "" ? Number.NaN : Number(text))))];
  if (times.every((ms) => ms >= 0 && ms <= mostRttMs) && times.length <= mostLevels) return times;
  throw new InvalidArgumentError(
    `it must be up to ${mostLevels} round-trip times in ms, 0 to ${mostRttMs}, such as 1,50,100`,
  );
}

export function roundTripOption(): Option {
  return valueOption(
    "subject",
    "--rtt <ms>",
    "round-trip times between client and server, several with commas (default: the study's)",
  ).argParser(roundTripsOf);
}
