import { randomBytes } from 'node:crypto';
import {
  ROOT_CONTEXT,
  SpanKind as OtelSpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as OtelSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanAttributes, SpanKind, Tracing } from './span.js';

export interface OpenTelemetryOptions {
  service: string;
  ratio: number;
  exporter: SpanExporter;
}

/** Spans are lost while the collector is down; nothing waits for it. */
export const createOtlpExporter = (endpoint: string): SpanExporter =>
  new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });

const KINDS: Record<SpanKind, OtelSpanKind> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
  internal: OtelSpanKind.INTERNAL,
};

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function readTraceparent(value: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(value ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if ((Number.parseInt(flags, 16) & TraceFlags.SAMPLED) === 0) return undefined;
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

/**
 * Nothing is registered globally: several services may run in one process. The request context holds the current span.
 */
export function createOpenTelemetry({ service, ratio, exporter }: OpenTelemetryOptions): Tracing {
  let nextTraceId = '';
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'najwa' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
    idGenerator: {
      generateTraceId: () => nextTraceId,
      generateSpanId: () => randomBytes(8).toString('hex'),
    },
  });
  const tracer = provider.getTracer('najwa');

  const start = (parent: Context, name: string, kind: SpanKind, attributes: SpanAttributes): Span =>
    wrap(tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent), parent);

  const wrap = (span: OtelSpan, parent: Context): Span => {
    const { traceId, spanId } = span.spanContext();
    const context = trace.setSpan(parent, span);
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-01`,
      child: (name, kind, attributes = {}) => start(context, name, kind, attributes),
      end({ name, error, attributes = {} } = {}) {
        if (name !== undefined) span.updateName(name);
        span.setAttributes(attributes);
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', error);
        span.end();
      },
    };
  };

  return {
    isOn: true,
    begin(name, requestId, attributes = {}) {
      if (Math.random() >= ratio) return undefined;
      nextTraceId = requestId.replaceAll('-', '');
      return start(ROOT_CONTEXT, name, 'server', attributes);
    },
    resume(traceparent, name, kind, attributes = {}) {
      const parent = readTraceparent(traceparent);
      return parent && start(trace.setSpanContext(ROOT_CONTEXT, parent), name, kind, attributes);
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}
