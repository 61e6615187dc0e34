// The explorer page: runnable examples of every operation, the answer, and the schema. One self-contained document, built on first use.
import type { Contract, ExampleOf } from "@roundtrip/contract";
import { createHash } from "node:crypto";
import type { WholeAnswer } from "../../shared/http/http-answer.ts";
import { examplesOf, type Example } from "./explorer-examples.ts";
import { explorerScript } from "./explorer-script.ts";
import { explorerStyle } from "./explorer-style.ts";
import { graphqlModel } from "../schema/model.ts";
import { sdlOf } from "../schema/sdl.ts";

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Loads nothing from other hosts, runs only the page's own script, connects only to this server, and forbids frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(explorerScript)}`,
  `style-src ${hashOf(explorerStyle)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headings = { query: "Queries", mutation: "Mutations", subscription: "Subscriptions" } as const;

function listOf(examples: readonly Example[], root: Example["root"]): string {
  const buttons = examples
    .filter((example) => example.root === root)
    .map(
      ({ name, document, variables }) =>
        `<button data-document="${escaped(document)}" data-variables="${escaped(variables)}">${escaped(name)}</button>`,
    );
  return buttons.length === 0 ? "" : `<h2>${headings[root]}</h2>\n${buttons.join("\n")}`;
}

function pageOf(contract: Contract, exampleOf: ExampleOf): string {
  const examples = examplesOf(graphqlModel(contract), exampleOf);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL explorer</title>
<style>${explorerStyle}</style>
</head>
<body>
<header><h1>GraphQL explorer</h1><p>Choose an operation, change what you like, run it.</p></header>
<nav aria-label="Operations">
${(["query", "mutation", "subscription"] as const).map((root) => listOf(examples, root)).join("\n")}
</nav>
<section>
<label for="document">Document</label>
<textarea id="document" spellcheck="false"></textarea>
<label for="variables">Variables (JSON)</label>
<textarea id="variables" spellcheck="false"></textarea>
<p><button id="run" title="Ctrl+Enter">Run</button> <button id="stop">Stop</button> <output id="status"></output></p>
</section>
<section>
<label for="answer">Answer</label>
<pre id="answer" aria-live="polite"></pre>
</section>
<details><summary>Schema</summary><pre>${escaped(sdlOf(contract))}</pre></details>
<script>${explorerScript}</script>
</body>
</html>
`;
}

/** The answer to a GET without a query. */
export function explorer(contract: Contract, exampleOf: ExampleOf): WholeAnswer {
  const body = pageOf(contract, exampleOf);
  return {
    status: 200,
    headers: {
      "content-security-policy": contentSecurityPolicy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      vary: "accept",
      "content-type": "text/html; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    },
    body,
    cut: undefined,
  };
}
