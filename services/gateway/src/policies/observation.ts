import type { Logger, Metrics } from '@najwa/common';
import type { RequestHandler } from 'express';
import { exchangeOf } from '../exchange.js';

export interface ObservationDeps {
  logger: Logger;
  metrics: Metrics;
}

/** Measures every request by its endpoint. A path is not told, since it holds a person's name. */
export function createObservation({ logger, metrics }: ObservationDeps): RequestHandler {
  const logs = logger.isLevelEnabled('debug');
  return (request, response, next) => {
    const start = performance.now();
    response.on('close', () => {
      const { endpoint: route, requestId } = exchangeOf(response);
      const { method } = request;
      const status = response.statusCode;
      const ms = performance.now() - start;
      metrics.httpDuration.observe({ method, route, status }, ms / 1000);
      if (logs)
        logger.debug(
          { requestId, method, route, status, ms: Math.round(ms), whole: response.writableFinished },
          'request',
        );
    });
    next();
  };
}
