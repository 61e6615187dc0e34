// Oneofs in the schema: unions, one-of inputs, their names and descriptions.
import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { style } from "../src/graphql/index.ts";
import { drawings } from "../../stacks/test/support/drawings.ts";

const draw = drawings.operation("drawings.v1.Drawings.Draw");
const find = drawings.operation("drawings.v1.Drawings.FindDrawing");
const get = drawings.operation("drawings.v1.Drawings.GetDrawing");

async function schemaText(): Promise<string> {
  const [document] = await style.documents(drawings);
  return document?.text ?? "";
}

/** A type as the document has it, with its description. */
function definition(text: string, name: string): string {
  const type = `(?:type|input|union) ${name}\\b(?:.*\\{\\n[^]*?\\n\\}|.*)`;
  return new RegExp(`^(?:""".*"""\\n)?${type}`, "m").exec(text)?.[0] ?? "";
}

test("in answers a oneof is one field, of a union of types with one field each", async () => {
  const text = await schemaText();
  expect(definition(text, "Drawing")).toContain('  """What there is to see."""\n  kind: DrawingKind\n');
  expect(definition(text, "DrawingKind")).toBe(
    '"""What there is to see."""\nunion DrawingKind = ' +
      "DrawingKindCircle | DrawingKindHole | DrawingKindLabelMember | DrawingKindColour | DrawingKindAnything | " +
      "DrawingKindBlank | DrawingKindWrapped | DrawingKindFramed",
  );
  const fields = ["Circle", "Hole", "LabelMember", "Colour", "Anything", "Blank", "Wrapped", "Framed"].map(
    (name) => /\n  (\w+: .*)\n\}$/.exec(definition(text, `DrawingKind${name}`))?.[1],
  );
  expect(fields).toEqual([
    "circle: Circle!",
    "hole: Circle!",
    "label: String!",
    "colour: Colour!",
    "anything: JSON",
    "blank: Boolean!",
    "wrapped: String!",
    "framed: Drawing!",
  ]);
  expect(text).toContain('  """Perfectly round."""\n  circle: Circle!');
});

test("in requests a oneof is a one-of input, also as an argument", async () => {
  const text = await schemaText();
  expect(definition(text, "DrawingKindInput")).toContain("input DrawingKindInput @oneOf {");
  expect(definition(text, "SearchByWhatInput")).toBe(
    "input SearchByWhatInput @oneOf {\n  id: Int\n  ownerName: String\n}",
  );
  expect(style.view(find, drawings).signature).toBe(
    "query findDrawing(byWhat: SearchByWhatInput, old: Boolean): Search",
  );
  expect(definition(text, "Search")).toBe(
    '"""What to look for: byWhat there is."""\ntype Search {\n  byWhat: SearchByWhat\n  old: Boolean\n}',
  );
});

test("types of oneofs have unique names", async () => {
  const text = await schemaText();
  // A message Drawing.Only and a message Drawing.KindLabel were named before.
  expect(definition(text, "Drawing")).toContain("  only: DrawingOnlyOneof\n");
  expect(definition(text, "DrawingOnlyOneof")).toBe("union DrawingOnlyOneof = DrawingOnlyOneofData");
  expect(definition(text, "DrawingKindLabel")).toBe("type DrawingKindLabel {\n  id: DrawingKindLabelId\n}");
  expect(definition(text, "Awkward")).toBe(
    "type Awkward {\n  payBy: String!\n  payBy_: AwkwardPayBy_\n  toString_: AwkwardToString_\n  Typename: AwkwardTypename\n}",
  );
  expect(() => buildSchema(text)).not.toThrow();
});

test("declares the values that a one-of input cannot express", () => {
  const lost = "Drawing.anything: null in a request";
  expect(style.view(draw, drawings).lost).toContain(lost);
  expect(style.view(get, drawings).lost).not.toContain(lost);
});
