import { LIMITS, OPERATION_IDS, ROUTES, type OperationId, type Route } from '@najwa/proto/http/client';

export type Operation = Route & { id: OperationId };

interface Node {
  operations: Map<string, Operation>;
  children: Map<string, Node>;
}

export type Match = { operation: Operation } | { operation: undefined; methods: readonly string[] } | undefined;

const PARAMETER = '{}';

const newNode = (): Node => ({ operations: new Map(), children: new Map() });

/** A trailing slash makes no difference, as in the services' routers. */
const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1);

function add(root: Node, operation: Operation): void {
  let node = root;
  for (const segment of segmentsOf(operation.path)) {
    const name = segment.startsWith('{') ? PARAMETER : segment;
    let child = node.children.get(name);
    if (!child) node.children.set(name, (child = newNode()));
    node = child;
  }
  node.operations.set(operation.method, operation);
}

function find(node: Node, segments: readonly string[]): Node[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.operations.size > 0 ? [node] : [];
  const candidates = [node.children.get(segment), segment === '' ? undefined : node.children.get(PARAMETER)];
  return candidates.flatMap((child) => (child ? find(child, rest) : []));
}

const root = newNode();
for (const id of OPERATION_IDS) add(root, { ...ROUTES[id], id });

/**
 * HEAD counts as GET.
 * @param path without the query
 */
export function matchOperation(method: string, path: string): Match {
  const nodes = find(root, segmentsOf(path));
  if (nodes.length === 0) return undefined;
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const { operations } of nodes) {
    const operation = operations.get(wanted);
    if (operation !== undefined) return { operation };
  }
  return {
    operation: undefined,
    methods: [...new Set(nodes.flatMap(({ operations }) => [...operations.keys()]))].sort(),
  };
}

/** Without a body, the limit of JSON: the service ignores it. */
export const maxBytesOf = ({ body }: Operation): number => (body.kind === 'none' ? LIMITS.jsonBytes : body.maxBytes);
