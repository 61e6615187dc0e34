// What pages of a fake's servers show as examples: sent as it stands there, it is answered.
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadContractFrom } from "../../cli/src/contract/contract-source.ts";
import { startFake, type StartedFake } from "../src/index.ts";

const library = join(
  dirname(findPackageJSON("google-proto-files", import.meta.url) ?? "."),
  "google/example/library/v1/library.proto",
);

let fake: StartedFake;
beforeAll(async () => {
  await using loaded = await loadContractFrom([library]);
  fake = await startFake(loaded.contract, {
    stacks: ["rest-express", "graphql-apollo", "json-rpc-2", "soap-node-http"],
  });
});
afterAll(() => fake.close());

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  return text.replaceAll(/&(?:lt|gt|quot|#39);/g, (one) => characters[one] ?? "").replaceAll("&amp;", "&");
}

async function page(stack: string, path: string): Promise<string> {
  return (await fetch(`${fake.urls[stack]}${path}`, { headers: { accept: "text/html" } })).text();
}

it("a REST page has a command for every operation, with names of what the fake has", async () => {
  const text = unescaped(await page("rest-express", "/docs"));
  const commands = [...text.matchAll(/<pre>(curl [^]*?)<\/pre>/g)].map(([, command = ""]) => command);
  expect(commands).toHaveLength(fake.fake.contract.operations.length);
  expect(commands.filter((command) => command.includes("…"))).toEqual([]);
  const read = commands.filter((command) => command.startsWith("curl 'http"));
  expect(read.length).toBeGreaterThan(2);
  for (const command of read) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the page
    const { status } = await fetch(command.slice("curl '".length, -1));
    expect([command, status]).toEqual([command, 200]);
  }
  const [merge = ""] = commands.filter((command) => command.includes(":merge"));
  expect(merge).toMatch(
    /^curl -X POST 'http:\/\/127[^ ]*:merge' \\\n {2}-H 'content-type: application\/json' -d '\{.*\}'$/,
  );
});

it("the GraphQL page has a document and variables for every operation, and the fake answers each", async () => {
  const text = unescaped(await page("graphql-apollo", ""));
  const calls = bodiesIn(text);
  expect(calls).toHaveLength(fake.fake.contract.operations.length);
  const answers = await answersTo("graphql-apollo", "application/json", calls);
  expect(answers.filter((answer) => answer.includes('"errors":'))).toEqual([]);
});

/** The bodies of the curl commands on a page. */
function bodiesIn(text: string): readonly string[] {
  return [...text.matchAll(/ -d '([^]*?)'<\/pre>/g)].map(([, call = ""]) => call.replaceAll(String.raw`'\''`, "'"));
}

/** Sends the examples that a page shows. Resolves to the texts of the answers. */
async function answersTo(stack: string, type: string, examples: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const body of examples) {
    fake.reset();
    // oxlint-disable-next-line no-await-in-loop -- each begins with what the fake has at first
    const response = await fetch(fake.urls[stack] ?? "", { method: "POST", headers: { "content-type": type }, body });
    // oxlint-disable-next-line no-await-in-loop
    answers.push(await response.text());
  }
  return answers;
}

it("a JSON-RPC page has a call for every operation, and the fake answers each", async () => {
  const text = unescaped(await page("json-rpc-2", ""));
  const calls = bodiesIn(text);
  expect(calls).toHaveLength(fake.fake.contract.operations.length);
  const answers = await answersTo("json-rpc-2", "application/json", calls);
  expect(answers.filter((answer) => !answer.includes('"result":'))).toEqual([]);
});

it("a SOAP page has an envelope for every operation, and the fake answers each", async () => {
  const text = unescaped(await page("soap-node-http", ""));
  const envelopes = [...text.matchAll(/<<'EOF'\n([^]*?)\nEOF<\/pre>/g)].map(([, envelope = ""]) => envelope);
  expect(envelopes).toHaveLength(fake.fake.contract.operations.length);
  expect(envelopes.filter((envelope) => envelope.includes(">?<"))).toEqual([]);
  expect(envelopes.join("\n")).toMatch(/\n {6}<book>\n {8}<name>[^<]+<\/name>\n/);
  const answers = await answersTo("soap-node-http", "text/xml", envelopes);
  expect(answers.filter((answer) => answer.includes("Fault"))).toEqual([]);
});
