import { ATTACKS, type AttackOrder } from './attacks.js';

process.once('message', (order: AttackOrder) => void ATTACKS[order.attack](order));
process.once('disconnect', () => process.exit());
