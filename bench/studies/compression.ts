// Compression: one large message in one direction, as it is and in each coding that the libraries have, at the levels for messages made on demand (gzip 6,
// brotli 4, zstd 3). Answers are read on loopback and on lines of two bandwidths, requests written on loopback. GraphQL is read on loopback alone: elsewhere it
// has the bytes of REST.
import {
  linkDefaults,
  type LinkSettings,
  type Step,
  type Study,
  type Task,
  sequentialPlan,
  taskDefaults,
} from "@roundtrip/runner";
import { addressStep, customerService, incompressibleText, proseText } from "../shared-tasks.ts";

const codings = ["identity", "gzip", "br", "zstd"] as const;

/** Sizes in JSON, and how often a message of that size is sent in a round: on lines, the largest ones take a fifth of a second. */
const sizes = [
  { payloadBytes: 1_024, near: 12, far: 4, invoices: 1 },
  { payloadBytes: 16_384, near: 12, far: 4, invoices: 15 },
  { payloadBytes: 262_144, near: 6, far: 2, invoices: 235 },
] as const;

const lines: readonly LinkSettings[] = [10, 100].map((bandwidthMbps) => ({ ...linkDefaults, bandwidthMbps }));

/** Noise is base64, as all noise in JSON: a quarter of it goes. */
const texts = { text: proseText, noise: incompressibleText } as const;

type Message = Pick<Task, "name" | "factors" | "variants" | "setup">;

/** An address that is read, and one that is sent to be left out. */
function textMessages(kind: keyof typeof texts, index: number): readonly (readonly Message[])[] {
  return sizes.map(({ payloadBytes }, size) => {
    const id = 101 + 10 * index + size;
    const address = texts[kind](payloadBytes);
    const factors = { payloadBytes, kind };
    const read = { operation: `${customerService}.GetCustomerAddress`, request: { id } };
    return [
      {
        name: "read",
        factors,
        variants: { single: sequentialPlan(read) },
        setup: [addressStep(id, address, "address")],
      },
      {
        name: "write",
        factors,
        variants: { single: sequentialPlan(addressStep(id + 100, address, "name")) },
        setup: [],
      },
    ];
  });
}

// Numbers: invoices of 20 lines, made before.

const customerId = 300;
const mostInvoices = Math.max(...sizes.map(({ invoices }) => invoices));

function invoiceStep(index: number): Step {
  const lineOf = (line: number) => ({
    productId: 1 + ((index * 37 + line * 101) % 5_000),
    quantity: 1 + (line % 9),
    unitPrice: 99 + ((index * 7_919 + line * 104_729) % 20_000),
  });
  const invoice = {
    customerId,
    issueTime: "2026-01-01T00:00:00Z",
    currency: "EUR",
    lines: Array.from({ length: 20 }, (_, line) => lineOf(line)),
  };
  return { operation: "roundtrip.v1.InvoiceService.CreateInvoice", request: { invoice } };
}

const invoices = Array.from({ length: mostInvoices }, (_, index) => invoiceStep(index));

const numbers: readonly Message[] = sizes.map(({ payloadBytes, invoices: pageSize }) => {
  const request = { customerId, pageSize, readMask: "invoices" };
  const step = { operation: "roundtrip.v1.InvoiceService.ListInvoices", request };
  return {
    name: "read",
    factors: { payloadBytes, kind: "numbers" },
    variants: { single: sequentialPlan(step) },
    setup: invoices,
  };
});

const messages = [...(["text", "noise"] as const).map(textMessages), numbers.map((message) => [message])].flatMap(
  (ofKind) =>
    ofKind.flatMap((ofSize, size) =>
      ofSize.map((message) => ({ message, ...(sizes[size] as (typeof sizes)[number]) })),
    ),
);

function tasksOf({ message, payloadBytes, near, far }: (typeof messages)[number]): readonly Task[] {
  const isRead = message.name === "read";
  const task = {
    ...taskDefaults,
    ...message,
    settings: { [isRead ? "responseCompression" : "requestCompression"]: codings },
    onFloor: false,
  };
  const onLoopback = { tasksPerRound: near, tasksPerBlock: near / 2 };
  if (!isRead) return [{ ...task, styles: ["grpc", "rest"], ...onLoopback }];
  // It takes the longest, and shows nothing that a shorter one does not.
  const isLongNoise = message.factors["kind"] === "noise" && payloadBytes > 16_384;
  if (isLongNoise) return [{ ...task, ...onLoopback }];
  const onLines = { links: lines, needs: ["bulk"] as const, tasksPerRound: far, tasksPerBlock: far };
  return [
    { ...task, ...onLoopback },
    { ...task, styles: ["grpc", "rest"], ...onLines },
  ];
}

export const study: Study = {
  name: "compression",
  title: "Compression",
  question: "When does it pay to compress messages, and with what?",
  rounds: 6,
  budgetMs: 300_000,
  takesFirstCalls: false,
  // grpc-js compresses requests alone, so that answers come from a server that can; Fastify's library has every coding.
  stacks: ["graphql-mercurius", "grpc-node-http2", "rest-fastify"],
  tasks: messages.flatMap(tasksOf),
};
