import { AppError } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import type { MediaServiceService } from '@najwa/proto/media';
import { archiveMethods } from './archives/rpc.js';
import type { MediaContext } from './context.js';
import { applyMessageState, removeMessageMedia } from './files/message-media.js';
import { imageMethods } from './pictures/rpc.js';
import { soundMethods } from './sounds/rpc.js';

export function rpc(context: MediaContext): UnaryHandlers<MediaServiceService> {
  return {
    ...imageMethods(context),
    ...archiveMethods(context),
    ...soundMethods(context),
    async followMessage({ change }) {
      if (change === undefined) throw new AppError({ code: 'malformed', message: 'The call names no change.' });
      if (change.$case === 'updated') await applyMessageState(context, change.value.message);
      else await removeMessageMedia(context, change.value);
      return {};
    },
  };
}
