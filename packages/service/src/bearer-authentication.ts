// Who may call: an interceptor that judges the bearer token of each call before anything else of the service sees it.
import { CallError, type CallContext, type Interceptor, type Operation } from "@roundtrip/contract";
import { createHash, timingSafeEqual } from "node:crypto";

/** What a token is worth for an operation: `unknown` is nobody's, `forbidden` is somebody's who may not call it. */
export type TokenVerdict = "allowed" | "forbidden" | "unknown";

/** Judges a token. What it throws or rejects with fails the call as INTERNAL and is told to nobody. */
export type TokenVerifier = (token: string, operation: Operation) => TokenVerdict | Promise<TokenVerdict>;

// RFC 6750, section 2.1; the scheme in any case (RFC 9110, section 11.1). Two tokens, joined by a comma, are none.
const bearer = /^bearer +([\w.~+/-]+=*)$/i;

function tokenOf({ metadata }: CallContext): string | undefined {
  return bearer.exec(metadata.get("authorization") ?? "")?.[1];
}

// Which scheme is asked for (RFC 9110, section 11.6.1) is told by the style whose answers have a status 401.
function requireAllowed(verdict: TokenVerdict): void {
  switch (verdict) {
    case "allowed":
      return;
    case "forbidden":
      throw new CallError("PERMISSION_DENIED", "the caller may not call this operation");
    case "unknown":
      throw new CallError("UNAUTHENTICATED", "the call needs a valid bearer token");
  }
}

function failed(thrown: unknown): never {
  throw CallError.from(thrown);
}

/**
 * Judges every call by its `authorization: Bearer …`: UNAUTHENTICATED without a token or with an unknown one, PERMISSION_DENIED for a
 * caller who may not call the operation; in both cases before the request is looked at, so that nothing of what exists is told. What a style
 * serves behind the same interceptors, as gRPC does its reflection, is judged too: `verify` is asked about that operation.
 */
export function bearerAuthentication(verify: TokenVerifier): Interceptor {
  const judge = (operation: Operation, call: CallContext): void | Promise<void> => {
    const token = tokenOf(call);
    const verdict = token === undefined ? "unknown" : verify(token, operation);
    if (verdict instanceof Promise) return verdict.then(requireAllowed);
    return requireAllowed(verdict);
  };
  const authenticated: Interceptor = (service) => ({
    contract: service.contract,
    guard: (other) => authenticated(service.guard(other)),
    call(operation, request, call) {
      let judged: void | Promise<void>;
      try {
        judged = judge(operation, call);
      } catch (thrown) {
        return failed(thrown);
      }
      if (judged === undefined) return service.call(operation, request, call);
      return judged.then(() => service.call(operation, request, call)).catch(failed);
    },
    async *stream(operation, requests, call) {
      try {
        await judge(operation, call);
      } catch (thrown) {
        failed(thrown);
      }
      yield* service.stream(operation, requests, call);
    },
  });
  return authenticated;
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Allows these tokens everything. Comparing takes as long for one that is almost right as for any other, whatever its length. */
export function staticTokens(tokens: readonly string[]): TokenVerifier {
  const known = tokens.map(digest);
  return (token) => {
    const given = digest(token);
    // Every one is compared, so that the time tells nothing of which it was either.
    const matches = known.filter((one) => timingSafeEqual(one, given));
    return matches.length > 0 ? "allowed" : "unknown";
  };
}
