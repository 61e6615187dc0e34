// A cache by the text of documents, which callers write.

/** Maximum length of all cached texts together, in UTF-16 code units. A parsed document takes some hundred times the memory of its text. */
const maxCharacters = 2 ** 17;

/** Empties itself when it is full. A text beyond its size is not kept. */
export class TextCache<Value> {
  readonly #known = new Map<string, Value>();
  #characters = 0;

  get(text: string): Value | undefined {
    return this.#known.get(text);
  }

  set(text: string, value: Value): void {
    if (this.#known.has(text) || text.length > maxCharacters) return;
    this.#characters += text.length;
    if (this.#characters > maxCharacters) {
      this.#known.clear();
      this.#characters = text.length;
    }
    this.#known.set(text, value);
  }
}
