import { expect, test } from "vitest";
import { blockIn, withBlock } from "../../.ci/page-block.ts";

const page = "# Page\n\n<!-- one: begin -->\nold\n<!-- one: end -->\n\n<!-- two: begin -->\nkept\n<!-- two: end -->\n";

test("a command renews its own block of a page, and leaves all else as it is", () => {
  expect(withBlock(page, "one", "new\n")).toBe(page.replace("old", "new"));
  expect(blockIn(withBlock(page, "one", "new\n"), "two")).toBe("kept\n");
});

test("a page without the block, or with half of it, is refused with what it lacks", () => {
  expect(() => blockIn(page, "three")).toThrow("<!-- three: begin -->");
  expect(() => withBlock("<!-- one: end -->\n<!-- one: begin -->\n", "one", "")).toThrow("<!-- one: end -->");
});
