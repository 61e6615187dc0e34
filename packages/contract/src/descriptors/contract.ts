// The contract as data: what every stack, fake and document generator interprets.
import type { HttpBinding } from "./http-binding.ts";
import {
  create,
  toBinary,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** Which sides of a call can send more than one message. */
export type OperationKind = DescMethod["methodKind"];

/** The method's `idempotency_level`: `none` is NO_SIDE_EFFECTS, `idempotent` is IDEMPOTENT, `unknown` is everything else. */
export type SideEffects = "none" | "idempotent" | "unknown";

/** One rpc of the contract, with everything that a style needs to serve or call it. */
export interface Operation {
  /** `package.Service.Method`, unique in the contract. */
  readonly id: string;
  readonly method: DescMethod;
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly kind: OperationKind;
  readonly sideEffects: SideEffects;
  /** The `google.api.http` bindings, the main one first; without annotations it is `POST /package.Service/Method`. */
  readonly bindings: readonly [HttpBinding, ...HttpBinding[]];
  /** The request's `read_mask` (AIP-157), if it has one, and the request is not itself part of an answer. */
  readonly readMask: DescField | undefined;
}

export function streamsRequests({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "client_streaming" || kind === "bidi_streaming";
}

export interface Contract {
  /** In the order in which the contract's files declare them. */
  readonly operations: readonly Operation[];
  readonly registry: FileRegistry;
  /** The operation with this id. Throws a CallError UNIMPLEMENTED when there is none. */
  operation(id: string): Operation;
}

function compiled({ proto }: DescFile): Uint8Array {
  return toBinary(
    FileDescriptorProtoSchema,
    create(FileDescriptorProtoSchema, { ...proto, sourceCodeInfo: undefined }),
  );
}

/** Whether two contracts are equal: what is compiled counts, and comments, positions and the order of files do not. */
export function isSameContract({ registry }: Contract, next: Contract): boolean {
  const [files, nextFiles] = [[...registry.files], [...next.registry.files]];
  return (
    files.length === nextFiles.length &&
    files.every((file) => {
      const same = next.registry.getFile(file.proto.name);
      return same !== undefined && Buffer.compare(compiled(file), compiled(same)) === 0;
    })
  );
}
