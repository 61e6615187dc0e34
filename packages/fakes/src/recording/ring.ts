// A queue in a ring buffer: removing the oldest entry moves no other.

export class Ring<T> {
  #slots: (T | undefined)[] = Array.from({ length: 16 }, () => undefined);
  /** The index of the oldest. */
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The oldest first. */
  get items(): readonly T[] {
    return [...this.#slots.slice(this.#first), ...this.#slots.slice(0, this.#first)].slice(0, this.#length) as T[];
  }

  push(item: T): void {
    if (this.#length === this.#slots.length) this.#grow();
    const end = this.#first + this.#length;
    this.#slots[end < this.#slots.length ? end : end - this.#slots.length] = item;
    this.#length += 1;
  }

  /** Removes and returns the oldest; undefined if the queue is empty. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const oldest = this.#slots[this.#first];
    this.#slots[this.#first] = undefined;
    this.#first = this.#first + 1 === this.#slots.length ? 0 : this.#first + 1;
    this.#length -= 1;
    return oldest;
  }

  #grow(): void {
    const { items } = this;
    this.#slots = [...items, ...items.map(() => undefined)];
    this.#first = 0;
  }
}
