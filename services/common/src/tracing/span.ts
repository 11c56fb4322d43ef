export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/**
 * Attributes of a span. Values come from our own code and contracts, such as an operation id or a status. They never
 * contain text, addresses, usernames, tokens, paths or queries of a request.
 */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanResult {
  /** Replaces the name, if it was not known at the start. */
  name?: string;
  /** Set if the work failed: an error code of ours, or a status. Never a message, which may quote a value. */
  error?: string;
  attributes?: SpanAttributes;
}

/** A step of a sampled request. End it exactly once. */
export interface Span {
  /** 32 hexadecimal digits: the id of the request, without its dashes. */
  readonly traceId: string;
  /** Value of `TRACEPARENT_HEADER` for the calls that this step makes. */
  readonly traceparent: string;
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  end(result?: SpanResult): void;
}
