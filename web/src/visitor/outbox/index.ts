export { Outbox } from './Outbox.js';
export { OutboxNotice } from './OutboxNotice.js';
export { keepForLater } from '../../lib/outbox/page.js';
export { forgetWaiting } from '../../lib/outbox/send.js';
