import { readFile } from 'node:fs/promises';
import express, { type Express, type RequestHandler } from 'express';
import { parse } from 'yaml';
import { z } from 'zod';
import { CONFIG_PATH, ENDPOINT_STEP, noteEndpoint, policyNamed, type ShellOptions } from './pipelines.js';

/** The supported part of Express Gateway's format. Refuses unknown keys. */
const configuration = z.strictObject({
  apiEndpoints: z.record(
    z.string(),
    z.strictObject({
      service: z.string(),
      methods: z.enum(['GET', 'POST', 'PATCH', 'GET,HEAD']).optional(),
      paths: z.array(z.string()),
    }),
  ),
  policies: z.array(z.string()),
  pipelines: z.record(
    z.string(),
    z.strictObject({ apiEndpoints: z.array(z.string()), policies: z.array(z.record(z.string(), z.null())) }),
  ),
});

const METHODS = { GET: ['get'], POST: ['post'], PATCH: ['patch'], 'GET,HEAD': ['get', 'head'] } as const;

/** Express 4, and the file, use `*`. */
const toExpress5 = (path: string): string => path.replace('*', '{*rest}');

export async function bootPlain({ policies }: ShellOptions): Promise<Express> {
  const { apiEndpoints, pipelines, ...config } = configuration.parse(parse(await readFile(CONFIG_PATH, 'utf8')));
  const declared = Object.fromEntries(
    config.policies
      .filter((name) => name !== ENDPOINT_STEP)
      .map((name) => [name, policyNamed(name, policies)] as const),
  );
  const app = express().disable('x-powered-by').disable('etag');
  for (const [name, { service, methods, paths }] of Object.entries(apiEndpoints)) {
    const pipeline = Object.values(pipelines).find(({ apiEndpoints: names }) => names.includes(name));
    if (pipeline === undefined) throw new Error(`No pipeline has the endpoint ${name}.`);
    const endpoint: RequestHandler = (_request, response, next) => {
      noteEndpoint(response, name, service);
      next();
    };
    const steps = pipeline.policies
      .flatMap((step) => Object.keys(step))
      .map((step) => (step === ENDPOINT_STEP ? endpoint : policyNamed(step, declared)));
    const route = app.route(paths.map(toExpress5));
    for (const method of methods === undefined ? (['all'] as const) : METHODS[methods]) route[method](...steps);
  }
  return app;
}
