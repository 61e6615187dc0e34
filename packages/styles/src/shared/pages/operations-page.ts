// The page of a server for browsers, the same for every style: each operation in the style's notation, with commands to copy. Loaded on first use.
import type { Message } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type ExampleOf, type Operation } from "@roundtrip/contract";
import { listedLosses, type Style } from "../../basics/style.ts";
import type { DescribedServer } from "../http/description-answer.ts";
import type { AnswerHeaders, WholeAnswer } from "../http/http-service.ts";
import { html, pageAnswer, prose, type Html } from "./html.ts";

export interface PageContent {
  readonly title: string;
  /** Where calls go, and links to the documents. */
  readonly intro: Html;
  readonly view: Style["view"];
  /** Shell commands that send a request. Throws if the style cannot send it. */
  readonly commandsOf: (operation: Operation, request: Message) => readonly string[];
}

export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function exampleCommands(operation: Operation, exampleOf: ExampleOf, { commandsOf }: PageContent): readonly string[] {
  try {
    const request = exampleOf(operation);
    return request === undefined ? [] : commandsOf(operation, request);
  } catch {
    return [];
  }
}

function lossesView(losses: readonly string[]): Html | undefined {
  if (losses.length === 0) return undefined;
  return html`<p>What the style cannot carry:</p>
    <ul>
      ${listedLosses(losses).map((loss) => html`<li>${loss}</li>`)}
    </ul>`;
}

function operationView(operation: Operation, contract: Contract, exampleOf: ExampleOf, content: PageContent): Html {
  const { signature, lost } = content.view(operation, contract);
  const commands = signature === "" ? [] : exampleCommands(operation, exampleOf, content);
  return html`<details id="${operation.id}">
    <summary><code>${signature === "" ? operation.method.name : signature}</code></summary>
    <div>
      ${prose(commentAbove(operation.method))}${commands.map((command) => html`<pre>${command}</pre>`)}${lossesView(lost)}
    </div>
  </details>`;
}

/** @param headers in addition to those of a page */
export async function operationsPage(
  { service: { contract }, examplesOf }: DescribedServer,
  content: PageContent,
  headers: AnswerHeaders | undefined,
): Promise<WholeAnswer> {
  const exampleOf = await examplesOf(contract);
  const services = Map.groupBy(contract.operations, ({ method }) => method.parent);
  const sections = [...services].map(
    ([service, operations]) =>
      html`<h2>${service.typeName}</h2>
        ${prose(commentAbove(service))}${operations.map((each) => operationView(each, contract, exampleOf, content))}`,
  );
  return pageAnswer(content.title, html`${content.intro}${sections}`, headers);
}
