// One round of the cost of finding a route: our tree of segments and one Express route per binding, for every path of the contract in turn. Prints
// JSON.
import { builtInContract, type HttpBinding } from "@roundtrip/contract";
import { Router as OurRouter } from "@roundtrip/styles/rest/parts";
import { Router, type Request, type Response } from "express";
import { inTurns, type Alternative } from "../in-turns.ts";

// Express does not support `{id}:verb`.
const bindings = builtInContract()
  .operations.flatMap((operation) => operation.bindings)
  .filter(({ path }) => path.verb === "");

function segmentsOf({ path }: HttpBinding, one: (index: number) => string): string {
  return path.segments.map((segment, index) => `/${segment.kind === "literal" ? segment.text : one(index)}`).join("");
}

const requests = bindings.map((binding) => ({ method: binding.method, url: segmentsOf(binding, String) }));

const tree = new OurRouter<number>();
const express = Router();
let found = 0;
for (const [index, binding] of bindings.entries()) {
  tree.add(binding, index);
  const method = binding.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
  express[method](
    segmentsOf(binding, (at) => `:s${at}`),
    () => {
      found += 1;
    },
  );
}

/** Checks that every request found a route. */
function each(find: (request: (typeof requests)[number]) => void): Alternative {
  return (times) => {
    found = 0;
    for (let time = 0; time < times; time += 1) find(requests[time % requests.length] as (typeof requests)[number]);
    if (found !== times) throw new Error(`${found} of ${times} requests found a route`);
    return Promise.resolve();
  };
}

const notFound = (): void => undefined;

process.stdout.write(
  JSON.stringify(
    await inTurns(
      {
        "our tree": each(({ method, url }) => {
          if (tree.match(method, url) !== undefined) found += 1;
        }),
        "a route of express per binding": each(({ method, url }) =>
          express({ method, url } as Request, {} as Response, notFound),
        ),
      },
      { timesPerBlock: 5_000, warmUpBlocks: 10, blocks: 20 },
    ),
  ),
);
