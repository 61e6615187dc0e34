// `STYLE=URL` or `STACK=URL`: targets as typed, with what their callers need: `grpc=https://host,ca=ca.pem,token-env=TOKEN`.
import { InvalidArgumentError, type Option } from "commander";
import { valueOption } from "../options/options.ts";

export interface TypedTarget {
  readonly name: string;
  readonly url: string;
}

/** What callers of a server need, as typed. */
export interface TypedAccess {
  /** The file with the certificate authority. */
  readonly ca?: string;
  /** The environment variable with the bearer token. */
  readonly tokenEnv?: string;
}

export interface TypedTargets {
  readonly targets: readonly TypedTarget[];
  readonly access: TypedAccess;
}

/** `ca=FILE` or `token-env=VARIABLE`; undefined for anything else. */
export function accessIn(text: string): TypedAccess | undefined {
  const [, name, value = ""] = /^(ca|token-env)=(.+)$/s.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  return name === "ca" ? { ca: value } : { tokenEnv: value };
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
export function targetsOf(value: string, before?: TypedTargets): TypedTargets {
  let { targets, access }: TypedTargets = before ?? { targets: [], access: {} };
  for (const text of value.split(",")) {
    const typed = accessIn(text);
    if (typed === undefined) targets = [...targets, targetOf(text)];
    else access = { ...access, ...typed };
  }
  if (targets.length > 0) return { targets, access };
  throw new InvalidArgumentError("must have an address before ca and token-env, such as grpc=https://host,ca=ca.pem");
}

export const targetOption = (): Option =>
  valueOption("subject", "--target <style=url>", "running servers, by style or stack").argParser(targetsOf);
