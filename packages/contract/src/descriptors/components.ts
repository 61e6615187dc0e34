// Groups of message types that contain each other: the strongly connected components of a graph.

/** The state of a visited node: its index, and the lowest index that is reachable from it. */
interface Visit<Node> {
  readonly node: Node;
  readonly foundAt: number;
  readonly ahead: Iterator<Node>;
  leadsBackTo: number;
}

/**
 * The strongly connected components of all reachable nodes, in reverse topological order (R. Tarjan, "Depth-first search and linear graph
 * algorithms", 1972). Runs in linear time and without recursion, because chains of types can be ten thousand long.
 *
 * @param next nodes that an edge leads to.
 */
export function componentsOf<Node>(from: Iterable<Node>, next: (node: Node) => Iterable<Node>): readonly Node[][] {
  const components: Node[][] = [];
  const visits = new Map<Node, Visit<Node>>();
  const done = new Set<Node>();
  const open: Node[] = [];
  const path: Visit<Node>[] = [];
  const find = (node: Node): void => {
    const visit = { node, foundAt: visits.size, ahead: next(node)[Symbol.iterator](), leadsBackTo: visits.size };
    visits.set(node, visit);
    open.push(node);
    path.push(visit);
  };
  const leave = ({ node, foundAt, leadsBackTo }: Visit<Node>): void => {
    const above = path.at(-1);
    if (above !== undefined) above.leadsBackTo = Math.min(above.leadsBackTo, leadsBackTo);
    if (leadsBackTo < foundAt) return;
    const component = open.splice(open.lastIndexOf(node));
    for (const member of component) done.add(member);
    components.push(component);
  };
  for (const root of from) {
    if (!visits.has(root)) find(root);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const step = visit.ahead.next();
      if (step.done === true) {
        path.pop();
        leave(visit);
        continue;
      }
      const known = visits.get(step.value);
      if (known === undefined) find(step.value);
      else if (!done.has(step.value)) visit.leadsBackTo = Math.min(visit.leadsBackTo, known.foundAt);
    }
  }
  return components;
}
