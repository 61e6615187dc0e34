// Selection: what it saves to ask for some fields of a list only. Over GraphQL the fields are the selection of the document, elsewhere a read mask, which
// costs something itself: `masked` asks for all fields by name, and has the answer of `facade`, which asks for none.
import { type Study, type Task, sequentialPlan, taskDefaults } from "@roundtrip/runner";

const short = ["id", "name", "price"];
/** The description has about a kilobyte, ten times as much as the others together. */
const all = [...short, "description"];

function listed(pageSize: number, fields: readonly string[]): Task["variants"][string] {
  const paths = [...fields.map((field) => `products.${field}`), "nextPageToken"];
  const readMask = fields.length === 0 ? {} : { readMask: paths.join(",") };
  return sequentialPlan({ operation: "roundtrip.v1.ProductService.ListProducts", request: { pageSize, ...readMask } });
}

/** Lists, and how often each is read in a round: a thousand products take tens of milliseconds in some styles. */
const sizes = [
  { products: 10, lists: 240 },
  { products: 100, lists: 80 },
  { products: 1_000, lists: 24 },
] as const;

export const study: Study = {
  name: "selection",
  title: "Selection",
  question: "What does it save to ask for some fields of a list only?",
  rounds: 6,
  budgetMs: 120_000,
  takesFirstCalls: false,
  // A list of some fields is another answer than the whole one.
  breakEvensOver: [],
  tasks: sizes.map(({ products, lists }) => ({
    ...taskDefaults,
    name: "list",
    factors: { products },
    variants: { facade: listed(products, []), masked: listed(products, all), selected: listed(products, short) },
    answerKeys: [...short.map((field) => `products.${field}`), "nextPageToken"],
    tasksPerRound: lists,
    tasksPerBlock: lists / 4,
  })),
};
