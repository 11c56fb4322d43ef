import { z } from 'zod';
import { currentSpan, runWithSpan } from '../logging/logger.js';
import type { SpanAttributes, Tracing } from './span.js';

export type { Tracing } from './span.js';

/** In HTTP, gRPC and AMQP: https://www.w3.org/TR/trace-context/ */
export const TRACEPARENT_HEADER = 'traceparent';

export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => undefined,
  resume: () => undefined,
  close: () => Promise.resolve(),
};

export interface TracingConfig {
  endpoint: string | undefined;
  ratio: number;
}

export const tracingEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), 'must be an http or https URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional()
    .describe('Base address of an OpenTelemetry collector. Without it nothing is traced.'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(0.05)
    .describe('The part of the requests that are traced, from 0 to 1.'),
};

export async function createTracing(service: string, { endpoint, ratio }: TracingConfig): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { createOtlpExporter, createOpenTelemetry } = await import('./open-telemetry.js');
  return createOpenTelemetry({ service, ratio, exporter: createOtlpExporter(endpoint) });
}

export async function withSpan<Result>(
  name: string,
  run: () => Promise<Result>,
  attributes?: SpanAttributes,
): Promise<Result> {
  const span = currentSpan()?.child(name, 'internal', attributes);
  if (span === undefined) return run();
  try {
    const result = await runWithSpan(span, run);
    span.end();
    return result;
  } catch (error) {
    span.end({ error: errorTypeOf(error) });
    throw error;
  }
}

export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
