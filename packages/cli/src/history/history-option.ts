// The flag that names a history file: the same on every command, so that one setting serves all of them.
import type { Option } from "commander";
import { valueOption } from "../options.ts";

/** Where a history is unless another place is named. */
export const usualHistoryPath = ".roundtrip/history.db";

export function historyOption(description: string): Option {
  return valueOption("output", "--history <file>", description);
}
