import { prepareRateLimits } from '@najwa/common/limits';
import { createBackendService, grpcService, type BackendService } from '@najwa/common/service';
import { ChatbotServiceService } from '@najwa/proto/chatbot';
import type { ChatbotConfig } from './config.js';
import { createContext, type ChatbotContext } from './context.js';
import { sweep } from './conversations/conversations.js';
import { routes } from './conversations/routes.js';
import { rpc } from './conversations/rpc.js';
import { eventHandlers } from './events.js';

export async function create(config: ChatbotConfig, overrides: Partial<ChatbotContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  const { database, conversations, uploads, spending } = context;
  context.bus.consume('chatbot', eventHandlers(context));
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: routes(context, context.limits),
    grpc: {
      port: config.grpcPort,
      publicKeys: config.servicePublicKeys,
      register: grpcService(ChatbotServiceService, rpc(context)),
    },
    // OpenAI is no readiness check: automatic mode answers without it.
    prepare: {
      database: async () => {
        await Promise.all([conversations.prepare(), uploads.prepare(), spending.prepare()]);
        await prepareRateLimits(database.connection);
      },
    },
    sweep: (now) => sweep(context, now),
    dispose: [() => context.languageModel?.close(), () => context.auth.close(), () => context.media.close()],
  });
}
