import { createRoutes } from '@najwa/common/http';
import { prepareRateLimits } from '@najwa/common/limits';
import { createBackendService, grpcService, type BackendService } from '@najwa/common/service';
import { AuthServiceService } from '@najwa/proto/auth';
import { resealMigration } from './access/reseal.js';
import { accessHandlers } from './access/routes.js';
import { sweepErasures } from './account/erasure.js';
import { applyLedger } from './account/ledger.js';
import { accountHandlers } from './account/routes.js';
import type { AuthConfig } from './config.js';
import { createContext, type AuthContext } from './context.js';
import { eventHandlers } from './events.js';
import { passkeyHandlers } from './passkeys/routes.js';
import { forgetOldVisits } from './presence/presence.js';
import { rpc } from './rpc.js';
import { sessionHandlers } from './sessions/routes.js';
import { sweepSessions } from './sessions/sessions.js';

export async function create(config: AuthConfig, overrides: Partial<AuthContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  context.bus.consume('auth', eventHandlers(context));
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: createRoutes('auth', {
      ...accessHandlers(context),
      ...accountHandlers(context),
      ...passkeyHandlers(context),
      ...sessionHandlers(context),
    }),
    grpc: {
      port: config.grpcPort,
      publicKeys: config.servicePublicKeys,
      register: grpcService(AuthServiceService, rpc(context)),
    },
    prepare: {
      database: async () => {
        await context.users.prepare();
        await context.sessions.prepare();
        await context.visits.prepare();
        await context.passkeys.prepare();
        await context.heldNames.prepare();
        await prepareRateLimits(context.database.connection);
      },
      ledger: async () => {
        await applyLedger(context);
        context.restoredTo = await context.ledger.restoredTo();
      },
    },
    sweep: async (now) => {
      await sweepSessions(context, now);
      await forgetOldVisits(context, now);
      await context.passkeys.forgetChallenges(now);
      await context.heldNames.forgetOld(now);
      await context.ledger.forgetOld(now);
      await sweepErasures(context, now);
    },
    migrations: config.accountKeys.length > 1 ? [resealMigration(context.sealer)] : [],
    dispose: [() => context.passwords.close(), () => context.media.close(), () => context.ledger.close()],
  });
}
