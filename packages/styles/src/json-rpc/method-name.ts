// The names of methods: dotted, as users of JSON-RPC write them (`Page.navigate`, `Arith.Multiply`), with the package, so that they are unique.
import type { Operation } from "@roundtrip/contract";

/** The service discovery method of OpenRPC. */
export const discoverMethod = "rpc.discover";

/** JSON-RPC reserves names that begin like this for extensions of itself (section 4). */
const reserved = "rpc.";

/** `package.Service.Method`. In a package named `rpc` it begins with a full stop, as protobuf writes absolute names. */
export function methodName({ id }: Operation): string {
  return id.startsWith(reserved) ? `.${id}` : id;
}
