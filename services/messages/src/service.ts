import { createBackendService, grpcService, prepareRateLimits, type BackendService } from '@najwa/common';
import { MessagesServiceService } from '@najwa/proto/messages';
import type { MessagesConfig } from './config.js';
import { createContext, type MessagesContext } from './context.js';
import { finishEmptied, sweepAside } from './safety/aside.js';
import { finishDeletions } from './inbox/bulk.js';
import { applyLedger } from './account/ledger.js';
import { sweepNotifications } from './notifications/notifications.js';
import { sweepReports } from './moderation/decisions.js';
import { sweepRetries } from './sending/retries.js';
import { eventHandlers, pushHandlers, subscribeToEvents } from './events.js';
import { routes } from './inbox/routes.js';
import { rpc } from './rpc.js';

/** Messages, replies, reports of messages, and notifications. */
export async function create(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<BackendService> {
  const context = await createContext(config, overrides);
  subscribeToEvents(context);
  context.bus.consume('messages', eventHandlers(context));
  context.bus.consume('push', pushHandlers(context));
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
    prepare: {
      database: async () => {
        await context.dataKeys.lasting();
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
      // Last, since a large folder takes minutes.
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
      () => context.ledger.close(),
    ],
  });
}
