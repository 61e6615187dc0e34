// Handlers for some methods of a generated service. All other methods are UNIMPLEMENTED.
import type { DescService } from "@bufbuild/protobuf";
import { handlersOf, type Handlers, type Methods } from "@roundtrip/contract";

/** Some typed methods of a generated service as handlers by operation id. */
export function someHandlersOf<S extends DescService>(service: S, methods: Partial<Methods<S>>): Handlers {
  // A method that is not there is left out of the handlers.
  return handlersOf(service, methods as Methods<S>);
}
