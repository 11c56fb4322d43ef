import { createRoutes } from '@najwa/common/http';
import { prepareRateLimits } from '@najwa/common/limits';
import { createBackendService, grpcService, type BackendService } from '@najwa/common/service';
import { MediaServiceService } from '@najwa/proto/media';
import type { MediaConfig } from './config.js';
import { createContext, type MediaContext } from './context.js';
import { events } from './events.js';
import { sweep } from './files/sweep.js';
import { sendImage } from './pictures/routes.js';
import { rpc } from './rpc.js';
import { soundHandlers } from './sounds/routes.js';

export async function create(config: MediaConfig, overrides: Partial<MediaContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  const { bus, blobs, database, dataKeys, pictures, sounds, archives, recordings, ffmpeg, threads } = context;
  bus.consume('media', events(context));
  return createBackendService({
    ...context,
    host: config.host,
    port: config.port,
    routes: createRoutes('media', {
      ...soundHandlers(context),
      getImage: (call) => sendImage(context, call),
    }),
    grpc: {
      port: config.grpcPort,
      publicKeys: config.servicePublicKeys,
      register: grpcService(MediaServiceService, rpc(context)),
    },
    checks: { storage: () => blobs.check() },
    prepare: {
      database: async () => {
        await ffmpeg.check();
        await recordings.files.prepare();
        await dataKeys.permanentKey();
        await pictures.prepare();
        await sounds.prepare();
        await archives.prepare();
        await prepareRateLimits(database.connection);
      },
      storage: () => blobs.prepare(),
    },
    sweep: (now) => sweep(context, now),
    dispose: [() => threads.close(), () => blobs.close()],
  });
}
