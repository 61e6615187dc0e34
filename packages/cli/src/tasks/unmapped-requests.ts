// Requests that belong to no operation, in groups: by method and path, with `*` for what differs from request to request.
import { CallError } from "@roundtrip/contract";
import type { StyleError } from "@roundtrip/styles/names";

export interface UnmappedGroup {
  /** Such as `GET /v1/things/*`. Without a query, which may have secrets. */
  readonly request: string;
  count: number;
  /** Why a request to a known path is no call; empty for an unknown path. */
  readonly why: string;
}

/** Log files have paths of scanners and of pages: their number has no limit. */
const mostGroups = 1_000;

const longest = 120;

/** Whether a part of a path identifies something, rather than naming a kind of thing. */
function isValue(segment: string): boolean {
  return (
    /\d/.test(segment.replace(/^v\d+(?:(?:alpha|beta)\d*)?$/, "")) ||
    segment.length > 40 ||
    segment.includes("%") ||
    segment.includes("@")
  );
}

/** The path of a target, with `*` for segments that identify something. Printable, whatever the log contains. */
function shapeOf(target: string): string {
  const [path = ""] = target.split("?", 1);
  const shape = path
    .split("/")
    .map((segment) => (isValue(segment) ? "*" : segment))
    .join("/")
    .replaceAll(/[^!-~]/g, "?");
  return shape.length > longest ? `${shape.slice(0, longest)}…` : shape;
}

/** The code of an error and the fields that it is about: its message may quote values. */
export function reasonOf(error: CallError | StyleError): string {
  const fields = error instanceof CallError ? error.details.violations.map(({ field }) => field) : [];
  return [error.code, ...new Set(fields)].join(" ");
}

export class UnmappedRequests {
  readonly #groups = new Map<string, UnmappedGroup>();
  #others = 0;

  /** @param why a request to a known path is no call; empty for an unknown path. */
  add(method: string, target: string, why = ""): void {
    const request = `${method.replaceAll(/[^A-Z]/g, "?").slice(0, 20)} ${shapeOf(target)}`;
    const key = `${request} ${why}`;
    const known = this.#groups.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#groups.size < mostGroups) this.#groups.set(key, { request, why, count: 1 });
    else this.#others += 1;
  }

  get count(): number {
    return [...this.#groups.values()].reduce((sum, { count }) => sum + count, this.#others);
  }

  /** Most frequent first. */
  groups(): readonly UnmappedGroup[] {
    const groups = [...this.#groups.values()].toSorted(
      (a, b) => b.count - a.count || a.request.localeCompare(b.request),
    );
    return this.#others === 0 ? groups : [...groups, { request: "other paths", why: "", count: this.#others }];
  }
}
