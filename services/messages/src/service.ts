import { createRoutes } from '@najwa/common/http';
import { prepareRateLimits } from '@najwa/common/limits';
import { createBackendService, grpcService, type BackendService } from '@najwa/common/service';
import { MessagesServiceService } from '@najwa/proto/messages';
import { applyLedger } from './account/ledger.js';
import type { MessagesConfig } from './config.js';
import { createContext, type MessagesContext } from './context.js';
import { eventHandlers, pushEventHandlers, subscribeToEvents } from './events.js';
import { exportHandlers } from './exports/routes.js';
import { finishDeletions } from './inbox/bulk.js';
import { inboxHandlers } from './inbox/routes.js';
import { sweepReports } from './moderation/decisions.js';
import { reportHandlers } from './moderation/routes.js';
import { moderationCalls } from './moderation/rpc.js';
import { sweepNotifications } from './notifications/notifications.js';
import { notificationCalls, notificationHandlers } from './notifications/routes.js';
import { pushHandlers } from './push/routes.js';
import { finishEmptied, sweepAside } from './safety/aside.js';
import { safetyHandlers } from './safety/routes.js';
import { wayBackCalls, wayBackHandlers } from './sender-links/routes.js';
import { sweepRetries } from './sending/retries.js';
import { sendingHandlers } from './sending/routes.js';

export async function create(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<BackendService> {
  const context = await createContext(config, overrides);
  subscribeToEvents(context);
  context.bus.consume('messages', eventHandlers(context));
  context.bus.consume('push', pushEventHandlers(context));
  const { limits } = context;
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: createRoutes('messages', {
      ...inboxHandlers(context, limits),
      ...sendingHandlers(context),
      ...wayBackHandlers(context, limits),
      ...safetyHandlers(context, limits),
      ...reportHandlers(context, limits),
      ...exportHandlers(context, limits),
      ...notificationHandlers(context, limits),
      ...pushHandlers(context, limits),
    }),
    grpc: {
      port: config.grpcPort,
      publicKeys: config.servicePublicKeys,
      register: grpcService(MessagesServiceService, {
        ...moderationCalls(context),
        ...notificationCalls(context),
        ...wayBackCalls(context, limits),
      }),
    },
    prepare: {
      database: async () => {
        await context.dataKeys.permanentKey();
        await context.messages.prepare();
        await context.tombstones.prepare();
        await context.replyKeys.prepare();
        await context.rules.prepare();
        await context.reports.prepare();
        await context.exports.prepare();
        await context.notifications.prepare();
        await context.pushSubscriptions.prepare();
        await prepareRateLimits(context.database.connection);
      },
      ledger: async () => {
        await applyLedger(context);
        context.pushSender.start();
        context.exportWorker.start();
      },
    },
    sweep: async (now) => {
      await sweepRetries(context, now);
      await sweepAside(context, now);
      await finishDeletions(context, now);
      await sweepReports(context, now);
      await sweepNotifications(context, now);
      await context.exports.forgetOld(now);
      await context.pushSubscriptions.removeExpired(now);
      await context.salts.forgetOld(now);
      await context.dataKeys.sweep(now);
      await context.outbox.forgetParked(context.retention.cutoff(now));
      await context.ledger.forgetOld(now);
      // Last: a large folder takes minutes.
      await finishEmptied(context);
    },
    dispose: [
      () => context.exportWorker.stop(),
      () => context.deletions.stop(),
      () => context.deliveries.stop(),
      () => context.pushSender.stop(),
      () => context.pushServices.close(),
      () => context.auth.close(),
      () => context.media.close(),
      () => context.chatbot.close(),
      () => context.wordIndexer.stop(),
      () => context.ledger.close(),
    ],
  });
}
