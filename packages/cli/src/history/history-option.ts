// The flag for the history file, the same on every command, so that one setting serves all.
import type { Option } from "commander";
import { valueOption } from "../options/options.ts";

/** The default path of `roundtrip history`. */
export const usualHistoryPath = ".roundtrip/history.db";

export const historyOption = (): Option =>
  valueOption(
    "output",
    "--history <file>",
    `the file in which runs of a branch are kept (bench: only when given; history: ${usualHistoryPath})`,
  );
