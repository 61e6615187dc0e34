// The network between client and server: which kinds there are here.
import { InvalidArgumentError, type Option } from "commander";
import { suggestion } from "./nearest-name.ts";
import { valueOption } from "./options.ts";

/** `auto` takes the best that the machine gives: so far that is loopback. */
export const linkNames = ["auto", "loopback"] as const;

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
