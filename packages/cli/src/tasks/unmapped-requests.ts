// Requests that belong to no operation, in groups: by method and path, with `*` for what differs from request to request.
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";
import { nearestName } from "@roundtrip/contract/nearest-name";

export interface UnmappedGroup {
  /** Such as `GET /v1/things/*`. Without a query, which may have secrets. */
  readonly request: string;
  readonly count: number;
  /** Why a request to a known path is no call, without its values; empty for an unknown path. */
  readonly why: string;
  /** The nearest path of the contract with its operation; empty if none is similar. */
  readonly nearest: string;
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

const longestReason = 200;

/** A reason with `…` for values, which may be secrets and differ from request to request. Names after "field", "type" or "argument" stay. */
function withoutValues(why: string): string {
  return why
    .replaceAll(/\s+/g, " ")
    .replace(/\b(found|got|value:|percent-encoding:) .*$/, "$1 …")
    .replaceAll(/(?<!\b(?:field|type|argument) )"(?:[^"\\]|\\.)*"?/gi, "…")
    .replaceAll(/(?<![\w.$])-?\d[\w.:+-]*/g, "…")
    .slice(0, longestReason);
}

/** Whether the end of a path has the literals of a template without `**`. */
function endsLike(segments: readonly string[], { path }: HttpBinding): boolean {
  const from = segments.length - path.segments.length;
  return path.segments.every((segment, index) => {
    const found = segments[from + index];
    return found !== undefined && segment.kind !== "many" && (segment.kind === "one" || segment.text === found);
  });
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

function shapeOfBinding({ method, path }: HttpBinding): string {
  const segments = path.segments.map((segment) => (segment.kind === "literal" ? segment.text : "*"));
  return `${method} /${segments.join("/")}${path.verb === "" ? "" : `:${path.verb}`}`;
}

/** The same for a path that the contract has: with `*` for its variables too. */
function shapeOfKnown(method: string, target: string, bindings: readonly HttpBinding[]): string {
  const [path = ""] = target.split("?", 1);
  const segments = path.split("/");
  const binding = bindings.find((one) => one.method === method && one.path.verb === "" && endsLike(segments, one));
  if (binding === undefined) return shapeOf(target);
  const { path: template } = binding;
  const from = segments.length - template.segments.length;
  return shapeOf(segments.map((one, index) => (template.segments[index - from]?.kind === "one" ? "*" : one)).join("/"));
}

/** The names by which the operations of a contract could be meant: their paths over REST and over gRPC. */
function knownPaths({ operations }: Contract): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const note = (shape: string, text: string, { method }: Operation): void => {
    if (!known.has(shape)) known.set(shape, `${text} (${method.name})`);
  };
  for (const operation of operations) {
    for (const binding of operation.bindings) {
      note(shapeOfBinding(binding), `${binding.method} ${binding.path.source}`, operation);
    }
    const path = `POST /${operation.method.parent.typeName}/${operation.method.name}`;
    note(path, path, operation);
  }
  return known;
}

interface Group {
  readonly request: string;
  readonly why: string;
  count: number;
}

export class UnmappedRequests {
  readonly #bindings: readonly HttpBinding[];
  readonly #known: ReadonlyMap<string, string>;
  readonly #groups = new Map<string, Group>();
  #others = 0;

  constructor(contract: Contract) {
    this.#bindings = contract.operations.flatMap(({ bindings }) => bindings);
    this.#known = knownPaths(contract);
  }

  /** @param why a request to a known path is no call; empty for an unknown path. */
  add(method: string, target: string, why = ""): void {
    const shape = why === "" ? shapeOf(target) : shapeOfKnown(method, target, this.#bindings);
    const request = `${method.replaceAll(/[^A-Z]/g, "?").slice(0, 20)} ${shape}`;
    const reason = withoutValues(why);
    const key = `${request} ${reason}`;
    const known = this.#groups.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#groups.size < mostGroups) this.#groups.set(key, { request, why: reason, count: 1 });
    else this.#others += 1;
  }

  get count(): number {
    return [...this.#groups.values()].reduce((sum, { count }) => sum + count, this.#others);
  }

  /** Most frequent first. */
  groups(): readonly UnmappedGroup[] {
    const groups = [...this.#groups.values()]
      .toSorted((one, other) => other.count - one.count || one.request.localeCompare(other.request))
      .map(({ request, why, count }) => ({ request, why, count, nearest: why === "" ? this.#nearest(request) : "" }));
    if (this.#others === 0) return groups;
    return [...groups, { request: "other paths", why: "", count: this.#others, nearest: "" }];
  }

  #nearest(request: string): string {
    const found = nearestName(request, [...this.#known.keys()]);
    return found === undefined ? "" : (this.#known.get(found) ?? "");
  }
}
