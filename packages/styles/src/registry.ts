// Loads the parts of a style on request.
import type { LoggedCalls, Refusals, Style } from "./basics/style.ts";
import type { ProtocolMisuse } from "./basics/misuse.ts";
import { StyleError, extension, hasPart, styleNames } from "./style-names.ts";

async function part(name: string, file: string): Promise<Record<string, unknown>> {
  if (!styleNames().includes(name)) {
    throw new StyleError("unknown-style", `unknown style "${name}" (valid: ${styleNames().join(", ")})`);
  }
  return (await import(new URL(`./${name}/${file}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

/** Loads a style's description. Rejects with a StyleError for an unknown style. */
export async function loadStyle(name: string): Promise<Style> {
  return (await part(name, "index"))["style"] as Style;
}

/** Loads an optional part. @param otherwise the value for a style without it. */
function optionalPart<T>(file: string, exported: string, otherwise: T): (style: string) => Promise<T> {
  return async (style) => (hasPart(style, file) ? ((await part(style, file))[exported] as T) : otherwise);
}

/** Loads the malformed bytes that no client of a style sends. */
export const loadMisuses = optionalPart<ProtocolMisuse | undefined>("misuse", "misuses", undefined);

/** Loads what a style knows of requests that it refuses before they reach an operation; undefined for a style whose servers note their errors themselves. */
export const loadRefusals = optionalPart<Refusals | undefined>("refusals", "refusals", undefined);

/** Loads a style's reader of logged requests; undefined for a style that logs do not show. */
export const loadLoggedCalls = optionalPart<LoggedCalls | undefined>("logged-calls", "loggedCalls", undefined);
