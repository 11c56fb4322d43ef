export interface ServiceFacts {
  /** Paths below /api. */
  api: boolean;
  grpc: boolean;
  database: boolean;
}

/** In order of dependency. */
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

export type ApiService = {
  [Name in ServiceName]: (typeof SERVICES)[Name]['api'] extends true ? Name : never;
}[ServiceName];

export type GrpcService = {
  [Name in ServiceName]: (typeof SERVICES)[Name]['grpc'] extends true ? Name : never;
}[ServiceName];

/** In start order. */
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

export const API_SERVICES = SERVICE_NAMES.filter((name): name is ApiService => SERVICES[name].api);

export const GRPC_SERVICES = SERVICE_NAMES.filter((name): name is GrpcService => SERVICES[name].grpc);
