import { createBackendService, grpcService, type BackendService } from '@najwa/common/service';
import { TrackingServiceService } from '@najwa/proto/tracking';
import { Router } from 'express';
import type { TrackingConfig } from './config.js';
import { createContext, type TrackingContext } from './context.js';
import { sweep } from './domain/sweep.js';
import { eventHandlers } from './events/index.js';
import { rpc } from './rpc/index.js';

/** Without HTTP paths: admin calls it over gRPC. */
export async function create(
  config: TrackingConfig,
  overrides: Partial<TrackingContext> = {},
): Promise<BackendService> {
  const context = await createContext(config, overrides);
  context.bus.consume('tracking', eventHandlers(context));
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: Router(),
    grpc: {
      port: config.grpcPort,
      publicKeys: config.servicePublicKeys,
      register: grpcService(TrackingServiceService, rpc(context)),
    },
    prepare: {
      database: async () => {
        await context.dataKeys.permanentKey();
        await context.records.prepare();
      },
    },
    sweep: (now) => sweep(context, now),
    dispose: [],
  });
}
