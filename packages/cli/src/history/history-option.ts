// The flag for the history file, the same on every command, so that one setting serves all.
import type { Option } from "commander";
import { valueOption } from "../options/options.ts";

/** The default path of `roundtrip history`. */
export const usualHistoryPath = ".roundtrip/history.db";

export const historyOption = (description: string): Option => valueOption("output", "--history <file>", description);
