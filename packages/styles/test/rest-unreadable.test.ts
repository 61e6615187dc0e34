// The error of an invalid request: the path of its fault, in path, query or body.
import type { JsonValue } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { requestReader } from "../src/rest/requests/request-reader.ts";
import { library } from "../../stacks/test/support/library.ts";

describe("the error of an invalid request names the fault", () => {
  const find = library.operation("library.v1.Library.Find");
  const put = library.operation("library.v1.Library.Put");
  const change = library.operation("library.v1.Library.Change");

  test.for([
    ["an unknown parameter", "nosuch=1", "nosuch"],
    ["a parameter that the path has", "text=1", "text"],
    ["an inherited property", "__proto__.polluted=1", "__proto__.polluted"],
    ["a message given as text", "nested=1", "nested"],
    ["a single parameter given twice", "big=1&big=2", "big"],
    ["text for a number", "big=one", "big"],
    ["a hexadecimal number", "nested.number=0x10", "nested.number"],
    ["a number out of range", "nested.number=2147483648", "nested.number"],
    ["no timestamp", "at=yesterday", "at"],
    ["a timestamp whose plus sign means a blank", "at=2020-01-01T00:00:00+01:00", "at"],
    ["a timestamp of a list", "times=2020-01-01T00:00:00Z&times=2020", "times[1]"],
    ["no duration", "lasts=5", "lasts"],
    ["no field mask", "mask=some_text", "mask"],
    ["a wrapped number out of range", "wrappedBig=9223372036854775808", "wrappedBig"],
    ["anything but true and false", "flag=yes", "flag"],
    ["an unknown enum name", "colour=COLOUR_BLUE", "colour"],
    ["two of one choice", "thisOne=a&thatOne=1", "thatOne"],
  ] as const)("%s", ([, query, field]) => {
    expect(() => requestReader(library, find, find.bindings[0])(["v1", "things", "a"], query, undefined)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        details: expect.objectContaining({ violations: [expect.objectContaining({ field })] }) as object,
      }),
    );
  });

  test.for<[JsonValue, string]>([
    [{ nested: { deeper: { number: "x" } } }, "nested.deeper.number"],
    [{ nested: { some_text: 5 } }, "nested.someText"],
    [{ nested: { deeper: [] } }, "nested.deeper"],
    [{ nested: { deeper: { nosuch: 1 } } }, "nested.deeper.nosuch"],
    [{ words: "a" }, "words"],
    [{ words: ["a", null] }, "words[1]"],
    [{ times: ["2020-01-01T00:00:00Z", "2020"] }, "times[1]"],
    [{ at: { seconds: 1 } }, "at"],
    [{ wrappedBig: "x" }, "wrappedBig"],
    [{ colour: null, nested: { colours: ["COLOUR_RED", "RED"] } }, "nested.colours[1]"],
  ])("anywhere in a body: %j", ([body, field]) => {
    expect(() =>
      requestReader(library, put, put.bindings[0])(["v1", "things", "1"], "", structuredClone(body)),
    ).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`${field}: `) as string,
        details: expect.objectContaining({ violations: [expect.objectContaining({ field })] }) as object,
      }),
    );
  });

  test("in lists and maps of messages, by index and key", () => {
    const tag = library.operation("library.v1.Library.Tag");
    const readTag = requestReader(library, tag, tag.bindings[0]);
    expect(() => readTag(["v1", "tags"], "", { 'a"b': "x" })).toThrow(/^labels\["a\\"b"\]: /);
    const file = library.operation("library.v1.Library.Read");
    const readAll = requestReader(library, file, { ...file.bindings[0], body: "*" });
    const things = [{ text: "a" }, { nested: { number: 1.5 } }];
    expect(() => readAll(["v1", "files", "x"], "", { things })).toThrow(/^things\[1\]\.nested\.number: /);
  });

  test("an unknown field in the body", () => {
    expect(() => requestReader(library, put, put.bindings[0])(["v1", "things", "1"], "", { nosuch: 1 })).toThrow(
      /^nosuch: there is no such field/,
    );
  });

  test("a body that is no object", () => {
    expect(() => requestReader(library, put, put.bindings[0])(["v1", "things", "1"], "", [1])).toThrow(
      /must be a JSON object/,
    );
    const path = ["v1", "shelves", "1", "books", "2", "a"];
    expect(() => requestReader(library, change, change.bindings[0])(path, "", "text")).toThrow(
      /^thing: expected an object, got "text"/,
    );
  });

  test("query parameters with a body that is the whole request", () => {
    expect(() => requestReader(library, put, put.bindings[0])(["v1", "things", "1"], "flag=true", {})).toThrow(
      /^flag: /,
    );
  });
});
