import { LIMITS, OPERATION_IDS, ROUTES, type OperationId, type Route } from '@najwa/proto/http/client';

/** One operation of the contract, with its id. */
export type Operation = Route & { id: OperationId };

interface Node {
  /** Operations by method. */
  operations: Map<string, Operation>;
  /** By the next segment; `{}` is a parameter. */
  children: Map<string, Node>;
}

export type Match =
  | { operation: Operation }
  /** The path exists, but not with this method. */
  | { operation: undefined; methods: readonly string[] }
  | undefined;

const PARAMETER = '{}';

const newNode = (): Node => ({ operations: new Map(), children: new Map() });

/** The segments of a path. One slash at the end makes no difference, as in the services' routers. */
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

/** Finds the nodes of a path, those with fewer parameters first. */
function find(node: Node, segments: readonly string[]): Node[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.operations.size > 0 ? [node] : [];
  const candidates = [node.children.get(segment), segment === '' ? undefined : node.children.get(PARAMETER)];
  return candidates.flatMap((child) => (child ? find(child, rest) : []));
}

const root = newNode();
for (const id of OPERATION_IDS) add(root, { ...ROUTES[id], id });

/**
 * Finds the operation that a request asks for. A HEAD is its GET.
 * @param path without the query
 * @returns undefined if the contract has no such path
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

/** Largest accepted body in bytes. A call without a body gets the bound of JSON, and its service ignores it. */
export const maxBytesOf = ({ body }: Operation): number => (body.kind === 'none' ? LIMITS.jsonBytes : body.maxBytes);
