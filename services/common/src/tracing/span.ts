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
