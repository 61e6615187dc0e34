// Retired words: names, texts and comments use the field's terms (docs/glossary.md).
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot, sourceFiles, type SourceFile } from "./support/source-files.ts";

/** Words that the project once used in senses of its own, each with the words to use instead. */
const retired: Readonly<Record<string, string>> = {
  told: "reported, sent, printed",
  tell: "report, send, print",
  tells: "reports, sends, prints",
  room: "space, limit, directory, session",
  rooms: "spaces, limits, directories, sessions",
  stranger: "other client, other server, attacker",
  strangers: "other clients, other servers, attackers",
  hears: "receives",
  hand: "pass",
  hands: "passes",
  handed: "passed",
  paint: "render",
};

const retiredPhrases = /\b(?:taken down|takes down|(?<!there )(?:is|are) none|has no say|what there is not)\b/i;

/** Phrases of plain English with a retired word in them. */
const innocent = /\b(?:by hand|on the other hand|first-hand|in-hand|head-?room|tell-?tale|cannot tell)\b/gi;

/** The words of a name in camelCase, kebab-case or snake_case. */
function partsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .map((part) => part.toLowerCase());
}

/** The first retired word of a name, with its replacement; undefined if there is none. `hand-written` has no retired sense. */
function faultOfName(name: string): string | undefined {
  const parts = partsOf(name.replaceAll(/hand-?written/gi, ""));
  const word = parts.find((part) => Object.hasOwn(retired, part));
  return word === undefined ? undefined : `${name}: say ${retired[word]} instead of ${word}`;
}

/** The first retired word or phrase of a text; undefined if there is none. Hyphenated words such as `hand-written` are other words. */
function faultOfText(text: string): string | undefined {
  const plain = text.replaceAll(innocent, "");
  const word = plain.match(/(?<![\w-])[A-Za-z]+(?![\w-])/g)?.find((one) => Object.hasOwn(retired, one.toLowerCase()));
  const found = word ?? retiredPhrases.exec(plain)?.[0];
  if (found === undefined) return undefined;
  const instead = retired[found.toLowerCase()];
  return `“${text.trim().slice(0, 100)}”: ${instead === undefined ? `do not say ${found}` : `say ${instead} instead of ${found}`}`;
}

/** All but this file, which spells the retired words. */
const files = sourceFiles().filter(({ path }) => join(projectRoot, path) !== import.meta.filename);

function faults(find: (file: SourceFile) => readonly (string | undefined)[]): readonly string[] {
  return files.flatMap((file) =>
    find(file).flatMap((fault) => (fault === undefined ? [] : [`${file.path}: ${fault}`])),
  );
}

describe("a retired word", () => {
  it.each([
    ["MisuseRoom", "The caller is told so", "the rules are none"],
    ["timesTold", "no room for more", "What a stranger may cost"],
    ["log-room.ts", "it hands the call on", "has no say"],
  ])("is found in %s, “%s” and “%s”", (name, ...texts) => {
    expect([faultOfName(name), ...texts.map(faultOfText)]).not.toContain(undefined);
  });

  it.each([
    ["handWritten", "a hand-written server, written by hand", "a placeholder"],
    ["handler", "the bathroom", "The handler is foretold"],
    ["order", "cannot tell which is faster", "a tell-tale"],
  ])("is not found in %s, “%s” and “%s”", (name, ...texts) => {
    expect([faultOfName(name), ...texts.map(faultOfText)].filter((fault) => fault !== undefined)).toEqual([]);
  });

  it("is in no name of a file", () => {
    expect(faults(({ path }) => [faultOfName(basename(path))])).toEqual([]);
  });

  it("is in no declared name", () => {
    expect(faults(({ names }) => names.map(faultOfName))).toEqual([]);
  });

  it("is in no text", () => {
    expect(faults(({ texts }) => texts.map(faultOfText))).toEqual([]);
  });

  it("is in no comment", () => {
    expect(faults(({ comments }) => comments.map(faultOfText))).toEqual([]);
  });
});

describe("a document", () => {
  const documents = globSync(["*.md", "{docs,examples}/**/*.md"], { cwd: projectRoot }).map((path) =>
    path.replaceAll("\\", "/"),
  );

  it.each(documents)("uses no retired word: %s", (path) => {
    const text = readFileSync(join(projectRoot, path), "utf8").replaceAll(/`[^`\n]*`/g, "");
    expect(text.split("\n").flatMap((line) => faultOfText(line) ?? [])).toEqual([]);
  });
});
