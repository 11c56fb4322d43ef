import { createBackendService, prepareRateLimits, type BackendService } from '@najwa/common';
import type { AdminConfig } from './config.js';
import { createContext, type AdminContext } from './context.js';
import { routes } from './routes/index.js';

/** The administrators' calls, and the log of what administrators did. */
export async function create(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: routes(context),
    prepare: async () => {
      await context.audit.prepare();
      await prepareRateLimits(context.database.connection);
    },
    dispose: [() => context.auth.close(), () => context.chatbot.close(), () => context.tracking.close()],
  });
}
