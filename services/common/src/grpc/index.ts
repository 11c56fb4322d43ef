export { CALLERS_BY_PATH } from './access.js';
export { clientStream, createGrpcClient, unary, type ClientStream } from './client.js';
export { createServiceCaller, publicKeyEntry, type PublicKeys, type ServiceCaller } from './service-token.js';
export type { UnaryHandlers } from './server.js';
