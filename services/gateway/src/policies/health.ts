import type { Health } from '@najwa/common';
import type { RequestHandler } from 'express';
import { answerJson } from './json-answer.js';

/** Answers whether the gateway itself lives and takes requests. Those of the services are nobody's business here. */
export function createHealthPolicy({ health }: { health: Health }): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET') next();
    else if (request.url === '/health/live') answerJson(response, 200, { live: true });
    else if (request.url === '/health/ready')
      health.readiness().then((readiness) => answerJson(response, readiness.ready ? 200 : 503, readiness), next);
    else next();
  };
}
