// Prints docs/breaking-changes.md: what typical changes of a contract do to callers of each style, as the tests hold it against callers from before.
import { fieldChanges } from "../packages/cli/test/support/check/typical-field-changes.ts";
import { messageChanges } from "../packages/cli/test/support/check/typical-message-changes.ts";
import { operationChanges } from "../packages/cli/test/support/check/typical-operation-changes.ts";
import { typeChanges } from "../packages/cli/test/support/check/typical-type-changes.ts";
import type { TypicalChange } from "../packages/cli/test/support/check/typical-change.ts";
import { checkStyles, styleTitles } from "../packages/cli/src/check/judgement.ts";

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function table(changes: readonly TypicalChange[]): string {
  const head = ["change", ...checkStyles.map((style) => styleTitles[style])];
  const rows = changes.map(({ title, expected }) => [
    title,
    ...expected.map((verdict) => (verdict === "breaks" ? "**breaks**" : verdict)),
  ]);
  return row(head) + row(head.map(() => "---")) + rows.map((cells) => row(cells)).join("");
}

const parts = [
  `# What a change of the contract breaks

<!-- Generated from packages/cli/test/support/check/typical-*-changes.ts by \`pnpm generate\`. -->

The same change can be safe on one style and break callers on another: a field with another name is the same bytes on the gRPC wire, and another
field in JSON; a field with another number the reverse. \`roundtrip check\` holds a contract against what it was, and says for every change and
every style what becomes of callers that run already.

Commands here are for a terminal in a clone of this repository, and a test runs them. Where a project of yours
[has the packages](fakes.md#in-a-project-of-your-own), \`npx --no roundtrip\` does there what \`npx -y pnpm@10 -s\` does in the clone.

A contract, saved as \`old/shop.proto\`:

\`\`\`proto
syntax = "proto3";
package shop.v1;
service Shop {
  rpc Buy(BuyRequest) returns (BuyResponse);
}
message BuyRequest {
  string what = 1;
}
message BuyResponse {
  int64 price = 1;
}
\`\`\`

One field gets another name:

\`\`\`sh
mkdir new && sed 's/string what/string thing/' old/shop.proto > new/shop.proto
npx -y pnpm@10 -s check --contract new --against old
\`\`\`

\`\`\`text
shop.v1.BuyRequest.what  renamed to thing
  gRPC     safe       the wire has numbers, not names
  REST     breaks     INVALID_ARGUMENT: there is no what
  GraphQL  breaks     BuyInput.what was removed

1 change since old. gRPC: nothing breaks; REST: 1 breaks; GraphQL: 1 breaks.
\`\`\`

The exit status is 1 when something breaks, otherwise 0. In a repository \`--against main\` holds the contract in its work tree against that of the
branch.

| verdict | what it means for a caller that was built with the contract from before |
| --- | --- |
| **breaks** | a call that uses it fails, or a value that both contracts have arrives wrong or not at all |
| may break | calls go on, but for some values or some callers they do not mean the same |
| safe | every call goes on to work |

## What is compared

- \`--against\` names what the contract was: a folder, a file, a descriptor set, or else a git revision (\`main\`, \`HEAD~3\`, \`v1.2\`). Of a revision
  the contract's own path is read, as it was then; work tree and index stay as they are.
- \`--contract\` names what it is now; without it, the folder \`proto\`. \`--proto-path\` and \`--http-rules\` mean what they mean
  [everywhere](your-contract.md).
- \`--style grpc,rest,graphql,code\` judges only some. \`code\` is judged only when it is named: it is no style of calling, but the source of callers whose
  types are generated anew.
- A package that has another name, and nothing left in the old one, is one row: what it breaks of each style, with every single change folded below it
  in Markdown, and all of them in JSON.
- \`--json\` and \`--markdown\` print the same as data, or as a table for a pull request.

gRPC and generated code are judged by \`buf breaking\` (the categories WIRE and FILE), GraphQL by graphql-js on the two schemas, REST by rules of
its own; then what a tool cannot know is weighed in: which way a value travels, which values there are, what is on the wire
([decision 0174](decisions/0174-what-a-change-breaks-is-judged-for-each-style.md)). What a tool finds and no change explains has a row of its own.

## Breaks that are meant to be

\`--allow breaks.yaml\` names them, each with its reason. They are shown, and do not count; an entry that allows nothing any more is told of.
With this one saved as \`breaks.yaml\`, the change above is allowed:

\`\`\`yaml
- change: shop.v1.BuyRequest.what # as the report names it; * stands for anything
  kind: field-renamed # of this kind alone (--json has them); without it, any
  styles: [rest, graphql] # on these alone; without it, on all
  reason: the web shop is the only caller, and changes with it
\`\`\`

\`\`\`sh
npx -y pnpm@10 -s check --contract new --against old --allow breaks.yaml
\`\`\`

## Typical changes

Every line is checked by a test: by what \`check\` says of it, and by a caller from before who calls a server of after, over real sockets. Where it says
safe, all calls worked; where it says **breaks**, some did not. Contracts that are changed at random are put to the same test.

### Fields, their names and numbers

`,
  table(fieldChanges),
  "\n### Types of fields\n\n",
  table(typeChanges),
  "\n### Enums and operations\n\n",
  table(operationChanges),
  "\n### Messages and rules\n\n",
  table(messageChanges),
];

process.stdout.write(parts.join(""));
