// `STYLE=URL` or `STACK=URL`: a target as typed, and the options about targets.
import { InvalidArgumentError, type Option } from "commander";
import { valueOption } from "../options/options.ts";

export interface TypedTarget {
  readonly name: string;
  readonly url: string;
}

function targetOf(text: string): TypedTarget {
  const [, name, url = ""] = /^([^=:]+)=(.+)$/.exec(text) ?? [];
  if (name !== undefined && !/^https?:\/\//.test(url)) {
    throw new InvalidArgumentError("the URL must begin with http:// or https://");
  }
  if (name === undefined || !URL.canParse(url)) {
    throw new InvalidArgumentError("must be STYLE=URL or STACK=URL, for example grpc=http://127.0.0.1:50051");
  }
  return { name, url };
}

/** One or several, separated by commas. */
export function targetsOf(value: string, before: readonly TypedTarget[] | undefined): readonly TypedTarget[] {
  return [...(before ?? []), ...value.split(",").map(targetOf)];
}

const targetOption = (): Option =>
  valueOption("subject", "--target <style=url>", "running servers, by style or stack").argParser(targetsOf);

export const caOption = (whose: string): Option =>
  valueOption("subject", "--ca <file>", `certificate authority of ${whose}`);

export const tokenOption = (whose: string): Option =>
  valueOption("subject", "--token-env <variable>", `variable with the bearer token for ${whose}`);

export const targetOptions = (): readonly Option[] => [targetOption(), caOption("the targets"), tokenOption("targets")];
