// The calls of a server that it has not answered at once: those that are open when it stops end with an error, not with their connection.
import type { ServerCall, Service } from "@roundtrip/contract";

/** What the error of an ended call needs to be sent, as a share of the grace time and at most in milliseconds. */
const sendingShare = 0.25;
const mostSendingMs = 250;

export class OpenCalls {
  readonly #calls = new Set<ServerCall>();

  /** The same service, whose calls are known while they are open. */
  of(service: Service): Service {
    const calls = this.#calls;
    const note = (call: ServerCall): void => {
      calls.add(call);
      call.whenFinished(() => calls.delete(call));
    };
    return {
      contract: service.contract,
      guard: (next) => service.guard(next),
      call(operation, request, call) {
        const answer = service.call(operation, request, call);
        if (answer instanceof Promise) note(call);
        return answer;
      },
      stream(operation, requests, call) {
        note(call);
        return service.stream(operation, requests, call);
      },
    };
  }

  /** Ends them with UNAVAILABLE shortly before the grace time of a stopping server is over. @param close closes the server, and resolves then */
  async endWith(close: () => Promise<void>, graceMs: number): Promise<void> {
    const end = (): void => {
      for (const call of this.#calls) call.stop();
    };
    const timer = setTimeout(end, graceMs - Math.min(mostSendingMs, graceMs * sendingShare));
    try {
      await close();
    } finally {
      clearTimeout(timer);
    }
  }
}
