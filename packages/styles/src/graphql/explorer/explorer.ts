// The explorer page: runnable examples of every operation, the answer, and the schema. One self-contained document, built on first use.
import type { Contract, ExampleOf } from "@roundtrip/contract";
import type { WholeAnswer } from "../../shared/http/http-answer.ts";
import { html, type Html } from "../../shared/pages/html.ts";
import { pageAnswer } from "../../shared/pages/page-answer.ts";
import { examplesOf, type Example } from "./explorer-examples.ts";
import { explorerScript } from "./explorer-script.ts";
import { explorerStyle } from "./explorer-style.ts";
import { graphqlModel } from "../schema/model.ts";
import { sdlOf } from "../schema/sdl.ts";

const headings = { query: "Queries", mutation: "Mutations", subscription: "Subscriptions" } as const;

function listOf(examples: readonly Example[], root: Example["root"]): Html {
  const buttons = examples
    .filter((example) => example.root === root)
    .map(
      ({ name, document, variables }) =>
        html`<button data-document="${document}" data-variables="${variables}">${name}</button>`,
    );
  return html`${
    buttons.length === 0
      ? ""
      : html`<h2>${headings[root]}</h2>
          ${buttons}`
  }`;
}

function pageOf(contract: Contract, exampleOf: ExampleOf): string {
  const examples = examplesOf(graphqlModel(contract), exampleOf);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>GraphQL explorer</title>
        ${{ markup: `<style>${explorerStyle}</style>` }}
      </head>
      <body>
        <header>
          <h1>GraphQL explorer</h1>
          <p>Choose an operation, change what you like, run it.</p>
        </header>
        <nav aria-label="Operations">
          ${(["query", "mutation", "subscription"] as const).map((root) => listOf(examples, root))}
        </nav>
        <section>
          <label for="document">Document</label>
          <textarea id="document" spellcheck="false"></textarea>
          <label for="variables">Variables (JSON)</label>
          <textarea id="variables" spellcheck="false"></textarea>
          <p>
            <button id="run" title="Ctrl+Enter">Run</button> <button id="stop">Stop</button>
            <output id="status"></output>
          </p>
        </section>
        <section>
          <label for="answer">Answer</label>
          <pre id="answer" aria-live="polite"></pre>
        </section>
        <details>
          <summary>Schema</summary>
          <pre>${sdlOf(contract)}</pre>
        </details>
        ${{ markup: `<script>${explorerScript}</script>` }}
      </body>
    </html> `.markup;
}

/** The answer to a GET without a query. */
export function explorer(contract: Contract, exampleOf: ExampleOf): WholeAnswer {
  return pageAnswer(pageOf(contract, exampleOf), { vary: "accept" }, explorerScript);
}
