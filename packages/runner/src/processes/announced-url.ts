// Finds the address that a server prints when it listens, in any language and format.

/** A URL in text: up to a blank, a quotation mark or a bracket. */
const urlPattern = /\bhttps?:\/\/[^\s"'`<>()\]},;]+(?:\][^\s"'`<>()\]},;]*)?/gi;

/** The address for reaching a server that listens on all interfaces. */
const reachedAt: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** Addresses of this machine; a greeting may also contain links to documentation. */
const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The URL as it is reached from this machine; undefined for a URL of another machine, or if there is none. */
function reached(text: unknown): string | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const there = reachedAt[url.hostname];
  if (there !== undefined) url.hostname = there;
  if (!isHere.test(url.hostname)) return undefined;
  // Keeps a path only if it was written.
  return url.pathname === "/" && url.search === "" && !text.endsWith("/") ? url.origin : url.href;
}

function membersOf(line: string): Readonly<Record<string, unknown>> {
  if (!line.trimStart().startsWith("{")) return {};
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * The first URL of this machine in a line: a member of a JSON object, named after the stack or `url`, or anywhere in text.
 * @param port where the server was asked to listen: another port is only that of the server if the member has the name of its stack.
 */
export function announcedUrl(line: string, stack: string, port?: string): string | undefined {
  const members = membersOf(line);
  const inText = [...line.matchAll(urlPattern)].map(([url]) => reached(url.replace(/[.:]+$/, "")));
  const anywhere = [reached(members["url"]), ...inText];
  return (
    reached(members[stack]) ??
    anywhere.find((url) => url !== undefined && (port === undefined || new URL(url).port === port))
  );
}
