// The path templates of google.api.http: `/v1/{name=shelves/*/books/*}:publish`. Grammar: google/api/http.proto.

/** One segment of a path: a literal, `*` for any one segment, or `**` for any number of segments. A template has at most one `**`. */
export type PathSegment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "one" }
  | { readonly kind: "many" };

/** A variable: the request field it fills, and which segments it covers (`end` is exclusive). */
export interface PathVariable {
  readonly fieldPath: readonly string[];
  readonly start: number;
  readonly end: number;
}

export interface PathTemplate {
  readonly source: string;
  readonly segments: readonly PathSegment[];
  readonly variables: readonly PathVariable[];
  /** The custom verb after the last colon; empty without one. */
  readonly verb: string;
}

/** Parses a segment; undefined for other text. Literals are compared with the decoded path, so they have no percent-encoding. */
function segmentOf(text: string): PathSegment | undefined {
  if (text === "**") return { kind: "many" };
  if (text === "*") return { kind: "one" };
  return /^[^\s/?#%*:{}]+$/.test(text) ? { kind: "literal", text } : undefined;
}

const fieldPathPattern = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

function fail(why: string): never {
  throw new Error(`the path ${why}`);
}

/** Parses a template. Throws an Error that says what is wrong with the path. */
export function parsePathTemplate(source: string): PathTemplate {
  if (!source.startsWith("/")) fail("must start with /");
  const segments: PathSegment[] = [];
  const variables: PathVariable[] = [];
  const names = new Set<string>();
  // Segments end at a slash outside braces; the verb is after a colon outside braces.
  const pattern = /\/(?:\{([^{}=]+)(?:=([^{}]+))?\}|([^/{}:]+))/y;
  let at = 0;
  while (at < source.length && source[at] === "/") {
    pattern.lastIndex = at;
    const match = pattern.exec(source) ?? fail(`cannot be read from "${source.slice(at)}" on`);
    at = pattern.lastIndex;
    const [, fieldPath, inner, plain] = match;
    const start = segments.length;
    for (const text of (plain ?? inner ?? "*").split("/")) {
      // RFC 3986, section 5.2.4; clients also resolve encoded ones.
      if (text === "." || text === "..") fail(`has the segment "${text}", which clients resolve before they send it`);
      segments.push(segmentOf(text) ?? fail("has an empty or malformed segment"));
    }
    if (fieldPath === undefined) continue;
    if (!fieldPathPattern.test(fieldPath)) fail(`has the malformed field path "${fieldPath}"`);
    if (names.has(fieldPath)) fail(`has the variable ${fieldPath} twice`);
    names.add(fieldPath);
    variables.push({ fieldPath: fieldPath.split("."), start, end: segments.length });
  }
  let verb = "";
  if (source[at] === ":") {
    verb = source.slice(at + 1);
    at = source.length;
    if (verb === "" || /[/{}]/.test(verb) || /^:|:$|::/.test(verb)) fail("has a malformed verb");
  }
  if (at !== source.length || segments.length === 0) fail(`cannot be read from "${source.slice(at)}" on`);
  // The grammar's comment requires ** at the end. Published contracts also have it earlier, where it is unambiguous too.
  if (segments.filter((segment) => segment.kind === "many").length > 1) fail("has more than one **");
  return { source, segments, variables, verb };
}

/** Matches the values that a variable takes. */
export function variablePattern({ segments }: PathTemplate, { start, end }: PathVariable): RegExp {
  const pattern = segments.slice(start, end).map((segment, at) => {
    const slash = at === 0 ? "" : "/";
    if (segment.kind === "literal") return slash + segment.text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return segment.kind === "many" ? `(?:${slash}.+)?` : `${slash}[^/]+`;
  });
  return new RegExp(`^${pattern.join("")}$`);
}
