// What a report says of who made the calls.
import { expect, it } from "vitest";
import { generatorsText } from "../src/words/environment-text.ts";

const k6 = { name: "k6", version: "v1.8.1", segment: "0:1" };

it("is empty for this project's own clients", () => {
  expect(generatorsText({})).toBeUndefined();
  expect(generatorsText({ generators: [] })).toBeUndefined();
});

it("names the program and its version, and its parts where there are several", () => {
  expect(generatorsText({ generators: [k6] })).toBe("k6 v1.8.1 made the calls");
  const halves = ["0:1/2", "1/2:1"].map((segment) => ({ ...k6, segment }));
  expect(generatorsText({ generators: halves })).toBe(
    "k6 v1.8.1 made the calls, 2 instances (segments 0:1/2 and 1/2:1)",
  );
});

it("says that a version is unknown", () => {
  expect(generatorsText({ generators: [{ ...k6, version: null }] })).toBe("k6 of an unknown version made the calls");
});
