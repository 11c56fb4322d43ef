export interface SetChange<Item> {
  add?: Item[];
  remove?: Item[];
}

/** A set after a change, in its order. What is both removed and added stays, at the end. */
export const changedSet = <Item>(before: Item[], { add = [], remove = [] }: SetChange<Item> = {}): Item[] => [
  ...new Set([...before.filter((item) => !remove.includes(item)), ...add]),
];
