export interface ServiceFacts {
  /** Serves paths below /api, behind the gateway. */
  api: boolean;
  /** Has a gRPC server. */
  grpc: boolean;
  /** Has its own MongoDB database. */
  database: boolean;
}

/** All services, each after the services it depends on. */
export const SERVICES = {
  media: { api: true, grpc: true, database: true },
  auth: { api: true, grpc: true, database: true },
  tracking: { api: false, grpc: true, database: true },
  chatbot: { api: true, grpc: true, database: true },
  messages: { api: true, grpc: true, database: true },
  admin: { api: true, grpc: false, database: true },
  gateway: { api: false, grpc: false, database: false },
} as const satisfies Record<string, ServiceFacts>;

export type ServiceName = keyof typeof SERVICES;

/** Services with paths below /api. */
export type ApiService = {
  [Name in ServiceName]: (typeof SERVICES)[Name]['api'] extends true ? Name : never;
}[ServiceName];

/** Services with a gRPC server. */
export type GrpcService = {
  [Name in ServiceName]: (typeof SERVICES)[Name]['grpc'] extends true ? Name : never;
}[ServiceName];

/** All services, in start order. */
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

export const API_SERVICES = SERVICE_NAMES.filter((name): name is ApiService => SERVICES[name].api);

export const GRPC_SERVICES = SERVICE_NAMES.filter((name): name is GrpcService => SERVICES[name].grpc);
