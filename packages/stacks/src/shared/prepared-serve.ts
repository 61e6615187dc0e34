// Prepares a service for any server: its calls end in time, and it can be watched.
import { endingWithCall, type Service } from "@roundtrip/contract";
import type { Serve } from "../basics/stack.ts";

/**
 * The same server, where a deadline or a caller that leaves ends the whole call, interceptors included, and whose options may have a watch: the service
 * marks the requests that reach it.
 */
export function preparedServe(serve: Serve): Serve {
  return async (service, options) => {
    const { watch } = options;
    const prepared = (next: Service): Service => {
      const ending = endingWithCall(next);
      return watch === undefined ? ending : watch.marking(ending);
    };
    const served = await serve(prepared(service), options);
    return {
      url: served.url,
      close: () => served.close(),
      // oxlint-disable-next-line require-await -- a service that cannot be prepared rejects
      replace: async (next) => served.replace(prepared(next)),
    };
  };
}
