// The flags for running servers, the same on every command.
import type { Option } from "commander";
import { valueOption } from "../options/options.ts";
import { targetsOf } from "./typed-target.ts";

export const targetOption = (): Option =>
  valueOption(
    "subject",
    "--target <style=url>",
    "a running server, by its style or stack; several with commas, or given several times",
  ).argParser(targetsOf);

export const caOption = (): Option =>
  valueOption("subject", "--ca <file>", "certificate authority of the targets, in PEM");

export const tokenVariableOption = (): Option =>
  valueOption("subject", "--token-env <variable>", "environment variable with the bearer token for targets");
