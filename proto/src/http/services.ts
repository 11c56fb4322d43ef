export interface ServiceFacts {
  /** Answers paths below /api, behind the gateway. */
  api: boolean;
  /** Offers methods over gRPC. */
  grpc: boolean;
  /** Owns a MongoDB database of its own. */
  database: boolean;
}

/** Every service, each after those whose answers it needs. */
export const SERVICES = {
  media: { api: true, grpc: true, database: true },
  auth: { api: true, grpc: true, database: true },
  tracking: { api: false, grpc: true, database: true },
  chatbot: { api: true, grpc: true, database: true },
  messages: { api: true, grpc: false, database: true },
  admin: { api: true, grpc: false, database: true },
  gateway: { api: false, grpc: false, database: false },
} as const satisfies Record<string, ServiceFacts>;

export type ServiceName = keyof typeof SERVICES;

/** A service that answers paths below /api. */
export type ApiService = {
  [Name in ServiceName]: (typeof SERVICES)[Name]['api'] extends true ? Name : never;
}[ServiceName];

/** A service that offers methods over gRPC. */
export type GrpcService = {
  [Name in ServiceName]: (typeof SERVICES)[Name]['grpc'] extends true ? Name : never;
}[ServiceName];

/** Every service, in start order. */
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

export const API_SERVICES = SERVICE_NAMES.filter((name): name is ApiService => SERVICES[name].api);

export const GRPC_SERVICES = SERVICE_NAMES.filter((name): name is GrpcService => SERVICES[name].grpc);
