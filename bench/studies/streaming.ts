// Streaming: a thousand products (of the largest messages, a third) as a stream of messages in one call, against messages with batches of them, and against
// pages of a list. Small messages cost a write and a frame each, which batches share; pages wait for one another.
import { type Study, type Task, sequentialPlan, taskDefaults } from "@roundtrip/runner";

const service = "roundtrip.v1.ProductService";
const products = 5_000;

/** The token of the page after the product with this id. */
function after(id: number): string {
  return id === 0 ? "" : Buffer.from(`after:${id}`).toString("base64url");
}

interface Size {
  /** Of one message in JSON, about. */
  readonly messageBytes: number;
  /** Products in a message. */
  readonly each: number;
  /** Messages that are sent, the last ones of all products. */
  readonly messages: number;
  /** Messages in a page: a page has a thousand products at most. */
  readonly page: number;
  readonly fields: readonly string[];
  readonly times: number;
}

const all = ["id", "name", "price", "description"];

const sizes: readonly Size[] = [
  { messageBytes: 100, each: 1, messages: 1_000, page: 100, fields: ["id", "name", "price"], times: 6 },
  { messageBytes: 1_000, each: 1, messages: 1_000, page: 100, fields: all, times: 6 },
  { messageBytes: 16_000, each: 15, messages: 330, page: 66, fields: all, times: 4 },
];

function taskOf({ messageBytes, each, messages, page, fields, times }: Size): Task {
  const readMask = fields.map((field) => `products.${field}`).join(",");
  const before = products - messages * each;
  const streamed = (batch: number) =>
    sequentialPlan({
      operation: `${service}.StreamProducts`,
      request: { pageSize: batch * each, pageToken: after(before), readMask },
      needs: "serverStream",
    });
  const pages = Array.from({ length: messages / page }, (_, index) => ({
    operation: `${service}.ListProducts`,
    request: { pageSize: page * each, pageToken: after(before + index * page * each), readMask },
    into: { member: "messages", index },
  }));
  return {
    ...taskDefaults,
    name: "list",
    factors: { messageBytes },
    settings: { streamForm: ["lines", "events"] },
    variants: {
      stream: streamed(1),
      "batched-10": streamed(10),
      "batched-50": streamed(50),
      pages: sequentialPlan(...pages),
    },
    answerKeys: fields.map((field) => `messages.products.${field}`),
    onFloor: false,
    tasksPerRound: times,
    tasksPerBlock: times / 2,
  };
}

export const study: Study = {
  name: "streaming",
  title: "Streaming",
  question: "What does a message of a stream cost, and when are pages or batches better?",
  rounds: 6,
  budgetMs: 180_000,
  takesFirstCalls: false,
  // The largest messages are fewer.
  breakEvensOver: [],
  stacks: ["connect-node", "graphql-apollo", "grpc-js", "rest-express"],
  tasks: sizes.map(taskOf),
};
