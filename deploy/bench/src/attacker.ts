import { ATTACKS, type AttackOrder } from './attacks.js';

process.once('message', (order: AttackOrder) => {
  // Ready.
  process.send?.({});
  void ATTACKS[order.attack].run(order);
});
process.once('disconnect', () => process.exit());
