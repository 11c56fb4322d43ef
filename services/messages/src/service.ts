import { createBackendService, grpcService, prepareRateLimits, type BackendService } from '@najwa/common';
import { MessagesServiceService } from '@najwa/proto/messages';
import type { MessagesConfig } from './config.js';
import { createContext, type MessagesContext } from './context.js';
import { sweep } from './domain/sweep.js';
import { routes } from './routes/index.js';
import { rpc } from './rpc/index.js';

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
    grpc: {
      port: config.grpcPort,
      publicKeys: config.servicePublicKeys,
      register: grpcService(MessagesServiceService, rpc(context)),
    },
    prepare: async () => {
      await context.messages.prepare();
      await context.deletedMessages.prepare();
      await context.replyKeys.prepare();
      await prepareRateLimits(context.database.connection);
    },
    sweep: (now) => sweep(context, now),
    dispose: [() => context.auth.close(), () => context.media.close()],
  });
}
