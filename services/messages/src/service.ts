import { createBackendService, prepareRateLimits, type BackendService } from '@najwa/common';
import type { MessagesConfig } from './config.js';
import { createContext, type MessagesContext } from './context.js';
import { sweepRetries } from './domain/retries.js';
import { routes } from './routes/index.js';

/** Messages and replies. */
export async function create(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<BackendService> {
  const context = await createContext(config, overrides);
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: routes(context),
    prepare: async () => {
      await context.messages.prepare();
      await context.tombstones.prepare();
      await context.replyKeys.prepare();
      await prepareRateLimits(context.database.connection);
    },
    sweep: (now) => sweepRetries(context, now),
    dispose: [() => context.auth.close(), () => context.media.close()],
  });
}
