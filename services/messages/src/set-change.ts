export interface SetChange<Item> {
  add?: Item[];
  remove?: Item[];
}

/** Keeps the order. An item both removed and added moves to the end. */
export const changedSet = <Item>(before: Item[], { add = [], remove = [] }: SetChange<Item> = {}): Item[] => [
  ...new Set([...before.filter((item) => !remove.includes(item)), ...add]),
];
