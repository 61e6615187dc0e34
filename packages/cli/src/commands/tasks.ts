// `roundtrip tasks`: makes tasks and arrivals for `bench` from the log of a server.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { keyValues } from "../options/key-values.ts";
import { contractOption, duration, jsonOption, valueOption, wholeNumber } from "../options/options.ts";
import type { tasks } from "../actions/tasks.ts";
import type { StretchOptions } from "../tasks/arrivals.ts";
import type { FieldMap } from "../tasks/log-formats.ts";

const name = (text: string): string => text;

const fields = {
  time: name,
  method: name,
  target: name,
  status: name,
  "grpc-status": name,
  "media-type": name,
  body: name,
} satisfies Record<keyof FieldMap, unknown>;

const stretchKeys = keyValues({ window: duration, speed: wholeNumber(1, 100_000) });

function stretchOf(text: string): Partial<StretchOptions> {
  const { window, speed } = stretchKeys(text);
  return { ...(window && { windowMs: window }), ...(speed && { speed }) };
}

export function makeCommand(): Command {
  return newCommand("tasks", {
    description: "make tasks and arrivals for bench from logs",
    arguments: [new Argument("<logs...>", "access logs, HAR files, or those of a fake")],
    options: [
      contractOption(),
      valueOption("subject", "--base-path <path>", "what precedes the contract's paths in the log"),
      valueOption("subject", "--fields <field=member>", "names in JSON lines: time=ts").argParser(keyValues(fields)),
      valueOption(
        "effort",
        "--stretch <keys>",
        "the busiest, which is written: window=3s, replayed at speed=1",
      ).argParser(stretchOf),
      valueOption("output", "--out <file>", "the tasks; the arrivals go beside them").default("day.yaml"),
      jsonOption(),
    ],
    examples: ["roundtrip tasks access.log --contract ./proto --out day.yaml"],
    topics: ["logs", "contract", "config"],
    run: async (...args: Parameters<typeof tasks>) => (await import("../actions/tasks.ts")).tasks(...args),
  });
}
