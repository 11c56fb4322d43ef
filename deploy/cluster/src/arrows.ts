import { callsOf, SERVICE_NAMES } from '@najwa/dev/system/environment';
import { SERVICES, type ServiceFacts } from '@najwa/proto/http/client';

export const HTTP_PORT = 8080;
export const GRPC_PORT = 9090;
const METRICS_PORT = 9464;

/** By service or infrastructure part. */
export const LISTENING: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(
    SERVICE_NAMES.map((name) => [name, (SERVICES[name] as ServiceFacts).grpc ? [HTTP_PORT, GRPC_PORT] : [HTTP_PORT]]),
  ),
  gateway: [HTTP_PORT, METRICS_PORT],
  web: [HTTP_PORT],
  mongodb: [27_017],
  rabbitmq: [5_672],
  minio: [9_000],
};

const BROKER_CLIENTS = new Set(['gateway', 'auth', 'messages', 'media', 'tracking', 'chatbot']);

/** All permitted connections, as `caller → callee:port`. */
export const ARROWS: ReadonlySet<string> = new Set(
  SERVICE_NAMES.flatMap((name) => {
    const { grpc, http } = callsOf(name);
    return [
      ...grpc.map((callee) => `${callee}:${GRPC_PORT}`),
      ...http.map((callee) => `${callee}:${HTTP_PORT}`),
      ...((SERVICES[name] as ServiceFacts).database ? ['mongodb:27017'] : []),
      ...(BROKER_CLIENTS.has(name) ? ['rabbitmq:5672'] : []),
      ...(name === 'media' ? ['minio:9000'] : []),
    ].map((callee) => `${name} → ${callee}`);
  }),
);
