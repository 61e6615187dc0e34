// Authentication: an interceptor that checks the bearer token of each call before any other part of the service.
import { CallError, type CallContext, type Interceptor, type Operation } from "@roundtrip/contract";
import { createHash, timingSafeEqual } from "node:crypto";

/** The result of checking a token: `unknown` is an invalid token, `forbidden` a valid one without permission for the operation. */
export type TokenVerdict = "allowed" | "forbidden" | "unknown";

/** Checks a token. If it throws or rejects, the call fails with INTERNAL, and the caller does not see the reason. */
export type TokenVerifier = (token: string, operation: Operation) => TokenVerdict | Promise<TokenVerdict>;

// RFC 6750, section 2.1; the scheme in any case (RFC 9110, section 11.1). Two tokens joined by a comma are invalid.
const bearer = /^bearer +([\w.~+/-]+=*)$/i;

function tokenOf({ metadata }: CallContext): string | undefined {
  return bearer.exec(metadata.get("authorization") ?? "")?.[1];
}

// Styles with HTTP status 401 also send the required scheme (RFC 9110, section 11.6.1).
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
 * Checks the `authorization: Bearer …` of every call: UNAUTHENTICATED for a missing or unknown token, PERMISSION_DENIED for a caller without
 * permission for the operation. The check runs before the request is read, so errors do not reveal which resources exist. It also applies to what a
 * style serves behind the same interceptors, such as gRPC reflection: `verify` gets that operation.
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

/** Accepts these tokens for every operation. Comparison takes constant time, for tokens of any length. */
export function staticTokens(tokens: readonly string[]): TokenVerifier {
  const known = tokens.map(digest);
  return (token) => {
    const given = digest(token);
    // Compares with every token, so that the time does not reveal which one matched.
    const matches = known.filter((one) => timingSafeEqual(one, given));
    return matches.length > 0 ? "allowed" : "unknown";
  };
}
