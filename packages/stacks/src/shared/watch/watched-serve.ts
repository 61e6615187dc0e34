// Lets a server be watched: the service that it serves marks the requests that reach it.
import type { Serve } from "../../basics/stack.ts";

/** The same server, whose options may have a watch. */
export function watchedServe(serve: Serve): Serve {
  return async (service, options) => {
    const { watch } = options;
    if (watch === undefined) return serve(service, options);
    const served = await serve(watch.marking(service), options);
    return {
      url: served.url,
      close: () => served.close(),
      replace: (next) => served.replace(watch.marking(next)),
    };
  };
}
