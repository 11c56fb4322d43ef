import type { Identity } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import type { Request } from 'express';

const MAX_TRACE_LENGTH = 512;

/** What is known of where a message came from. For tracking alone. */
export function traceOf(request: Request, { ip }: Identity): SenderTrace {
  const header = (name: string): string => (request.get(name) ?? '').slice(0, MAX_TRACE_LENGTH);
  return {
    ipAddress: ip,
    userAgent: header('user-agent'),
    referrer: header('referer'),
    language: header('accept-language'),
  };
}
