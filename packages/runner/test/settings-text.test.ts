// What is set on a stack, in words.
import { expect, it } from "vitest";
import { settingsText } from "../src/study/configuration.ts";

it("says of connections what becomes of them, and of all else what was typed", () => {
  expect(settingsText({ keepAlive: false, tlsResumption: true })).toEqual(["new connection", "resumed"]);
  expect(settingsText({ newConnectionPerCall: true })).toEqual(["new connection"]);
  expect(settingsText({ newConnectionPerCall: false, compression: "gzip" })).toEqual([
    "kept connection",
    "compression=gzip",
  ]);
});

it("says which end closes connections if both have a setting for it, so that no two arms have the same name", () => {
  const all = [true, false].flatMap((keepAlive) =>
    [true, false].map((newConnectionPerCall) => settingsText({ keepAlive, newConnectionPerCall }).join(", ")),
  );
  expect(new Set(all).size).toBe(4);
});
