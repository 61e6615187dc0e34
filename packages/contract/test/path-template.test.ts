// The grammar of path templates (google/api/http.proto), read as written there.
import { describe, expect, test } from "vitest";
import { parsePathTemplate, type PathSegment } from "../src/descriptors/path-template.ts";

const literal = (text: string): PathSegment => ({ kind: "literal", text });
const one: PathSegment = { kind: "one" };
const rest: PathSegment = { kind: "many" };

test.for([
  ["/v1/customers", [literal("v1"), literal("customers")], [], ""],
  ["/v1/customers/{id}", [literal("v1"), literal("customers"), one], [[["id"], 2, 3]], ""],
  [
    "/v1/customers/{customer.id}/name",
    [literal("v1"), literal("customers"), one, literal("name")],
    [[["customer", "id"], 2, 3]],
    "",
  ],
  [
    "/v1/{name=shelves/*/books/*}",
    [literal("v1"), literal("shelves"), one, literal("books"), one],
    [[["name"], 1, 5]],
    "",
  ],
  ["/v1/{name=files/**}", [literal("v1"), literal("files"), rest], [[["name"], 1, 3]], ""],
  [
    "/v1/{a}/x/{b}",
    [literal("v1"), one, literal("x"), one],
    [
      [["a"], 1, 2],
      [["b"], 3, 4],
    ],
    "",
  ],
  ["/v1/*/x/**", [literal("v1"), one, literal("x"), rest], [], ""],
  ["/v1/{id}:publish", [literal("v1"), one], [[["id"], 1, 2]], "publish"],
  ["/v1/{id}:publish:now", [literal("v1"), one], [[["id"], 1, 2]], "publish:now"],
  ["/v1/customers:batchGet", [literal("v1"), literal("customers")], [], "batchGet"],
  ["/v1/{name=**}:undelete", [literal("v1"), rest], [[["name"], 1, 2]], "undelete"],
  [
    "/v1/{parent=documents/**}/{id}",
    [literal("v1"), literal("documents"), rest, one],
    [
      [["parent"], 1, 3],
      [["id"], 3, 4],
    ],
    "",
  ],
  ["/v1/~a-b_c.d", [literal("v1"), literal("~a-b_c.d")], [], ""],
] as const)("%s", ([source, segments, variables, verb]) => {
  expect(parsePathTemplate(source)).toEqual({
    source,
    segments,
    variables: variables.map(([fieldPath, start, end]) => ({ fieldPath, start, end })),
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
