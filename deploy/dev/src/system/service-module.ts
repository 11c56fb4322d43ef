import type { Environment } from '@najwa/common/config';
import type { Logger } from '@najwa/common/logging';
import type { Service } from '@najwa/common/service';
import type { ServiceName } from './environment.js';

export interface RunningService extends Service {
  ports(): { http: number; grpc?: number | undefined };
}

export interface ServiceModule {
  loadConfig: (environment: Environment) => unknown;
  create: (config: never, overrides: { logger: Logger }) => RunningService | Promise<RunningService>;
}

/** On demand. */
export const SERVICE_MODULES: Readonly<Record<ServiceName, () => Promise<ServiceModule>>> = {
  admin: () => import('@najwa/admin'),
  auth: () => import('@najwa/auth'),
  chatbot: () => import('@najwa/chatbot'),
  gateway: () => import('@najwa/gateway'),
  media: () => import('@najwa/media'),
  messages: () => import('@najwa/messages'),
  tracking: () => import('@najwa/tracking'),
};
