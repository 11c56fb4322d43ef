import type { LastingKey } from '@najwa/common';

const BYTES = 8;

/**
 * The bits of a message's ornament, hexadecimal: of its id alone, under a key that never leaves this service. So its sender knows
 * it again wherever it is shown, ids cannot be told by it, and two installations draw the same id differently.
 */
export const ornamentOf = (key: LastingKey, messageId: number): string =>
  Buffer.from(key.tag('ornament', messageId), 'base64url').subarray(0, BYTES).toString('hex');
