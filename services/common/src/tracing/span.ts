export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** From our code and contracts, such as an operation id. Never text, addresses, usernames, tokens, paths or queries. */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanResult {
  name?: string;
  /** An error code or a status. Never a message, which may quote a value. */
  error?: string;
  attributes?: SpanAttributes;
}

/** Of a sampled request. End it exactly once. */
export interface Span {
  /** The request id without dashes. */
  readonly traceId: string;
  readonly traceparent: string;
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  end(result?: SpanResult): void;
}

/** Spans are undefined if tracing is off or the request is not sampled. */
export interface Tracing {
  readonly isOn: boolean;
  /**
   * Only the gateway starts traces.
   * @param requestId our UUID, whose digits become the trace id
   */
  begin(name: string, requestId: string, attributes?: SpanAttributes): Span | undefined;
  /** @param traceparent undefined, empty or malformed: not sampled */
  resume(traceparent: string | undefined, name: string, kind: SpanKind, attributes?: SpanAttributes): Span | undefined;
  close(): Promise<void>;
}
