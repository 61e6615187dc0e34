// The fields that GraphQL adds for references and Lists, the calls behind them, and references without one.
import { type Contract, type Operation, typesIn } from "@roundtrip/contract";
import { findEdges } from "@roundtrip/contract/resources";
import { styled } from "../output/page.ts";

export interface DescribedEdge {
  /** `Invoice.customer`. */
  readonly field: string;
  /** The methods that read it: a Get or a List, and for several at once a BatchGet. */
  readonly calls: readonly string[];
  /** The field of the contract with the key. */
  readonly by: string;
}

export interface DescribedEdges {
  readonly edges: readonly DescribedEdge[];
  readonly without: readonly { readonly field: string; readonly reason: string }[];
}

export async function describedEdges(contract: Contract, operations: readonly Operation[]): Promise<DescribedEdges> {
  const { edgesOf, graphqlModel } = await import("@roundtrip/styles/graphql/server");
  const model = graphqlModel(contract);
  const { of } = edgesOf(model);
  const messages = new Set(typesIn(operations.map(({ output }) => output)));
  const edges = [...messages].flatMap((message) =>
    of(message).map((named): DescribedEdge => {
      const { edge } = named;
      const found = "list" in edge ? [edge.list] : [edge.get, ...(edge.batchGet === undefined ? [] : [edge.batchGet])];
      return {
        field: `${model.valueTypeOf({ kind: "message", message }, "output")}.${named.name}`,
        calls: found.map(({ operation }) => operation.method.name),
        by: named.source.name,
      };
    }),
  );
  const plain = findEdges(contract).plain.filter(({ field }) => messages.has(field.parent));
  return {
    edges,
    without: plain.map(({ field, reason }) => ({ field: `${field.parent.name}.${field.name}`, reason })),
  };
}

export function printEdges({ edges, without }: DescribedEdges): void {
  if (edges.length + without.length === 0) return;
  const lines = [
    ...edges.map(({ field, calls, by }) => [field, `${calls.join(" or ")} by ${by}`] as const),
    ...without.map(({ field, reason }) => [field, `no edge: ${reason}`] as const),
  ];
  const width = Math.max(...lines.map(([field]) => field.length));
  const text = lines.map(([field, how]) => `  ${field.padEnd(width)}  ${how}\n`).join("");
  process.stdout.write(`${styled("bold", "References and Lists as edges of GraphQL")}\n${text}\n`);
}
