import { prepareRateLimits } from '@najwa/common/limits';
import { createBackendService, type BackendService } from '@najwa/common/service';
import type { AdminConfig } from './config.js';
import { createContext, type AdminContext } from './context.js';
import { routes } from './routes/index.js';

export async function create(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  const { audit, auth, chatbot, messages, tracking, retention, database } = context;
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: routes(context),
    prepare: {
      database: async () => {
        await audit.prepare();
        await prepareRateLimits(database.connection);
      },
    },
    sweep: (now) => audit.removeAddresses(retention.cutoff(now)),
    dispose: [() => auth.close(), () => chatbot.close(), () => messages.close(), () => tracking.close()],
  });
}
