// A stream whose first value can be read before it is decided who reads the stream.

export class PeekedRequests<T> implements Disposable {
  readonly #source: AsyncIterator<T, unknown>;
  #first: Promise<IteratorResult<T, unknown>> | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The first value, which {@link all} returns again; undefined for an empty stream. Rejects if the stream fails. */
  async first(): Promise<T | undefined> {
    this.#first ??= this.#source.next();
    const result = await this.#first;
    return result.done === true ? undefined : result.value;
  }

  /** The whole stream, which can be read once. */
  async *all(): AsyncGenerator<T, void, undefined> {
    let result = await (this.#first ?? this.#source.next());
    for (; result.done !== true; result = await this.#source.next()) yield result.value;
  }

  /** Reads to the end. */
  async drain(): Promise<void> {
    const values = this.all();
    while ((await values.next()).done !== true);
  }

  /** Stops the stream without waiting: its next value may take long. */
  [Symbol.dispose](): void {
    this.#source.return?.().catch(() => undefined);
  }
}
