// Decides by calls what a change of a contract breaks in one style, by each of its clients that read messages in a form of their own.
import type { Operation } from "@roundtrip/contract";
import { Exchange, type ExchangeOptions, type TriedStyle } from "./exchange.ts";
import type { Finding, Probes } from "./probes.ts";

/** Settings of the clients of a style: Connect sends binary messages, or JSON. */
function clientsOf(style: TriedStyle): readonly Readonly<Record<string, string>>[] {
  return style === "connect" ? [{}, { encoding: "json" }] : [{}];
}

export class Experiment implements AsyncDisposable {
  readonly #exchanges: readonly Exchange[];

  private constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
  }

  static async open(options: Omit<ExchangeOptions, "settings">): Promise<Experiment> {
    const clients = clientsOf(options.style);
    return new Experiment(await Promise.all(clients.map((settings) => Exchange.open({ ...options, settings }))));
  }

  /** What happens to callers of an operation that send such requests, or receive such answers. What only another client than the first finds may break. */
  async decide(operation: Operation, direction: "sent" | "received", probes: Probes): Promise<Finding> {
    const all = this.#exchanges.map((exchange) => exchange.decide(operation, direction, probes));
    const [first, ...others] = await Promise.all(all);
    if (first === undefined) throw new Error("a style has a client");
    const other = others.find(({ verdict }) => verdict !== "safe");
    return first.verdict === "safe" && other !== undefined ? { ...other, verdict: "may break" } : first;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#exchanges.map((exchange) => exchange[Symbol.asyncDispose]()));
  }
}
