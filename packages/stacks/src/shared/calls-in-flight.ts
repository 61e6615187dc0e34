// The calls in flight of one client, which closing waits for.
import { clientClosed } from "@roundtrip/contract";

export class CallsInFlight {
  #count = 0;
  #closing: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  /** Throws CANCELLED once the client is closed. Call {@link end} afterwards. */
  begin(): void {
    if (this.#closing !== undefined) throw clientClosed();
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenIdle?.();
  }

  /** Refuses new calls, waits for those in flight, then closes the connections. May be called twice. */
  close(closeConnections: () => void): Promise<void> {
    return (this.#closing ??= this.#closeWhenIdle(closeConnections));
  }

  async #closeWhenIdle(closeConnections: () => void): Promise<void> {
    if (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    closeConnections();
  }
}
