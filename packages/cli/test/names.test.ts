// Small rules of the command line: which name was meant, what a value may look like, how a library's words are put.
import { CommanderError } from "commander";
import { assert, property, string, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "@roundtrip/contract/text";
import { duration, wholeNumber } from "../src/options/options.ts";
import { usageText } from "../src/program/usage-text.ts";

function put(message: string): string {
  return usageText(new CommanderError(1, "code", message));
}

const stacks = ["floor", "graphql-apollo", "grpc-js", "rest-express"];

describe("the nearest name", () => {
  it.each([
    ["grpc", "grpc-js"],
    ["GRPC-JS", "grpc-js"],
    ["grcp-js", "grpc-js"],
    ["rest", "rest-express"],
    ["apollo", "graphql-apollo"],
    ["flor", "floor"],
  ])("of %s is %s", (typed, meant) => {
    expect(nearestName(typed, stacks)).toBe(meant);
  });

  it("of the beginning of several names is the first of these, unless it is one", () => {
    const listed = ["rest-express", "rest-express+fetch", "rest-hono"];
    expect(nearestName("REST", listed)).toBe("rest-express");
    expect(nearestName("rest-hono", ["rest-hono+fetch", ...listed])).toBe("rest-hono");
  });

  it("is absent when no name is near", () => {
    for (const typed of ["", "x", "soap", "websocket"]) expect(nearestName(typed, stacks)).toBeUndefined();
    expect(nearestName("anything", [])).toBeUndefined();
  });

  it("of a known name is that name", () => {
    for (const name of stacks) expect(nearestName(name, stacks)).toBe(name);
  });
});

describe("values", () => {
  it("takes whole numbers inside their range and no other text", () => {
    const read = wholeNumber(1, 10);
    expect(read("10")).toBe(10);
    for (const text of ["0", "11", "1.5", "", " ", "1e1", "0x1", "-1", "ten"])
      expect(() => read(text)).toThrow(/1 to 10/);
    expect(() => read("0")).toThrow("must be a whole number from 1 to 10");
  });

  it("takes durations with a unit", () => {
    expect([duration("60s"), duration("2m"), duration("500ms"), duration("1.5 s")]).toEqual([
      60_000, 120_000, 500, 1500,
    ]);
    for (const text of ["60", "", "s", "0s", "-1s", "1 fortnight"])
      expect(() => duration(text)).toThrow(/with its unit/);
  });

  it("never takes something else than it says", () => {
    assert(
      property(stringMatching(/^\d{1,9}$/), (text) => {
        expect(wholeNumber(0, 1e9)(text)).toBe(Number(text));
      }),
    );
  });
});

describe("the parser's words", () => {
  it("become one line", () => {
    expect(put("error: unknown option '--x'\n(Did you mean --out?)")).toBe('unknown flag "--x"; did you mean "--out"?');
    expect(put("error: unknown option '--x'\n(Did you mean one of --out, --in?)")).toContain(
      'did you mean "--out, --in"?',
    );
    expect(put("error: something new.")).toBe("something new");
  });

  it("stay one line whatever was typed", () => {
    assert(
      property(string(), (typed) => {
        expect(put(`error: unknown command '${typed}'`)).not.toContain("\n");
      }),
    );
  });
});
