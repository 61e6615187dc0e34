// The flag that names a history file: the same on every command, so that one setting serves all of them.
import type { Option } from "commander";
import { valueOption } from "../options/options.ts";

/** Where `roundtrip history` looks unless another place is named. */
export const usualHistoryPath = ".roundtrip/history.db";

export const historyOption = (): Option =>
  valueOption(
    "output",
    "--history <file>",
    `the file in which runs of a branch are kept (bench: only when given; history: ${usualHistoryPath})`,
  );
