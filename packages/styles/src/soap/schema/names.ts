// The names of a contract in XML: namespaces, types and elements. Names of the contract are valid in XML, and are used as they are.
import type { DescEnum, DescField, DescMessage, DescOneof, DescService } from "@bufbuild/protobuf";
import { type Operation, memoize } from "@roundtrip/contract";

/**
 * A namespace, with colons for the dots of a name. Tools for Java name packages after namespaces, and remove what follows the last dot as if it were a
 * file's extension: `shop.v1` and `shop.v2` would be one package, and their types would collide.
 */
function namespace(kind: "package" | "service", name: string): string {
  return ["urn:protobuf", kind, ...(name === "" ? [] : name.split("."))].join(":");
}

export function packageNamespace(packageName: string): string {
  return namespace("package", packageName);
}

/** The namespace of the elements that call a service's operations, and answer. */
export function serviceNamespace({ method }: Operation): string {
  return namespace("service", method.parent.typeName);
}

/** The name of a message or enum within its package: `Outer.Inner`. */
export function typeName({ typeName: whole, file }: DescMessage | DescEnum): string {
  const { package: packageName } = file.proto;
  return packageName === "" ? whole : whole.slice(packageName.length + 1);
}

/** The element of a request: the operation's name, as "document/literal wrapped" has it. */
export function requestElement({ method }: Operation): string {
  return method.name;
}

const methodNamesOf = memoize(({ methods }: DescService) => new Set(methods.map(({ name }) => name)));

/** The element of an answer: not `…Response` if another operation of the service has that name. */
export function answerElement({ method }: Operation): string {
  const taken = methodNamesOf(method.parent);
  let name = `${method.name}Response`;
  while (taken.has(name)) name += "_";
  return name;
}

/** The value of SOAPAction, or of the parameter `action` of SOAP 1.2. */
export function actionOf(operation: Operation): string {
  return `${serviceNamespace(operation)}/${operation.method.name}`;
}

export const soapPath = "/soap";

// The order of a message's elements: fields by number, and the members of a oneof together, where its first member stands.

/** A field, or the choice between the members of a oneof, by number. */
export type Particle = DescField | DescOneof;

export const particlesOf = memoize((message: DescMessage): readonly Particle[] => {
  const particles = new Set<Particle>();
  for (const field of message.fields.toSorted((one, other) => one.number - other.number)) {
    particles.add(field.oneof ?? field);
  }
  return [...particles];
});

/** The members of a choice, by number; the field itself for a field. */
export function fieldsOf(particle: Particle): readonly DescField[] {
  return particle.kind === "oneof" ? particle.fields.toSorted((one, other) => one.number - other.number) : [particle];
}
