import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@najwa/common/logging';
import { createMetrics } from '@najwa/common/metrics';
import { NO_TRACING } from '@najwa/common/tracing';
import { createFastPath, createOriginReader, createPublicCache, createSiteReader, publicAnswer } from '@najwa/gateway';

/** Number of accounts, and bound of the cache. */
export interface ProfilesOrder {
  profiles: number;
  maxBytes: number;
  /** Accounts that the load asks for, as ranks from 0, the most visited one. */
  ranks: number[];
}

/** Bytes in use, and the ranks that are remembered. */
export interface ProfilesReport {
  port: number;
  bytes: number;
  remembered: number[];
}

// The gateway's own cache and fast path, filled with that many accounts, the most visited last. Nothing expires, so that
// every request is a hit. Runs as a separate process.
process.once('message', ({ profiles, maxBytes, ranks }: ProfilesOrder) => {
  void (async () => {
    const publicCache = createPublicCache({ isSubscribed: () => true, maxBytes, now: () => 0 });
    const keyOf = (rank: number): string => `/api/users/account-${rank}`;
    for (let rank = profiles - 1; rank >= 0; rank -= 1) {
      const body = Buffer.from(
        JSON.stringify({ id: rank, username: `account-${rank}`, name: 'ليلى', bio: 'x'.repeat(200) }),
      );
      const headers = [['content-type', 'application/json; charset=utf-8']] as const;
      const answer = await publicAnswer({
        operation: 'getPublicUser',
        status: 200,
        headers,
        body,
        tags: [`profile/${rank}`],
      });
      await publicCache.load(keyOf(rank), { fetch: () => Promise.resolve(answer) });
    }
    const fastPath = createFastPath({
      publicCache,
      visits: { note: () => undefined },
      logger: createLogger({ service: 'bench', level: 'silent' }),
      metrics: createMetrics('bench'),
      tracing: NO_TRACING,
      readOrigin: createOriginReader([]),
      siteOf: createSiteReader([]),
      networks: { take: () => 0 },
    });
    const server = createServer((request, response) => {
      if (!fastPath(request, response)) response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1', () => {
      const remembered = ranks.filter((rank) => publicCache.peek(keyOf(rank)) !== undefined);
      const { port } = server.address() as AddressInfo;
      process.send?.({ port, bytes: publicCache.size(), remembered } satisfies ProfilesReport);
    });
  })();
});
process.once('disconnect', () => process.exit());
