// One call by curl: its arguments and the expected answer.

export interface CurlCall {
  /** Permanent, because allowances refer to it. */
  readonly id: string;
  /** The behaviour that a caller relies on, in one sentence. */
  readonly about: string;
  readonly style: string;
  /** The arguments of `curl`; `$URL` is the address of the style's server. */
  readonly arguments: readonly string[];
  /** Standard input of curl, in hexadecimal; may be empty. */
  readonly input: string;
  readonly status: number;
  /** Headers and trailers by name in lower case. Each pattern must match the whole value. */
  readonly headers: Readonly<Record<string, RegExp>>;
  /** Must match a part of the body. */
  readonly body: RegExp;
}
