import { AppError, id, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import type { MediaServiceService } from '@najwa/proto/media';
import { z } from 'zod';
import { storageKey } from '../files/fields.js';
import { readArchivePart, removeArchive, storeArchivePart, type ArchivesDeps } from './archives.js';

type Methods = Pick<UnaryHandlers<MediaServiceService>, 'storeArchivePart' | 'getArchivePart' | 'removeArchive'>;

const MAX_PART_BYTES = 2 * 1024 * 1024;
const MAX_PARTS = 100_000;
const MAX_LIFETIME_MS = 48 * 60 * 60 * 1000;

const place = { archive: storageKey, index: z.number().int().min(0, 'out_of_range').max(MAX_PARTS, 'out_of_range') };
const newPart = z.object({
  ...place,
  content: z.instanceof(Buffer).refine(({ length }) => length <= MAX_PART_BYTES, 'too_large'),
  ownerId: id,
  expiresAt: z
    .date({ error: 'required' })
    .refine((time) => time.getTime() <= Date.now() + MAX_LIFETIME_MS, 'out_of_range'),
});

export function archiveMethods(deps: ArchivesDeps): Methods {
  return {
    async storeArchivePart(request) {
      const { archive: name, index, content, ownerId, expiresAt } = validate(newPart, request);
      await storeArchivePart(deps, { name, ownerId, expiresAt }, index, content);
      return {};
    },
    async getArchivePart(request) {
      const { archive, index } = validate(z.object(place), request);
      const content = await readArchivePart(deps, archive, index);
      if (content === null) throw new AppError({ code: 'media_not_found', message: 'There is no such part.' });
      return { content };
    },
    async removeArchive(request) {
      const { archive } = validate(z.object({ archive: storageKey }), request);
      await removeArchive(deps, archive);
      return {};
    },
  };
}
