// The grammar of path templates (google/api/http.proto), read as written there.
import { describe, expect, test } from "vitest";
import { parsePathTemplate, type PathSegment } from "../src/descriptors/path-template.ts";

const kinds: Readonly<Record<string, PathSegment>> = { "*": { kind: "one" }, "**": { kind: "many" } };

function segmentsIn(text: string): readonly PathSegment[] {
  return text.split(" ").map((part) => kinds[part] ?? { kind: "literal", text: part });
}

type Variable = readonly [fieldPath: string, start: number, end: number];

test.for<readonly [source: string, segments: string, variables: readonly Variable[], verb?: string]>([
  ["/v1/customers", "v1 customers", []],
  ["/v1/customers/{id}", "v1 customers *", [["id", 2, 3]]],
  ["/v1/customers/{customer.id}/name", "v1 customers * name", [["customer.id", 2, 3]]],
  ["/v1/{name=shelves/*/books/*}", "v1 shelves * books *", [["name", 1, 5]]],
  ["/v1/{name=files/**}", "v1 files **", [["name", 1, 3]]],
  [
    "/v1/{a}/x/{b}",
    "v1 * x *",
    [
      ["a", 1, 2],
      ["b", 3, 4],
    ],
  ],
  ["/v1/*/x/**", "v1 * x **", []],
  ["/v1/{id}:publish", "v1 *", [["id", 1, 2]], "publish"],
  ["/v1/{id}:publish:now", "v1 *", [["id", 1, 2]], "publish:now"],
  ["/v1/customers:batchGet", "v1 customers", [], "batchGet"],
  ["/v1/{name=**}:undelete", "v1 **", [["name", 1, 2]], "undelete"],
  [
    "/v1/{parent=documents/**}/{id}",
    "v1 documents ** *",
    [
      ["parent", 1, 3],
      ["id", 3, 4],
    ],
  ],
  ["/v1/~a-b_c.d", "v1 ~a-b_c.d", []],
])("%s", ([source, segments, variables, verb = ""]) => {
  expect(parsePathTemplate(source)).toEqual({
    source,
    segments: segmentsIn(segments),
    variables: variables.map(([fieldPath, start, end]) => ({ fieldPath: fieldPath.split("."), start, end })),
    verb,
  });
});

describe("a template that is not of the grammar is refused with the reason", () => {
  test.for([
    ["", "must start with /"],
    ["v1/customers", "must start with /"],
    ["/", "cannot be read from"],
    ["/v1/", "cannot be read from"],
    ["/v1//customers", "cannot be read from"],
    ["/v1/{id", "cannot be read from"],
    ["/v1/id}", "cannot be read from"],
    ["/v1/{}", "cannot be read from"],
    ["/v1/{id=}", "cannot be read from"],
    ["/v1/{a={b}}", "cannot be read from"],
    ["/v1/x{id}", "cannot be read from"],
    ["/v1/{id}x", "cannot be read from"],
    ["/v1/{name=a//b}", "empty or malformed segment"],
    ["/v1/{name=a:b}", "empty or malformed segment"],
    ["/v1/{a.}", "has the malformed field path"],
    ["/v1/{a b}", "has the malformed field path"],
    ["/v1/**/x/**", "has more than one **"],
    ["/v1/{a=**}/{b=**}", "has more than one **"],
    ["/v1/a*", "malformed segment"],
    ["/v1/x:", "malformed verb"],
    ["/v1/x::b", "malformed verb"],
    ["/v1/x:a:", "malformed verb"],
    ["/v1/x:a/b", "malformed verb"],
    ["/v1/{id}/{id}", "has the variable id twice"],
    ["/v1/./a", 'has the segment "."'],
    ["/v1/{name=a/../*}", 'has the segment ".."'],
    ["/v1/{id}-{name}", "cannot be read from"],
    ["/v1/a b", "malformed segment"],
    ["/v1/a?b=c", "malformed segment"],
  ] as const)("%s", ([source, why]) => {
    expect(() => parsePathTemplate(source)).toThrow("the path ");
    expect(() => parsePathTemplate(source)).toThrow(why);
  });
});
