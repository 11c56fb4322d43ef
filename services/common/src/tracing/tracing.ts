import { z } from 'zod';
import { currentSpan, runWithSpan } from '../logging/request-context.js';
import type { Span, SpanAttributes, SpanKind } from './span.js';

/** Header of HTTP requests, gRPC calls and AMQP messages that carries a trace: https://www.w3.org/TR/trace-context/ */
export const TRACEPARENT_HEADER = 'traceparent';

/** Records traces. Spans are undefined when tracing is off, and for requests that are not sampled. */
export interface Tracing {
  readonly isOn: boolean;
  /**
   * Starts the trace of a request from outside, if it is sampled. Only the gateway does this.
   * @param requestId UUID of ours. Its digits become the trace id, so that one id leads to both logs and trace.
   */
  begin(name: string, requestId: string, attributes?: SpanAttributes): Span | undefined;
  /** Continues a trace of another service of ours. @param traceparent undefined, empty or malformed: not sampled */
  resume(traceparent: string | undefined, name: string, kind: SpanKind, attributes?: SpanAttributes): Span | undefined;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => undefined,
  resume: () => undefined,
  close: () => Promise.resolve(),
};

export interface TracingConfig {
  /** Base URL of an OpenTelemetry collector, or undefined: tracing is off. */
  endpoint: string | undefined;
  /** Part of the requests that are traced, from 0 to 1. */
  ratio: number;
}

/** Variables of tracing, with the names that OpenTelemetry gives them. */
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

/** Creates the tracing of one service. Without a collector nothing of OpenTelemetry is loaded. */
export async function createTracing(service: string, { endpoint, ratio }: TracingConfig): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { createOtlpExporter, createOpenTelemetry } = await import('./open-telemetry.js');
  return createOpenTelemetry({ service, ratio, exporter: createOtlpExporter(endpoint) });
}

/** Runs a step of the current request within a span of its own, if the request is sampled. */
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

/** The code of an error of ours, or the class of another one. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
